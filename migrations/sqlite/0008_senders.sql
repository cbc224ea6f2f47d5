-- What a message may be from: sender ids, virtual numbers, own numbers; voice as far as it is listed; users that were deleted.

CREATE TABLE sender_ids (
    id         INTEGER PRIMARY KEY,
    user_id    BIGINT NOT NULL REFERENCES users (id),
    sender_id  TEXT   NOT NULL,
    status     TEXT   NOT NULL CHECK (status IN ('pending', 'approved', 'disapproved')),
    reason     TEXT,                             -- why it was disapproved
    created_at BIGINT NOT NULL,                  -- when it was asked for last
    decided_at BIGINT,
    decided_by BIGINT REFERENCES users (id),
    UNIQUE (user_id, sender_id)                  -- what a user may send from, at every intent; the user's list
);
CREATE INDEX sender_ids_status ON sender_ids (status, id); -- the administrators' list of what waits

-- Numbers of the platform, asked for by a user and assigned by an administrator.
CREATE TABLE virtual_numbers (
    id          INTEGER PRIMARY KEY,
    user_id     BIGINT NOT NULL REFERENCES users (id),
    virtual_num TEXT   UNIQUE,                   -- digits of E.164; NULL until one is assigned
    status      TEXT   NOT NULL CHECK (status IN ('pending', 'approved')),
    created_at  BIGINT NOT NULL,
    decided_at  BIGINT,
    decided_by  BIGINT REFERENCES users (id),
    CHECK ((status = 'approved') = (virtual_num IS NOT NULL))
);
CREATE INDEX virtual_numbers_user ON virtual_numbers (user_id, id); -- the user's list

-- Numbers of users, proven by a call.
CREATE TABLE own_numbers (
    id           INTEGER PRIMARY KEY,
    user_id      BIGINT NOT NULL REFERENCES users (id),
    phone_number TEXT   NOT NULL,                -- digits of E.164
    status       TEXT   NOT NULL CHECK (status IN ('pending', 'verified')),
    created_at   BIGINT NOT NULL,
    verified_at  BIGINT,
    UNIQUE (user_id, phone_number)               -- what a user may send from; the user's list
);

-- Recordings a user has called with.
CREATE TABLE voice_recordings (
    id         INTEGER PRIMARY KEY,
    user_id    BIGINT NOT NULL REFERENCES users (id),
    audio_url  TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX voice_recordings_user ON voice_recordings (user_id, id); -- the user's list

-- Calls to many, with the sums of what became of them.
CREATE TABLE voice_campaigns (
    id              INTEGER PRIMARY KEY,
    user_id         BIGINT NOT NULL REFERENCES users (id),
    status          TEXT   NOT NULL,
    message         TEXT   NOT NULL,
    audio_url       TEXT,
    length_s        BIGINT NOT NULL,
    units           BIGINT NOT NULL,
    currency        TEXT   NOT NULL CHECK (currency IN ('espees', 'naira')),
    captured_micros BIGINT NOT NULL DEFAULT 0,
    released_micros BIGINT NOT NULL DEFAULT 0,
    sent            BIGINT NOT NULL DEFAULT 0,
    failed          BIGINT NOT NULL DEFAULT 0,
    created_at      BIGINT NOT NULL
);
CREATE INDEX voice_campaigns_user ON voice_campaigns (user_id, id); -- the user's list

ALTER TABLE users ADD COLUMN deleted_at BIGINT;    -- from here on nobody: no sign-in, no list
ALTER TABLE users ADD COLUMN anonymised_at BIGINT; -- the person's data is gone
CREATE INDEX users_leaving ON users (id) WHERE deleted_at IS NOT NULL AND anonymised_at IS NULL; -- whom to anonymise
