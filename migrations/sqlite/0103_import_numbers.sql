-- Imports that were over before they forgot the number that they came to. An import that is under way or was cut off goes on there.
UPDATE contact_imports SET written_to = 0 WHERE written_to <> 0 AND status NOT IN ('running', 'interrupted');
