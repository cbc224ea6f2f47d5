-- What the daemons on this database are served for, one row: noted by the first one, mixed once both served it.
CREATE TABLE installation (
    id           BIGINT PRIMARY KEY CONSTRAINT installation_one_row CHECK (id = 1),
    surroundings TEXT   NOT NULL CONSTRAINT installation_surroundings CHECK (surroundings IN ('live', 'sandbox', 'mixed')),
    noted_at     BIGINT NOT NULL
);
