-- Who paused a campaign: 'account' (its owner was deactivated), 'owner' or 'admin'; NULL for every other reason.
-- Activating an account resumes what its deactivation paused and nothing else.
ALTER TABLE campaigns ADD COLUMN paused_by TEXT;
UPDATE campaigns SET paused_by = 'account'
WHERE status = 'paused' AND held IS NULL AND status_reason = 'The account is inactive';
