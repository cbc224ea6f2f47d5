//! Campaigns' states: starting, pausing, resuming, cancelling.

pub mod audience;
pub mod canary;
pub mod confirm;
pub mod draft;
pub mod list;
pub mod quote;
pub mod resend;
pub mod spending;
pub mod template;

use talkdrum_api::money::{Amount, Currency};
use talkdrum_api::purpose::Purpose;

use super::{Dialect, Tx};
use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::campaign::id::{AudienceChunkId, CampaignId, ChunkId};
use crate::model::campaign::pause::{PausedBy, ReviewCause};
use crate::model::message::status::CampaignStatus;
use crate::model::money::ledger::AccountId;
use crate::time::Time;
use crate::{args, sql};

/// Sets of a campaign's statuses, for `IN (...)`.
macro_rules! campaign_statuses {
    // Not over: see `CampaignStatus::is_over`.
    (open) => {
        "'scheduled', 'sending', 'paused'"
    };
    // Open, and not paused: what a pause changes.
    (pausable) => {
        "'scheduled', 'sending'"
    };
    // Open, and begun: what the last answer completes.
    (begun) => {
        "'sending', 'paused'"
    };
}
pub(super) use campaign_statuses;

/// What control needs of a campaign.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct ControlledCampaign {
    pub id: CampaignId,
    pub user_id: UserId,
    pub status: CampaignStatus,
    pub paused_from: Option<CampaignStatus>,
    pub paused_by: Option<PausedBy>,
    pub status_reason: Option<String>,
    pub held: Option<ReviewCause>,
    pub currency: Currency,
    pub reserve_account_id: AccountId,
    pub wallet_account_id: AccountId,
    pub scheduled_at: Option<Time>,
    /// Its canary failed, and the rest was not let go since.
    pub canary_failed: bool,
}

/// A campaign, locked for this transaction (SQLite has one writer anyway).
pub async fn lock(tx: &mut Tx, campaign: CampaignId) -> Result<Option<ControlledCampaign>> {
    let sql = sql!(
        "SELECT id, user_id, status, paused_from, paused_by, status_reason, held, currency, reserve_account_id, \
         wallet_account_id, scheduled_at, \
         canary_failed_at IS NOT NULL AND canary_passed_at IS NULL AS canary_failed \
         FROM campaigns WHERE id = $1 FOR NO KEY UPDATE"
    );
    tx.opt(sql, args![campaign]).await
}

/// Locks a user's campaigns that have not ended, in order of their ids, for a statement that writes several of them.
pub async fn lock_open_of(tx: &mut Tx, user: UserId) -> Result<()> {
    if tx.dialect() == Dialect::Postgres {
        let sql = concat!(
            "SELECT id FROM campaigns WHERE user_id = $1 AND status IN (",
            campaign_statuses!(open),
            ") ORDER BY id FOR NO KEY UPDATE"
        );
        tx.run(sql, args![user]).await?;
    }
    Ok(())
}

/// The owner, the sender and the purpose of a campaign, which never change.
pub async fn sender_of(
    tx: &mut Tx,
    campaign: CampaignId,
) -> Result<Option<(UserId, String, Option<Purpose>)>> {
    tx.opt("SELECT user_id, sender, purpose FROM campaigns WHERE id = $1", args![campaign]).await
}

/// When the next scheduled campaign starts.
pub async fn next_due(tx: &mut Tx) -> Result<Option<Time>> {
    let row: Option<(Time,)> = tx
        .opt(
            "SELECT scheduled_at FROM campaigns WHERE status = 'scheduled' AND scheduled_at IS NOT NULL \
             ORDER BY scheduled_at LIMIT 1",
            args![],
        )
        .await?;
    Ok(row.map(|(due,)| due))
}

/// Whether any campaign is being sent.
pub async fn any_sending(tx: &mut Tx) -> Result<bool> {
    let row: Option<(i64,)> =
        tx.opt("SELECT id FROM campaigns WHERE status = 'sending' LIMIT 1", args![]).await?;
    Ok(row.is_some())
}

/// The reason shown for a campaign that its owner's deactivation paused.
const ACCOUNT_INACTIVE: &str = "The account is inactive";

/// Starts the scheduled campaigns that are due; those of inactive users pause.
pub async fn start_due(tx: &mut Tx, now: Time) -> Result<Vec<CampaignId>> {
    if tx.dialect() == Dialect::Postgres {
        let sql = "SELECT id FROM campaigns WHERE status = 'scheduled' AND scheduled_at <= $1 ORDER BY id FOR NO KEY UPDATE";
        tx.run(sql, args![now]).await?;
    }
    let rows: Vec<(CampaignId,)> = tx
        .all(
            "UPDATE campaigns SET \
               status = CASE WHEN (SELECT status FROM users WHERE id = campaigns.user_id) = 'active' \
                 THEN 'sending' ELSE 'paused' END, \
               paused_from = 'sending', \
               paused_by = CASE WHEN (SELECT status FROM users WHERE id = campaigns.user_id) = 'active' \
                 THEN NULL ELSE $3 END, \
               status_reason = CASE WHEN (SELECT status FROM users WHERE id = campaigns.user_id) = 'active' \
                 THEN NULL ELSE $2 END \
             WHERE status = 'scheduled' AND scheduled_at <= $1 RETURNING id",
            args![now, ACCOUNT_INACTIVE, PausedBy::Account],
        )
        .await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// Moves a campaign to a status other than paused. A canary that waits for receipts begins to wait again.
pub async fn set_status(tx: &mut Tx, campaign: CampaignId, status: CampaignStatus) -> Result<()> {
    tx.run_exactly(
        1,
        "UPDATE campaigns SET status = $2, paused_from = NULL, paused_by = NULL, status_reason = NULL, \
           canary_handed_at = NULL WHERE id = $1",
        args![campaign, status],
    )
    .await
}

/// Pauses a campaign, or records again who paused it. `paused_from` is the status that a resume returns to.
pub async fn pause(
    tx: &mut Tx,
    campaign: CampaignId,
    paused_from: Option<CampaignStatus>,
    (by, reason): (PausedBy, &str),
) -> Result<()> {
    tx.run_exactly(
        1,
        "UPDATE campaigns SET status = 'paused', paused_from = $2, paused_by = $3, status_reason = $4 WHERE id = $1",
        args![campaign, paused_from, by, reason],
    )
    .await
}

/// Pauses everything of a user that has not ended, as the account is inactive.
pub async fn pause_all_of(tx: &mut Tx, user: UserId) -> Result<u64> {
    lock_open_of(tx, user).await?;
    tx.run(
        concat!(
            "UPDATE campaigns SET paused_from = status, status = 'paused', status_reason = $2, paused_by = $3 \
             WHERE user_id = $1 AND status IN (",
            campaign_statuses!(pausable),
            ")"
        ),
        args![user, ACCOUNT_INACTIVE, PausedBy::Account],
    )
    .await
}

/// Pauses every campaign of codes of a user that has not ended; one that the deactivation of the account paused does not go on
/// with the account. Returns how many.
pub async fn pause_codes_of(tx: &mut Tx, user: UserId, reason: &str) -> Result<u64> {
    lock_open_of(tx, user).await?;
    tx.run(
        concat!(
            "UPDATE campaigns SET paused_from = CASE WHEN status = 'paused' THEN paused_from ELSE status END, \
               status = 'paused', status_reason = $3, paused_by = NULL \
             WHERE user_id = $1 AND purpose = $2 AND (status IN (",
            campaign_statuses!(pausable),
            ") OR (status = 'paused' AND paused_by = $4))"
        ),
        args![user, Purpose::Otp, reason, PausedBy::Account],
    )
    .await
}

/// The senders of a user's campaigns that the deactivation of the account paused.
pub async fn senders_kept_back(tx: &mut Tx, user: UserId) -> Result<Vec<String>> {
    let rows: Vec<(String,)> = tx
        .all(
            "SELECT sender FROM campaigns WHERE user_id = $1 AND status = 'paused' AND paused_by = $2 \
             GROUP BY sender ORDER BY sender COLLATE \"binary\"",
            args![user, PausedBy::Account],
        )
        .await?;
    Ok(rows.into_iter().map(|(sender,)| sender).collect())
}

/// Resumes a user's campaigns from a sender that the deactivation of the account paused; returns the status of each.
pub async fn let_go(tx: &mut Tx, user: UserId, sender: &str, now: Time) -> Result<Vec<CampaignStatus>> {
    lock_open_of(tx, user).await?;
    let rows: Vec<(CampaignStatus,)> = tx
        .all(
            "UPDATE campaigns SET paused_from = NULL, paused_by = NULL, status_reason = NULL, canary_handed_at = NULL, \
               status = CASE WHEN paused_from = 'scheduled' AND scheduled_at > $4 THEN 'scheduled' ELSE 'sending' END \
             WHERE user_id = $1 AND sender = $2 AND status = 'paused' AND paused_by = $3 RETURNING status",
            args![user, sender, PausedBy::Account, now],
        )
        .await?;
    Ok(rows.into_iter().map(|(status,)| status).collect())
}

/// Gives a user's campaigns from a sender that stay paused another reason than the account; returns how many.
pub async fn keep_back(tx: &mut Tx, user: UserId, sender: &str, reason: &str) -> Result<u64> {
    lock_open_of(tx, user).await?;
    tx.run(
        "UPDATE campaigns SET status_reason = $4, paused_by = NULL \
         WHERE user_id = $1 AND sender = $2 AND status = 'paused' AND paused_by = $3",
        args![user, sender, PausedBy::Account, reason],
    )
    .await
}

/// Notes that a cancelled campaign has no open chunks.
pub async fn close_chunks(tx: &mut Tx, campaign: CampaignId, now: Time) -> Result<()> {
    tx.run_exactly(
        1,
        "UPDATE campaigns SET chunks_open = (SELECT COUNT(*) FROM campaign_chunks \
           WHERE campaign_id = campaigns.id AND state = 'open'), completed_at = COALESCE(completed_at, $2) \
         WHERE id = $1",
        args![campaign, now],
    )
    .await
}

/// An open chunk of a campaign that is being cancelled.
#[derive(Clone, Copy, Debug, sqlx_macros::FromRow)]
pub struct ChunkToCancel {
    pub id: ChunkId,
    pub audience_chunk_id: AudienceChunkId,
    pub size: i64,
    pub cursor: i64,
    #[sqlx(rename = "charge_micros")]
    pub charge: Amount,
    /// The price of a page: the chunk's own, else its campaign's.
    pub unit_price: Amount,
}

/// The open chunks of a campaign, by key, locked: no intent moves a cursor between this and the cancel of its tail.
pub async fn open_chunks(tx: &mut Tx, campaign: CampaignId) -> Result<Vec<ChunkToCancel>> {
    let sql = sql!(
        "SELECT ch.id, ch.audience_chunk_id, ch.size, ch.cursor, ch.charge_micros, \
         COALESCE(ch.unit_price_micros, c.unit_price_micros) AS unit_price \
         FROM campaign_chunks ch JOIN campaigns c ON c.id = ch.campaign_id \
         WHERE ch.campaign_id = $1 AND ch.state = 'open' ORDER BY ch.id FOR UPDATE OF ch"
    );
    tx.all(sql, args![campaign]).await
}

/// Gives up the positions of a chunk from its cursor on. The new attempt fences the run that holds it.
pub async fn cancel_tail(tx: &mut Tx, chunk: ChunkId, released: Amount) -> Result<()> {
    tx.run_exactly(
        1,
        "UPDATE campaign_chunks SET tail_cancelled = size - cursor, attempt = attempt + 1, \
           released_micros = released_micros + $2, \
           state = CASE WHEN answered + size - cursor >= size THEN 'done' ELSE state END \
         WHERE id = $1",
        args![chunk, released],
    )
    .await
}

#[cfg(test)]
mod tests {
    use crate::model::message::status::CampaignStatus as S;

    #[test]
    fn sets_of_statuses_in_statements_are_those_of_the_code() {
        let those = |wanted: fn(S) -> bool| {
            let those = S::ALL.iter().filter(|status| wanted(**status));
            those.map(|status| format!("'{status}'")).collect::<Vec<_>>().join(", ")
        };
        assert_eq!(campaign_statuses!(open), those(|status| !status.is_over()));
        assert_eq!(campaign_statuses!(pausable), those(|status| !status.is_over() && status != S::Paused));
        assert_eq!(campaign_statuses!(begun), those(|status| !status.is_over() && status != S::Scheduled));
    }
}
