-- The packed part of the number index (core: model/message/postings): a run is what was merged together of a large audience.
CREATE TABLE number_runs (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    audience_id     INTEGER NOT NULL,
    first_recipient INTEGER NOT NULL,  -- as in number_index
    last_recipient  INTEGER NOT NULL,
    recipients      INTEGER NOT NULL CHECK (recipients >= 0)
) STRICT;
CREATE INDEX number_runs_audience ON number_runs (audience_id, first_recipient);
-- The recipients of a run whose numbers have all but the last five digits in common.
CREATE TABLE number_postings (
    bucket INTEGER NOT NULL,
    run    INTEGER NOT NULL,
    body   BLOB    NOT NULL,
    PRIMARY KEY (bucket, run)
) WITHOUT ROWID, STRICT;
