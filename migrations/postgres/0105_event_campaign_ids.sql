-- Events by the campaign that they tell of, whose words leave them when they leave the campaign. Bodies begin as they are written.
DROP INDEX webhook_events_campaign;
ALTER TABLE webhook_events ADD COLUMN campaign_id BIGINT; -- none of an event that does not tell of one
UPDATE webhook_events SET campaign_id = CAST(substring(body FROM '"data":[{]"id":([0-9]{1,18})') AS BIGINT)
WHERE substr(type, 1, 9) = 'campaign.';
CREATE INDEX webhook_events_campaign ON webhook_events (campaign_id, id) WHERE campaign_id IS NOT NULL;
