-- The key under which opt-outs of erased numbers are digested: what it makes of no number. A daemon with another key would not
-- know those numbers again.
CREATE TABLE erasure_key (
    id       BIGINT PRIMARY KEY CHECK (id = 1),
    digest   BIGINT NOT NULL,
    noted_at BIGINT NOT NULL
);
