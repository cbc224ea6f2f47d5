-- Recipients that an account confirmed before an administrator looked at one of its sends: counted until it is proven.
ALTER TABLE guards ADD COLUMN unproven_recipients BIGINT NOT NULL DEFAULT 0;
