//! The rows of the platform's figures: traffic and money by the hour, and how far they were counted.
//!
//! A campaign's part in `traffic` is what `traffic_open` holds of it, or final. All of it can be counted
//! again from campaigns and transfers.

use std::collections::BTreeMap;

use talkdrum_api::money::{Amount, Currency};

use crate::error::Result;
use crate::model::campaign::id::CampaignId;
use crate::model::message::delivery_counts::Outcomes;
use crate::model::money::ledger::TransferId;
use crate::store::message::statuses::statuses;
use crate::store::operations::purge::bounded;
use crate::store::{Column, Sql, Tx};
use crate::time::Time;
use crate::{args, sql};

/// The beginning of the hour of a moment.
pub fn hour_of(Time(at): Time) -> Time {
    Time(at - at.rem_euclid(3_600_000))
}

/// What became of messages, added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct TrafficCounts {
    pub awaited: i64,
    pub delivered: i64,
    pub undelivered: i64,
    pub rejected: i64,
    pub expired: i64,
    pub unknown: i64,
    #[sqlx(rename = "charged_micros")]
    pub charged: Amount,
}

/// A campaign as the figures see it.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct CampaignSeen {
    pub id: CampaignId,
    pub sender: String,
    pub currency: Currency,
    pub size: i64,
    pub chunks_open: i64,
    pub scheduled_at: Option<Time>,
    pub started_at: Option<Time>,
    pub completed_at: Option<Time>,
    /// Whether the figures hold it, and what they hold of it.
    pub counted: bool,
    #[sqlx(flatten)]
    pub now: TrafficCounts,
    pub old_awaited: i64,
    pub old_delivered: i64,
    pub old_undelivered: i64,
    pub old_rejected: i64,
    pub old_expired: i64,
    pub old_unknown: i64,
    pub old_charged: Amount,
}

/// How far something was counted, locked until the transaction ends.
pub async fn progress(tx: &mut Tx, name: &str) -> Result<i64> {
    let sql = sql!("SELECT upto FROM figures_progress WHERE name = $1 FOR UPDATE");
    let row: (i64,) = tx.one(sql, args![name]).await?;
    Ok(row.0)
}

/// Notes how far something was counted.
pub async fn advance(tx: &mut Tx, name: &str, upto: i64) -> Result<()> {
    tx.run_exactly(1, "UPDATE figures_progress SET upto = $2 WHERE name = $1", args![name, upto]).await
}

/// The next campaigns after `after`, with when they were made.
pub async fn campaigns_after(tx: &mut Tx, after: CampaignId, limit: i64) -> Result<Vec<(CampaignId, Time)>> {
    tx.all("SELECT id, created_at FROM campaigns WHERE id > $1 ORDER BY id LIMIT $2", args![after, limit])
        .await
}

/// Open campaigns whose next look is due.
pub async fn due(tx: &mut Tx, now: Time, limit: i64) -> Result<Vec<CampaignId>> {
    let rows: Vec<(CampaignId,)> = tx
        .all(
            "SELECT campaign_id FROM traffic_open WHERE due_at <= $1 ORDER BY due_at LIMIT $2",
            args![now, limit],
        )
        .await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

pub(crate) const SEEN: Sql = sql!(
    "SELECT c.id, c.sender, c.currency, c.size, c.chunks_open, c.scheduled_at, c.started_at, c.completed_at, \
       COALESCE(t.counted, FALSE) AS counted, s.charged_micros, COALESCE(t.charged_micros, 0) AS old_charged, ",
    statuses!(carried, ", ", ["s.", figure, ", COALESCE(t.", figure, ", 0) AS old_", figure]),
    " FROM campaigns c JOIN (SELECT ch.campaign_id, ",
    statuses!(carried, ", ", ["CAST(SUM(ch.", column, ") AS BIGINT) AS ", figure]),
    ", CAST(SUM(ch.captured_micros + ch.charged_micros) AS BIGINT) AS charged_micros \
       FROM campaign_chunks ch WHERE ch.campaign_id = ANY($1::BIGINT[]) GROUP BY ch.campaign_id) AS s \
     ON s.campaign_id = c.id LEFT JOIN traffic_open t ON t.campaign_id = c.id WHERE c.id = ANY($1::BIGINT[])"
);

/// These campaigns with their counters.
pub async fn seen(tx: &mut Tx, ids: Vec<CampaignId>) -> Result<Vec<CampaignSeen>> {
    tx.all(SEEN, args![vec![Column::of(ids)]]).await
}

/// The quoted details of these campaigns (JSON), in which the networks are counted.
pub async fn details(tx: &mut Tx, ids: Vec<CampaignId>) -> Result<Vec<(CampaignId, String)>> {
    let sql = sql!(
        "SELECT c.id, q.details FROM campaigns c JOIN quotes q ON q.id = c.quote_id WHERE c.id = ANY($1::BIGINT[])"
    );
    tx.all(sql, args![vec![Column::of(ids)]]).await
}

/// What is added to one row of `traffic`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrafficDelta {
    pub campaigns: i64,
    pub ordered: i64,
    pub counts: TrafficCounts,
}

/// Rows of `traffic` by hour, sender and currency.
pub type Traffic = BTreeMap<(Time, String, Currency), TrafficDelta>;

/// Adds to `traffic`, in the order of its key.
pub async fn add_traffic(tx: &mut Tx, traffic: &Traffic) -> Result<()> {
    if traffic.is_empty() {
        return Ok(());
    }
    let ints = |read: fn(&TrafficDelta) -> i64| Column::of(traffic.values().map(read));
    let columns = vec![
        Column::of(traffic.keys().map(|key| key.0)),
        Column::of(traffic.keys().map(|key| &key.1)),
        Column::of(traffic.keys().map(|key| key.2)),
        ints(|it| it.campaigns),
        ints(|it| it.ordered),
        ints(|it| it.counts.awaited),
        ints(|it| it.counts.delivered),
        ints(|it| it.counts.undelivered),
        ints(|it| it.counts.rejected),
        ints(|it| it.counts.expired),
        ints(|it| it.counts.unknown),
        ints(|it| it.counts.charged.0),
    ];
    let sql = sql!(
        "INSERT INTO traffic (hour, sender, currency, campaigns, ordered, ",
        statuses!(carried, ", ", [figure]),
        ", charged_micros) \
         SELECT j.* FROM UNNEST($1::BIGINT[], $2::TEXT[], $3::TEXT[], $4::BIGINT[], $5::BIGINT[], $6::BIGINT[], \
           $7::BIGINT[], $8::BIGINT[], $9::BIGINT[], $10::BIGINT[], $11::BIGINT[], $12::BIGINT[]) AS j WHERE true \
         ON CONFLICT (hour, sender, currency) DO UPDATE SET \
           campaigns = traffic.campaigns + excluded.campaigns, ordered = traffic.ordered + excluded.ordered, ",
        statuses!(carried, ", ", [figure, " = traffic.", figure, " + excluded.", figure]),
        ", charged_micros = traffic.charged_micros + excluded.charged_micros"
    );
    tx.run(sql, args![columns]).await.map(|_| ())
}

/// Adds recipients by hour and network.
pub async fn add_networks(tx: &mut Tx, networks: &BTreeMap<(Time, String), i64>) -> Result<()> {
    if networks.is_empty() {
        return Ok(());
    }
    let columns = vec![
        Column::of(networks.keys().map(|key| key.0)),
        Column::of(networks.keys().map(|key| &key.1)),
        Column::of(networks.values()),
    ];
    let sql = sql!(
        "INSERT INTO traffic_networks (hour, network, ordered) \
         SELECT j.* FROM UNNEST($1::BIGINT[], $2::TEXT[], $3::BIGINT[]) AS j WHERE true \
         ON CONFLICT (hour, network) DO UPDATE SET ordered = traffic_networks.ordered + excluded.ordered"
    );
    tx.run(sql, args![columns]).await.map(|_| ())
}

/// Adds what became of recipients, by hour and network.
pub(crate) async fn add_outcomes(tx: &mut Tx, changes: &BTreeMap<(Time, String), Outcomes>) -> Result<()> {
    if changes.is_empty() {
        return Ok(());
    }
    let ints = |read: fn(&Outcomes) -> i64| Column::of(changes.values().map(read));
    let columns = vec![
        Column::of(changes.keys().map(|key| key.0)),
        Column::of(changes.keys().map(|key| &key.1)),
        ints(|it| it.awaited),
        ints(|it| it.delivered),
        ints(|it| it.undelivered),
        ints(|it| it.rejected),
        ints(|it| it.expired),
        ints(|it| it.unknown),
    ];
    let sql = sql!(
        "INSERT INTO traffic_networks (hour, network, ordered, ",
        statuses!(carried, ", ", [figure]),
        ") SELECT j.hour, j.network, 0, ",
        statuses!(carried, ", ", ["j.", figure]),
        " FROM UNNEST($1::BIGINT[], $2::TEXT[], $3::BIGINT[], $4::BIGINT[], $5::BIGINT[], $6::BIGINT[], \
           $7::BIGINT[], $8::BIGINT[]) AS j (hour, network, ",
        statuses!(carried, ", ", [figure]),
        ") WHERE true ON CONFLICT (hour, network) DO UPDATE SET ",
        statuses!(carried, ", ", [figure, " = traffic_networks.", figure, " + excluded.", figure])
    );
    tx.run(sql, args![columns]).await.map(|_| ())
}

/// A campaign that has to be looked at again.
#[derive(Clone, Copy, Debug)]
pub struct DueRecount {
    pub campaign: CampaignId,
    pub due_at: Time,
    pub counted: bool,
    pub counts: TrafficCounts,
}

/// Puts campaigns on the list of those that are open.
pub async fn keep_open(tx: &mut Tx, open: &[DueRecount]) -> Result<()> {
    if open.is_empty() {
        return Ok(());
    }
    let ints = |read: fn(&DueRecount) -> i64| Column::of(open.iter().map(read));
    let columns = vec![
        ints(|it| it.campaign.0),
        ints(|it| it.due_at.0),
        ints(|it| i64::from(it.counted)),
        ints(|it| it.counts.awaited),
        ints(|it| it.counts.delivered),
        ints(|it| it.counts.undelivered),
        ints(|it| it.counts.rejected),
        ints(|it| it.counts.expired),
        ints(|it| it.counts.unknown),
        ints(|it| it.counts.charged.0),
    ];
    let sql = sql!(
        "INSERT INTO traffic_open (campaign_id, due_at, counted, ",
        statuses!(carried, ", ", [figure]),
        ", charged_micros) SELECT j.id, j.due_at, j.counted = 1, ",
        statuses!(carried, ", ", ["j.", figure]),
        ", j.charged \
         FROM UNNEST($1::BIGINT[], $2::BIGINT[], $3::BIGINT[], $4::BIGINT[], $5::BIGINT[], $6::BIGINT[], \
           $7::BIGINT[], $8::BIGINT[], $9::BIGINT[], $10::BIGINT[]) AS j (id, due_at, counted, ",
        statuses!(carried, ", ", [figure]),
        ", charged) WHERE true \
         ON CONFLICT (campaign_id) DO UPDATE SET due_at = excluded.due_at, counted = excluded.counted, ",
        statuses!(carried, ", ", [figure, " = excluded.", figure]),
        ", charged_micros = excluded.charged_micros"
    );
    tx.run(sql, args![columns]).await.map(|_| ())
}

/// Takes campaigns off the list of those that are open.
pub async fn close(tx: &mut Tx, ids: Vec<CampaignId>) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let sql = sql!("DELETE FROM traffic_open WHERE campaign_id = ANY($1::BIGINT[])");
    tx.run(sql, args![vec![Column::of(ids)]]).await.map(|_| ())
}

/// The last of the next `limit` transfers after `after` that was posted by `until`; `None` when there is none.
pub async fn last_transfer(
    tx: &mut Tx,
    after: TransferId,
    until: Time,
    limit: i64,
) -> Result<Option<TransferId>> {
    let row: (Option<TransferId>,) = tx
        .one(
            "SELECT MAX(id) FROM (SELECT id, created_at FROM transfers WHERE id > $1 ORDER BY id LIMIT $3) AS next \
             WHERE created_at <= $2",
            args![after, until, limit],
        )
        .await?;
    Ok(row.0)
}

/// Adds the transfers after `after` up to `upto` to the hours of money.
pub async fn add_money(tx: &mut Tx, after: TransferId, upto: TransferId) -> Result<()> {
    tx.run(
        "INSERT INTO money_hours (hour, currency, code, transfers, amount_micros) \
         SELECT created_at / 3600000 * 3600000, currency, code, COUNT(*), CAST(SUM(amount_micros) AS BIGINT) \
         FROM transfers WHERE id > $1 AND id <= $2 GROUP BY created_at / 3600000 * 3600000, currency, code \
         ON CONFLICT (hour, currency, code) DO UPDATE SET transfers = money_hours.transfers + excluded.transfers, \
           amount_micros = money_hours.amount_micros + excluded.amount_micros",
        args![after, upto],
    )
    .await?;
    Ok(())
}

/// Forgets a bounded number of rows older than `before`; returns how many.
pub async fn purge(tx: &mut Tx, before: Time) -> Result<u64> {
    let mut removed = 0;
    for old in [
        bounded!("traffic", "hour, sender, currency", "hour < $1"),
        bounded!("traffic_networks", "hour, network", "hour < $1"),
        bounded!("money_hours", "hour, currency, code", "hour < $1"),
    ] {
        removed += tx.run(old, args![before]).await?;
    }
    Ok(removed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Dialect;
    use crate::testing::database::for_each_database;

    #[tokio::test]
    async fn campaigns_are_seen_by_key() {
        for_each_database(|store| async move {
            if store.dialect() != Dialect::Sqlite {
                return; // PostgreSQL scans an empty table whatever there is.
            }
            let mut tx = store.read().await.unwrap();
            let ids = || vec![Column::Ints(vec![1, 2])];
            let plans = [tx.explain(SEEN, args![ids()]).await.unwrap()];
            for plan in plans {
                let plan = plan.join("\n");
                for table in ["c", "ch", "t"] {
                    let scans = plan.lines().any(|line| line.trim() == format!("SCAN {table}"));
                    assert!(!scans, "{plan}");
                }
            }
        })
        .await;
    }
}
