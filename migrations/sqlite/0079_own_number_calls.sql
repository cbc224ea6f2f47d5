-- Own numbers are verified by a call that speaks a code.

-- The same table, with one more purpose. Rows are purged with time, so they are few.
CREATE TABLE codes_79 (
    purpose    TEXT    NOT NULL CHECK (purpose IN ('register', 'sign_in', 'reset', 'email', 'phone', 'own_number')),
    subject    TEXT    NOT NULL,           -- a phone number, or a user's id
    code_hash  BLOB,                       -- HMAC-SHA256; NULL once it was used
    tries      INTEGER NOT NULL DEFAULT 0, -- of this code
    failures   INTEGER NOT NULL DEFAULT 0, -- in a row, of this code and those before it
    sent_at    INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (purpose, subject)
) STRICT;
INSERT INTO codes_79 (purpose, subject, code_hash, tries, failures, sent_at, expires_at)
    SELECT purpose, subject, code_hash, tries, failures, sent_at, expires_at FROM codes;
DROP TABLE codes;
ALTER TABLE codes_79 RENAME TO codes;
CREATE INDEX codes_age ON codes (sent_at); -- purging

-- Calls that speak a code to a number: charged before they are placed, and given back with their end where they were not
-- answered. The code itself is in codes, as an HMAC.
CREATE TABLE own_number_calls (
    id                INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id           INTEGER NOT NULL REFERENCES users (id),
    number            TEXT    NOT NULL, -- digits of E.164
    currency          TEXT    NOT NULL CHECK (currency IN ('espees', 'naira')),
    unit_price_micros INTEGER NOT NULL CHECK (unit_price_micros >= 0),
    pulses            INTEGER NOT NULL CHECK (pulses > 0),            -- that were charged when it began
    kept_pulses       INTEGER NOT NULL CHECK (kept_pulses BETWEEN 0 AND pulses), -- of these, not given back
    owner             INTEGER NOT NULL, -- the run of a daemon that places it
    status            TEXT    NOT NULL CHECK (status IN ('calling', 'ringing', 'answered', 'ended')),
    outcome           TEXT    CHECK ((outcome IS NOT NULL) = (status = 'ended')),
    message           TEXT,             -- how it ended, in words
    caller            TEXT,             -- the number that it is from
    attempts          INTEGER NOT NULL, -- trunks that took it
    created_at        INTEGER NOT NULL,
    ringing_at        INTEGER,
    answered_at       INTEGER,
    ended_at          INTEGER,
    up_ms             INTEGER NOT NULL  -- how long it was up
) STRICT;
CREATE INDEX own_number_calls_user ON own_number_calls (user_id, created_at);   -- the caps of a user
CREATE INDEX own_number_calls_number ON own_number_calls (number, created_at);  -- of a number
CREATE INDEX own_number_calls_age ON own_number_calls (created_at);             -- of all, and purging
CREATE INDEX own_number_calls_open ON own_number_calls (owner) WHERE status <> 'ended'; -- under way; rescue
