-- Of an opt-out that a person wrote down and STOP ALL made wider: what it ends once START has taken STOP back.
ALTER TABLE suppressions ADD COLUMN kept_reach TEXT;
