//! The platform's figures as they are shown: sums of what was counted by the hour, and what is open now.

use talkdrum_api::money::{Amount, Currency};

use super::hourly::TrafficCounts;
use crate::args;
use crate::error::Result;
use crate::model::money::ledger::Code;
use crate::store::Tx;
use crate::store::campaign::canary::not_behind_canary;
use crate::store::message::statuses::statuses;
use crate::time::Time;

/// The campaigns of an hour.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct HourRow {
    pub hour: Time,
    pub campaigns: i64,
    pub ordered: i64,
    #[sqlx(flatten)]
    pub counts: TrafficCounts,
}

/// The campaigns of a sender.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct SenderRow {
    pub sender: String,
    pub campaigns: i64,
    pub ordered: i64,
    #[sqlx(flatten)]
    pub counts: TrafficCounts,
}

macro_rules! traffic {
    ($key:literal, $tail:literal) => {
        concat!(
            "SELECT ",
            $key,
            ", CAST(SUM(campaigns) AS BIGINT) AS campaigns, CAST(SUM(ordered) AS BIGINT) AS ordered, ",
            statuses!(carried, ", ", ["CAST(SUM(", figure, ") AS BIGINT) AS ", figure]),
            ", CAST(SUM(charged_micros) AS BIGINT) AS charged_micros FROM traffic WHERE hour >= $1 GROUP BY ",
            $key,
            " ",
            $tail
        )
    };
}

/// Traffic since `from` by hour, oldest first; hours without any are left out.
pub async fn by_hour(tx: &mut Tx, from: Time) -> Result<Vec<HourRow>> {
    tx.all(traffic!("hour", "ORDER BY hour"), args![from]).await
}

/// Traffic since `from` of the senders who ordered most.
pub async fn by_sender(tx: &mut Tx, from: Time, limit: i64) -> Result<Vec<SenderRow>> {
    tx.all(traffic!("sender", "ORDER BY 3 DESC, sender COLLATE \"binary\" LIMIT $2"), args![from, limit])
        .await
}

/// What became of the recipients of a network.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct NetworkRow {
    pub network: String,
    pub ordered: i64,
    pub awaited: i64,
    pub delivered: i64,
    pub undelivered: i64,
    pub rejected: i64,
    pub expired: i64,
    pub unknown: i64,
}

/// Recipients since `from` by network, most first.
pub async fn by_network(tx: &mut Tx, from: Time) -> Result<Vec<NetworkRow>> {
    let sql = concat!(
        "SELECT network, CAST(SUM(ordered) AS BIGINT) AS ordered, ",
        statuses!(carried, ", ", ["CAST(SUM(", figure, ") AS BIGINT) AS ", figure]),
        " FROM traffic_networks WHERE hour >= $1 GROUP BY network ORDER BY 2 DESC, network COLLATE \"binary\""
    );
    tx.all(sql, args![from]).await
}

/// Money that moved, of one currency and one code of the ledger.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct MoneyMoved {
    pub currency: Currency,
    /// What for.
    pub code: Code,
    /// Transfers.
    pub transfers: i64,
    /// What they add up to.
    pub amount: Amount,
}

/// Transfers since `from`, by currency and code: how many, and how much.
pub async fn money(tx: &mut Tx, from: Time) -> Result<Vec<MoneyMoved>> {
    tx.all(
        "SELECT currency, code, CAST(SUM(transfers) AS BIGINT) AS transfers, \
           CAST(SUM(amount_micros) AS BIGINT) AS amount FROM money_hours \
         WHERE hour >= $1 GROUP BY currency, code ORDER BY currency, code COLLATE \"binary\"",
        args![from],
    )
    .await
}

/// Open campaigns: scheduled, sending, paused. Each is counted in its partial index.
pub async fn open_campaigns(tx: &mut Tx) -> Result<(i64, i64, i64)> {
    tx.one(
        "SELECT (SELECT COUNT(*) FROM campaigns WHERE status = 'scheduled'), \
                (SELECT COUNT(*) FROM campaigns WHERE status = 'sending'), \
                (SELECT COUNT(*) FROM campaigns WHERE status = 'paused')",
        args![],
    )
    .await
}

pub(crate) const OLDEST_UNSENT: &str = concat!(
    "SELECT MIN(COALESCE(c.canary_passed_at, c.scheduled_at, c.created_at)) FROM (SELECT id, scheduled_at, created_at, \
     canary_from, canary_passed_at FROM campaigns WHERE status = 'sending' LIMIT $1) AS c WHERE EXISTS (SELECT 1 FROM \
     campaign_chunks ch WHERE ch.campaign_id = c.id AND ch.state = 'open' AND ch.cursor < ch.size AND ",
    not_behind_canary!("ch"),
    ")"
);

/// Since when the message that has waited longest could have been sent, among the first `limit` campaigns that are
/// sending; `None` when nothing waits.
pub async fn oldest_unsent(tx: &mut Tx, limit: i64) -> Result<Option<Time>> {
    let row: (Option<Time>,) = tx.one(OLDEST_UNSENT, args![limit]).await?;
    Ok(row.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Dialect;
    use crate::testing::database::for_each_database;

    #[tokio::test]
    async fn no_statement_walks_all_campaigns_or_chunks() {
        for_each_database(|store| async move {
            if store.dialect() != Dialect::Sqlite {
                return; // PostgreSQL scans an empty table whatever there is.
            }
            let mut tx = store.read().await.unwrap();
            let since = args![0, 5];
            let plans = [
                tx.explain(OLDEST_UNSENT, args![10]).await.unwrap(),
                tx.explain(traffic!("sender", "ORDER BY 3 DESC, sender COLLATE \"binary\" LIMIT $2"), since)
                    .await
                    .unwrap(),
                tx.explain("SELECT COUNT(*) FROM campaigns WHERE status = 'paused'", args![]).await.unwrap(),
                tx.explain("SELECT COUNT(*) FROM campaigns WHERE status = 'scheduled'", args![])
                    .await
                    .unwrap(),
            ];
            for plan in plans {
                let plan = plan.join("\n");
                for table in ["c", "ch", "t", "traffic", "campaigns"] {
                    let scans = plan.lines().any(|line| line.trim() == format!("SCAN {table}"));
                    assert!(!scans, "{plan}");
                }
            }
        })
        .await;
    }
}
