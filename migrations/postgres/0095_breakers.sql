-- The breaker of a carrier and a network: whether promotional messages to the network wait, as too few are delivered.
CREATE TABLE breakers (
    carrier    TEXT    NOT NULL,
    network    TEXT    NOT NULL,
    state      TEXT    NOT NULL CHECK (state IN ('closed', 'open', 'half_open')),
    revision   BIGINT  NOT NULL, -- raised by each change; the run that holds the carrier takes over what others changed
    delivered  BIGINT  NOT NULL, -- receipts that opened it last
    failed     BIGINT  NOT NULL,
    opened_at  BIGINT,
    probe_at   BIGINT,          -- when messages are let through next
    changed_at BIGINT  NOT NULL,
    changed_by BIGINT REFERENCES users (id), -- the administrator who opened or closed it; NULL: it did by itself
    PRIMARY KEY (carrier, network)
);

-- The network whose breaker at its carrier the message waits for; it is due when it expires. NULL: it waits for none.
ALTER TABLE retries ADD COLUMN network TEXT;
CREATE INDEX retries_network ON retries (carrier, network, message_id) WHERE network IS NOT NULL;
