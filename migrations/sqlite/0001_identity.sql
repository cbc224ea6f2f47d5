-- Users and how they prove who they are; settings; idempotency keys; the generation that tells a restored database.

CREATE TABLE users (
    id                INTEGER PRIMARY KEY,
    name              TEXT    NOT NULL,
    username          TEXT    NOT NULL UNIQUE CHECK (username = lower(username)), -- sign-in, transfers
    email             TEXT    NOT NULL UNIQUE CHECK (email = lower(email)),       -- sign-in
    email_verified_at BIGINT,
    phone_number      TEXT,
    gender            TEXT,
    role              TEXT    NOT NULL CHECK (role IN ('user', 'admin')),
    status            TEXT    NOT NULL CHECK (status IN ('active', 'inactive')),
    zone              TEXT    NOT NULL,
    password_hash     TEXT,
    created_at        BIGINT  NOT NULL,
    updated_at        BIGINT  NOT NULL,
    last_login_at     BIGINT
);
CREATE INDEX users_status ON users (status, id); -- the admin's lists of active and inactive users

CREATE TABLE sessions (
    id           INTEGER PRIMARY KEY,
    token_hash   BLOB    NOT NULL UNIQUE, -- SHA-256 of the token
    user_id      BIGINT  NOT NULL REFERENCES users (id),
    created_at   BIGINT  NOT NULL,
    last_seen_at BIGINT  NOT NULL,
    expires_at   BIGINT  NOT NULL         -- absolute; inactivity is a setting
);
CREATE INDEX sessions_user ON sessions (user_id);       -- revoking all of a user's
CREATE INDEX sessions_expiry ON sessions (expires_at);  -- purging

CREATE TABLE api_keys (
    id           INTEGER PRIMARY KEY,
    user_id      BIGINT  NOT NULL REFERENCES users (id),
    name         TEXT    NOT NULL,
    prefix       TEXT    NOT NULL,
    key_hash     BLOB    NOT NULL UNIQUE, -- SHA-256 of the key
    scopes       TEXT    NOT NULL,        -- comma-separated
    created_at   BIGINT  NOT NULL,
    last_used_at BIGINT,                  -- to the minute
    revoked_at   BIGINT
);
CREATE INDEX api_keys_user ON api_keys (user_id, id); -- the owner's list

CREATE TABLE settings (
    key        TEXT   PRIMARY KEY,
    value      TEXT   NOT NULL,
    updated_at BIGINT NOT NULL,
    updated_by BIGINT REFERENCES users (id)
);

CREATE TABLE idempotency (
    user_id    BIGINT NOT NULL REFERENCES users (id),
    key        TEXT   NOT NULL,
    operation  TEXT   NOT NULL,
    input_hash BLOB   NOT NULL,
    reference  TEXT,              -- what the operation made; set in the transaction that claimed the key
    created_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, key)
);
CREATE INDEX idempotency_age ON idempotency (created_at); -- purging

CREATE TABLE generations (
    instance  TEXT   PRIMARY KEY, -- names a data directory
    value     BIGINT NOT NULL,
    raised_at BIGINT NOT NULL
);

CREATE TABLE dispatch_hold (
    id      BIGINT PRIMARY KEY CHECK (id = 1), -- a row means: nothing is sent
    reason  TEXT   NOT NULL,
    held_at BIGINT NOT NULL
);
