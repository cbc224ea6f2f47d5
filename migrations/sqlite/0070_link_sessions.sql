-- A link to KingsChat is good as long as the session that began it.
ALTER TABLE chat_logins ADD COLUMN session_hash BLOB;  -- link: the token's hash of that session
