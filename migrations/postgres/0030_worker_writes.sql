-- How many writes of each worker are stored: read again when a commit's answer was lost.
CREATE TABLE worker_writes (
    owner    BIGINT NOT NULL,
    writer   TEXT   NOT NULL,
    sequence BIGINT NOT NULL,
    PRIMARY KEY (owner, writer)
) WITH (fillfactor = 50);
