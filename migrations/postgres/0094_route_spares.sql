-- Carriers that take over from a chunk's own, one a line, in the order in which they are tried.
ALTER TABLE audience_chunks ADD COLUMN spares TEXT;
ALTER TABLE campaign_chunks ADD COLUMN spares TEXT;
CREATE INDEX IF NOT EXISTS campaign_chunks_spares ON campaign_chunks (carrier, spares) WHERE state = 'open' AND spares IS NOT NULL; -- who takes over while a carrier is down
