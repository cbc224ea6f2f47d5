-- The ledger: transfers between accounts. An entry is never changed or deleted, and cannot be unbalanced.

CREATE TABLE accounts (
    id             INTEGER PRIMARY KEY,
    kind           TEXT   NOT NULL CHECK (kind IN ('wallet', 'reserve', 'clearing', 'adjustment', 'revenue')),
    currency       TEXT   NOT NULL CHECK (currency IN ('espees', 'naira')),
    user_id        BIGINT REFERENCES users (id),  -- wallets and reserves
    campaign_id    BIGINT,                        -- reserves
    gateway        TEXT,                          -- clearing accounts
    balance_micros BIGINT,                        -- revenue is the sum of its entries and has none
    CHECK ((kind = 'revenue') = (balance_micros IS NULL)),
    CHECK (kind NOT IN ('wallet', 'reserve') OR balance_micros >= 0)
);
CREATE UNIQUE INDEX accounts_wallet ON accounts (user_id, currency) WHERE kind = 'wallet';
-- What a user holds in all: accounts that hold something, as the reserves of campaigns that are over do not.
CREATE INDEX accounts_held ON accounts (user_id) WHERE balance_micros > 0;
CREATE UNIQUE INDEX accounts_reserve ON accounts (campaign_id) WHERE kind = 'reserve';
CREATE UNIQUE INDEX accounts_platform ON accounts (kind, currency, gateway) WHERE kind NOT IN ('wallet', 'reserve');

INSERT INTO accounts (id, kind, currency, gateway, balance_micros) VALUES
    (1, 'revenue', 'espees', '', NULL),
    (2, 'revenue', 'naira', '', NULL),
    (3, 'adjustment', 'espees', '', 0),
    (4, 'adjustment', 'naira', '', 0);

CREATE TABLE transfers (
    id                INTEGER PRIMARY KEY,
    debit_account_id  BIGINT NOT NULL REFERENCES accounts (id),
    credit_account_id BIGINT NOT NULL REFERENCES accounts (id),
    amount_micros     BIGINT NOT NULL CHECK (amount_micros > 0),
    currency          TEXT   NOT NULL,
    code              TEXT   NOT NULL,
    reference         TEXT   NOT NULL,
    narration         TEXT   NOT NULL,
    campaign_id       BIGINT,
    debit_balance_micros  BIGINT,  -- after the transfer; NULL for revenue
    credit_balance_micros BIGINT,
    created_at        BIGINT NOT NULL,
    CHECK (debit_account_id <> credit_account_id)
);
-- A transfer happens once for what it refers to.
CREATE UNIQUE INDEX transfers_reference ON transfers (code, reference);
-- Statements, newest first, and the check of every account.
CREATE INDEX transfers_debit ON transfers (debit_account_id, id);
CREATE INDEX transfers_credit ON transfers (credit_account_id, id);

CREATE TRIGGER transfers_are_not_changed BEFORE UPDATE ON transfers
BEGIN SELECT RAISE(ABORT, 'ledger entries are never changed'); END;
CREATE TRIGGER transfers_are_not_deleted BEFORE DELETE ON transfers
BEGIN SELECT RAISE(ABORT, 'ledger entries are never deleted'); END;
