-- Imports that a crash or a restart cut off go on where they were.

ALTER TABLE contact_imports ADD COLUMN plan TEXT NOT NULL DEFAULT '';            -- JSON: what was asked for beside the file
ALTER TABLE contact_imports ADD COLUMN written_to BIGINT NOT NULL DEFAULT 0;     -- numbers up to this one are written
