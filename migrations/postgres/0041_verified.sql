-- The rows from before the constraints are verified, beside reads and writes. On SQLite ids are not given out again.

ALTER TABLE campaign_chunks VALIDATE CONSTRAINT campaign_chunks_places;
ALTER TABLE campaign_chunks VALIDATE CONSTRAINT campaign_chunks_outcomes;
ALTER TABLE campaign_chunks VALIDATE CONSTRAINT campaign_chunks_done;
ALTER TABLE messages VALIDATE CONSTRAINT messages_state;
ALTER TABLE campaigns VALIDATE CONSTRAINT campaigns_chunks_open;
ALTER TABLE accounts VALIDATE CONSTRAINT accounts_owner;
ALTER TABLE transfers VALIDATE CONSTRAINT transfers_debit;
ALTER TABLE transfers VALIDATE CONSTRAINT transfers_credit;
