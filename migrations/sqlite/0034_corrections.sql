-- What left the reserve and was moved again: refunds (revenue to wallet), and charges of messages whose money had been
-- released (wallet to revenue). Refunds of before are taken from the ledger.
ALTER TABLE campaign_chunks ADD COLUMN refunded_micros BIGINT NOT NULL DEFAULT 0;
ALTER TABLE campaign_chunks ADD COLUMN charged_micros BIGINT NOT NULL DEFAULT 0;

UPDATE campaign_chunks SET refunded_micros = r.amount FROM (
    SELECT CAST(substr(reference, 8) AS BIGINT) / 4096 AS chunk, SUM(amount_micros) AS amount
    FROM transfers WHERE code = 'refund' AND reference LIKE 'refund:%' GROUP BY 1
) AS r WHERE campaign_chunks.id = r.chunk;

-- Why a part of a message was not delivered, as its receipt says.
ALTER TABLE message_parts ADD COLUMN error TEXT;
