-- What a platform held at the schema of 0004: money that moved every way, a campaign that is over, one that is being sent
-- and one that stands since its owner was deactivated. BYTES stands for a literal of bytes.

INSERT INTO users (id, name, username, email, role, status, zone, password_hash, created_at, updated_at) VALUES
    (1, 'Root', 'root', 'root@example.com', 'admin', 'active', 'Africa/Lagos', 'x', 1700000000000, 1700000000000),
    (2, 'Ada', 'ada', 'ada@example.com', 'user', 'active', 'Africa/Lagos', 'x', 1700000000000, 1700000000000);
INSERT INTO sessions (id, token_hash, user_id, created_at, last_seen_at, expires_at) VALUES
    (5, BYTES, 2, 1700000000000, 1700000000000, 1702000000000);
INSERT INTO settings (key, value, updated_at, updated_by) VALUES ('fcmbAccount', '1', 1700000000000, 1);

INSERT INTO accounts (id, kind, currency, user_id, campaign_id, gateway, balance_micros) VALUES
    (101, 'wallet', 'naira', 2, NULL, NULL, 5000000),
    (102, 'wallet', 'espees', 2, NULL, NULL, 0),
    (103, 'reserve', 'naira', 2, 1, NULL, 0),
    (104, 'reserve', 'naira', 2, 2, NULL, 2000000),
    (105, 'reserve', 'naira', 2, 3, NULL, 2000000);
UPDATE accounts SET balance_micros = -10000000 WHERE id = 4;
INSERT INTO transfers (id, debit_account_id, credit_account_id, amount_micros, currency, code, reference, narration,
                       campaign_id, debit_balance_micros, credit_balance_micros, created_at) VALUES
    (1, 4, 101, 10000000, 'naira', 'credit', 'first', 'a gift', NULL, -10000000, 10000000, 1700000000000),
    (2, 101, 103, 3000000, 'naira', 'reserve', 'campaign:1', '', 1, 7000000, 3000000, 1700000000100),
    (3, 103, 2, 2000000, 'naira', 'capture', 'chunk:1:1', '', 1, 1000000, NULL, 1700000001000),
    (4, 103, 101, 1000000, 'naira', 'release', 'chunk:1:2', '', 1, 0, 8000000, 1700000002000),
    (5, 2, 101, 1000000, 'naira', 'refund', 'refund:4097', '', 1, NULL, 9000000, 1700000009000),
    (6, 101, 104, 2000000, 'naira', 'reserve', 'campaign:2', '', 2, 7000000, 2000000, 1700000010000),
    (7, 101, 105, 2000000, 'naira', 'reserve', 'campaign:3', '', 3, 5000000, 2000000, 1700000011000);

INSERT INTO audiences (id, user_id, columns, created_at) VALUES (1, 2, '[]', 1700000000000);
INSERT INTO audience_chunks (id, audience_id, carrier, size, pages, segments, data) VALUES
    (1, 1, 'main', 3, 3, 3, BYTES), (2, 1, 'main', 2, 2, 2, BYTES), (3, 1, 'main', 2, 2, 2, BYTES);
INSERT INTO quotes (id, user_id, audience_id, kind, sender, content, currency, unit_price_micros, charge_micros, size,
                    runs, details, form_hash, created_at, expires_at, confirmed_at) VALUES
    (1, 2, 1, 'text', 'ADA', '{}', 'naira', 1000000, 3000000, 3, '[null]', '{}', BYTES, 1700000000000, 1700000900000, 1700000000100),
    (2, 2, 1, 'text', 'ADA', '{}', 'naira', 1000000, 2000000, 2, '[null]', '{}', BYTES, 1700000000000, 1700000900000, 1700000010000),
    (3, 2, 1, 'text', 'ADA', '{}', 'naira', 1000000, 2000000, 2, '[null]', '{}', BYTES, 1700000000000, 1700000900000, 1700000011000);
INSERT INTO campaigns (id, quote_id, run, user_id, audience_id, reserve_account_id, wallet_account_id, kind, sender, content,
                       currency, unit_price_micros, charge_micros, refund_undelivered, size, chunks_open, status,
                       status_reason, paused_from, created_at, started_at, completed_at) VALUES
    (1, 1, 0, 2, 1, 103, 101, 'text', 'ADA', '{}', 'naira', 1000000, 3000000, TRUE, 3, 0, 'completed', NULL, NULL,
     1700000000100, 1700000000100, 1700000009000),
    (2, 2, 0, 2, 1, 104, 101, 'text', 'ADA', '{}', 'naira', 1000000, 2000000, FALSE, 2, 1, 'sending', NULL, NULL,
     1700000010000, 1700000010000, NULL),
    (3, 3, 0, 2, 1, 105, 101, 'text', 'ADA', '{}', 'naira', 1000000, 2000000, FALSE, 2, 1, 'paused',
     'The account is inactive', 'sending', 1700000011000, 1700000011000, NULL);
INSERT INTO campaign_chunks (id, campaign_id, audience_chunk_id, carrier, size, charge_micros, state, cursor, sequence,
                             answered, delivered, undelivered, rejected, captured_micros, released_micros, answered_at) VALUES
    (1, 1, 1, 'main', 3, 3000000, 'done', 3, 2, 3, 1, 1, 1, 2000000, 1000000, 1700000002000),
    (2, 2, 2, 'main', 2, 2000000, 'open', 1, 0, 0, 0, 0, 0, 0, 0, NULL),
    (3, 3, 3, 'main', 2, 2000000, 'open', 0, 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO messages (id, status, money, sequence, submitted_at, done_at, carrier_ref, error) VALUES
    (4096, 4, 1, 1, 1700000001000, 1700000005000, 'ref-a', NULL),
    (4097, 5, 3, 1, 1700000001000, 1700000009000, 'ref-b', 'absent'),
    (4098, 6, 2, 2, NULL, 1700000002000, NULL, 'refused');
INSERT INTO retries (message_id, carrier, tries, parts_done, due_at, reason) VALUES
    (8192, 'main', 1, 0, 1700000012000, 'throttled');
INSERT INTO receipts_unmatched (id, carrier, carrier_ref, state, recipient, received_at, tried_at) VALUES
    (1, 'main', 'ref-z', 'delivered', 2348031234567, 1700000003000, 1700000003000);
