-- The oldest runs of the number index are merged into one, step by step (core: store/message/run_compaction).
-- A compacted run: its audience_id is 0.
ALTER TABLE number_runs ADD COLUMN has_narrow_buckets BOOLEAN NOT NULL DEFAULT FALSE;
-- The first and last recipients of the runs that it was made of, in JSON.
ALTER TABLE number_runs ADD COLUMN made_of TEXT;
-- While others are merged into it: their bucket to go on with.
ALTER TABLE number_runs ADD COLUMN next_bucket BIGINT;
-- The compacted run that this one is merged into.
ALTER TABLE number_runs ADD COLUMN merges_into BIGINT;
-- Runs are found by their recipients.
DROP INDEX number_runs_audience;
CREATE INDEX number_runs_first ON number_runs (first_recipient);
