//! Receipts that are stored and not yet written to their messages; see [`crate::worker::settle::deferred_receipts`].

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::model::message::id::{DeferredReceiptsId, MessageId};
use crate::model::message::outcome::MessageOutcome;
use crate::model::message::reason::Reason;
use crate::model::message::status::MessageStatus;
use crate::model::platform::id::RunId;
use crate::store::{Column, Tx};
use crate::time::Time;
use crate::{args, sql};

/// A receipt: message, status, when the network was done, and the network's code.
#[derive(Debug, Serialize, Deserialize)]
struct Stored(MessageId, MessageStatus, Option<Time>, Option<Box<str>>);

/// Receipts as a row holds them.
#[derive(Debug, Serialize, Deserialize)]
struct HeldReceipts(Vec<Stored>);

json_column!(HeldReceipts);

/// Receipts of a run that ended.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct OrphanedReceipts {
    pub id: DeferredReceiptsId,
    /// The run that took them in.
    pub owner: RunId,
    /// [`HeldReceipts`], which damage in one row must not keep others from being read.
    receipts: String,
}

impl OrphanedReceipts {
    /// What they say.
    ///
    /// # Errors
    /// `Corrupt` when the row cannot be read.
    pub fn outcomes(&self) -> Result<Vec<MessageOutcome>> {
        let HeldReceipts(stored) = HeldReceipts::from_json(&self.receipts)?;
        let outcome = |Stored(message, status, done_at, error)| {
            let (reference, submitted_at) = (None, None);
            let error = error.map(Reason::from);
            MessageOutcome { message, status, reference, submitted_at, done_at, error, units: None }
        };
        Ok(stored.into_iter().map(outcome).collect())
    }
}

/// Keeps receipts for `owner`; returns the row that holds them.
pub async fn keep(tx: &mut Tx, owner: RunId, outcomes: &[MessageOutcome]) -> Result<DeferredReceiptsId> {
    let stored = outcomes
        .iter()
        .map(|outcome| {
            Stored(
                outcome.message,
                outcome.status,
                outcome.done_at,
                outcome.error.as_ref().map(|reason| reason.code().into()),
            )
        })
        .collect();
    let row: (DeferredReceiptsId,) = tx
        .one(
            "INSERT INTO held_receipts (owner, receipts) VALUES ($1, $2) RETURNING id",
            args![owner, HeldReceipts(stored).to_json()?],
        )
        .await?;
    Ok(row.0)
}

/// Deletes rows whose receipts are written; returns how many there were.
pub async fn let_go(tx: &mut Tx, ids: &[DeferredReceiptsId]) -> Result<u64> {
    if ids.is_empty() {
        return Ok(0);
    }
    let sql = sql!("DELETE FROM held_receipts WHERE id IN (SELECT j.id FROM UNNEST($1::BIGINT[]) AS j (id))");
    tx.run(sql, args![vec![Column::of(ids)]]).await
}

/// Rows of runs that ended or were declared dead, oldest first; not those that were set aside.
pub async fn of_the_dead(tx: &mut Tx, me: RunId, limit: i64) -> Result<Vec<OrphanedReceipts>> {
    tx.all(
        "SELECT h.id, h.owner, h.receipts FROM held_receipts h LEFT JOIN daemons d ON d.id = h.owner \
         WHERE h.owner <> $1 AND h.set_aside_at IS NULL AND (d.id IS NULL OR d.stopped_at IS NOT NULL) ORDER BY h.id LIMIT $2",
        args![me, limit],
    )
    .await
}

/// Keeps receipts that cannot be written to their messages, for a person to look at.
pub async fn keep_aside(tx: &mut Tx, owner: RunId, outcomes: &[MessageOutcome], now: Time) -> Result<()> {
    if outcomes.is_empty() {
        return Ok(());
    }
    let row = keep(tx, owner, outcomes).await?;
    set_aside(tx, row, now).await
}

/// Sets a row aside whose receipts cannot be written.
pub async fn set_aside(tx: &mut Tx, id: DeferredReceiptsId, now: Time) -> Result<()> {
    tx.run("UPDATE held_receipts SET set_aside_at = $2 WHERE id = $1", args![id, now]).await.map(|_| ())
}

/// Makes rows of ended runs that were set aside due again; returns how many there were.
pub async fn take_up_again(tx: &mut Tx) -> Result<u64> {
    tx.run(
        "UPDATE held_receipts SET set_aside_at = NULL WHERE set_aside_at IS NOT NULL \
         AND owner IN (SELECT id FROM daemons WHERE stopped_at IS NOT NULL)",
        args![],
    )
    .await
}

/// What was set aside: each row, and the beginning of what it holds.
pub async fn aside(tx: &mut Tx) -> Result<Vec<(DeferredReceiptsId, String)>> {
    tx.all(
        "SELECT id, SUBSTR(receipts, 1, 200) FROM held_receipts WHERE set_aside_at IS NOT NULL ORDER BY id LIMIT 100",
        args![],
    )
    .await
}
