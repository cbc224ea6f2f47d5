-- A transfer's currency is that of both its accounts: the key that it refers to.
CREATE UNIQUE INDEX IF NOT EXISTS accounts_currency ON accounts (id, currency);
