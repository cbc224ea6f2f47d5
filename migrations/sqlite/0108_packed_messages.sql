-- Delivered messages of chunks that rest are packed, a row a chunk in place of one a message (core: store/message/packed_messages).
CREATE TABLE packed_messages (
    chunk_id INTEGER PRIMARY KEY,
    messages INTEGER NOT NULL CHECK (messages > 0),
    packed   BLOB NOT NULL
) STRICT;
-- Chunks whose messages may be packed.
CREATE TABLE packing_queue (
    chunk_id INTEGER PRIMARY KEY,
    due_at   INTEGER NOT NULL            -- when it is looked at
) STRICT;
CREATE INDEX packing_queue_due ON packing_queue (due_at, chunk_id);
-- The last chunk that went into the queue, or was passed over as too small.
CREATE TABLE packing_progress (
    id   INTEGER PRIMARY KEY CHECK (id = 1),
    upto INTEGER NOT NULL
) STRICT;
INSERT INTO packing_progress (id, upto) VALUES (1, 0);
