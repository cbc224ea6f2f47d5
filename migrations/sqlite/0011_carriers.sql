-- What each carrier is agreed with: refunds, quiet hours, what it costs; and the numbers that must not be disturbed.

-- The carrier's refund policy, frozen when the campaign was confirmed; NULL is the campaign's own.
ALTER TABLE campaign_chunks ADD COLUMN refund_undelivered BOOLEAN;
-- Goes out outside the quiet hours only.
ALTER TABLE audience_chunks ADD COLUMN promotional BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE campaign_chunks ADD COLUMN promotional BOOLEAN NOT NULL DEFAULT FALSE;
-- The sequence up to which the chunk's traffic is counted: behind the send, and again when a receipt moves money.
ALTER TABLE campaign_chunks ADD COLUMN counted BIGINT NOT NULL DEFAULT 0;
-- Chunks whose traffic is to be counted.
CREATE INDEX campaign_chunks_uncounted ON campaign_chunks (id) WHERE sequence <> counted;

-- What a chunk's accepted messages brought in and cost, by the day of their submission (Africa/Lagos) and network.
CREATE TABLE carrier_traffic (
    chunk_id            BIGINT NOT NULL,
    day                 TEXT   NOT NULL,
    network             TEXT   NOT NULL,
    carrier             TEXT   NOT NULL,
    currency            TEXT   NOT NULL,
    messages            BIGINT NOT NULL,
    segments            BIGINT NOT NULL,
    revenue_micros      BIGINT NOT NULL,
    -- As the carrier's price stood when it was first counted; NULL where none was configured.
    segment_cost_micros BIGINT,
    cost_currency       TEXT,
    PRIMARY KEY (chunk_id, day, network)
);
-- Margins by carrier, network and day.
CREATE INDEX carrier_traffic_day ON carrier_traffic (day, carrier, network);

-- The Do-Not-Disturb list: numbers / 65,536 as blocks of their last 16 bits, sorted, big endian.
CREATE TABLE dnd_blocks (
    block   BIGINT PRIMARY KEY,
    size    BIGINT NOT NULL,
    numbers BLOB   NOT NULL
);
-- One row: raised with every import, so that each daemon knows when to read the list again.
CREATE TABLE dnd_list (
    id         BIGINT PRIMARY KEY CHECK (id = 1),
    generation BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
