//! Chunks whose rest was rerouted: which of their places went by which carrier.
//!
//! A place is in one row at most; a place in none went, or goes, by the chunk's own carrier.

use talkdrum_api::kind::Kind;
use talkdrum_api::purpose::Purpose;

use crate::error::Result;
use crate::model::campaign::id::{AudienceChunkId, ChunkId};
use crate::model::message::id::MessageId;
use crate::model::message::status::ChunkState;
use crate::store::message::statuses::statuses;
use crate::store::{Column, Sql, Tx};
use crate::time::Time;
use crate::{args, sql};

/// The other carriers of a chunk with the places that went by them, one bit a place.
pub async fn of_chunk(tx: &mut Tx, chunk: ChunkId) -> Result<Vec<(String, Vec<u8>)>> {
    tx.all(
        "SELECT carrier, places FROM chunk_detours WHERE chunk_id = $1 ORDER BY carrier COLLATE \"binary\"",
        args![chunk],
    )
    .await
}

/// A chunk's own carrier.
pub async fn carrier_of(tx: &mut Tx, chunk: ChunkId) -> Result<Option<String>> {
    let row: Option<(String,)> =
        tx.opt("SELECT carrier FROM campaign_chunks WHERE id = $1", args![chunk]).await?;
    Ok(row.map(|(carrier,)| carrier))
}

/// The same of several chunks, each with its chunk.
pub async fn of_chunks(tx: &mut Tx, chunks: Vec<ChunkId>) -> Result<Vec<(ChunkId, String, Vec<u8>)>> {
    tx.all(OF_CHUNKS, args![vec![Column::of(chunks)]]).await
}

pub(crate) const OF_CHUNKS: Sql = sql!(
    "SELECT chunk_id, carrier, places FROM chunk_detours WHERE chunk_id = ANY($1::BIGINT[]) \
     ORDER BY chunk_id, carrier COLLATE \"binary\""
);

/// Writes the places that went by another carrier.
pub async fn put(tx: &mut Tx, chunk: ChunkId, carrier: &str, places: &[u8]) -> Result<()> {
    tx.run_exactly(
        1,
        "INSERT INTO chunk_detours (chunk_id, carrier, places) VALUES ($1, $2, $3) \
         ON CONFLICT (chunk_id, carrier) DO UPDATE SET places = excluded.places",
        args![chunk, carrier, places.to_vec()],
    )
    .await
}

/// Forgets a carrier of a chunk: it is the chunk's own now, or has no places.
pub async fn remove(tx: &mut Tx, chunk: ChunkId, carrier: &str) -> Result<()> {
    tx.run("DELETE FROM chunk_detours WHERE chunk_id = $1 AND carrier = $2", args![chunk, carrier]).await?;
    Ok(())
}

/// Chunks with unknown messages that went by several carriers, newest first: id and own carrier.
pub async fn with_unknown(tx: &mut Tx, limit: i64) -> Result<Vec<(ChunkId, String)>> {
    let sql = concat!(
        "SELECT ch.id, ch.carrier FROM campaign_chunks ch WHERE (",
        statuses!(unresolved, " OR ", ["ch.", column, " > 0"]),
        ") AND EXISTS (SELECT 1 FROM chunk_detours d WHERE d.chunk_id = ch.id) ORDER BY ch.id DESC LIMIT $1"
    );
    tx.all(sql, args![limit]).await
}

const OPEN_OF: &str =
    "SELECT id FROM campaign_chunks WHERE carrier = $1 AND state = 'open' AND id > $2 ORDER BY id LIMIT $3";

/// Open chunks of a carrier after `after`, in order.
pub async fn open_of(tx: &mut Tx, carrier: &str, after: ChunkId, limit: i64) -> Result<Vec<(ChunkId,)>> {
    tx.all(OPEN_OF, args![carrier, after, limit]).await
}

/// A chunk that is about to be rerouted, locked.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct Leading {
    pub carrier: String,
    pub state: ChunkState,
    pub size: i64,
    pub cursor: i64,
    pub tail_cancelled: i64,
    pub answered: i64,
    pub promotional: bool,
    pub minds_dnd: bool,
    pub spares: Option<String>,
    pub kind: Kind,
    pub purpose: Purpose,
    pub sender: String,
    pub audience_chunk_id: AudienceChunkId,
}

/// Locks a chunk: no intent of it is stored and no answer to it until this transaction is done.
pub async fn lock(tx: &mut Tx, chunk: ChunkId) -> Result<Option<Leading>> {
    let sql = sql!(
        "SELECT ch.carrier, ch.state, ch.size, ch.cursor, ch.tail_cancelled, ch.answered, \
           ch.promotional, ch.minds_dnd, ch.spares, c.kind, COALESCE(c.purpose, 'transactional') AS purpose, c.sender, ch.audience_chunk_id \
         FROM campaign_chunks ch JOIN campaigns c ON c.id = ch.campaign_id WHERE ch.id = $1 FOR UPDATE OF ch"
    );
    tx.opt(sql, args![chunk]).await
}

/// A retry of a chunk.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct LockedRetry {
    pub message_id: MessageId,
    pub carrier: String,
    pub parts_done: i64,
}

/// The retries of a chunk, locked: a claim of them under way is waited for, and then they are not among these.
pub async fn lock_retries(tx: &mut Tx, chunk: ChunkId) -> Result<Vec<LockedRetry>> {
    let (from, to) = MessageId::of_chunk(chunk);
    let sql = sql!(
        "SELECT message_id, carrier, parts_done FROM retries WHERE message_id >= $1 AND message_id < $2 \
         ORDER BY message_id FOR UPDATE"
    );
    tx.all(sql, args![from, to]).await
}

/// How a chunk goes out by its new carrier.
#[derive(Clone, Debug, Default)]
pub struct Manners {
    /// Outside the quiet hours only.
    pub promotional: bool,
    /// Not to numbers on the Do-Not-Disturb list.
    pub minds_dnd: bool,
    /// The carriers that take over, one a line; `None` where there are none.
    pub spares: Option<String>,
}

/// Moves a locked chunk to another carrier: the run that held it has lost it.
pub async fn reroute(tx: &mut Tx, chunk: ChunkId, carrier: &str, manners: &Manners) -> Result<()> {
    let Manners { promotional, minds_dnd, spares } = manners.clone();
    tx.run_exactly(
        1,
        "UPDATE campaign_chunks SET carrier = $2, promotional = $3, minds_dnd = $4, spares = $5, owner = NULL, \
         attempt = attempt + 1 WHERE id = $1",
        args![chunk, carrier, promotional, minds_dnd, spares],
    )
    .await
}

/// Makes locked retries another carrier's. Those that wait for a breaker of the one before are due now.
pub async fn lead_retries(tx: &mut Tx, messages: &[MessageId], carrier: &str, now: Time) -> Result<()> {
    if messages.is_empty() {
        return Ok(());
    }
    tx.run_exactly(messages.len() as u64, LEAD_RETRIES, args![carrier, vec![Column::of(messages)], now]).await
}

const LEAD_RETRIES: Sql = sql!(
    "UPDATE retries SET carrier = $1, due_at = CASE WHEN network IS NULL THEN due_at ELSE $3 END, network = NULL \
     WHERE message_id = ANY($2::BIGINT[])"
);

/// The platform's own text messages that wait at a carrier go by another; tests of the carrier stay.
pub async fn lead_notices(tx: &mut Tx, from: &str, to: &str) -> Result<u64> {
    tx.run(LEAD_NOTICES, args![from, to]).await
}

const LEAD_NOTICES: &str = "UPDATE notices SET carrier = $2 WHERE channel = 'sms' AND carrier = $1 AND status = 'queued' \
     AND parts_done = 0 AND NOT EXISTS (SELECT 1 FROM carrier_tests t WHERE t.notice_id = notices.id)";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::store::Dialect;
    use crate::store::carrier::state::WAITING;

    both_databases! {
        async fn what_operators_ask_is_answered_by_indexes_of_what_is_open(store: Store) {
            let mut tx = store.read().await.unwrap();
            // PostgreSQL scans empty tables whatever their indexes.
            if tx.dialect() == Dialect::Postgres {
                return;
            }
            let of = |plan: Vec<String>| plan.join("; ");
            let plan = of(tx.explain(WAITING, args![]).await.unwrap());
            assert!(plan.contains("campaign_chunks_open") && plan.contains("SEARCH c USING"), "{plan}");
            let plan = of(tx.explain(OPEN_OF, args!["main", 0_i64, 32_i64]).await.unwrap());
            assert!(plan.contains("campaign_chunks_open (carrier=?"), "{plan}");
            let one = vec![Column::Ints(vec![1])];
            let plan = of(tx.explain(LEAD_RETRIES, args!["spare", one, 0_i64]).await.unwrap());
            assert!(plan.contains("SEARCH retries USING") && !plan.contains("SCAN retries"), "{plan}");
            let plan = of(tx.explain(LEAD_NOTICES, args!["main", "spare"]).await.unwrap());
            assert!(plan.contains("SEARCH notices USING"), "{plan}");
        }
    }
}
