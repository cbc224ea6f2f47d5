-- Customers of whom nothing is erased while it lasts.
CREATE TABLE legal_holds (
    user_id BIGINT PRIMARY KEY REFERENCES users (id),
    reason  TEXT    NOT NULL,
    held_at BIGINT NOT NULL,
    held_by BIGINT NOT NULL
);

-- How long each class is kept by the configuration that was seen last, and since when: a new or shorter time holds a day later.
CREATE TABLE retention_terms (
    class TEXT    PRIMARY KEY,
    days  BIGINT NOT NULL,
    since BIGINT NOT NULL
);

-- How far campaigns were looked through: all (owner 0), and again those of a customer whose hold was lifted.
CREATE TABLE retention_marks (
    class TEXT    NOT NULL,
    owner BIGINT NOT NULL,
    upto  BIGINT NOT NULL, -- the last campaign that was looked at
    chunk BIGINT NOT NULL, -- the last chunk of recipients that was erased of the next one
    until BIGINT,          -- where it ends
    PRIMARY KEY (class, owner)
);
INSERT INTO retention_marks (class, owner, upto, chunk) VALUES ('texts', 0, 0, 0), ('numbers', 0, 0, 0), ('receipts', 0, 0, 0);

-- Campaigns that were passed over, as they were not over.
CREATE TABLE retention_passed (
    class       TEXT    NOT NULL,
    campaign_id BIGINT NOT NULL,
    chunk       BIGINT NOT NULL,
    look_at     BIGINT NOT NULL,
    PRIMARY KEY (class, campaign_id)
);
CREATE INDEX retention_passed_due ON retention_passed (class, look_at); -- which are looked at again

-- What was erased of each class on a day, and whether the audit trail has it.
CREATE TABLE retention_days (
    day       BIGINT NOT NULL, -- since 1970, UTC
    class     TEXT    NOT NULL,
    campaigns BIGINT NOT NULL,
    items     BIGINT NOT NULL, -- recipients, and rows of other tables
    noted_at  BIGINT,
    PRIMARY KEY (day, class)
);
CREATE INDEX retention_days_open ON retention_days (day) WHERE noted_at IS NULL; -- what is to be noted
