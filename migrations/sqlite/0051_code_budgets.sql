-- Codes are counted in budgets that strangers and others do not share, and by the wider networks of IPv6.
ALTER TABLE code_sends ADD COLUMN budget TEXT NOT NULL DEFAULT '';    -- email, sms, email_proven or sms_proven
ALTER TABLE code_sends ADD COLUMN subnet_56 TEXT NOT NULL DEFAULT ''; -- of an IPv6 address; empty for others
ALTER TABLE code_sends ADD COLUMN subnet_48 TEXT NOT NULL DEFAULT '';
CREATE INDEX IF NOT EXISTS code_sends_budget ON code_sends (budget, sent_at);                      -- the caps of a budget
CREATE INDEX IF NOT EXISTS code_sends_56 ON code_sends (subnet_56, sent_at) WHERE subnet_56 <> ''; -- of a network
CREATE INDEX IF NOT EXISTS code_sends_48 ON code_sends (subnet_48, sent_at) WHERE subnet_48 <> '';
