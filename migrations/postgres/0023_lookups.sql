-- What is looked for by what it belongs to: the entries of a campaign, and a message from a handset that comes again.

-- A campaign's entries in histories. Captures are most of what a campaign posts and touch no wallet: kept out, they cost
-- nothing here.
CREATE INDEX transfers_campaign ON transfers (campaign_id, id) WHERE campaign_id IS NOT NULL AND code <> 'capture';

-- A number of the carrier's or the handset's, which comes round again (core: inbound).
ALTER TABLE inbound_messages ADD COLUMN mark TEXT;
CREATE INDEX inbound_marked ON inbound_messages (sender, mark) WHERE mark IS NOT NULL; -- whether it came lately
