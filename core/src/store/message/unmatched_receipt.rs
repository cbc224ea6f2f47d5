//! Receipts that match nothing yet, and references that left memory.

use crate::error::Result;
use crate::model::message::id::{PartId, UnmatchedReceiptId};
use crate::model::message::status::ReceiptStatus;
use crate::store::message::firsts;
use crate::store::{Column, Tx};
use crate::time::Time;
use crate::{args, sql};

/// A receipt as it came.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Unmatched {
    pub id: UnmatchedReceiptId,
    pub carrier_ref: String,
    #[sqlx(rename = "state")]
    pub status: ReceiptStatus,
    pub recipient: Option<i64>,
    pub sender: Option<String>,
    pub error: Option<String>,
    pub done_at: Option<Time>,
    pub received_at: Time,
}

/// Keeps receipts that match nothing; one that came before is kept once.
pub async fn keep_unmatched(tx: &mut Tx, carrier: &str, receipts: &[Unmatched]) -> Result<()> {
    for receipt in receipts {
        tx.run(
            "INSERT INTO receipts_unmatched (carrier, carrier_ref, state, recipient, sender, error, done_at, \
             received_at, tried_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8) \
             ON CONFLICT (carrier, carrier_ref, state, COALESCE(recipient, 0)) DO NOTHING",
            args![
                carrier,
                &receipt.carrier_ref,
                receipt.status,
                receipt.recipient,
                receipt.sender.clone(),
                receipt.error.clone(),
                receipt.done_at,
                receipt.received_at,
            ],
        )
        .await?;
    }
    Ok(())
}

/// Unmatched receipts of a carrier that were not tried since `before`, longest untried first.
pub async fn untried(tx: &mut Tx, carrier: &str, before: Time, limit: i64) -> Result<Vec<Unmatched>> {
    tx.all(
        "SELECT id, carrier_ref, state, recipient, sender, error, done_at, received_at FROM receipts_unmatched \
         WHERE tried_at < $1 AND carrier = $2 ORDER BY tried_at LIMIT $3",
        args![before, carrier, limit],
    )
    .await
}

/// Notes that receipts were tried in vain. The older one is, the longer it waits for its next try.
pub async fn mark_tried(tx: &mut Tx, ids: &[UnmatchedReceiptId], now: Time) -> Result<()> {
    let sql = sql!(
        "UPDATE receipts_unmatched SET tried_at = $1 + ($1 - received_at) / 10 \
         WHERE id IN (SELECT j.id FROM UNNEST($2::BIGINT[]) AS j (id))"
    );
    tx.run(sql, args![now, vec![Column::of(ids)]]).await.map(|_| ())
}

/// Deletes receipts that were matched, or that are too old to be.
pub async fn forget(tx: &mut Tx, ids: &[UnmatchedReceiptId]) -> Result<()> {
    let sql =
        sql!("DELETE FROM receipts_unmatched WHERE id IN (SELECT j.id FROM UNNEST($1::BIGINT[]) AS j (id))");
    tx.run(sql, args![vec![Column::of(ids)]]).await.map(|_| ())
}

/// How many receipts match nothing.
pub async fn count_unmatched(tx: &mut Tx) -> Result<i64> {
    let row: (i64,) = tx.one("SELECT COUNT(*) FROM receipts_unmatched", args![]).await?;
    Ok(row.0)
}

/// The parts that a reference which left memory belongs to, the newest first. Several: the carrier used it again.
pub async fn find_reference(tx: &mut Tx, carrier: &str, reference: &str, limit: i64) -> Result<Vec<PartId>> {
    let sql = "SELECT part_id FROM reference_index WHERE carrier = $1 AND carrier_ref = $2 \
         ORDER BY part_id DESC LIMIT $3";
    Ok(firsts(tx.all(sql, args![carrier, reference, limit]).await?))
}

/// Moves references from memory to the index, sorted by the caller.
pub async fn index_references(tx: &mut Tx, carrier: &str, references: &[(String, PartId)]) -> Result<()> {
    if references.is_empty() {
        return Ok(());
    }
    let columns = vec![
        Column::of(references.iter().map(|(reference, _)| reference)),
        Column::of(references.iter().map(|(_, part)| part)),
    ];
    let sql = sql!(
        "INSERT INTO reference_index (carrier, carrier_ref, part_id) SELECT $1, j.ref, j.part \
         FROM UNNEST($2::TEXT[], $3::BIGINT[]) AS j (ref, part) WHERE true ON CONFLICT DO NOTHING"
    );
    tx.run(sql, args![carrier, columns]).await.map(|_| ())
}
