-- Chunks whose route minds the Do-Not-Disturb list: it is looked at again when they are sent, which may be long after the quote.

ALTER TABLE audience_chunks ADD COLUMN minds_dnd BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE campaign_chunks ADD COLUMN minds_dnd BOOLEAN NOT NULL DEFAULT FALSE;
