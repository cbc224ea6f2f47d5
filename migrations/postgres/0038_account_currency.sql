-- A transfer's currency is that of both its accounts: the key that it refers to. The currency is first, so that a balance
-- is still found by the primary key, which is smaller.
CREATE UNIQUE INDEX IF NOT EXISTS accounts_currency ON accounts (currency, id);
