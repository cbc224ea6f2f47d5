//! Messages whose sender is called about them, and what of their chunks was looked at.
//!
//! A chunk is here as long as one of its messages is: both come in one transaction and go in one.

use std::collections::BTreeMap;

use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::campaign::id::ChunkId;
use crate::model::message::id::MessageId;
use crate::model::webhook::receipt_callback::ReceiptCallback;
use crate::store::operations::purge::bounded;
use crate::store::webhook::watch::chunk_tally;
use crate::store::{Column, PURGED_AT_ONCE, Tx};
use crate::time::Time;
use crate::{args, sql};

/// A chunk whose turn it is to be looked at.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct WatchedChunk {
    /// The chunk.
    pub chunk_id: ChunkId,
    /// Its counters now, as text.
    pub tally: String,
    /// Its counters at the last look; empty before the first.
    pub seen_tally: String,
    /// Looks so far: the fence.
    pub looks: i64,
    /// Looks in a row that found nothing new.
    pub quiet_looks: i64,
    /// When its campaign began, or is to begin.
    pub began_at: Time,
    /// When its campaign was over.
    pub completed_at: Option<Time>,
}

/// A message that is made, whose sender is to be called about it.
#[derive(Clone, Copy, Debug)]
pub struct NewCallback<'c> {
    /// The message.
    pub message: MessageId,
    /// Whose it is.
    pub user_id: UserId,
    /// Where and of what.
    pub callback: &'c ReceiptCallback,
    /// When it goes out: there is nothing to be told before.
    pub look_at: Time,
}

/// A message whose sender is called about it.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct CallbackRow {
    /// The message.
    #[sqlx(rename = "message_id")]
    pub message: MessageId,
    /// Whose it is.
    pub user_id: UserId,
    /// The bits of what was told.
    pub told: i64,
    /// Where and of what.
    #[sqlx(flatten)]
    pub callback: ReceiptCallback,
}

/// Notes who is to be called about messages that are made in this transaction. A chunk is looked at when the first of its
/// messages goes out.
pub async fn insert(tx: &mut Tx, made: &[NewCallback<'_>]) -> Result<()> {
    if made.is_empty() {
        return Ok(());
    }
    let details = made.iter().map(|it| it.callback.details.to_json().map(Some));
    let rows = vec![
        Column::of(made.iter().map(|it| it.message)),
        Column::of(made.iter().map(|it| it.user_id)),
        Column::of(made.iter().map(|it| it.callback.mask)),
        Column::of(made.iter().map(|it| &it.callback.url)),
        Column::Texts(details.collect::<Result<_>>()?),
    ];
    tx.run_exactly(
        made.len() as u64,
        sql!(
            "INSERT INTO receipt_callbacks (message_id, user_id, mask, url, details) \
             SELECT j.message, j.owner, j.mask, j.url, j.details \
             FROM UNNEST($1::BIGINT[], $2::BIGINT[], $3::BIGINT[], $4::TEXT[], $5::TEXT[]) \
               AS j (message, owner, mask, url, details)"
        ),
        args![rows],
    )
    .await?;
    let mut looks: BTreeMap<ChunkId, Time> = BTreeMap::new();
    for it in made {
        let look_at = looks.entry(it.message.chunk()).or_insert(it.look_at);
        *look_at = it.look_at.min(*look_at);
    }
    tx.run_exactly(
        looks.len() as u64,
        sql!(
            "INSERT INTO receipt_callback_chunks (chunk_id, tally, look_at) \
             SELECT j.chunk, '', j.look_at FROM UNNEST($1::BIGINT[], $2::BIGINT[]) AS j (chunk, look_at)"
        ),
        args![vec![Column::of(looks.keys()), Column::of(looks.values())]],
    )
    .await
}

/// The chunks to be looked at now, those that wait longest first.
pub async fn due(tx: &mut Tx, now: Time, limit: i64) -> Result<Vec<WatchedChunk>> {
    let sql = concat!(
        "SELECT w.chunk_id, ",
        chunk_tally!(),
        " AS tally, w.tally AS seen_tally, w.looks, w.quiet_looks, \
         COALESCE(c.started_at, c.scheduled_at, c.created_at) AS began_at, c.completed_at \
         FROM receipt_callback_chunks w JOIN campaign_chunks ch ON ch.id = w.chunk_id \
         JOIN campaigns c ON c.id = ch.campaign_id WHERE w.look_at <= $1 ORDER BY w.look_at, w.chunk_id LIMIT $2"
    );
    tx.all(sql, args![now, limit]).await
}

/// The messages of a chunk whose sender is called about them, in their order.
pub async fn of_chunk(tx: &mut Tx, chunk: ChunkId) -> Result<Vec<CallbackRow>> {
    let (first, end) = MessageId::of_chunk(chunk);
    tx.all(
        "SELECT message_id, user_id, mask, told, url, details FROM receipt_callbacks \
         WHERE message_id >= $1 AND message_id < $2 ORDER BY message_id",
        args![first.0, end.0],
    )
    .await
}

/// Notes a look at a chunk, and whether it counts: another daemon that looked meanwhile has told what this one found.
pub async fn looked(tx: &mut Tx, chunk: &WatchedChunk, look_at: Time, quiet_looks: i64) -> Result<bool> {
    let touched = tx
        .run(
            "UPDATE receipt_callback_chunks SET tally = $3, look_at = $4, quiet_looks = $5, looks = looks + 1 \
             WHERE chunk_id = $1 AND looks = $2",
            args![chunk.chunk_id, chunk.looks, &chunk.tally, look_at, quiet_looks],
        )
        .await?;
    Ok(touched == 1)
}

/// Notes what was told of messages: the bits of each.
pub async fn told(tx: &mut Tx, told: &[(MessageId, i64)]) -> Result<()> {
    let rows = vec![
        Column::of(told.iter().map(|(message, _)| message)),
        Column::of(told.iter().map(|(_, told)| told)),
    ];
    let sql = sql!(
        "UPDATE receipt_callbacks SET told = j.told FROM UNNEST($1::BIGINT[], $2::BIGINT[]) AS j (message, told) \
         WHERE receipt_callbacks.message_id = j.message"
    );
    tx.run(sql, args![rows]).await.map(|_| ())
}

/// Forgets messages of which all was told.
pub async fn forget(tx: &mut Tx, messages: Vec<i64>) -> Result<()> {
    let sql = sql!("DELETE FROM receipt_callbacks WHERE message_id = ANY($1::BIGINT[])");
    tx.run(sql, args![vec![Column::Ints(messages)]]).await.map(|_| ())
}

/// Ends the watch of a chunk that has no such message any more; the messages are forgotten before.
pub async fn forget_chunk(tx: &mut Tx, chunk: ChunkId) -> Result<()> {
    tx.run("DELETE FROM receipt_callback_chunks WHERE chunk_id = $1", args![chunk]).await.map(|_| ())
}

/// Forgets a bounded number of the callbacks of a user, and of the calls to be made; true when none is left.
pub async fn forget_of(tx: &mut Tx, user_id: UserId) -> Result<bool> {
    let callbacks =
        tx.run(bounded!("receipt_callbacks", "message_id", "user_id = $1"), args![user_id]).await?;
    let calls = tx.run(bounded!("receipt_calls", "id", "user_id = $1"), args![user_id]).await?;
    Ok(callbacks < PURGED_AT_ONCE && calls < PURGED_AT_ONCE)
}
