-- Registration, codes, sessions and pictures of users; e-mails and text messages of the platform itself.

ALTER TABLE users ADD COLUMN phone_verified_at BIGINT;
-- A proven number belongs to one user; registration looks whose it is.
CREATE UNIQUE INDEX users_phone ON users (phone_number) WHERE phone_verified_at IS NOT NULL;

ALTER TABLE sessions ADD COLUMN client TEXT NOT NULL DEFAULT '';   -- what the client calls itself
ALTER TABLE sessions ADD COLUMN address TEXT NOT NULL DEFAULT '';  -- where it signed in from

-- People who have not proven their number yet: apart from users, so that nothing can be done as one of them.
CREATE TABLE registrations (
    phone_number  TEXT   PRIMARY KEY, -- digits of E.164
    name          TEXT   NOT NULL,
    username      TEXT   NOT NULL,
    email         TEXT   NOT NULL,
    password_hash TEXT   NOT NULL,
    created_at    BIGINT NOT NULL,
    expires_at    BIGINT NOT NULL
);
CREATE INDEX registrations_expiry ON registrations (expires_at); -- purging

-- The one code of a purpose and a subject: a new one takes the place of the old one.
CREATE TABLE codes (
    purpose    TEXT   NOT NULL CHECK (purpose IN ('register', 'sign_in', 'reset', 'email')),
    subject    TEXT   NOT NULL,           -- a phone number, or a user's id
    code_hash  BLOB,                      -- HMAC-SHA256; NULL once it was used
    tries      BIGINT NOT NULL DEFAULT 0, -- of this code
    failures   BIGINT NOT NULL DEFAULT 0, -- in a row, of this code and those before it
    sent_at    BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (purpose, subject)
);
CREATE INDEX codes_age ON codes (sent_at); -- purging

-- Who asked for a code to be sent where, for the caps; kept for a day.
CREATE TABLE code_sends (
    id          INTEGER PRIMARY KEY,
    destination TEXT   NOT NULL,
    address     TEXT   NOT NULL, -- of the client, or its subnet; empty where it names nobody
    prefix      TEXT   NOT NULL, -- of a phone number; empty for e-mail
    sent_at     BIGINT NOT NULL
);
CREATE INDEX code_sends_destination ON code_sends (destination, sent_at);               -- the caps of a destination
CREATE INDEX code_sends_address ON code_sends (address, sent_at) WHERE address <> '';   -- of an address
CREATE INDEX code_sends_prefix ON code_sends (prefix, sent_at) WHERE prefix <> '';      -- of a prefix
CREATE INDEX code_sends_age ON code_sends (sent_at);                                    -- of all, and purging

-- A new address waits here until the code sent to it comes back.
CREATE TABLE email_changes (
    user_id    BIGINT PRIMARY KEY REFERENCES users (id),
    email      TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE avatars (
    user_id    BIGINT PRIMARY KEY REFERENCES users (id),
    token      TEXT   NOT NULL UNIQUE, -- names the picture in its address; a new picture has a new one
    media_type TEXT   NOT NULL CHECK (media_type IN ('image/png', 'image/jpeg', 'image/webp')),
    data       BLOB   NOT NULL,
    updated_at BIGINT NOT NULL
);

-- E-mails and text messages that the platform itself sends.
CREATE TABLE notices (
    id          INTEGER PRIMARY KEY,
    channel     TEXT   NOT NULL CHECK (channel IN ('sms', 'email')),
    purpose     TEXT   NOT NULL CHECK (purpose IN ('code', 'alert', 'message')),
    priority    BIGINT NOT NULL,           -- 0 goes first
    destination TEXT   NOT NULL,
    subject     TEXT   NOT NULL,           -- of an e-mail
    body        TEXT,                      -- sealed; gone once it was sent or given up
    carrier     TEXT   NOT NULL,           -- empty for e-mail
    status      TEXT   NOT NULL CHECK (status IN
        ('queued', 'submitting', 'sent', 'delivered', 'undelivered', 'failed', 'expired', 'unknown')),
    tries       BIGINT NOT NULL DEFAULT 0,
    parts_done  BIGINT NOT NULL DEFAULT 0, -- bit n: part n was accepted
    due_at      BIGINT NOT NULL,           -- of the next try; while it is submitted, the end of the lease
    expires_at  BIGINT NOT NULL,
    error       TEXT,
    created_at  BIGINT NOT NULL,
    done_at     BIGINT
);
CREATE INDEX notices_due ON notices (channel, carrier, priority, due_at) WHERE status = 'queued'; -- claims
CREATE INDEX notices_expiry ON notices (expires_at) WHERE status = 'queued';                       -- giving up
CREATE INDEX notices_leases ON notices (due_at) WHERE status = 'submitting';                       -- after a crash
CREATE INDEX notices_age ON notices (created_at);                                                  -- purging
CREATE INDEX notices_failed ON notices (done_at) WHERE status IN ('failed', 'expired');            -- the daily check

-- The carrier's references of sent text messages, for their receipts.
CREATE TABLE notice_references (
    carrier     TEXT   NOT NULL,
    carrier_ref TEXT   NOT NULL,
    notice_id   BIGINT NOT NULL REFERENCES notices (id) ON DELETE CASCADE,
    PRIMARY KEY (carrier, carrier_ref)
) WITHOUT ROWID;
CREATE INDEX notice_references_notice ON notice_references (notice_id); -- looked through when a notice is purged
