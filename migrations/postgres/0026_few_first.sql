-- The dispatcher's picks: campaigns to a few before those to many, users in turn, then the oldest campaign.
DROP INDEX campaigns_sending;
CREATE INDEX campaigns_sending ON campaigns ((size > 64), user_id, id) WHERE status = 'sending';
