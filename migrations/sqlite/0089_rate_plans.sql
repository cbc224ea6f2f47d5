-- Rates of a plan, for the users that have it. '' is the list for all. A plan is there while it has rates.
ALTER TABLE rates ADD COLUMN plan TEXT NOT NULL DEFAULT '';
DROP INDEX rates_destination;
CREATE UNIQUE INDEX rates_destination ON rates (plan, prefix, network);
ALTER TABLE users ADD COLUMN rate_plan TEXT; -- NULL: the list for all
CREATE INDEX users_rate_plan ON users (rate_plan) WHERE rate_plan IS NOT NULL;
