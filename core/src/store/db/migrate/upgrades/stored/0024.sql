-- What came with the schemas up to 0024: contacts, opt-outs, an import, a payment, a code, a recording, a notice,
-- events for webhooks.

INSERT INTO contact_groups (id, user_id, name, name_key, description, columns, contacts_count, created_at, updated_at) VALUES
    (1, 2, 'Members', 'members', '', '["city"]', 1, 1700000020000, 1700000020000);
INSERT INTO contacts (id, group_id, number, name, email, fields, created_at, updated_at) VALUES
    (1, 1, 2348031234567, 'Bea', '', '{"city":"Jos"}', 1700000020000, 1700000020000);
INSERT INTO contact_buckets (group_id, bucket, contacts) VALUES (1, 0, 1);
INSERT INTO suppressions (id, scope, number, source, note, created_at) VALUES
    (1, 2, 2348031234568, 'stop', '', 1700000020000);
INSERT INTO suppression_scopes (scope, version, removals, numbers) VALUES (2, 1, 0, 1);
INSERT INTO contact_imports (id, user_id, target, target_id, status, columns, rows_read, valid, added, created_at, seen_at,
                             finished_at) VALUES
    (1, 2, 'group', 1, 'completed', '{}', 1, 1, 1, 1700000020000, 1700000020000, 1700000020000);

INSERT INTO transfers (id, debit_account_id, credit_account_id, amount_micros, currency, code, reference, narration,
                       debit_balance_micros, credit_balance_micros, created_at)
SELECT 8, id, 101, 500000, 'naira', 'payment', 'paystack:pay-1', '', -500000, 5500000, 1700000021000
FROM accounts WHERE kind = 'clearing' AND currency = 'naira' AND gateway = 'paystack';
UPDATE accounts SET balance_micros = -500000 WHERE kind = 'clearing' AND currency = 'naira' AND gateway = 'paystack';
UPDATE accounts SET balance_micros = 5500000 WHERE id = 101;
INSERT INTO payments (id, user_id, provider, reference, amount_micros, currency, narration, nonce, mode, status, note,
                      ledger_position, transfer_id, checks, expires_at, created_at, updated_at, settled_at) VALUES
    (1, 2, 'paystack', 'pay-1', 500000, 'naira', '', 'n', 'live', 'settled', '', 7, 8, 0, 1700090000000, 1700000020000,
     1700000021000, 1700000021000);

INSERT INTO codes (purpose, subject, code_hash, sent_at, expires_at) VALUES
    ('sign_in', '2', BYTES, 1700000022000, 1700000622000);
INSERT INTO code_sends (id, destination, address, prefix, sent_at) VALUES
    (1, '2348031234567', '10.0.0.1', '234803', 1700000022000);
INSERT INTO notices (id, channel, purpose, priority, destination, subject, carrier, status, due_at, expires_at, created_at,
                     done_at) VALUES
    (1, 'email', 'alert', 0, 'ada@example.com', 'Low balance', '', 'sent', 1700000022000, 1700090000000, 1700000022000,
     1700000023000);
INSERT INTO voice_recordings (id, user_id, audio_url, created_at) VALUES (1, 2, 'https://example.com/a.mp3', 1700000022000);
INSERT INTO webhook_events (id, user_id, type, body, created_at) VALUES
    (1, 2, 'campaign.sending', '{"type":"campaign.sending","timestamp":"2023-11-14","data":{"id":31,"quote_id":7}}', 1700000022000),
    (2, 2, 'messages.updated', '{"type":"messages.updated","timestamp":"2023-11-14","data":{"messages":[{"id":31}]}}', 1700000022000),
    (3, 2, 'webhook.test', '{"type":"webhook.test","timestamp":"2023-11-14","data":{"webhook_id":31}}', 1700000022000);
