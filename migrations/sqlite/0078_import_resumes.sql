-- How often an import that was cut off went on: one that stops the daemon each time is given up.
ALTER TABLE contact_imports ADD COLUMN resumes BIGINT NOT NULL DEFAULT 0;
