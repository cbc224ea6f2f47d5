-- What calls that verify own numbers are counted by, and what their end takes back of the day's spending.

ALTER TABLE own_number_calls
    ADD COLUMN paid_in     BOOLEAN NOT NULL DEFAULT TRUE, -- whether its user had paid money in
    ADD COLUMN counted_on  TEXT,                          -- the day whose spending holds its charge; NULL where none does
    ADD COLUMN verified_at BIGINT;                        -- when its code came back
