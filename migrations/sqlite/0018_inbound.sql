-- Messages from handsets that come in parts, or more than once.

ALTER TABLE inbound_messages ADD COLUMN carrier_ref TEXT;                          -- the provider's own name for it
ALTER TABLE inbound_messages ADD COLUMN parts_total BIGINT NOT NULL DEFAULT 1;     -- how many the handset made of it
ALTER TABLE inbound_messages ADD COLUMN parts_missing BIGINT NOT NULL DEFAULT 0;   -- how many of them never came
CREATE UNIQUE INDEX inbound_reference ON inbound_messages (carrier, carrier_ref)
    WHERE carrier_ref IS NOT NULL; -- a callback that comes again is kept once

-- Parts of messages, until all are there, and a while longer to know a part that comes again.
CREATE TABLE inbound_parts (
    id          INTEGER PRIMARY KEY,
    carrier     TEXT   NOT NULL,
    sender      TEXT   NOT NULL,
    recipient   TEXT   NOT NULL,
    reference   BIGINT NOT NULL,  -- the handset's; it comes round again
    total       BIGINT NOT NULL CHECK (total BETWEEN 2 AND 255),
    place       BIGINT NOT NULL CHECK (place BETWEEN 1 AND total),
    script      TEXT   NOT NULL,  -- how the octets are written
    octets      BLOB   NOT NULL,
    received_at BIGINT NOT NULL,
    message_id  BIGINT            -- the message that it became part of
);
CREATE INDEX inbound_parts_of ON inbound_parts (sender, reference, total, place); -- the others of a message; a repeated one
CREATE INDEX inbound_parts_open ON inbound_parts (id) WHERE message_id IS NULL;   -- what is to be joined
CREATE INDEX inbound_parts_received ON inbound_parts (received_at);               -- forgetting what was joined
