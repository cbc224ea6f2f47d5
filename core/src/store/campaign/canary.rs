//! Canaries of campaigns: which chunks may go before the rest, and how they fare.
//!
//! A campaign's chunks are in the order of its audience's, whose last are the canary: what goes first is one range of ids,
//! and letting the rest go changes one row.

use crate::error::Result;
use crate::model::campaign::canary::Canary;
use crate::model::campaign::id::{CampaignId, ChunkId};
use crate::store::message::statuses::statuses;
use crate::store::{Column, Dialect, Tx};
use crate::time::Time;
use crate::{args, sql};

/// A chunk, of the table or alias `$of`, is of the canary of its campaign `c`, or need not wait for one.
macro_rules! not_behind_canary {
    ($of:literal) => {
        concat!($of, ".id >= CASE WHEN c.canary_passed_at IS NULL THEN COALESCE(c.canary_from, 0) ELSE 0 END")
    };
}
pub(crate) use not_behind_canary;

/// When the messages of a chunk `ch` of a campaign `c` began to be sent, from which their validity counts: those that
/// waited for a canary, when they were let go.
macro_rules! began_at {
    () => {
        "CASE WHEN ch.id < c.canary_from THEN COALESCE(c.canary_passed_at, c.started_at) ELSE c.started_at END"
    };
}
pub(crate) use began_at;

/// The canary of a campaign that was just made.
#[derive(Clone, Copy, Debug)]
pub struct NewCanary {
    /// The campaign.
    pub campaign: CampaignId,
    /// The first of its chunks.
    pub from: ChunkId,
    /// Its recipients.
    pub size: i64,
    /// How many of a hundred must be delivered.
    pub delivery: i64,
    /// Seconds that receipts are waited for.
    pub wait_s: i64,
}

/// Gives campaigns that were just made their canaries.
pub async fn set(tx: &mut Tx, canaries: &[NewCanary]) -> Result<()> {
    if canaries.is_empty() {
        return Ok(());
    }
    let ints = |read: fn(&NewCanary) -> i64| Column::of(canaries.iter().map(read));
    let rows = vec![
        ints(|it| it.campaign.0),
        ints(|it| it.from.0),
        ints(|it| it.size),
        ints(|it| it.delivery),
        ints(|it| it.wait_s),
    ];
    let sql = sql!(
        "UPDATE campaigns SET canary_from = j.begins, canary_size = j.size, canary_delivery = j.delivery, \
           canary_wait_s = j.wait_s \
         FROM UNNEST($1::BIGINT[], $2::BIGINT[], $3::BIGINT[], $4::BIGINT[], $5::BIGINT[]) \
           AS j (id, begins, size, delivery, wait_s) WHERE campaigns.id = j.id"
    );
    tx.run_exactly(canaries.len() as u64, sql, args![rows]).await
}

/// Whether a daemon lives that would not wait for canaries, as it is of an older version.
pub async fn is_unknown_to_any(tx: &mut Tx) -> Result<bool> {
    let sql = "SELECT id FROM daemons WHERE stopped_at IS NULL AND knows_canaries = FALSE LIMIT 1";
    let row: Option<(i64,)> = tx.opt(sql, args![]).await?;
    Ok(row.is_some())
}

/// Canaries of campaigns that are being sent, undecided, behind `after`: ids in order.
pub async fn running(tx: &mut Tx, after: CampaignId, limit: i64) -> Result<Vec<CampaignId>> {
    let rows: Vec<(CampaignId,)> = tx.all(RUNNING, args![after, limit]).await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

pub(crate) const RUNNING: &str = "SELECT id FROM campaigns WHERE status = 'sending' AND canary_from IS NOT NULL \
     AND canary_passed_at IS NULL AND id > $1 ORDER BY id LIMIT $2";

/// The canaries of these campaigns, those that have one, with what became of their messages.
pub async fn of(tx: &mut Tx, campaigns: Vec<CampaignId>) -> Result<Vec<Canary>> {
    let sql = sql!(
        "SELECT c.id AS campaign_id, c.canary_size AS size, c.canary_delivery AS delivery, c.canary_wait_s AS wait_s, \
           COALESCE(c.started_at, c.scheduled_at, c.created_at) AS begun_at, \
           MAX(CASE WHEN ch.promotional AND ch.cursor < ch.size THEN 1 ELSE 0 END) = 1 AS waits_in_quiet, \
           c.canary_handed_at AS handed_at, c.canary_failed_at AS failed_at, c.canary_passed_at AS passed_at, \
           CAST(SUM(ch.cursor) AS BIGINT) AS claimed, CAST(SUM(ch.answered) AS BIGINT) AS answered, \
           CAST(SUM(",
        statuses!(awaiting, " + ", ["ch.", column]),
        ") AS BIGINT) AS pending, CAST(SUM(",
        statuses!(confirmed, " + ", ["ch.", column]),
        ") AS BIGINT) AS delivered \
         FROM campaigns c JOIN campaign_chunks ch ON ch.campaign_id = c.id AND ch.id >= c.canary_from \
         WHERE c.id = ANY($1::BIGINT[]) AND c.canary_from IS NOT NULL GROUP BY c.id ORDER BY c.id"
    );
    tx.all(sql, args![vec![Column::of(campaigns)]]).await
}

/// The canary of a campaign that is being sent, undecided, and the campaign locked; `None` when it is not so any more.
pub async fn lock_running(tx: &mut Tx, campaign: CampaignId) -> Result<Option<Canary>> {
    if tx.dialect() == Dialect::Postgres {
        // Alone: what is read beside a row that is waited for is from before the wait.
        tx.run("SELECT id FROM campaigns WHERE id = $1 FOR NO KEY UPDATE", args![campaign]).await?;
    }
    let running = running(tx, CampaignId(campaign.0 - 1), 1).await?;
    if running != [campaign] {
        return Ok(None);
    }
    Ok(of(tx, running).await?.pop())
}

/// Notes that each message of a canary was handed to a carrier once.
pub async fn note_handed(tx: &mut Tx, campaign: CampaignId, now: Time) -> Result<()> {
    let sql = "UPDATE campaigns SET canary_handed_at = $2 WHERE id = $1";
    tx.run_exactly(1, sql, args![campaign, now]).await
}

/// Lets the rest of a campaign go.
pub async fn pass(tx: &mut Tx, campaign: CampaignId, now: Time) -> Result<()> {
    let sql = "UPDATE campaigns SET canary_passed_at = $2 WHERE id = $1";
    tx.run_exactly(1, sql, args![campaign, now]).await
}

/// Pauses a campaign that is being sent, as its canary failed.
pub async fn fail(tx: &mut Tx, campaign: CampaignId, reason: &str, now: Time) -> Result<()> {
    let sql = "UPDATE campaigns SET status = 'paused', paused_from = status, paused_by = NULL, status_reason = $2, \
                 canary_failed_at = $3 WHERE id = $1 AND status = 'sending'";
    tx.run_exactly(1, sql, args![campaign, reason, now]).await
}
