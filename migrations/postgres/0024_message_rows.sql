-- When a message was done is told from its submission, as on SQLite, where that makes its row smaller.

ALTER TABLE messages RENAME COLUMN done_at TO done_after; -- ms from submitted_at, or from 0 where that is NULL
UPDATE messages SET done_after = done_after - submitted_at WHERE done_after IS NOT NULL AND submitted_at IS NOT NULL;
