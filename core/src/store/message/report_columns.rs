//! What is stored of messages, by key: rows, the retries they wait for, their parts.

use crate::error::Result;
use crate::model::campaign::id::{ChunkId, QuoteId};
use crate::model::message::id::MessageId;
use crate::model::message::status::{MessageStatus, MoneyState};
use crate::store::message::{done_at, from_json};
use crate::store::{Column, Sql, Tx};
use crate::time::Time;
use crate::{args, sql};

/// A row of `messages`.
#[derive(Clone, Debug, sqlx::FromRow)]
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

/// The rows of those messages that have one.
pub async fn messages(tx: &mut Tx, messages: &[MessageId]) -> Result<Vec<MessageRecord>> {
    tx.all(MESSAGES, args![vec![Column::of(messages)]]).await
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

/// The message rows of a chunk, a column each, in order of place.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    pub places: Vec<u16>,
    pub statuses: Vec<MessageStatus>,
    pub submitted_at: Vec<Option<Time>>,
    pub done_at: Vec<Option<Time>>,
    pub carrier_refs: Vec<Option<Box<str>>>,
    pub errors: Vec<Option<Box<str>>>,
}

/// One row a chunk, a JSON array a column: a driver's cost for each row and column would be most of an export.
pub(crate) const COLUMNS: Sql = sql!(
    "SELECT CAST(COALESCE(json_agg(id & 4095), '[]') AS TEXT), CAST(COALESCE(json_agg(status), '[]') AS TEXT), \
     CAST(COALESCE(json_agg(submitted_at), '[]') AS TEXT), CAST(COALESCE(json_agg(done_at), '[]') AS TEXT), \
     CAST(COALESCE(json_agg(carrier_ref), '[]') AS TEXT), CAST(COALESCE(json_agg(error), '[]') AS TEXT) \
     FROM (SELECT id, status, submitted_at, ",
    done_at!(),
    " AS done_at, CAST(carrier_ref AS TEXT) AS carrier_ref, error FROM messages \
           WHERE id >= $1 AND id < $2 ORDER BY id) AS ordered",
);

/// All message rows of a chunk.
pub async fn columns(tx: &mut Tx, chunk: ChunkId) -> Result<Columns> {
    let (from, to) = MessageId::of_chunk(chunk);
    let row: (String, String, String, String, String, String) = tx.one(COLUMNS, args![from, to]).await?;
    Ok(Columns {
        places: from_json(&row.0)?,
        statuses: from_json(&row.1)?,
        submitted_at: from_json(&row.2)?,
        done_at: from_json(&row.3)?,
        carrier_refs: from_json(&row.4)?,
        errors: from_json(&row.5)?,
    })
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
