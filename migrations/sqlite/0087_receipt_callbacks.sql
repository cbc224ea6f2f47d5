-- Messages whose sender is called at an address that came with the message (Kannel's dlr-url), until all was told.
CREATE TABLE receipt_callbacks (
    message_id INTEGER PRIMARY KEY,
    user_id    INTEGER NOT NULL REFERENCES users (id),
    mask       INTEGER NOT NULL,            -- the events that are wanted, as Kannel numbers them
    told       INTEGER NOT NULL DEFAULT 0,  -- those that were told
    url        TEXT    NOT NULL,            -- with placeholders
    details    TEXT    NOT NULL             -- JSON: what the message's request said, for placeholders
) STRICT;
CREATE INDEX receipt_callbacks_user ON receipt_callbacks (user_id); -- a user who is deleted

-- The chunks that those messages are in, and their counters when they were last looked at.
CREATE TABLE receipt_callback_chunks (
    chunk_id    INTEGER PRIMARY KEY,
    tally       TEXT    NOT NULL,            -- '' before the first look
    looks       INTEGER NOT NULL DEFAULT 0,  -- fences two daemons that look at once
    quiet_looks INTEGER NOT NULL DEFAULT 0,  -- looks in a row that found nothing new
    look_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX receipt_callback_chunks_due ON receipt_callback_chunks (look_at); -- what is looked at next

-- Calls to be made: one an event. One that was taken or given up is gone.
CREATE TABLE receipt_calls (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id    INTEGER NOT NULL REFERENCES users (id),
    message_id INTEGER NOT NULL,
    url        TEXT    NOT NULL,  -- placeholders filled in
    attempts   INTEGER NOT NULL DEFAULT 0,
    due_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX receipt_calls_due ON receipt_calls (user_id, due_at, id); -- each user's next
