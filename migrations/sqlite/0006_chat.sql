-- KingsChat: whose account is whose there, and sign-ins under way.

CREATE TABLE chat_links (
    user_id       BIGINT NOT NULL PRIMARY KEY REFERENCES users (id),
    provider_id   TEXT   NOT NULL UNIQUE, -- signing in: the provider's id is the account's key
    username      TEXT,                   -- there, as last seen
    avatar_url    TEXT,
    linked_at     BIGINT NOT NULL,
    last_login_at BIGINT
);

CREATE TABLE chat_logins (
    id           INTEGER PRIMARY KEY,
    origin_hash  BLOB   NOT NULL UNIQUE, -- the provider's answer: SHA-256 of the nonce that went there
    browser_hash BLOB   NOT NULL UNIQUE, -- the browser's question: SHA-256 of the secret that stayed with it
    purpose      TEXT   NOT NULL CHECK (purpose IN ('login', 'link')),
    user_id      BIGINT REFERENCES users (id), -- link: who asked; login: who it turned out to be
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    claimed_at   BIGINT,                 -- the nonce is spent
    settled_at   BIGINT,
    refusal      TEXT                    -- a stable code, when it came to nothing
);
CREATE INDEX chat_logins_expiry ON chat_logins (expires_at); -- purging, and counting those under way

CREATE TABLE user_messages (
    id           INTEGER PRIMARY KEY,
    by_user_id   BIGINT NOT NULL REFERENCES users (id),
    to_user_id   BIGINT REFERENCES users (id), -- NULL: everybody there was
    message      TEXT   NOT NULL,
    last_user_id BIGINT NOT NULL,              -- the newest user when it was written: later ones do not get it
    next_user_id BIGINT NOT NULL,              -- whoever comes before has a row below
    created_at   BIGINT NOT NULL,
    spread_at    BIGINT                        -- everybody has a row
);
CREATE INDEX user_messages_open ON user_messages (id) WHERE spread_at IS NULL; -- what is still to be given out

CREATE TABLE user_message_recipients (
    message_id    BIGINT NOT NULL REFERENCES user_messages (id),
    user_id       BIGINT NOT NULL REFERENCES users (id),
    notice_id     BIGINT,                      -- the text message, among notices, which are forgotten in time
    sms_skipped   TEXT,                        -- a stable code: why there is none
    provider_id   TEXT,                        -- at KingsChat, until the message there is settled
    chat_status   TEXT CHECK (chat_status IN ('queued', 'sending', 'sent', 'refused', 'failed', 'unknown')),
    chat_attempts BIGINT NOT NULL DEFAULT 0,
    chat_due_at   BIGINT,                      -- queued: the next try; sending: when it is given up
    chat_reason   TEXT,
    PRIMARY KEY (message_id, user_id)
);
-- Claims, and what a daemon left behind.
CREATE INDEX user_message_chat ON user_message_recipients (chat_status, chat_due_at)
    WHERE chat_status IN ('queued', 'sending');
-- What is forgotten when an account is unlinked.
CREATE INDEX user_message_linked ON user_message_recipients (user_id) WHERE provider_id IS NOT NULL;
