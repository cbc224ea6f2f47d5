-- What a page costs by where it goes. The version names exactly the rates that there are; it is empty while there are none.
CREATE TABLE rates (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    prefix        TEXT    NOT NULL, -- digits of E.164 that a number begins with
    network       TEXT    NOT NULL, -- of these, the numbers of this network; empty: all
    espees_micros INTEGER CHECK (espees_micros >= 0),
    naira_micros  INTEGER CHECK (naira_micros >= 0),
    updated_at    INTEGER NOT NULL,
    CHECK (espees_micros IS NOT NULL OR naira_micros IS NOT NULL)
) STRICT;
CREATE UNIQUE INDEX rates_destination ON rates (prefix, network);
INSERT INTO settings (key, value, updated_at) VALUES ('RATES-VERSION', '', 0);

-- The price of a page to the recipients of a chunk, where a rate says it; NULL: that of the quote, at home or abroad.
ALTER TABLE audience_chunks ADD COLUMN unit_price_micros INTEGER;
