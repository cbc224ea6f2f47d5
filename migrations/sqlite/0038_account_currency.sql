-- A transfer's currency is that of both its accounts.
CREATE TABLE verified (wrong BIGINT NOT NULL CHECK (wrong = 0));
INSERT INTO verified SELECT COUNT(*) FROM transfers t JOIN accounts d ON d.id = t.debit_account_id
    JOIN accounts c ON c.id = t.credit_account_id WHERE d.currency <> t.currency OR c.currency <> t.currency;
DROP TABLE verified;
CREATE TRIGGER transfers_have_one_currency BEFORE INSERT ON transfers
WHEN EXISTS (SELECT 1 FROM accounts WHERE id IN (NEW.debit_account_id, NEW.credit_account_id) AND currency <> NEW.currency)
BEGIN SELECT RAISE(ABORT, 'a transfer and its accounts have one currency'); END;
