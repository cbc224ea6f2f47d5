-- When a reserve was emptied, for good. The index of reserves that hold something no longer rests on the balance itself:
-- PostgreSQL then writes a new balance into the same page and leaves the indexes alone (HOT).

-- A default that is taken away again: rows that exist read 0 (emptied before this was recorded) without being written.
ALTER TABLE accounts ADD COLUMN closed_at BIGINT DEFAULT 0;
ALTER TABLE accounts ALTER COLUMN closed_at DROP DEFAULT;
-- The reserves of campaigns that still run: few, and found by the old index.
UPDATE accounts SET closed_at = NULL WHERE kind = 'reserve' AND balance_micros > 0;
-- What is reserved of a user's money.
CREATE INDEX accounts_reserves_open ON accounts (user_id) WHERE kind = 'reserve' AND closed_at IS NULL;
DROP INDEX accounts_held;
ALTER TABLE accounts SET (fillfactor = 70);
