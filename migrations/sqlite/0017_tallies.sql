-- What became of each chunk's messages: counted behind the send, for breakdowns by network, over time and by reason.

-- As of the sequence; of a chunk that has moved on it is counted anew (core: campaign/tally).
CREATE TABLE chunk_tallies (
    chunk_id INTEGER PRIMARY KEY REFERENCES campaign_chunks (id),
    sequence BIGINT  NOT NULL,
    tally    TEXT    NOT NULL  -- JSON
);

-- The sums of the tallies, by the hour in which the campaign started.
ALTER TABLE traffic_networks ADD COLUMN awaited     BIGINT NOT NULL DEFAULT 0;
ALTER TABLE traffic_networks ADD COLUMN delivered   BIGINT NOT NULL DEFAULT 0;
ALTER TABLE traffic_networks ADD COLUMN undelivered BIGINT NOT NULL DEFAULT 0;
ALTER TABLE traffic_networks ADD COLUMN rejected    BIGINT NOT NULL DEFAULT 0;
ALTER TABLE traffic_networks ADD COLUMN expired     BIGINT NOT NULL DEFAULT 0;
ALTER TABLE traffic_networks ADD COLUMN unknown     BIGINT NOT NULL DEFAULT 0;

-- What was sent before this is counted again, and so tallied.
UPDATE campaign_chunks SET counted = -1 WHERE answered > 0;
