-- Which confirmation of a resend may mark the messages of a campaign: the newest one, by a number of its own. marked:
-- how many it has marked for its quote; marked_at: when it last did.
CREATE TABLE resend_turns (
    campaign_id INTEGER PRIMARY KEY REFERENCES campaigns (id),
    turn        INTEGER NOT NULL,
    quote_id    INTEGER NOT NULL,
    marked      INTEGER NOT NULL,
    marked_at   INTEGER NOT NULL
) STRICT;
