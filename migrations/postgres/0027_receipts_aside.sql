-- Held receipts that cannot be written to their messages: they stay for a person to look at, and hold no others up.
ALTER TABLE held_receipts ADD COLUMN set_aside_at BIGINT;
