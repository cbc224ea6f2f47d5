-- What the clock said when it was last believed, so that a daemon that starts knows one that is far off.
CREATE TABLE trusted_clock (
    id         BIGINT PRIMARY KEY CHECK (id = 1),
    at         BIGINT NOT NULL,
    doubted_at BIGINT,                    -- what it said when it was last doubted
    doubted_ms BIGINT NOT NULL DEFAULT 0  -- for how long daemons have run with such a clock
);
-- Until a daemon looks: when the newest campaign was confirmed, or the newest entry of the audit trail made.
INSERT INTO trusted_clock (id, at)
SELECT 1, newest.at FROM (
    SELECT (SELECT created_at FROM campaigns ORDER BY id DESC LIMIT 1) AS at
    UNION ALL SELECT (SELECT at FROM audit ORDER BY id DESC LIMIT 1)
) AS newest WHERE newest.at IS NOT NULL ORDER BY newest.at DESC LIMIT 1;
