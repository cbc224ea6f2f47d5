-- What customers are writing and have not sent: the fields of a form, and its files in pieces. A file is there once purge_at
-- is NULL: one that is being stored, or was taken out, goes at that time, and so do those of a draft that is gone.
CREATE TABLE drafts (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id    INTEGER NOT NULL REFERENCES users (id),
    form       TEXT    NOT NULL,
    title      TEXT    NOT NULL,
    fields     TEXT    NOT NULL,
    version    INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX drafts_user ON drafts (user_id, id); -- the user's list
CREATE INDEX drafts_updated ON drafts (updated_at); -- what is too old

CREATE TABLE draft_files (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    draft_id   INTEGER NOT NULL,
    user_id    INTEGER NOT NULL REFERENCES users (id),
    name       TEXT    NOT NULL,
    bytes      INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    purge_at   INTEGER
) STRICT;
CREATE INDEX draft_files_user ON draft_files (user_id, draft_id, id); -- what a user keeps, and a draft's files
CREATE INDEX draft_files_purge ON draft_files (purge_at) WHERE purge_at IS NOT NULL; -- what goes

CREATE TABLE draft_file_pieces (
    file_id INTEGER NOT NULL REFERENCES draft_files (id),
    place   INTEGER NOT NULL,
    data    BLOB    NOT NULL,
    PRIMARY KEY (file_id, place)
) STRICT;

-- What the file of an import was called; empty in those before.
ALTER TABLE contact_imports ADD COLUMN file_name TEXT NOT NULL DEFAULT '';
