-- Carriers under an operator's hand: held or not, how they fare, traced, tested, and what was led elsewhere.

-- What an operator said of a carrier; none means open. 'drained' is not stored: it is 'draining' with nothing in flight.
CREATE TABLE carrier_states (
    carrier     TEXT   PRIMARY KEY,
    state       TEXT   NOT NULL CHECK (state IN ('open', 'paused', 'draining')),
    reason      TEXT,
    changed_by  BIGINT REFERENCES users (id),
    changed_at  BIGINT NOT NULL,
    trace_until BIGINT NOT NULL DEFAULT 0  -- its traffic is traced until then
);

-- How a carrier fared when the daemon that holds it last looked; with every heartbeat, one row a carrier.
CREATE TABLE carrier_vitals (
    carrier TEXT   PRIMARY KEY,
    owner   BIGINT NOT NULL REFERENCES daemons (id),
    seen_at BIGINT NOT NULL,
    vitals  TEXT   NOT NULL  -- JSON (core: carrier/vitals)
);

-- The last lines of a trace, masked; some hundreds a carrier, dropped when the trace has ended.
CREATE TABLE carrier_trace (
    carrier  TEXT   NOT NULL,
    sequence BIGINT NOT NULL,
    at       BIGINT NOT NULL,
    line     TEXT   NOT NULL,
    PRIMARY KEY (carrier, sequence)
);

-- Test messages: notices that go out though their carrier is held.
CREATE TABLE carrier_tests (
    notice_id    BIGINT PRIMARY KEY REFERENCES notices (id) ON DELETE CASCADE,
    carrier      TEXT   NOT NULL,
    requested_by BIGINT NOT NULL REFERENCES users (id),
    created_at   BIGINT NOT NULL
);
CREATE INDEX carrier_tests_age ON carrier_tests (created_at); -- how many there were lately

-- The places of a chunk that went by another carrier than the chunk's own, since its rest was led elsewhere: bit n
-- (from the lowest of the first octet) is place n. A place is in one row at most.
CREATE TABLE chunk_detours (
    chunk_id BIGINT NOT NULL REFERENCES campaign_chunks (id),
    carrier  TEXT   NOT NULL,
    places   BYTEA  NOT NULL,
    PRIMARY KEY (chunk_id, carrier)
);
CREATE INDEX chunk_detours_carrier ON chunk_detours (carrier, chunk_id); -- what a carrier still awaits receipts of

-- The traffic of a chunk whose rest went by another carrier has rows of both.
ALTER TABLE carrier_traffic DROP CONSTRAINT carrier_traffic_pkey;
ALTER TABLE carrier_traffic ADD PRIMARY KEY (chunk_id, day, network, carrier);
