-- An id is not given out again after the newest row is deleted, as on PostgreSQL: what still names the row that was would
-- show another. Like the constraints, it is written into the definitions, and the rows stay as they are.

CREATE TABLE numbered (id INTEGER PRIMARY KEY AUTOINCREMENT); -- makes SQLite's table of the last ids
PRAGMA writable_schema = ON;
UPDATE sqlite_master SET sql = replace(sql, 'INTEGER PRIMARY KEY', 'INTEGER PRIMARY KEY AUTOINCREMENT')
WHERE type = 'table' AND name IN ('announcements', 'api_keys', 'chat_logins', 'contact_groups', 'contact_imports',
    'contacts', 'held_receipts', 'inbound_messages', 'notices', 'own_numbers', 'receipts_unmatched', 'sender_ids',
    'sessions', 'suppressions', 'user_messages', 'virtual_numbers', 'voice_recordings', 'webhook_deliveries',
    'webhook_events', 'webhooks');
PRAGMA writable_schema = RESET;
DROP TABLE numbered;
