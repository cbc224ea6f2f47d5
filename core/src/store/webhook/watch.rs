//! What was reported of campaigns and messages, and where it differs from what is stored now.

use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::campaign::id::{CampaignId, ChunkId};
use crate::model::message::status::CampaignStatus;
use crate::store::message::statuses::statuses;
use crate::store::{Column, Tx};
use crate::time::Time;
use crate::{args, sql};

/// A campaign whose turn it is to be looked at.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct Watched {
    /// The campaign.
    pub campaign_id: CampaignId,
    /// Its owner.
    pub user_id: UserId,
    /// Its status now.
    pub status: CampaignStatus,
    /// The status that was reported last; `None` before the first.
    pub told_status: Option<CampaignStatus>,
    /// Looks so far: the fence.
    pub looks: i64,
    /// Looks in a row that found nothing new.
    pub quiet_looks: i64,
    /// When it was over.
    pub completed_at: Option<Time>,
    /// Messages that have no final status.
    pub open: i64,
}

/// A chunk whose counters differ from those last reported.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct ChangedChunk {
    /// The chunk.
    pub chunk_id: ChunkId,
    /// Its campaign.
    pub campaign_id: CampaignId,
    /// Its recipients.
    pub size: i64,
    /// See `campaign_chunks`.
    pub cursor: i64,
    /// See `campaign_chunks`.
    pub tail_cancelled: i64,
    /// Its counters now, as text.
    pub tally: String,
    /// The status told of each place; `None` when nothing was.
    pub told: Option<Vec<u8>>,
}

/// Watches campaigns that users with webhooks confirmed since the last time.
pub async fn discover(tx: &mut Tx, now: Time) -> Result<u64> {
    tx.run(
        "INSERT INTO webhook_campaigns (campaign_id, user_id, told_status, look_at) \
         SELECT c.id, c.user_id, '', $1 FROM webhook_users w \
         JOIN campaigns c ON c.user_id = w.user_id AND c.id > w.campaign_cursor WHERE true \
         ON CONFLICT (campaign_id) DO NOTHING",
        args![now],
    )
    .await
}

/// Moves the users' cursors up to what was confirmed before a time: ids are given before they are committed, so what
/// is young may still be joined by a smaller id.
pub async fn advance(tx: &mut Tx, settled_before: Time) -> Result<()> {
    tx.run(
        "UPDATE webhook_users SET campaign_cursor = COALESCE((SELECT MAX(c.id) FROM campaigns c \
         WHERE c.user_id = webhook_users.user_id AND c.id > webhook_users.campaign_cursor AND c.created_at < $1), \
         campaign_cursor)",
        args![settled_before],
    )
    .await?;
    Ok(())
}

/// The campaigns to be looked at now.
pub async fn due(tx: &mut Tx, now: Time, limit: i64) -> Result<Vec<Watched>> {
    let sql = concat!(
        "SELECT w.campaign_id, w.user_id, c.status, NULLIF(w.told_status, '') AS told_status, w.looks, w.quiet_looks, \
         c.completed_at, CAST(COALESCE((SELECT SUM(ch.size - ",
        statuses!(settled, " - ", ["ch.", column, { " - ch.tail_cancelled" }]),
        ") FROM campaign_chunks ch WHERE ch.campaign_id = w.campaign_id), 0) AS BIGINT) AS open \
         FROM webhook_campaigns w JOIN campaigns c ON c.id = w.campaign_id WHERE w.look_at <= $1 \
         ORDER BY w.look_at LIMIT $2"
    );
    tx.all(sql, args![now, limit]).await
}

/// The counters of a chunk `ch` as one text: while it is the same, no message of the chunk took another status.
macro_rules! chunk_tally {
    () => {
        $crate::store::message::statuses::statuses!(
            stored,
            " || ' ' || ",
            ["ch.", column, { " || ' ' || ch.tail_cancelled" }]
        )
    };
}
pub(super) use chunk_tally;

/// The chunks of these campaigns that changed since they were last reported.
pub async fn moved(tx: &mut Tx, campaigns: Vec<CampaignId>, limit: i64) -> Result<Vec<ChangedChunk>> {
    let sql = sql!(
        "SELECT * FROM (SELECT ch.id AS chunk_id, ch.campaign_id, ch.size, ch.cursor, ch.tail_cancelled, ",
        chunk_tally!(),
        " AS tally, t.told, COALESCE(t.tally, '",
        statuses!(stored, " ", ["0", { " 0" }]),
        "') AS told_tally \
         FROM campaign_chunks ch LEFT JOIN webhook_chunks t ON t.chunk_id = ch.id \
         WHERE ch.campaign_id = ANY($1::BIGINT[])) AS chunks \
         WHERE tally <> told_tally ORDER BY campaign_id, chunk_id LIMIT $2"
    );
    // The list of campaigns is one argument on both databases, so `$2` is the limit on both.
    tx.all(sql, args![vec![Column::of(campaigns)], limit]).await
}

/// Records that a campaign was read, in the transaction that queues its events.
///
/// # Errors
/// [`Error::Stale`] when another daemon looked meanwhile: nothing of this look counts.
pub async fn looked(
    tx: &mut Tx,
    watched: &Watched,
    told_status: Option<CampaignStatus>,
    look_at: Time,
    quiet_looks: i64,
) -> Result<()> {
    let touched = tx
        .run(
            "UPDATE webhook_campaigns SET told_status = $3, look_at = $4, quiet_looks = $5, looks = looks + 1 \
             WHERE campaign_id = $1 AND looks = $2",
            args![watched.campaign_id, watched.looks, told_status.map_or("", CampaignStatus::code), look_at, quiet_looks],
        )
        .await?;
    if touched == 1 { Ok(()) } else { Err(Error::Stale) }
}

/// Stores the counters of a chunk that were reported.
pub async fn told(tx: &mut Tx, moved: &ChangedChunk, told: &[u8]) -> Result<()> {
    tx.run_exactly(
        1,
        "INSERT INTO webhook_chunks (chunk_id, campaign_id, tally, told) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (chunk_id) DO UPDATE SET tally = excluded.tally, told = excluded.told",
        args![moved.chunk_id, moved.campaign_id, &moved.tally, told],
    )
    .await
}

/// Ends the watch of a campaign: everything was reported, or it waited long enough. A campaign beyond its user's cursor
/// stays, or it would be discovered again.
pub async fn forget(tx: &mut Tx, campaign_id: CampaignId) -> Result<()> {
    let gone = tx
        .run(
            "DELETE FROM webhook_campaigns WHERE campaign_id = $1 AND campaign_id <= COALESCE((SELECT campaign_cursor \
             FROM webhook_users u WHERE u.user_id = webhook_campaigns.user_id), campaign_id)",
            args![campaign_id],
        )
        .await?;
    if gone > 0 {
        tx.run("DELETE FROM webhook_chunks WHERE campaign_id = $1", args![campaign_id]).await?;
    }
    Ok(())
}
