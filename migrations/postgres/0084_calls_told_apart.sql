-- Each call of a message by a number of its own, and numbers that refused to be verified.

-- The try of the message that the last call was; 0 in rows of before.
ALTER TABLE calls ADD COLUMN tries BIGINT NOT NULL DEFAULT 0;

ALTER TABLE own_number_calls ADD COLUMN refused_at BIGINT; -- when 9 was pressed in it; NULL where it was not
