-- What must hold of every row, refused by the database from now on. The rows that exist are verified first. The constraints
-- are then written into the tables' definitions, which leaves their rows alone: there may be millions of them.

CREATE TABLE verified (wrong BIGINT NOT NULL CHECK (wrong = 0));
INSERT INTO verified SELECT COUNT(*) FROM campaign_chunks WHERE NOT (tail_cancelled >= 0 AND answered <= cursor
    AND cursor + tail_cancelled <= size);
INSERT INTO verified SELECT COUNT(*) FROM campaign_chunks WHERE NOT (submitted >= 0 AND delivered >= 0 AND undelivered >= 0
    AND rejected >= 0 AND expired >= 0 AND unknown >= 0 AND cancelled >= 0 AND suppressed >= 0 AND answered = submitted
    + delivered + undelivered + rejected + expired + unknown + cancelled + suppressed);
INSERT INTO verified SELECT COUNT(*) FROM campaign_chunks WHERE NOT (state <> 'done' OR answered + tail_cancelled = size);
INSERT INTO verified SELECT COUNT(*) FROM messages WHERE NOT (status BETWEEN 3 AND 10 AND money BETWEEN 0 AND 4);
INSERT INTO verified SELECT COUNT(*) FROM campaigns WHERE NOT (chunks_open >= 0);
INSERT INTO verified SELECT COUNT(*) FROM accounts WHERE NOT ((kind = 'reserve') = (campaign_id IS NOT NULL)
    AND (kind NOT IN ('wallet', 'reserve') OR user_id IS NOT NULL));

PRAGMA writable_schema = ON;
UPDATE sqlite_master SET sql = substr(sql, 1, length(sql) - 1) || ',
    CONSTRAINT campaign_chunks_places CHECK (tail_cancelled >= 0 AND answered <= cursor AND cursor + tail_cancelled <= size),
    CONSTRAINT campaign_chunks_outcomes CHECK (submitted >= 0 AND delivered >= 0 AND undelivered >= 0 AND rejected >= 0
        AND expired >= 0 AND unknown >= 0 AND cancelled >= 0 AND suppressed >= 0 AND answered = submitted + delivered
        + undelivered + rejected + expired + unknown + cancelled + suppressed),
    CONSTRAINT campaign_chunks_done CHECK (state <> ''done'' OR answered + tail_cancelled = size)
)' WHERE type = 'table' AND name = 'campaign_chunks';
UPDATE sqlite_master SET sql = substr(sql, 1, length(sql) - 1) || ',
    CONSTRAINT messages_state CHECK (status BETWEEN 3 AND 10 AND money BETWEEN 0 AND 4)
)' WHERE type = 'table' AND name = 'messages';
UPDATE sqlite_master SET sql = substr(sql, 1, length(sql) - 1) || ',
    CONSTRAINT campaigns_chunks_open CHECK (chunks_open >= 0)
)' WHERE type = 'table' AND name = 'campaigns';
UPDATE sqlite_master SET sql = substr(sql, 1, length(sql) - 1) || ',
    CONSTRAINT accounts_owner CHECK ((kind = ''reserve'') = (campaign_id IS NOT NULL)
        AND (kind NOT IN (''wallet'', ''reserve'') OR user_id IS NOT NULL))
)' WHERE type = 'table' AND name = 'accounts';
PRAGMA writable_schema = RESET;

DROP TABLE verified; -- a change that makes every other connection read the definitions again
