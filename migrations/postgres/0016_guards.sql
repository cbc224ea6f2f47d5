-- What guards the platform against one account: how much it may spend in a day, and its first large send, which waits
-- for a person. And messages from handsets: whose they are, and what was done about them.

-- What an administrator decided about a user. No row: the defaults of the configuration, and not proven.
CREATE TABLE guards (
    user_id           BIGINT PRIMARY KEY REFERENCES users (id),
    cap_espees_micros BIGINT CHECK (cap_espees_micros >= 0),  -- of a day; 0 is no cap, NULL the default
    cap_naira_micros  BIGINT CHECK (cap_naira_micros >= 0),
    proven_at         BIGINT,                                 -- since when large sends go out unseen
    proven_by         BIGINT REFERENCES users (id)
);

-- What users with a cap confirmed, by the day of their own zone.
CREATE TABLE spending (
    user_id      BIGINT NOT NULL REFERENCES users (id),
    currency     TEXT   NOT NULL,
    day          TEXT   NOT NULL,  -- YYYY-MM-DD
    spent_micros BIGINT NOT NULL CHECK (spent_micros >= 0),
    PRIMARY KEY (user_id, currency, day)
);
CREATE INDEX spending_day ON spending (day); -- purging

-- Who else than the owner must let a paused campaign go on; NULL for nobody.
ALTER TABLE campaigns ADD COLUMN held TEXT CHECK (held IN ('admin', 'first_send'));

ALTER TABLE inbound_messages ADD COLUMN user_id BIGINT REFERENCES users (id);
ALTER TABLE inbound_messages ADD COLUMN action TEXT CHECK (action IN ('none', 'stop', 'start'));
ALTER TABLE inbound_messages ADD COLUMN handled_at BIGINT;
CREATE INDEX inbound_unhandled ON inbound_messages (id) WHERE handled_at IS NULL; -- what is to be looked at
CREATE INDEX inbound_user ON inbound_messages (user_id, id);                      -- the user's list
