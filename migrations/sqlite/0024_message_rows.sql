-- Smaller rows of messages, of which there are more than of all else.

CREATE TABLE messages_smaller (
    id           INTEGER PRIMARY KEY,
    status       BIGINT NOT NULL,
    money        BIGINT NOT NULL,
    sequence     BIGINT,            -- of the capture or release in its chunk
    submitted_at BIGINT,
    done_after   BIGINT,            -- ms from submitted_at, or from 0 where that is NULL; of one that waits (3): no matter
    carrier_ref,                    -- an INTEGER where it reads the same, else TEXT: hence no type
    error        TEXT
);
INSERT INTO messages_smaller
    SELECT id, status, money, sequence, submitted_at, done_at - COALESCE(submitted_at, 0),
        CASE WHEN carrier_ref = CAST(CAST(carrier_ref AS INTEGER) AS TEXT)
            THEN CAST(carrier_ref AS INTEGER) ELSE carrier_ref END,
        error
    FROM messages ORDER BY id;
DROP TABLE messages;
ALTER TABLE messages_smaller RENAME TO messages;
