-- Contacts: groups of numbers with names, imports into them, and who opted out.

CREATE TABLE contact_groups (
    id             INTEGER PRIMARY KEY,
    user_id        BIGINT NOT NULL REFERENCES users (id),
    name           TEXT   NOT NULL,
    name_key       TEXT   NOT NULL,  -- in lower case
    description    TEXT   NOT NULL,
    columns        TEXT   NOT NULL,  -- JSON array: merge fields beside phone, name and email
    contacts_count BIGINT NOT NULL DEFAULT 0 CHECK (contacts_count >= 0),
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL,
    deleted_at     BIGINT            -- its contacts are removed behind it
);
-- A name is a user's once; groups of a user by name.
CREATE UNIQUE INDEX contact_groups_name ON contact_groups (user_id, name_key) WHERE deleted_at IS NULL;
-- Groups that are being removed.
CREATE INDEX contact_groups_deleted ON contact_groups (id) WHERE deleted_at IS NOT NULL;

CREATE TABLE contacts (
    id         INTEGER PRIMARY KEY,
    group_id   BIGINT NOT NULL REFERENCES contact_groups (id),
    number     BIGINT NOT NULL,
    name       TEXT   NOT NULL,
    email      TEXT   NOT NULL,
    fields     TEXT,                -- JSON object of the other merge fields, if there are any
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
-- A number is in a group once: imports, sends to groups (in order of numbers), look-ups by number.
CREATE UNIQUE INDEX contacts_number ON contacts (group_id, number);

-- How many contacts of a group have ids in bucket * 4096 and the 4,095 after it: a page of a long list walks these and
-- reads one short range of ids.
CREATE TABLE contact_buckets (
    group_id BIGINT NOT NULL,
    bucket   BIGINT NOT NULL,
    contacts BIGINT NOT NULL CHECK (contacts >= 0),
    PRIMARY KEY (group_id, bucket)
) WITHOUT ROWID;

CREATE TABLE contact_imports (
    id          INTEGER PRIMARY KEY,
    user_id     BIGINT NOT NULL REFERENCES users (id),
    target      TEXT   NOT NULL CHECK (target IN ('group', 'optouts')),
    target_id   BIGINT NOT NULL,  -- the group, which may be gone by now; or the scope of opt-outs
    status      TEXT   NOT NULL CHECK (status IN ('running', 'completed', 'failed', 'interrupted')),
    error       TEXT,
    columns     TEXT   NOT NULL,  -- JSON: which column was taken for what
    rows_read   BIGINT NOT NULL DEFAULT 0,
    valid       BIGINT NOT NULL DEFAULT 0, -- different numbers that are to be written
    added       BIGINT NOT NULL DEFAULT 0,
    updated     BIGINT NOT NULL DEFAULT 0,
    unchanged   BIGINT NOT NULL DEFAULT 0,
    duplicates  BIGINT NOT NULL DEFAULT 0,
    invalid     BIGINT NOT NULL DEFAULT 0,
    warnings    BIGINT NOT NULL DEFAULT 0, -- taken, but for a field of theirs
    created_at  BIGINT NOT NULL,
    seen_at     BIGINT NOT NULL,  -- its last sign of life
    finished_at BIGINT
);
CREATE INDEX contact_imports_user ON contact_imports (user_id, id);                          -- the user's list
CREATE INDEX contact_imports_running ON contact_imports (seen_at) WHERE status = 'running';  -- what died

CREATE TABLE contact_import_rejects (
    import_id BIGINT NOT NULL REFERENCES contact_imports (id) ON DELETE CASCADE,
    ordinal   BIGINT NOT NULL,
    line      BIGINT NOT NULL,
    value     TEXT   NOT NULL,
    code      TEXT   NOT NULL,
    PRIMARY KEY (import_id, ordinal)
) WITHOUT ROWID;

-- Numbers that get no messages: of one user, or of everybody.
CREATE TABLE suppressions (
    id         INTEGER PRIMARY KEY,
    scope      BIGINT NOT NULL,   -- a user's id; 0 is the whole platform
    number     BIGINT NOT NULL,
    source     TEXT   NOT NULL CHECK (source IN ('manual', 'stop', 'import', 'carrier')),
    note       TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX suppressions_number ON suppressions (scope, number); -- a number opts out once; look-ups
CREATE INDEX suppressions_scope ON suppressions (scope, id);             -- lists, and what was added since

-- A scope's list in figures. `version` moves with every change, so that a copy in memory is known to be whole.
CREATE TABLE suppression_scopes (
    scope    BIGINT PRIMARY KEY,
    version  BIGINT NOT NULL,
    removals BIGINT NOT NULL,
    numbers  BIGINT NOT NULL CHECK (numbers >= 0)
);
