-- All calls of a carrier can be hung up at once.

-- When an operator last wanted that; the daemon that has the carrier does it when it reads another time than before.
ALTER TABLE carrier_states ADD COLUMN hang_up_at INTEGER;
