-- What users are told on every page, the platform's figures by the hour, and what the last check found.

CREATE TABLE announcements (
    id         INTEGER PRIMARY KEY,
    text       TEXT    NOT NULL,
    is_active  BOOLEAN NOT NULL,
    created_at BIGINT  NOT NULL,
    updated_at BIGINT  NOT NULL
);

-- The audit trail by what was done, and the history of prices.
CREATE INDEX audit_action ON audit (action, id);

-- Campaigns by the hour in which they started, as they stand. Derived: figures can be counted anew from campaigns.
CREATE TABLE traffic (
    hour           BIGINT NOT NULL, -- its beginning, in ms
    sender         TEXT   NOT NULL,
    currency       TEXT   NOT NULL,
    campaigns      BIGINT NOT NULL,
    ordered        BIGINT NOT NULL, -- recipients, sent or not
    awaited        BIGINT NOT NULL, -- accepted, no receipt yet
    delivered      BIGINT NOT NULL,
    undelivered    BIGINT NOT NULL,
    rejected       BIGINT NOT NULL,
    expired        BIGINT NOT NULL,
    unknown        BIGINT NOT NULL,
    charged_micros BIGINT NOT NULL,
    PRIMARY KEY (hour, sender, currency)
) WITHOUT ROWID;

-- What was ordered for each network, by the hour in which the campaign started.
CREATE TABLE traffic_networks (
    hour    BIGINT NOT NULL,
    network TEXT   NOT NULL,
    ordered BIGINT NOT NULL,
    PRIMARY KEY (hour, network)
) WITHOUT ROWID;

-- Campaigns that are not over yet, with what the figures hold of them so far.
CREATE TABLE traffic_open (
    campaign_id    INTEGER PRIMARY KEY,
    due_at         BIGINT  NOT NULL,
    counted        BOOLEAN NOT NULL, -- whether it is in the figures: it is once it has started
    awaited        BIGINT  NOT NULL,
    delivered      BIGINT  NOT NULL,
    undelivered    BIGINT  NOT NULL,
    rejected       BIGINT  NOT NULL,
    expired        BIGINT  NOT NULL,
    unknown        BIGINT  NOT NULL,
    charged_micros BIGINT  NOT NULL
);
CREATE INDEX traffic_open_due ON traffic_open (due_at); -- the tick's next look

-- The ledger's transfers by hour and kind.
CREATE TABLE money_hours (
    hour          BIGINT NOT NULL,
    currency      TEXT   NOT NULL,
    code          TEXT   NOT NULL,
    transfers     BIGINT NOT NULL,
    amount_micros BIGINT NOT NULL,
    PRIMARY KEY (hour, currency, code)
) WITHOUT ROWID;

-- How far the figures have counted.
CREATE TABLE figures_progress (
    name TEXT   PRIMARY KEY,
    upto BIGINT NOT NULL -- the last id
);
INSERT INTO figures_progress (name, upto) VALUES ('campaigns', 0), ('transfers', 0);

-- How many campaigns are paused, for the figures; it is few of them.
CREATE INDEX campaigns_paused ON campaigns (id) WHERE status = 'paused';

-- What `talkdrumd check` found the last time.
CREATE TABLE last_check (
    id         BIGINT  PRIMARY KEY CHECK (id = 1),
    checked_at BIGINT  NOT NULL,
    ok         BOOLEAN NOT NULL,
    findings   BIGINT  NOT NULL,
    first      TEXT             -- the first finding, in words
);
