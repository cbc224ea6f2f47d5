//! What is stored of messages, by key: rows, the retries they wait for, their parts.

use std::collections::HashSet;

use crate::error::Result;
use crate::model::campaign::id::{ChunkId, QuoteId};
use crate::model::message::id::MessageId;
use crate::model::message::packed_messages::PackedMessage;
use crate::model::message::status::{MessageStatus, MoneyState};
use crate::store::message::{done_at, packed_messages};
use crate::store::{Column, Sql, Tx};
use crate::time::Time;
use crate::{args, sql};

/// A row of `messages`.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct MessageRecord {
    pub id: MessageId,
    pub status: MessageStatus,
    pub money: MoneyState,
    pub sequence: Option<i64>,
    pub submitted_at: Option<Time>,
    pub done_at: Option<Time>,
    pub carrier_ref: Option<String>,
    pub error: Option<String>,
}

pub(crate) const MESSAGES: Sql = sql!(
    "SELECT id, status, money, sequence, submitted_at, ",
    done_at!(),
    " AS done_at, CAST(carrier_ref AS TEXT) AS carrier_ref, error FROM messages WHERE id = ANY($1::BIGINT[])"
);

impl MessageRecord {
    fn packed(id: MessageId, packed: PackedMessage) -> Self {
        Self {
            id,
            status: MessageStatus::Delivered,
            money: MoneyState::Captured,
            sequence: Some(packed.sequence),
            submitted_at: Some(packed.submitted_at),
            done_at: Some(packed.done_at),
            carrier_ref: packed.carrier_ref.map(Into::into),
            error: None,
        }
    }
}

/// What is stored of those messages that were answered.
pub async fn messages(tx: &mut Tx, messages: &[MessageId]) -> Result<Vec<MessageRecord>> {
    let mut records: Vec<MessageRecord> = tx.all(MESSAGES, args![vec![Column::of(messages)]]).await?;
    let held: HashSet<MessageId> = records.iter().map(|record| record.id).collect();
    let missing = messages.iter().filter(|id| !held.contains(id)).copied();
    let packed = packed_messages::among(tx, missing).await?;
    records.extend(packed.into_iter().map(|(id, packed)| MessageRecord::packed(id, packed)));
    Ok(records)
}

/// The retries that those messages wait for, with why.
pub async fn retries_of(tx: &mut Tx, messages: &[MessageId]) -> Result<Vec<(MessageId, String)>> {
    let sql = sql!("SELECT message_id, reason FROM retries WHERE message_id = ANY($1::BIGINT[])");
    tx.all(sql, args![vec![Column::of(messages)]]).await
}

/// The retries of a chunk, in order of place.
pub async fn chunk_retries(tx: &mut Tx, chunk: ChunkId) -> Result<Vec<(MessageId, String)>> {
    let (from, to) = MessageId::of_chunk(chunk);
    let sql = "SELECT message_id, reason FROM retries WHERE message_id >= $1 AND message_id < $2 ORDER BY message_id";
    tx.all(sql, args![from, to]).await
}

/// The parts of a message longer than one segment: number from 0 and status.
pub async fn parts(tx: &mut Tx, message: MessageId) -> Result<Vec<(i64, MessageStatus)>> {
    tx.all(
        "SELECT id & 15, status FROM message_parts WHERE id >= $1 AND id < $2 ORDER BY id",
        args![message.0 * 16, (message.0 + 1) * 16],
    )
    .await
}

/// The quote by which a failed message was sent again; not one that marked it and was never confirmed.
pub async fn resent_by(tx: &mut Tx, message: MessageId) -> Result<Option<QuoteId>> {
    let row: Option<(QuoteId,)> = tx
        .opt(
            "SELECT q.id FROM message_resends r JOIN quotes q ON q.id = r.quote_id \
             WHERE r.message_id = $1 AND q.confirmed_at IS NOT NULL",
            args![message],
        )
        .await?;
    Ok(row.map(|row| row.0))
}
