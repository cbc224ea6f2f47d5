//! Messages: outcomes are written in bulk, together with the transfers of their money.
//!
//! Every statement here takes a whole batch as one argument whose rows hold the whole key, so that the database
//! searches the primary key row by row and never scans.

pub mod answered;
mod batch;
pub mod deferred_receipt;
pub mod delivery_counts;
pub mod inbound;
pub mod number_index;
pub mod number_runs;
pub mod packed_messages;
mod parts;
pub mod report;
pub mod report_columns;
pub mod reroute;
pub mod reroute_rows;
mod rows;
pub mod run_compaction;
pub(super) mod statuses;
pub mod unmatched_receipt;

/// When a message was done. One that waits for its receipt is not, whatever its row holds (see `rows`).
macro_rules! done_at {
    () => {
        concat!(
            "CASE WHEN status NOT IN (",
            $crate::store::message::statuses::statuses!(receiptless, ", ", [number]),
            ") THEN done_after + COALESCE(submitted_at, 0) END"
        )
    };
}
pub(super) use done_at;

pub use batch::{Applied, apply};
pub use parts::{NewPart, PartReceipt, insert_parts, parts_of, update_parts};

use std::collections::BTreeMap;

use super::{Column, Tx};
use crate::error::{Error, Result};
use crate::model::campaign::id::ChunkId;
use crate::model::message::id::{MessageId, PartId};
use crate::model::message::outcome::MessageState;
use crate::model::message::status::{MessageStatus, MoneyState, money_state};
use crate::store::message::statuses::statuses;
use crate::time::Time;
use crate::{args, sql};

/// The states of these messages, for those that were answered.
pub async fn states(tx: &mut Tx, messages: &[MessageId]) -> Result<BTreeMap<MessageId, MessageState>> {
    let sql = sql!(
        "SELECT m.id, m.status, m.money FROM UNNEST($1::BIGINT[]) AS j (id) JOIN messages m ON m.id = j.id"
    );
    let rows: Vec<(MessageId, MessageStatus, MoneyState)> =
        tx.all(sql, args![vec![Column::of(messages)]]).await?;
    let mut states: BTreeMap<MessageId, MessageState> =
        rows.into_iter().map(|(id, status, money)| (id, MessageState { status, money })).collect();
    let missing: Vec<MessageId> = messages.iter().filter(|id| !states.contains_key(id)).copied().collect();
    for id in packed_messages::ids_among(tx, missing).await? {
        states.insert(id, MessageState { status: MessageStatus::Delivered, money: MoneyState::Captured });
    }
    Ok(states)
}

/// The ids of a chunk's messages that were answered.
pub async fn settled_in(tx: &mut Tx, chunk: ChunkId) -> Result<Vec<MessageId>> {
    let (from, to) = MessageId::of_chunk(chunk);
    let sql = "SELECT id FROM messages WHERE id >= $1 AND id < $2 ORDER BY id";
    let mut settled = firsts(tx.all(sql, args![from, to]).await?);
    settled.extend(
        packed_messages::places(tx, chunk).await?.into_iter().map(|place| MessageId::new(chunk, place)),
    );
    Ok(settled)
}

/// The ids of rows that hold nothing else.
pub(super) fn firsts<Id>(rows: Vec<(Id,)>) -> Vec<Id> {
    rows.into_iter().map(|(id,)| id).collect()
}

/// Reads a column that the database made into JSON.
pub(crate) fn from_json<'a, T: serde::Deserialize<'a>>(text: &'a str) -> Result<T> {
    serde_json::from_str(text)
        .map_err(|error| Error::Corrupt(format!("a column of messages cannot be read: {error}")))
}

/// The newest of these messages that has a reference. Of packed ones those are looked at whose chunk was changed since `since`.
pub async fn with_reference(
    tx: &mut Tx,
    messages: &[MessageId],
    reference: &str,
    since: Time,
) -> Result<Option<MessageId>> {
    let sql = sql!(
        "SELECT m.id FROM UNNEST($2::BIGINT[]) AS j (id) JOIN messages m ON m.id = j.id \
         WHERE CAST(m.carrier_ref AS TEXT) = $1 ORDER BY m.id DESC LIMIT 1"
    );
    let row: Option<(MessageId,)> = tx.opt(sql, args![reference, vec![Column::of(messages)]]).await?;
    let row = row.map(|(id,)| id);
    let newer = messages.iter().copied().filter(|id| row.is_none_or(|row| *id > row));
    Ok(packed_messages::with_reference(tx, newer, reference, since).await?.or(row))
}

/// Those of these messages that are unknown, at most `limit`.
pub async fn unknown_among(tx: &mut Tx, messages: &[MessageId], limit: i64) -> Result<Vec<MessageId>> {
    let sql = sql!(
        "SELECT m.id FROM UNNEST($2::BIGINT[]) AS j (id) JOIN messages m ON m.id = j.id \
         WHERE m.status IN (",
        statuses!(unresolved, ", ", [number]),
        ") LIMIT $1"
    );
    Ok(firsts(tx.all(sql, args![limit, vec![Column::of(messages)]]).await?))
}

/// The unknown messages of a chunk.
pub async fn unknown_in(tx: &mut Tx, chunk: ChunkId) -> Result<Vec<MessageId>> {
    let (from, to) = MessageId::of_chunk(chunk);
    let sql = concat!(
        "SELECT id FROM messages WHERE id >= $1 AND id < $2 AND status IN (",
        statuses!(unresolved, ", ", [number]),
        ") ORDER BY id"
    );
    Ok(firsts(tx.all(sql, args![from, to]).await?))
}

/// The messages of a chunk that are unknown since `before` or longer, and whose money is still reserved. One that a crash
/// left so has no time of its own: then the chunk's last answer counts.
pub async fn written_off(tx: &mut Tx, chunk: ChunkId, before: Time) -> Result<Vec<MessageId>> {
    let (from, to) = MessageId::of_chunk(chunk);
    let sql = concat!(
        "SELECT m.id FROM messages m JOIN campaign_chunks ch ON ch.id = $4 \
         WHERE m.id >= $1 AND m.id < $2 AND m.status IN (",
        statuses!(unresolved, ", ", [number]),
        ") AND m.money = ",
        money_state!(Reserved),
        " AND COALESCE(m.submitted_at, ch.answered_at, 0) <= $3 ORDER BY m.id"
    );
    Ok(firsts(tx.all(sql, args![from, to, before, chunk]).await?))
}

/// A submitted message whose receipt is awaited.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct Awaited {
    /// Which part.
    pub part_id: PartId,
    /// The carrier's reference.
    pub carrier_ref: String,
}

/// The messages of a chunk that wait for a receipt, part by part where they have several; also `unknown` ones whose
/// receipt's reference is known.
pub async fn awaited_in(tx: &mut Tx, chunk: ChunkId) -> Result<Vec<Awaited>> {
    let (from, to) = MessageId::of_chunk(chunk);
    let mut awaited: Vec<Awaited> = tx
        .all(
            concat!(
                "SELECT id * 16 + 15 AS part_id, CAST(carrier_ref AS TEXT) AS carrier_ref FROM messages \
                 WHERE id >= $1 AND id < $2 AND status IN (",
                statuses!(awaiting, ", ", [number]),
                ") AND carrier_ref IS NOT NULL ORDER BY id"
            ),
            args![from, to],
        )
        .await?;
    let parts: Vec<Awaited> = tx
        .all(
            concat!(
                "SELECT id AS part_id, carrier_ref FROM message_parts WHERE id >= $1 AND id < $2 AND status IN (",
                statuses!(receiptless, ", ", [number]),
                ") ORDER BY id"
            ),
            args![from.0 * 16, to.0 * 16],
        )
        .await?;
    awaited.extend(parts);
    Ok(awaited)
}
