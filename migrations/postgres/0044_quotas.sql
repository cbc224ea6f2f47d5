-- What a user keeps without paying for it: of an import, its file until it is over, and the entries it could not take.
ALTER TABLE contact_imports ADD COLUMN kept_bytes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE contact_imports ADD COLUMN kept_rejects BIGINT NOT NULL DEFAULT 0;
