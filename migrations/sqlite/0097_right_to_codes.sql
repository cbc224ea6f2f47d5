-- Since when a user may not send codes (messages with the purpose otp). NULL: the user may.
ALTER TABLE users ADD COLUMN codes_withdrawn_at BIGINT;
