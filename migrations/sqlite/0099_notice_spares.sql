-- The carriers that may take over a text message of the platform, in their order, one a line; empty where none may.
ALTER TABLE notices ADD COLUMN spares TEXT NOT NULL DEFAULT '';
