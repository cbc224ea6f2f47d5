-- An audience that cannot be read holds up the search by number of no other: it is merged again later.
ALTER TABLE number_index_queue ADD COLUMN due_at INTEGER NOT NULL DEFAULT 0;
