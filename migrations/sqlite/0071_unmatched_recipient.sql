-- A reference that a carrier uses again can have a receipt for each of two numbers: both are kept.
CREATE TABLE receipts_unmatched_by_recipient (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    carrier     TEXT    NOT NULL,
    carrier_ref TEXT    NOT NULL,
    state       TEXT    NOT NULL,
    recipient   INTEGER,
    sender      TEXT,
    error       TEXT,
    done_at     INTEGER,
    received_at INTEGER NOT NULL,
    tried_at    INTEGER NOT NULL
) STRICT;
INSERT INTO receipts_unmatched_by_recipient
    (id, carrier, carrier_ref, state, recipient, sender, error, done_at, received_at, tried_at)
SELECT id, carrier, carrier_ref, state, recipient, sender, error, done_at, received_at, tried_at FROM receipts_unmatched;
DROP TABLE receipts_unmatched;
ALTER TABLE receipts_unmatched_by_recipient RENAME TO receipts_unmatched;
CREATE INDEX receipts_unmatched_tried ON receipts_unmatched (carrier, tried_at);
CREATE UNIQUE INDEX receipts_unmatched_once
    ON receipts_unmatched (carrier, carrier_ref, state, COALESCE(recipient, 0));
