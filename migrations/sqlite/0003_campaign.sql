-- Campaigns: who gets what (audiences), for how much (quotes), and what became of it (chunks, messages).

-- A list of recipients, immutable, shared by all runs of a quote.
CREATE TABLE audiences (
    id         INTEGER PRIMARY KEY,
    user_id    BIGINT NOT NULL REFERENCES users (id),
    columns    TEXT   NOT NULL,  -- JSON array: the merge fields' names
    created_at BIGINT NOT NULL
);

-- Up to 4,096 recipients of one carrier: number, pages, segments and merge fields (core: campaign/audience/chunk).
CREATE TABLE audience_chunks (
    id          INTEGER PRIMARY KEY,
    audience_id BIGINT NOT NULL REFERENCES audiences (id) ON DELETE CASCADE,
    carrier     TEXT   NOT NULL,
    size        BIGINT NOT NULL CHECK (size BETWEEN 1 AND 4096),
    pages       BIGINT NOT NULL,
    segments    BIGINT NOT NULL,
    data        BLOB   NOT NULL
);
CREATE INDEX audience_chunks_audience ON audience_chunks (audience_id, id);

CREATE TABLE quotes (
    id                INTEGER PRIMARY KEY,
    user_id           BIGINT  NOT NULL REFERENCES users (id),
    audience_id       BIGINT  NOT NULL REFERENCES audiences (id),
    kind              TEXT    NOT NULL,
    sender            TEXT    NOT NULL,
    content           TEXT    NOT NULL,  -- JSON
    currency          TEXT    NOT NULL,
    unit_price_micros BIGINT  NOT NULL CHECK (unit_price_micros >= 0),
    charge_micros     BIGINT  NOT NULL CHECK (charge_micros >= 0),  -- one run
    size              BIGINT  NOT NULL,
    runs              TEXT    NOT NULL,  -- JSON array of start times in ms; null means at once
    details           TEXT    NOT NULL,  -- JSON: the answer as it was given
    form_hash         BLOB    NOT NULL,
    resend_of         BIGINT,
    created_at        BIGINT  NOT NULL,
    expires_at        BIGINT  NOT NULL,
    confirmed_at      BIGINT
);
-- Confirming by the whole form again; newest first.
CREATE INDEX quotes_form ON quotes (user_id, form_hash, id);
-- Looked through when an audience is purged.
CREATE INDEX quotes_audience ON quotes (audience_id);
-- The purge of quotes nobody confirmed.
CREATE INDEX quotes_expiry ON quotes (expires_at) WHERE confirmed_at IS NULL;

CREATE TABLE quote_rejects (
    quote_id BIGINT NOT NULL REFERENCES quotes (id) ON DELETE CASCADE,
    ordinal  BIGINT NOT NULL,
    line     BIGINT NOT NULL,
    value    TEXT   NOT NULL,
    code     TEXT   NOT NULL,
    reason   TEXT   NOT NULL,
    PRIMARY KEY (quote_id, ordinal)
);

-- One run of a quote.
CREATE TABLE campaigns (
    id                 INTEGER PRIMARY KEY,
    quote_id           BIGINT  NOT NULL REFERENCES quotes (id),
    run                BIGINT  NOT NULL,
    user_id            BIGINT  NOT NULL REFERENCES users (id),
    audience_id        BIGINT  NOT NULL REFERENCES audiences (id),
    reserve_account_id BIGINT  NOT NULL REFERENCES accounts (id),
    wallet_account_id  BIGINT  NOT NULL REFERENCES accounts (id),
    kind               TEXT    NOT NULL,
    sender             TEXT    NOT NULL,
    content            TEXT    NOT NULL,
    currency           TEXT    NOT NULL,
    unit_price_micros  BIGINT  NOT NULL,
    charge_micros      BIGINT  NOT NULL,
    refund_undelivered BOOLEAN NOT NULL,
    size               BIGINT  NOT NULL,
    chunks_open        BIGINT  NOT NULL,
    status             TEXT    NOT NULL CHECK (status IN
        ('scheduled', 'sending', 'paused', 'completed', 'cancelled', 'failed')),
    status_reason      TEXT,
    paused_from        TEXT,    -- what resume goes back to
    resend_of          BIGINT,
    created_at         BIGINT  NOT NULL,
    scheduled_at       BIGINT,
    started_at         BIGINT,
    completed_at       BIGINT,
    UNIQUE (quote_id, run)
);
-- Campaign history of a user, newest first.
CREATE INDEX campaigns_user ON campaigns (user_id, id);
-- The dispatcher's picks: users in turn, then the oldest campaign.
CREATE INDEX campaigns_sending ON campaigns (user_id, id) WHERE status = 'sending';
CREATE INDEX campaigns_due ON campaigns (scheduled_at) WHERE status = 'scheduled';
-- From a recipient found by number to the campaigns that wrote to it.
CREATE INDEX campaigns_audience ON campaigns (audience_id);

-- The unit of claiming. Its id times 4,096 plus the place is a message's id.
-- Positions below `cursor` were claimed (the intent comes before the side effect); one that has neither a message
-- nor a retry is in flight, or `unknown` once its owner is dead.
CREATE TABLE campaign_chunks (
    id                INTEGER PRIMARY KEY,
    campaign_id       BIGINT NOT NULL REFERENCES campaigns (id),
    audience_chunk_id BIGINT NOT NULL REFERENCES audience_chunks (id),
    carrier           TEXT   NOT NULL,
    size              BIGINT NOT NULL,
    charge_micros     BIGINT NOT NULL,
    state             TEXT   NOT NULL CHECK (state IN ('open', 'done')),
    cursor            BIGINT NOT NULL DEFAULT 0 CHECK (cursor BETWEEN 0 AND 4096),
    attempt           BIGINT NOT NULL DEFAULT 0,
    owner             BIGINT,             -- the daemon run (daemons.id) that holds it
    sequence          BIGINT NOT NULL DEFAULT 0,  -- of captures and releases
    tail_cancelled    BIGINT NOT NULL DEFAULT 0,  -- positions from cursor on, given up by a cancel
    answered          BIGINT NOT NULL DEFAULT 0,  -- message rows
    submitted         BIGINT NOT NULL DEFAULT 0,
    delivered         BIGINT NOT NULL DEFAULT 0,
    undelivered       BIGINT NOT NULL DEFAULT 0,
    rejected          BIGINT NOT NULL DEFAULT 0,
    expired           BIGINT NOT NULL DEFAULT 0,
    unknown           BIGINT NOT NULL DEFAULT 0,
    cancelled         BIGINT NOT NULL DEFAULT 0,
    suppressed        BIGINT NOT NULL DEFAULT 0,
    captured_micros   BIGINT NOT NULL DEFAULT 0,
    released_micros   BIGINT NOT NULL DEFAULT 0,
    answered_at       BIGINT,             -- the last answer: bounds the reload of awaited receipts
    CHECK (captured_micros >= 0 AND released_micros >= 0 AND captured_micros + released_micros <= charge_micros),
    CHECK (answered + tail_cancelled <= size)
);
-- Reports and counters of a campaign.
CREATE INDEX campaign_chunks_campaign ON campaign_chunks (campaign_id, id);
-- What a run of the daemon holds: rescue.
CREATE INDEX campaign_chunks_held ON campaign_chunks (owner) WHERE state = 'open' AND owner IS NOT NULL;
-- From a recipient found by number to its messages, and when an audience is purged.
CREATE INDEX campaign_chunks_audience ON campaign_chunks (audience_chunk_id);
-- Claims and rescue.
CREATE INDEX campaign_chunks_open ON campaign_chunks (carrier, campaign_id, id) WHERE state = 'open';
-- Messages for a person to settle, and receipts that may settle them.
CREATE INDEX campaign_chunks_unknown ON campaign_chunks (id) WHERE unknown > 0;

-- What became of a message, from the carrier's answer on. status: 3 submitted, 4 delivered, 5 undelivered, 6 rejected,
-- 7 expired, 8 unknown, 9 cancelled, 10 suppressed. money: 0 reserved, 1 captured, 2 released, 3 refunded.
CREATE TABLE messages (
    id           INTEGER PRIMARY KEY,
    status       BIGINT NOT NULL,
    money        BIGINT NOT NULL,
    sequence     BIGINT,            -- of the capture or release in its chunk
    submitted_at BIGINT,
    done_at      BIGINT,
    carrier_ref  TEXT,
    error        TEXT
);

-- The parts of messages longer than one segment. id = message id * 16 + part.
CREATE TABLE message_parts (
    id          INTEGER PRIMARY KEY,
    carrier_ref TEXT   NOT NULL,
    status      BIGINT NOT NULL
);

-- Resent as: each failed message is sent again at most once.
CREATE TABLE message_resends (
    message_id  INTEGER PRIMARY KEY,
    quote_id    BIGINT NOT NULL REFERENCES quotes (id)
);

-- Looked through when a quote is purged.
CREATE INDEX message_resends_quote ON message_resends (quote_id);

-- The only way back to queued, on proof that the message (or the parts not in parts_done) never left.
CREATE TABLE retries (
    message_id INTEGER PRIMARY KEY,
    carrier    TEXT   NOT NULL,
    tries      BIGINT NOT NULL,
    parts_done BIGINT NOT NULL,
    due_at     BIGINT NOT NULL,
    reason     TEXT   NOT NULL
);
CREATE INDEX retries_due ON retries (carrier, due_at);

-- Receipts that match nothing yet, kept raw.
CREATE TABLE receipts_unmatched (
    id          INTEGER PRIMARY KEY,
    carrier     TEXT   NOT NULL,
    carrier_ref TEXT   NOT NULL,
    state       TEXT   NOT NULL,
    recipient   BIGINT,
    sender      TEXT,
    error       TEXT,
    done_at     BIGINT,
    received_at BIGINT NOT NULL,
    tried_at    BIGINT NOT NULL,
    UNIQUE (carrier, carrier_ref, state)
);
CREATE INDEX receipts_unmatched_tried ON receipts_unmatched (carrier, tried_at);

-- Messages from handsets, as they came.
CREATE TABLE inbound_messages (
    id          INTEGER PRIMARY KEY,
    carrier     TEXT   NOT NULL,
    sender      TEXT   NOT NULL,
    recipient   TEXT   NOT NULL,
    text        TEXT   NOT NULL,
    received_at BIGINT NOT NULL
);

-- Which recipient has a number: id = audience chunk id * 4096 + place. Merged behind the send, sorted.
CREATE TABLE number_index (
    number    BIGINT NOT NULL,
    recipient BIGINT NOT NULL,
    PRIMARY KEY (number, recipient)
) WITHOUT ROWID;

-- Audiences whose numbers are not merged yet: searched by chunk until they are.
CREATE TABLE number_index_queue (
    audience_id INTEGER PRIMARY KEY,
    next_chunk  BIGINT NOT NULL DEFAULT 0
);

-- References of messages whose receipt is awaited for so long that memory has let go of them.
CREATE TABLE reference_index (
    carrier     TEXT   NOT NULL,
    carrier_ref TEXT   NOT NULL,
    part_id     BIGINT NOT NULL,   -- message id * 16 + part
    PRIMARY KEY (carrier, carrier_ref, part_id)
) WITHOUT ROWID;

-- Runs of the daemon. A chunk's owner is one of these; on PostgreSQL its heartbeat says whether it lives.
CREATE TABLE daemons (
    id           INTEGER PRIMARY KEY,
    started_at   BIGINT NOT NULL,
    heartbeat_at BIGINT NOT NULL,
    stopped_at   BIGINT
);

-- All binds of a carrier belong to one daemon.
CREATE TABLE carrier_leases (
    carrier TEXT PRIMARY KEY,
    owner   BIGINT NOT NULL REFERENCES daemons (id)
);
