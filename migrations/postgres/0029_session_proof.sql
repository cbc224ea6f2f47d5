-- When the user of a session last gave the password again; NULL until then, as the sign-in itself is a proof.
ALTER TABLE sessions ADD COLUMN proven_at BIGINT;
