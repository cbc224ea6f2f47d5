-- Daemons that share the work, and what administrators ordered of all of them.

-- Orders that are answered again when they are asked for again. The last reload is what every daemon follows.
CREATE TABLE carrier_orders (
    id       INTEGER PRIMARY KEY,
    kind     TEXT   NOT NULL CHECK (kind IN ('reload', 'reroute')),
    asked_by BIGINT NOT NULL REFERENCES users (id),
    asked_at BIGINT NOT NULL,
    report   TEXT   NOT NULL  -- JSON: what was done
);
CREATE INDEX carrier_orders_kind ON carrier_orders (kind, id);  -- the last reload
CREATE INDEX carrier_orders_asked ON carrier_orders (asked_at); -- purging

-- Runs of daemons in whatever role, and how far each follows.
CREATE TABLE peers (
    instance TEXT   NOT NULL PRIMARY KEY,
    name     TEXT   NOT NULL,  -- host and port
    role     TEXT   NOT NULL CHECK (role IN ('api', 'worker', 'all')),
    seen_at  BIGINT NOT NULL,  -- by the database's clock
    reload   BIGINT NOT NULL,  -- the last one that it took (carrier_orders.id)
    outcome  TEXT   NOT NULL CHECK (outcome IN ('started', 'reloaded', 'refused')),
    message  TEXT   NOT NULL
) WITHOUT ROWID;
