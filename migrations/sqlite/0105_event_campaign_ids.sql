-- Events by the campaign that they tell of, whose words leave them when they leave the campaign. Bodies begin as they are written.
DROP INDEX webhook_events_campaign;
ALTER TABLE webhook_events ADD COLUMN campaign_id INTEGER; -- none of an event that does not tell of one
UPDATE webhook_events SET campaign_id = CAST(substr(body, instr(body, '"data":{"id":') + 13, 19) AS INTEGER)
WHERE substr(type, 1, 9) = 'campaign.' AND instr(body, '"data":{"id":') > 0;
CREATE INDEX webhook_events_campaign ON webhook_events (campaign_id, id) WHERE campaign_id IS NOT NULL;
