-- The canary of a quote: how many recipients get their message first, in how many chunks at the end of its audience, and
-- what must be delivered. JSON; NULL: all are sent at once.
ALTER TABLE quotes ADD COLUMN canary TEXT;
-- When a quote with a canary expires. Its expires_at is its creation, so that versions without canaries confirm none.
ALTER TABLE quotes ADD COLUMN canary_expires_at BIGINT;

-- The canary of a campaign. NULL in all: it has none.
ALTER TABLE campaigns ADD COLUMN canary_from BIGINT;       -- its first chunk: those before it wait until it has passed
ALTER TABLE campaigns ADD COLUMN canary_size BIGINT;       -- recipients
ALTER TABLE campaigns ADD COLUMN canary_delivery BIGINT;   -- of a hundred of them, so many must be delivered
ALTER TABLE campaigns ADD COLUMN canary_wait_s BIGINT;     -- so long after each was handed to a carrier once
ALTER TABLE campaigns ADD COLUMN canary_handed_at BIGINT;  -- when that was seen; a resume begins the wait anew
ALTER TABLE campaigns ADD COLUMN canary_failed_at BIGINT;
ALTER TABLE campaigns ADD COLUMN canary_passed_at BIGINT;  -- also when a campaign whose canary failed was resumed
CREATE INDEX campaigns_canary ON campaigns (id)
    WHERE status = 'sending' AND canary_from IS NOT NULL AND canary_passed_at IS NULL;

-- Runs of versions that claim nothing before its canary has passed.
ALTER TABLE daemons ADD COLUMN knows_canaries BOOLEAN NOT NULL DEFAULT FALSE;
