-- Delivered messages of chunks that rest are packed, a row a chunk in place of one a message (core: store/message/packed_messages).
CREATE TABLE packed_messages (
    chunk_id BIGINT PRIMARY KEY,
    messages BIGINT NOT NULL CHECK (messages > 0),
    packed   BYTEA NOT NULL
);
-- PostgreSQL need not try to make it smaller.
ALTER TABLE packed_messages ALTER COLUMN packed SET STORAGE EXTERNAL;
-- Chunks whose messages may be packed.
CREATE TABLE packing_queue (
    chunk_id BIGINT PRIMARY KEY,
    due_at   BIGINT NOT NULL            -- when it is looked at
);
CREATE INDEX packing_queue_due ON packing_queue (due_at, chunk_id);
-- The last chunk that went into the queue, or was passed over as too small.
CREATE TABLE packing_progress (
    id   BIGINT PRIMARY KEY CHECK (id = 1),
    upto BIGINT NOT NULL
);
INSERT INTO packing_progress (id, upto) VALUES (1, 0);
