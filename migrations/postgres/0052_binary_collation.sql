-- The order of bytes, whatever the locale of the database, under the name that it has in SQLite: one statement serves both.
-- A text is compared so where its order or the case of its letters shows. Indexes and keys keep the order that they have.
CREATE COLLATION "binary" (PROVIDER = libc, LOCALE = 'C');
