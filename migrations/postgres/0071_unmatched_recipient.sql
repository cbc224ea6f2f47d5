-- A reference that a carrier uses again can have a receipt for each of two numbers: both are kept.
ALTER TABLE receipts_unmatched DROP CONSTRAINT receipts_unmatched_carrier_carrier_ref_state_key;
CREATE UNIQUE INDEX receipts_unmatched_once
    ON receipts_unmatched (carrier, carrier_ref, state, COALESCE(recipient, 0));
