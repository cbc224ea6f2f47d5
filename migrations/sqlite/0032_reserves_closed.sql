-- When a reserve was emptied, for good. The index of reserves that hold something no longer rests on the balance itself:
-- a new balance then changes the row alone.

ALTER TABLE accounts ADD COLUMN closed_at BIGINT;
-- 0: emptied before this was recorded.
UPDATE accounts SET closed_at = 0 WHERE kind = 'reserve' AND balance_micros = 0;
-- What is reserved of a user's money.
CREATE INDEX accounts_reserves_open ON accounts (user_id) WHERE kind = 'reserve' AND closed_at IS NULL;
DROP INDEX accounts_held;
