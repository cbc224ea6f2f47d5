-- Questions that calls ask: how each call answered, and how often each answer was given.

ALTER TABLE calls ADD COLUMN answer TEXT; -- a key, 9, other or none; NULL where there is no question, or no answer to the call

-- Moves with the rows of calls that it counts, in their transaction. Campaigns are never removed; without a reference to them
-- no row of theirs is locked.
CREATE TABLE poll_answers (
    campaign_id BIGINT NOT NULL,
    answer      TEXT NOT NULL,
    calls       BIGINT NOT NULL,
    PRIMARY KEY (campaign_id, answer)
);
