-- Which confirmation of a resend may mark the messages of a campaign: the newest one, by a number of its own. marked:
-- how many it has marked for its quote; marked_at: when it last did.
CREATE TABLE resend_turns (
    campaign_id BIGINT PRIMARY KEY REFERENCES campaigns (id),
    turn        BIGINT NOT NULL,
    quote_id    BIGINT NOT NULL,
    marked      BIGINT NOT NULL,
    marked_at   BIGINT NOT NULL
);
