-- Test calls of the last day, counted for their caps: by user, by phone, whoever had it, and in all. What became of them is
-- not stored.
CREATE TABLE voice_test_calls (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id  INTEGER NOT NULL,
    phone    TEXT    NOT NULL,
    began_at INTEGER NOT NULL
) STRICT;
CREATE INDEX voice_test_calls_user ON voice_test_calls (user_id, began_at);   -- the caps of a user
CREATE INDEX voice_test_calls_phone ON voice_test_calls (phone, began_at);    -- of a phone
CREATE INDEX voice_test_calls_age ON voice_test_calls (began_at);             -- of all, and purging
