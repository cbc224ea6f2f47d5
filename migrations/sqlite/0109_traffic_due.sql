-- A chunk that cannot be read holds up the counting of no other: it is counted again later.
ALTER TABLE traffic_queue ADD COLUMN due_at INTEGER NOT NULL DEFAULT 0;
