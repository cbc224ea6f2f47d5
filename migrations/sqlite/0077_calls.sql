-- How the calls of campaigns went: a row for each message that was called at least once, with its last call.
CREATE TABLE calls (
    message_id  INTEGER PRIMARY KEY,
    attempts    BIGINT NOT NULL,    -- calls placed so far
    outcome     TEXT   NOT NULL,    -- of the last one: answered, busy, no_answer, rejected, invalid_number, trunk_error, failed
    code        BIGINT,             -- the trunk's: with SIP that of the last answer
    ringing_at  BIGINT,
    answered_at BIGINT,
    ended_at    BIGINT NOT NULL,
    up_ms       BIGINT NOT NULL,    -- what is billed
    heard_ms    BIGINT NOT NULL,    -- of the clip
    pulses      BIGINT NOT NULL,    -- what was charged
    digits      TEXT   NOT NULL,
    ended_by    TEXT   NOT NULL     -- caller, callee or trunk
);

ALTER TABLE retries ADD COLUMN attempts BIGINT NOT NULL DEFAULT 0; -- calls placed so far; 0 of a text message
