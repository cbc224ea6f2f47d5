-- The courier takes the oldest few deliveries of each address, so that a long backlog of one does not hide the others.
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, due_at, id) WHERE status = 'pending';
