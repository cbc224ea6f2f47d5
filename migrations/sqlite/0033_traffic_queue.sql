-- Chunks whose traffic is to be counted, as a table instead of an index of the chunks whose counters say so: the counters
-- of a chunk then change without any index of it.

CREATE TABLE traffic_queue (
    chunk_id INTEGER PRIMARY KEY
);
INSERT INTO traffic_queue (chunk_id) SELECT id FROM campaign_chunks WHERE sequence <> counted;
DROP INDEX campaign_chunks_uncounted;
