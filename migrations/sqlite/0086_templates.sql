-- The key that a page made for a draft before the daemon knew it; none in those that were begun without. A page finds by it
-- a draft whose id it never heard of, and after a restore no other draft has it.
ALTER TABLE drafts ADD COLUMN client_key TEXT;
CREATE UNIQUE INDEX drafts_key ON drafts (user_id, client_key) WHERE client_key IS NOT NULL; -- made once, found by it

-- Texts that customers keep to write with.
CREATE TABLE templates (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id    INTEGER NOT NULL REFERENCES users (id),
    name       TEXT    NOT NULL,
    name_key   TEXT    NOT NULL,  -- the name as it is compared
    text       TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX templates_name ON templates (user_id, name_key); -- a name is given once; the user's list

-- The numbers of an import into a group, in order: each piece those of one write, as differences. They can be sent to while
-- the import is kept.
CREATE TABLE contact_import_numbers (
    import_id INTEGER NOT NULL REFERENCES contact_imports (id) ON DELETE CASCADE,
    first     INTEGER NOT NULL,
    data      BLOB    NOT NULL,
    PRIMARY KEY (import_id, first)
) STRICT;
ALTER TABLE contact_imports ADD COLUMN kept_numbers INTEGER NOT NULL DEFAULT 0;
