-- Which confirmation of a resend may mark the messages of a campaign: the newest one, by a number of its own.
CREATE TABLE resend_turns (
    campaign_id BIGINT PRIMARY KEY REFERENCES campaigns (id),
    turn        BIGINT NOT NULL
);
