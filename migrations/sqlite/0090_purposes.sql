-- What messages are for that do not say it: those of a key, of a sender ID, of a user, in this order. NULL: not set.
ALTER TABLE users ADD COLUMN purpose TEXT;
ALTER TABLE api_keys ADD COLUMN purpose TEXT;
ALTER TABLE sender_ids ADD COLUMN purpose TEXT;

-- What messages are for: promotional, transactional or otp. NULL of what was quoted before, or by a daemon that knows no purpose:
-- it counts as transactional, but that every opt-out ends it, as it did then.
ALTER TABLE quotes ADD COLUMN purpose TEXT;
ALTER TABLE campaigns ADD COLUMN purpose TEXT;

-- Which messages an opt-out ends: promotional, or all but codes. Those there are were meant for all.
ALTER TABLE suppressions ADD COLUMN reach TEXT NOT NULL DEFAULT 'all';
