-- Events by the campaign that they tell of, whose words leave them when they leave the campaign. The body begins as it is written.
CREATE INDEX IF NOT EXISTS webhook_events_campaign
    ON webhook_events ((CAST(substring(body FROM '"data":[{]"id":([0-9]{1,18})') AS BIGINT)), id)
    WHERE substr(type, 1, 9) = 'campaign.';
