-- Events by the campaign that they tell of, whose words leave them when they leave the campaign. The body begins as it is written.
CREATE INDEX IF NOT EXISTS webhook_events_campaign
    ON webhook_events (CAST(substr(body, instr(body, '"data":{"id":') + 13, 19) AS INTEGER))
    WHERE substr(type, 1, 9) = 'campaign.';
