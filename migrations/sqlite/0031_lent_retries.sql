-- Retries in flight of chunks that another run holds: the rest of a half-sent message stays with the carrier that has its
-- first parts when its chunk is led elsewhere.
CREATE TABLE lent_retries (
    message_id INTEGER PRIMARY KEY,
    owner      BIGINT NOT NULL
);
