-- Users and how they prove who they are.
SELECT 1;
