-- New phone numbers are proven before they count; API keys may end by themselves.

-- The same table, with one more purpose.
CREATE TABLE codes_15 (
    purpose    TEXT   NOT NULL CHECK (purpose IN ('register', 'sign_in', 'reset', 'email', 'phone')),
    subject    TEXT   NOT NULL,           -- a phone number, or a user's id
    code_hash  BLOB,                      -- HMAC-SHA256; NULL once it was used
    tries      BIGINT NOT NULL DEFAULT 0, -- of this code
    failures   BIGINT NOT NULL DEFAULT 0, -- in a row, of this code and those before it
    sent_at    BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (purpose, subject)
);
INSERT INTO codes_15 (purpose, subject, code_hash, tries, failures, sent_at, expires_at)
    SELECT purpose, subject, code_hash, tries, failures, sent_at, expires_at FROM codes;
DROP TABLE codes;
ALTER TABLE codes_15 RENAME TO codes;
CREATE INDEX codes_age ON codes (sent_at); -- purging

-- A new number waits here until the code sent to it comes back.
CREATE TABLE phone_changes (
    user_id      BIGINT PRIMARY KEY REFERENCES users (id),
    phone_number TEXT   NOT NULL, -- digits of E.164
    created_at   BIGINT NOT NULL
);

ALTER TABLE api_keys ADD COLUMN expires_at BIGINT; -- refused from then on; NULL: never
