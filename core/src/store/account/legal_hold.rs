//! Legal holds: customers of whom nothing is erased while theirs lasts.

use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::campaign::id::AudienceChunkId;
use crate::phone::Msisdn;
use crate::store::message::number_index;
use crate::store::{Column, Tx};
use crate::time::Time;
use crate::{args, sql};

/// A hold.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct LegalHoldRow {
    /// Why.
    pub reason: String,
    /// Since when.
    pub held_at: Time,
    /// The name of the administrator who put it; `None` where that account was removed.
    pub held_by: Option<String>,
}

/// The hold on a customer's data.
pub async fn of(tx: &mut Tx, user: UserId) -> Result<Option<LegalHoldRow>> {
    let sql = "SELECT h.reason, h.held_at, u.username AS held_by FROM legal_holds h \
               LEFT JOIN users u ON u.id = h.held_by WHERE h.user_id = $1";
    tx.opt(sql, args![user]).await
}

/// Locks a user's row until the transaction ends; false where there is none, or the person's data is gone.
pub async fn lock_user(tx: &mut Tx, user: UserId) -> Result<bool> {
    let sql = sql!("SELECT id FROM users WHERE id = $1 AND anonymised_at IS NULL FOR UPDATE");
    Ok(tx.opt::<(UserId,)>(sql, args![user]).await?.is_some())
}

/// Puts a hold, or changes its reason: since when it holds stays.
pub async fn put(tx: &mut Tx, user: UserId, reason: &str, by: UserId, now: Time) -> Result<()> {
    let sql = "INSERT INTO legal_holds (user_id, reason, held_at, held_by) VALUES ($1, $2, $3, $4) \
               ON CONFLICT (user_id) DO UPDATE SET reason = excluded.reason, held_by = excluded.held_by";
    tx.run(sql, args![user, reason, now, by]).await.map(|_| ())
}

/// Lifts a hold; false where there is none.
pub async fn lift(tx: &mut Tx, user: UserId) -> Result<bool> {
    Ok(tx.run("DELETE FROM legal_holds WHERE user_id = $1", args![user]).await? == 1)
}

/// Which of these customers are under a hold, in order.
pub async fn held_among(tx: &mut Tx, users: Vec<UserId>) -> Result<Vec<UserId>> {
    let sql = sql!("SELECT user_id FROM legal_holds WHERE user_id = ANY($1::BIGINT[]) ORDER BY user_id");
    let rows: Vec<(UserId,)> = tx.all(sql, args![vec![Column::of(users)]]).await?;
    Ok(rows.into_iter().map(|(user,)| user).collect())
}

/// Whether any customer is under a hold.
pub async fn any(tx: &mut Tx) -> Result<bool> {
    Ok(tx.opt::<(UserId,)>("SELECT user_id FROM legal_holds LIMIT 1", args![]).await?.is_some())
}

/// A customer under a hold to one of whose messages the index of numbers leads.
pub async fn writer_to(tx: &mut Tx, number: Msisdn) -> Result<Option<UserId>> {
    if !any(tx).await? {
        return Ok(None);
    }
    let recipients = number_index::recipients(tx, number.digits().cast_signed(), i64::MAX).await?;
    let mut chunks: Vec<_> = recipients.into_iter().map(AudienceChunkId::of_recipient).collect();
    chunks.dedup();
    let sql = sql!(
        "SELECT h.user_id FROM UNNEST($1::BIGINT[]) AS j (chunk) JOIN audience_chunks c ON c.id = j.chunk \
         JOIN audiences a ON a.id = c.audience_id JOIN legal_holds h ON h.user_id = a.user_id LIMIT 1"
    );
    Ok(tx.opt::<(UserId,)>(sql, args![vec![Column::of(chunks)]]).await?.map(|(user,)| user))
}

/// The customer under a hold whose audience a chunk of recipients is of; `None` where there is none.
pub async fn owner_of_chunk(tx: &mut Tx, chunk: AudienceChunkId) -> Result<Option<UserId>> {
    let sql = "SELECT h.user_id FROM audience_chunks c JOIN audiences a ON a.id = c.audience_id \
               JOIN legal_holds h ON h.user_id = a.user_id WHERE c.id = $1";
    Ok(tx.opt::<(UserId,)>(sql, args![chunk]).await?.map(|(user,)| user))
}
