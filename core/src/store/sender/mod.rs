//! The rows of sender ids, and what a campaign's sender rests on.
//!
//! Whether a campaign may go on under its sender is one condition, [`may_send_from!`], written once.

pub mod number;

use talkdrum_api::purpose::Purpose;

use super::{Tx, campaign};
use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::campaign::id::ChunkId;
use crate::model::sender::SenderStatus;
use crate::model::sender::id::SenderRecordId;
use crate::store::db::listing::{Listing, like_pattern, listed};
use crate::time::Time;
use crate::{args, sql};

/// Whether the user of a campaign `c` may send from its sender.
macro_rules! may_send_from {
    () => {
        "(c.sender = 'WEBSMS' \
          OR EXISTS (SELECT 1 FROM sender_ids s WHERE s.user_id = c.user_id AND s.sender_id = c.sender \
            AND s.status = 'approved') \
          OR EXISTS (SELECT 1 FROM virtual_numbers v WHERE v.virtual_num = c.sender AND v.user_id = c.user_id) \
          OR EXISTS (SELECT 1 FROM own_numbers o WHERE o.user_id = c.user_id AND o.phone_number = c.sender \
            AND o.status = 'verified'))"
    };
}
pub(super) use may_send_from;

/// A sender id with its owner's name.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct SenderIdRow {
    pub id: SenderRecordId,
    pub user_id: UserId,
    pub username: String,
    pub sender_id: String,
    pub status: SenderStatus,
    pub reason: Option<String>,
    pub created_at: Time,
    pub decided_at: Option<Time>,
    /// What messages from it are for that do not say it.
    pub purpose: Option<Purpose>,
}

/// Asks for a sender id: makes its row, or puts a disapproved one back to pending. `None` when it is pending or
/// approved.
pub async fn request(
    tx: &mut Tx,
    user: UserId,
    sender_id: &str,
    now: Time,
) -> Result<Option<SenderRecordId>> {
    let row: Option<(SenderRecordId,)> = tx
        .opt(
            "INSERT INTO sender_ids (user_id, sender_id, status, created_at) VALUES ($1, $2, 'pending', $3) \
             ON CONFLICT (user_id, sender_id) DO UPDATE SET status = 'pending', reason = NULL, \
               created_at = excluded.created_at, decided_at = NULL, decided_by = NULL \
             WHERE sender_ids.status = 'disapproved' RETURNING id",
            args![user, sender_id, now],
        )
        .await?;
    Ok(row.map(|(id,)| id))
}

/// How many sender ids a user has.
pub async fn count_of(tx: &mut Tx, user: UserId) -> Result<i64> {
    let row: (i64,) = tx.one("SELECT COUNT(*) FROM sender_ids WHERE user_id = $1", args![user]).await?;
    Ok(row.0)
}

/// One sender id.
pub async fn by_id(tx: &mut Tx, id: SenderRecordId) -> Result<Option<SenderIdRow>> {
    tx.opt(
        "SELECT s.id, s.user_id, u.username, s.sender_id, s.status, s.reason, s.created_at, s.decided_at, s.purpose \
         FROM sender_ids s JOIN users u ON u.id = s.user_id WHERE s.id = $1",
        args![id],
    )
    .await
}

/// What messages from a sender are for by default: as its sender ID says, else as the account says.
pub async fn default_purpose(tx: &mut Tx, user: UserId, sender_id: &str) -> Result<Option<Purpose>> {
    let row: Option<(Option<Purpose>,)> = tx
        .opt(
            "SELECT COALESCE(s.purpose, u.purpose) AS purpose FROM users u \
             LEFT JOIN sender_ids s ON s.user_id = u.id AND s.sender_id = $2 WHERE u.id = $1",
            args![user, sender_id],
        )
        .await?;
    Ok(row.and_then(|(purpose,)| purpose))
}

/// Sets what messages from a sender id are for by default, or takes it.
pub async fn set_purpose(tx: &mut Tx, id: SenderRecordId, purpose: Option<Purpose>) -> Result<()> {
    tx.run_exactly(1, "UPDATE sender_ids SET purpose = $2 WHERE id = $1", args![id, purpose]).await
}

/// One sender id, locked: until this transaction ends no other one changes it or begins to send from it.
pub async fn lock(tx: &mut Tx, id: SenderRecordId) -> Result<Option<SenderIdRow>> {
    tx.run("UPDATE sender_ids SET status = status WHERE id = $1", args![id]).await?;
    by_id(tx, id).await
}

/// What was decided of it.
#[derive(Clone, Copy, Debug)]
pub struct Decision<'a> {
    /// The new status.
    pub status: SenderStatus,
    /// Why, for the owner.
    pub reason: Option<&'a str>,
    /// Which administrator; `None` for the platform itself.
    pub by: Option<UserId>,
    /// When.
    pub at: Time,
}

/// Sender ids that are not disapproved, in order of their ids behind `after`, at most so many.
pub async fn not_disapproved(
    tx: &mut Tx,
    after: SenderRecordId,
    limit: i64,
) -> Result<Vec<(SenderRecordId, String)>> {
    tx.all(
        "SELECT id, sender_id FROM sender_ids WHERE id > $1 AND status <> 'disapproved' ORDER BY id LIMIT $2",
        args![after, limit],
    )
    .await
}

/// Notes a decision.
pub async fn decide(tx: &mut Tx, id: SenderRecordId, decision: &Decision<'_>) -> Result<()> {
    tx.run_exactly(
        1,
        "UPDATE sender_ids SET status = $2, reason = $3, decided_by = $4, decided_at = $5 WHERE id = $1",
        args![id, decision.status, decision.reason, decision.by, decision.at],
    )
    .await
}

/// Whether this is an approved sender id of the user; with `lock`, until the transaction ends.
pub async fn is_approved(tx: &mut Tx, user: UserId, sender_id: &str, lock: bool) -> Result<bool> {
    macro_rules! approved {
        ($lock:literal) => {
            sql!(
                "SELECT id FROM sender_ids WHERE user_id = $1 AND sender_id = $2 AND status = 'approved'",
                $lock
            )
        };
    }
    let sql = if lock { approved!(" FOR SHARE") } else { approved!("") };
    let row: Option<(i64,)> = tx.opt(sql, args![user, sender_id]).await?;
    Ok(row.is_some())
}

/// Takes all sender ids of a user away.
pub async fn delete_all_of(tx: &mut Tx, user: UserId) -> Result<u64> {
    tx.run("DELETE FROM sender_ids WHERE user_id = $1", args![user]).await
}

/// Pauses what a user sends, or is to send, from a sender that may not be used any more.
pub async fn pause_campaigns_from(tx: &mut Tx, user: UserId, sender: &str, reason: &str) -> Result<u64> {
    campaign::lock_open_of(tx, user).await?;
    tx.run(
        concat!(
            "UPDATE campaigns AS c SET paused_from = status, status = 'paused', status_reason = $3 \
             WHERE c.user_id = $1 AND c.sender = $2 AND c.status IN (",
            campaign::campaign_statuses!(pausable),
            ") AND NOT ",
            may_send_from!()
        ),
        args![user, sender, reason],
    )
    .await
}

/// Pauses the campaign of a chunk if it is being sent from a sender that may not be used. One that another transaction
/// has locked is left for the next try: the caller may hold locks that are to be taken after it.
pub async fn pause_campaign_of(tx: &mut Tx, chunk: ChunkId) -> Result<u64> {
    let sql = sql!(
        "UPDATE campaigns AS c SET paused_from = status, status = 'paused', \
           status_reason = CASE WHEN LTRIM(c.sender, '0123456789') = '' THEN 'The number ' || c.sender || ' was withdrawn' \
             ELSE 'The sender ID ''' || c.sender || ''' was withdrawn' END \
         WHERE c.id = (SELECT id FROM campaigns \
           WHERE id = (SELECT campaign_id FROM campaign_chunks WHERE id = $1) FOR NO KEY UPDATE SKIP LOCKED) \
         AND c.status = 'sending' AND NOT ",
        may_send_from!()
    );
    tx.run(sql, args![chunk]).await
}

/// A page of the sender ids of one user, or of all users, and how many there are. Sorts by `id`, `sender_id`,
/// `username` or `status`.
pub async fn page(tx: &mut Tx, user: Option<UserId>, listing: &Listing) -> Result<(Vec<SenderIdRow>, i64)> {
    let sql = listed!(
        listing,
        "s.id, s.user_id, u.username, s.sender_id, s.status, s.reason, s.created_at, s.decided_at, s.purpose",
        "FROM sender_ids s JOIN users u ON u.id = s.user_id \
         WHERE ($1 = 0 OR s.user_id = $1) AND ($2 = '' OR s.status = $2) \
         AND ($3 = '' OR s.sender_id COLLATE \"binary\" ILIKE $3 ESCAPE '\\' \
           OR u.username COLLATE \"binary\" ILIKE $3 ESCAPE '\\')",
        "s.id",
        ["sender_id" => "s.sender_id COLLATE \"binary\"", "username" => "u.username COLLATE \"binary\"", "status" => "s.status COLLATE \"binary\""]
    );
    listing
        .rows(tx, sql, args![user.map_or(0, |user| user.0), listing.status, like_pattern(&listing.q)])
        .await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::store::Dialect;

    both_databases! {
        async fn every_look_at_a_campaigns_sender_uses_an_index(store: Store) {
            let mut tx = store.read().await.unwrap();
            if tx.dialect() == Dialect::Sqlite {
                let sql = concat!("SELECT id FROM campaigns c WHERE c.id = $1 AND ", may_send_from!());
                let plan = tx.explain(sql, args![1]).await.unwrap().join("; ");
                assert!(!plan.contains("SCAN"), "{plan}");
            }
        }
    }
}
