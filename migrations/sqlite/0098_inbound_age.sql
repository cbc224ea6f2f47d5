-- What handsets sent is forgotten in the order of its age.
CREATE INDEX IF NOT EXISTS inbound_messages_age ON inbound_messages (received_at);
