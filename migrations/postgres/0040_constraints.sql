-- What must hold of every row, refused by the database from now on. The next migration verifies the rows that exist.

ALTER TABLE campaign_chunks
    ADD CONSTRAINT campaign_chunks_places CHECK (tail_cancelled >= 0 AND answered <= cursor AND cursor + tail_cancelled <= size)
        NOT VALID,
    ADD CONSTRAINT campaign_chunks_outcomes CHECK (submitted >= 0 AND delivered >= 0 AND undelivered >= 0 AND rejected >= 0
        AND expired >= 0 AND unknown >= 0 AND cancelled >= 0 AND suppressed >= 0 AND answered = submitted + delivered
        + undelivered + rejected + expired + unknown + cancelled + suppressed) NOT VALID,
    ADD CONSTRAINT campaign_chunks_done CHECK (state <> 'done' OR answered + tail_cancelled = size) NOT VALID;
DROP INDEX campaign_chunks_audience; -- campaign_chunks_once serves for it

ALTER TABLE messages
    ADD CONSTRAINT messages_state CHECK (status BETWEEN 3 AND 10 AND money BETWEEN 0 AND 4) NOT VALID;

ALTER TABLE campaigns ADD CONSTRAINT campaigns_chunks_open CHECK (chunks_open >= 0) NOT VALID;

ALTER TABLE accounts
    ADD CONSTRAINT accounts_owner CHECK ((kind = 'reserve') = (campaign_id IS NOT NULL)
        AND (kind NOT IN ('wallet', 'reserve') OR user_id IS NOT NULL)) NOT VALID;

ALTER TABLE transfers
    ADD CONSTRAINT transfers_debit FOREIGN KEY (debit_account_id, currency) REFERENCES accounts (id, currency) NOT VALID,
    ADD CONSTRAINT transfers_credit FOREIGN KEY (credit_account_id, currency) REFERENCES accounts (id, currency) NOT VALID,
    DROP CONSTRAINT transfers_debit_account_id_fkey,
    DROP CONSTRAINT transfers_credit_account_id_fkey;
