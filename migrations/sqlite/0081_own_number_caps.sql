-- What calls that verify own numbers are counted by, and what their end takes back of the day's spending.

ALTER TABLE own_number_calls ADD COLUMN paid_in INTEGER NOT NULL DEFAULT 1 CHECK (paid_in IN (0, 1)); -- whether its user had paid money in
ALTER TABLE own_number_calls ADD COLUMN counted_on TEXT;      -- the day whose spending holds its charge; NULL where none does
ALTER TABLE own_number_calls ADD COLUMN verified_at INTEGER;  -- when its code came back
