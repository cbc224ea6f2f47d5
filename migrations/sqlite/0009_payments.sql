-- Payments into wallets by Paystack and ESPEES: one row each, written before the provider is called.

INSERT INTO accounts (kind, currency, gateway, balance_micros) VALUES
    ('clearing', 'naira', 'paystack', 0),
    ('clearing', 'espees', 'espees', 0);

CREATE TABLE payments (
    id              INTEGER PRIMARY KEY,
    user_id         BIGINT NOT NULL REFERENCES users (id),
    provider        TEXT   NOT NULL CHECK (provider IN ('paystack', 'espees')),
    reference       TEXT   NOT NULL UNIQUE,  -- ours, made before the provider hears of it
    provider_ref    TEXT,                    -- the provider's own
    checkout_url    TEXT,                    -- where the payer is sent
    amount_micros   BIGINT NOT NULL CHECK (amount_micros > 0),
    currency        TEXT   NOT NULL CHECK (currency IN ('espees', 'naira')),
    narration       TEXT   NOT NULL,
    product_sku     TEXT,                    -- the client's label
    nonce           TEXT   NOT NULL,         -- what ESPEES has to give back
    mode            TEXT   NOT NULL CHECK (mode IN ('live', 'test')),
    status          TEXT   NOT NULL CHECK (status IN ('initiated', 'pending', 'settled', 'failed', 'expired', 'mismatch')),
    note            TEXT   NOT NULL,         -- the status in words
    ledger_position BIGINT NOT NULL,         -- the newest ledger entry when it began: its place in histories
    transfer_id     BIGINT REFERENCES transfers (id),
    settled_by      BIGINT REFERENCES users (id), -- an administrator who credited it by hand
    checks          BIGINT NOT NULL,         -- how often it fell due
    next_check_at   BIGINT,                  -- when the provider is asked again; NULL is never
    expires_at      BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    settled_at      BIGINT,
    CHECK ((status = 'settled') = (settled_at IS NOT NULL)),
    CHECK ((status = 'settled') = (transfer_id IS NOT NULL))
);
-- A payment by the reference that its payer or an administrator knows.
CREATE UNIQUE INDEX payments_provider_ref ON payments (provider_ref, provider) WHERE provider_ref IS NOT NULL;
-- A user's list of payments.
CREATE INDEX payments_user ON payments (user_id, id);
-- The administrator's list of payments in one status.
CREATE INDEX payments_status ON payments (status, id);
-- What is not in the ledger, among a user's and among everybody's transactions.
CREATE INDEX payments_unsettled_user ON payments (user_id, ledger_position, id) WHERE status <> 'settled';
CREATE INDEX payments_unsettled ON payments (ledger_position, id) WHERE status <> 'settled';
-- The sweeper: whose provider is to be asked next.
CREATE INDEX payments_due ON payments (next_check_at) WHERE next_check_at IS NOT NULL;

-- An entry settles one payment; the check of every entry of a payment.
CREATE UNIQUE INDEX payments_transfer ON payments (transfer_id) WHERE transfer_id IS NOT NULL;

-- What a provider told of refunds and disputes, for a person to act on: no money moves by it.
CREATE TABLE payment_events (
    id          INTEGER PRIMARY KEY,
    provider    TEXT   NOT NULL,
    event       TEXT   NOT NULL,
    reference   TEXT,                         -- of the transaction, as the provider names it
    payment_id  BIGINT REFERENCES payments (id),
    summary     TEXT   NOT NULL,
    body_hash   BLOB   NOT NULL UNIQUE,       -- SHA-256: a delivery that is repeated is kept once
    received_at BIGINT NOT NULL
);

-- Transactions of one kind, newest first.
CREATE INDEX transfers_kind ON transfers (code, id);
