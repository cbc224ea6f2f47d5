-- The order of bytes has the name BINARY in SQLite, and is that of every text: nothing is to be made.
SELECT 1;
