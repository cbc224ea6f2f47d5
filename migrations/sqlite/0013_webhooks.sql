-- Outbound webhooks: where customers hear of their campaigns and messages, what was told, and what is to be told.

-- An address that hears of events. Limited to a few a user (core: webhook/endpoint).
CREATE TABLE webhooks (
    id              INTEGER PRIMARY KEY,
    user_id         BIGINT  NOT NULL REFERENCES users (id),
    url             TEXT    NOT NULL,
    description     TEXT    NOT NULL,
    events          TEXT    NOT NULL,  -- comma-separated
    secret          TEXT    NOT NULL,  -- sealed
    old_secret      TEXT,              -- sealed; signs too until old_secret_ends_at
    old_secret_ends_at BIGINT,
    is_active       BOOLEAN NOT NULL,
    inactive_reason TEXT,              -- why it was turned off, when nobody asked for it
    created_at      BIGINT  NOT NULL,
    updated_at      BIGINT  NOT NULL,
    pending         BIGINT  NOT NULL DEFAULT 0 CHECK (pending >= 0),  -- deliveries still to be made
    failing_since   BIGINT,            -- since when every attempt failed
    quiet_until     BIGINT  NOT NULL DEFAULT 0                        -- no attempt before
);
CREATE INDEX webhooks_user ON webhooks (user_id, id); -- the owner's list

-- Users with webhooks, and up to which of their campaigns it is known whether they are watched.
CREATE TABLE webhook_users (
    user_id         BIGINT PRIMARY KEY REFERENCES users (id),
    campaign_cursor BIGINT NOT NULL
);

-- Campaigns whose owner hears of them, until everything was told.
CREATE TABLE webhook_campaigns (
    campaign_id INTEGER PRIMARY KEY REFERENCES campaigns (id),
    user_id     BIGINT NOT NULL REFERENCES users (id),
    told_status TEXT   NOT NULL,            -- '' before the first
    looks       BIGINT NOT NULL DEFAULT 0,  -- fences two daemons that look at once
    look_at     BIGINT NOT NULL,
    quiet_looks BIGINT NOT NULL DEFAULT 0   -- looks in a row that found nothing new
);
CREATE INDEX webhook_campaigns_due ON webhook_campaigns (look_at); -- the watch's picks

-- What was told of a chunk's messages: a status number a place, 0 for nothing, and the counters when they were read.
CREATE TABLE webhook_chunks (
    chunk_id    INTEGER PRIMARY KEY REFERENCES campaign_chunks (id),
    campaign_id BIGINT NOT NULL,
    tally       TEXT   NOT NULL,
    told        BLOB   NOT NULL
);
CREATE INDEX webhook_chunks_campaign ON webhook_chunks (campaign_id); -- forgotten together with the campaign's watch

-- What happened, as it is told: the body of the request, the same for every address.
CREATE TABLE webhook_events (
    id         INTEGER PRIMARY KEY,
    user_id    BIGINT NOT NULL REFERENCES users (id),
    type       TEXT   NOT NULL,
    body       TEXT   NOT NULL,  -- JSON
    created_at BIGINT NOT NULL
);
CREATE INDEX webhook_events_age ON webhook_events (created_at); -- purging

-- An event on its way to an address.
CREATE TABLE webhook_deliveries (
    id           INTEGER PRIMARY KEY,
    webhook_id   BIGINT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    event_id     BIGINT NOT NULL REFERENCES webhook_events (id) ON DELETE CASCADE,
    status       TEXT   NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
    attempts     BIGINT NOT NULL DEFAULT 0,
    due_at       BIGINT NOT NULL,
    tried_at     BIGINT,
    answer       BIGINT,   -- HTTP status of the last attempt
    note         TEXT,     -- the beginning of the answer, or why there was none
    delivered_at BIGINT
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at) WHERE status = 'pending'; -- the courier's picks
CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries (webhook_id, id);             -- the log
CREATE INDEX webhook_deliveries_event ON webhook_deliveries (event_id);                     -- purging
