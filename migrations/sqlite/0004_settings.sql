-- The audit trail: every change by an administrator, in the transaction of the change. Never updated, never deleted.

CREATE TABLE audit (
    id          INTEGER PRIMARY KEY,
    at          BIGINT NOT NULL,
    user_id     BIGINT REFERENCES users (id), -- NULL: the operator at the daemon's command line
    action      TEXT   NOT NULL,              -- noun.verb
    subject     TEXT   NOT NULL,
    before_text TEXT,
    after_text  TEXT
);
CREATE INDEX audit_user ON audit (user_id, id);       -- what one administrator did
CREATE INDEX audit_subject ON audit (subject, id);    -- what was done to one thing
