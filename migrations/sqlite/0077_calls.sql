-- How the calls of campaigns went: a row for each message that was called at least once, with its last call.
CREATE TABLE calls (
    message_id  INTEGER PRIMARY KEY,
    attempts    INTEGER NOT NULL,    -- calls placed so far
    outcome     TEXT   NOT NULL,    -- of the last one: answered, busy, no_answer, rejected, invalid_number, trunk_error, failed
    code        INTEGER,             -- the trunk's: with SIP that of the last answer
    ringing_at  INTEGER,
    answered_at INTEGER,
    ended_at    INTEGER NOT NULL,
    up_ms       INTEGER NOT NULL,    -- what is billed
    heard_ms    INTEGER NOT NULL,    -- of the clip
    pulses      INTEGER NOT NULL,    -- what was charged
    digits      TEXT   NOT NULL,
    ended_by    TEXT   NOT NULL     -- caller, callee or trunk
) STRICT;

ALTER TABLE retries ADD COLUMN attempts BIGINT NOT NULL DEFAULT 0; -- calls placed so far; 0 of a text message
