-- Each purpose of notices has room of its own in the queue, and one account causes a bounded number of e-mails a day.
CREATE INDEX IF NOT EXISTS notices_share ON notices (priority) WHERE status = 'queued';                                   -- room
CREATE INDEX IF NOT EXISTS notices_subject ON notices (destination, subject, created_at) WHERE channel = 'email'; -- e-mails of a day
