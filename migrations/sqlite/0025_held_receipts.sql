-- Receipts that came in no order: taken in and told to the carrier as received, and written to their messages soon.

CREATE TABLE held_receipts (
    id       INTEGER PRIMARY KEY,
    owner    BIGINT NOT NULL,       -- the run of the daemon that took them in
    receipts TEXT   NOT NULL        -- [[message, status, done_at, error], ...]
);
