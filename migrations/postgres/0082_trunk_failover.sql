-- Calls that wait for another trunk than their chunk's, since that one failed or takes none.
ALTER TABLE retries ADD COLUMN tried TEXT NOT NULL DEFAULT '';        -- trunks that failed in this attempt, one a line
ALTER TABLE retries ADD COLUMN caller BIGINT;                         -- the number that the first of them calls from
CREATE INDEX retries_moved ON retries (due_at) WHERE tried <> '';     -- those that go back when they wait for too long
ALTER TABLE lent_retries ADD COLUMN carrier TEXT NOT NULL DEFAULT ''; -- that has the message in flight
