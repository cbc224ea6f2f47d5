-- Quotes of a user that are not confirmed, and their recipients, for the user's quota.
CREATE INDEX quotes_unconfirmed ON quotes (user_id, expires_at, size) WHERE confirmed_at IS NULL;
