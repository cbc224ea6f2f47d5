-- Rates for messages of one purpose only. '' is any purpose.
ALTER TABLE rates ADD COLUMN purpose TEXT NOT NULL DEFAULT '';
DROP INDEX rates_destination;
CREATE UNIQUE INDEX rates_destination ON rates (plan, prefix, network, purpose);
