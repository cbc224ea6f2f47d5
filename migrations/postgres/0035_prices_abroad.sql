-- Recipients abroad have a price of their own, frozen in the quote. A chunk is all at home or all abroad, so a message's
-- price is its pages at its chunk's price.
ALTER TABLE audience_chunks ADD COLUMN abroad BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE quotes ADD COLUMN abroad_price_micros BIGINT; -- NULL: no recipient abroad
-- NULL: the campaign's price.
ALTER TABLE campaign_chunks ADD COLUMN unit_price_micros BIGINT;
