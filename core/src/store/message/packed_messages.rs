//! Delivered messages of chunks that rest: one row a chunk in place of one a message ([`packed_messages`](model)).
//!
//! Delivered and paid for is final: neither status nor money of such a message changes any more. So a packed message is
//! never written again, and statements that look for any other status need not know of it.
//!
//! Invariant: at every commit a message is in one of `messages` and `packed_messages` at most. Who reads both reads the rows first:
//! what is packed meanwhile is then found twice, and never missed. Only the packer reads what is packed first (`worker/jobs/packing`).

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::from_json;
use crate::error::{Error, Result};
use crate::model::campaign::id::ChunkId;
use crate::model::message::id::MessageId;
use crate::model::message::packed_messages as model;
use crate::model::message::packed_messages::PackedMessage;
use crate::model::message::status::{message_status, money_state};
use crate::store::message::statuses::statuses;
use crate::store::{Column, Sql, Tx};
use crate::time::Time;
use crate::{args, sql};

/// Chunks whose packed messages are read at once.
const CHUNKS: usize = 16;
/// What lies further in the future was written by a clock that was ahead.
const CLOCK_DRIFT: Duration = Duration::from_hours(24);

/// That rows can be packed.
macro_rules! are_final {
    () => {
        concat!(
            "status = ",
            message_status!(Delivered),
            " AND money = ",
            money_state!(Captured),
            " AND error IS NULL AND sequence IS NOT NULL AND submitted_at IS NOT NULL AND done_after IS NOT NULL"
        )
    };
}

/// One row, a JSON array a column: a driver's cost for each row and column would be most of it.
const FINAL: Sql = sql!(
    "SELECT CAST(COALESCE(json_agg(id & 4095), '[]') AS TEXT), CAST(COALESCE(json_agg(sequence), '[]') AS TEXT), \
     CAST(COALESCE(json_agg(submitted_at), '[]') AS TEXT), CAST(COALESCE(json_agg(done_after), '[]') AS TEXT), \
     CAST(COALESCE(json_agg(carrier_ref), '[]') AS TEXT) \
     FROM (SELECT id, sequence, submitted_at, done_after, CAST(carrier_ref AS TEXT) AS carrier_ref FROM messages \
     WHERE id >= $1 AND id < $2 AND ",
    are_final!(),
    " ORDER BY id) AS ordered",
);

/// The messages of a chunk that can be packed and are not, in order of place.
pub async fn unpacked(tx: &mut Tx, chunk: ChunkId) -> Result<Vec<PackedMessage>> {
    let (from, to) = MessageId::of_chunk(chunk);
    let row: (String, String, String, String, String) = tx.one(FINAL, args![from, to]).await?;
    let places: Vec<u16> = from_json(&row.0)?;
    let sequences: Vec<i64> = from_json(&row.1)?;
    let submitted: Vec<i64> = from_json(&row.2)?;
    let done_after: Vec<i64> = from_json(&row.3)?;
    let references: Vec<Option<Box<str>>> = from_json(&row.4)?;
    let times = submitted.into_iter().zip(done_after);
    let rest = sequences.into_iter().zip(times).zip(references);
    Ok(places
        .into_iter()
        .zip(rest)
        .map(|(place, ((sequence, (submitted_at, done_after)), carrier_ref))| PackedMessage {
            place,
            sequence,
            submitted_at: Time(submitted_at),
            done_at: Time(submitted_at + done_after),
            carrier_ref,
        })
        .collect())
}

/// The packed messages of a chunk, in order of place.
pub async fn of_chunk(tx: &mut Tx, chunk: ChunkId) -> Result<Vec<PackedMessage>> {
    packed(tx, chunk).await?.map_or(Ok(Vec::new()), |packed| model::unpack(&packed))
}

/// Their places.
pub async fn places(tx: &mut Tx, chunk: ChunkId) -> Result<Vec<u16>> {
    packed(tx, chunk).await?.map_or(Ok(Vec::new()), |packed| model::places(&packed))
}

async fn packed(tx: &mut Tx, chunk: ChunkId) -> Result<Option<Vec<u8>>> {
    let row: Option<(Vec<u8>,)> =
        tx.opt("SELECT packed FROM packed_messages WHERE chunk_id = $1", args![chunk]).await?;
    Ok(row.map(|(packed,)| packed))
}

/// Those of these messages that are packed, in order.
pub async fn among(
    tx: &mut Tx,
    messages: impl IntoIterator<Item = MessageId>,
) -> Result<Vec<(MessageId, PackedMessage)>> {
    let mut found = Vec::new();
    for some in by_chunk(messages).chunks(CHUNKS) {
        for (chunk, places, packed) in read(tx, some).await? {
            let messages = model::unpack(&packed)?.into_iter().filter(|it| places.contains(&it.place));
            found.extend(messages.map(|message| (MessageId::new(chunk, message.place), message)));
        }
    }
    Ok(found)
}

/// The ids of those of these messages that are packed, in order.
pub async fn ids_among(tx: &mut Tx, messages: impl IntoIterator<Item = MessageId>) -> Result<Vec<MessageId>> {
    let mut found = Vec::new();
    for some in by_chunk(messages).chunks(CHUNKS) {
        for (chunk, places, packed) in read(tx, some).await? {
            let held = model::places(&packed)?.into_iter().filter(|place| places.contains(place));
            found.extend(held.map(|place| MessageId::new(chunk, place)));
        }
    }
    Ok(found)
}

/// The newest of these messages that is packed and has this reference, in the newest [`CHUNKS`] of their chunks that were changed
/// since `since`. What cannot be read is passed over, with a line in the log.
pub async fn with_reference(
    tx: &mut Tx,
    messages: impl IntoIterator<Item = MessageId>,
    reference: &str,
    since: Time,
) -> Result<Option<MessageId>> {
    let mut chunks = by_chunk(messages);
    let ids = Column::of(chunks.iter().map(|(chunk, _)| chunk));
    let changed: Vec<(ChunkId,)> = tx.all(CHANGED, args![since, CHUNKS as i64, vec![ids]]).await?;
    let changed: BTreeSet<ChunkId> = changed.into_iter().map(|(chunk,)| chunk).collect();
    chunks.retain(|(chunk, _)| changed.contains(chunk));
    for (chunk, places, packed) in read(tx, &chunks).await?.rev() {
        let messages = model::unpack(&packed).unwrap_or_else(|error| {
            tracing::error!(chunk = chunk.0, %error, "no receipt finds a packed message of a chunk");
            Vec::new()
        });
        let named =
            |it: &&PackedMessage| places.contains(&it.place) && it.carrier_ref.as_deref() == Some(reference);
        if let Some(message) = messages.iter().rev().find(named) {
            return Ok(Some(MessageId::new(chunk, message.place)));
        }
    }
    Ok(None)
}

const CHANGED: Sql = sql!(
    "SELECT p.chunk_id FROM UNNEST($3::BIGINT[]) AS j (id) JOIN packed_messages p ON p.chunk_id = j.id \
     JOIN campaign_chunks ch ON ch.id = j.id WHERE ch.answered_at >= $1 ORDER BY p.chunk_id DESC LIMIT $2"
);

/// A chunk with places of it.
type Places = (ChunkId, BTreeSet<u16>);

fn by_chunk(messages: impl IntoIterator<Item = MessageId>) -> Vec<Places> {
    let mut chunks: BTreeMap<ChunkId, BTreeSet<u16>> = BTreeMap::new();
    for message in messages {
        chunks.entry(message.chunk()).or_default().insert(message.place());
    }
    chunks.into_iter().collect()
}

const PACKED: Sql =
    sql!("SELECT chunk_id, packed FROM packed_messages WHERE chunk_id = ANY($1::BIGINT[]) ORDER BY chunk_id");

/// What is packed of these chunks, in order, each with the places that are asked for.
async fn read<'p>(
    tx: &mut Tx,
    places: &'p [Places],
) -> Result<impl DoubleEndedIterator<Item = (ChunkId, &'p BTreeSet<u16>, Vec<u8>)>> {
    let chunks = Column::of(places.iter().map(|(chunk, _)| chunk));
    let rows: Vec<(ChunkId, Vec<u8>)> = tx.all(PACKED, args![vec![chunks]]).await?;
    Ok(rows.into_iter().filter_map(|(chunk, packed)| {
        let at = places.binary_search_by_key(&chunk, |(chunk, _)| *chunk).ok()?;
        Some((chunk, &places[at].1, packed))
    }))
}

/// What goes on in a chunk: whether its messages rest.
#[derive(Clone, Copy, Debug, sqlx_macros::FromRow)]
pub struct ChunkActivity {
    /// Whether each of its messages was answered.
    pub is_done: bool,
    /// When an answer or a receipt last changed it.
    pub answered_at: Option<Time>,
    /// How many of its messages wait for a receipt.
    pub awaited: i64,
}

/// What goes on in a chunk; `None` where there is no such chunk.
pub async fn activity(tx: &mut Tx, chunk: ChunkId) -> Result<Option<ChunkActivity>> {
    let sql = concat!(
        "SELECT state = 'done' AS is_done, answered_at, ",
        statuses!(awaiting, " + ", [column]),
        " AS awaited FROM campaign_chunks WHERE id = $1"
    );
    tx.opt(sql, args![chunk]).await
}

const CLAIM: Sql = sql!(
    "UPDATE packing_queue SET due_at = $2 WHERE (due_at <= $1 OR due_at > $3) AND chunk_id IN \
       (SELECT chunk_id FROM packing_queue WHERE due_at <= $1 OR due_at > $3 ORDER BY due_at, chunk_id LIMIT $4) \
     RETURNING chunk_id"
);

/// Takes chunks that are to be looked at by now, at most `limit`. No daemon takes them again before `until`, not even this one after
/// a failure. Those are taken, too, that are due so late that only a clock that was ahead can have said so.
pub async fn claim(tx: &mut Tx, now: Time, until: Time, limit: i64) -> Result<Vec<ChunkId>> {
    let rows: Vec<(ChunkId,)> = tx.all(CLAIM, args![now, until, now + 2 * CLOCK_DRIFT, limit]).await?;
    Ok(rows.into_iter().map(|(chunk,)| chunk).collect())
}

/// Looks at a chunk again at `due_at`, or never.
pub async fn look_again(tx: &mut Tx, chunk: ChunkId, due_at: Option<Time>) -> Result<()> {
    let done = match due_at {
        Some(at) => {
            tx.run("UPDATE packing_queue SET due_at = $2 WHERE chunk_id = $1", args![chunk, at]).await
        }
        None => tx.run("DELETE FROM packing_queue WHERE chunk_id = $1", args![chunk]).await,
    };
    done.map(|_| ())
}

/// The messages of a chunk that are packed together.
#[derive(Clone, Debug)]
pub struct Packing {
    pub chunk: ChunkId,
    /// How many were packed before.
    before: i64,
    /// How many more are packed now.
    added: i64,
    packed: Vec<u8>,
    /// When the chunk is looked at again.
    pub due_at: Option<Time>,
}

impl Packing {
    /// Packs those that were packed `before` with `more`.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where a message is among both, or not all would be read back as they are: the references are too long.
    pub fn of(
        chunk: ChunkId,
        before: Vec<PackedMessage>,
        more: Vec<PackedMessage>,
        due_at: Option<Time>,
    ) -> Result<Self> {
        let (had, added) = (before.len() as i64, more.len() as i64);
        let mut messages = [before, more].concat();
        messages.sort_unstable_by_key(|message| message.place);
        let refused = || Error::Corrupt(format!("the messages of chunk {chunk} cannot be packed"));
        if messages.windows(2).any(|pair| pair[0].place == pair[1].place) {
            return Err(refused());
        }
        let packed = model::pack(&messages)?;
        if model::unpack(&packed)? != messages {
            return Err(refused());
        }
        Ok(Self { chunk, before: had, added, packed, due_at })
    }
}

const TAKE: &str = concat!("DELETE FROM messages WHERE id >= $1 AND id < $2 AND ", are_final!());

/// Takes the rows of messages away and stores them packed.
///
/// # Errors
/// [`Error::Stale`] where the rows are not those that were read: another daemon packed them, or more were delivered.
pub async fn store(tx: &mut Tx, packing: &Packing) -> Result<()> {
    let (from, to) = MessageId::of_chunk(packing.chunk);
    if tx.run(TAKE, args![from, to]).await? != packing.added.unsigned_abs() {
        return Err(Error::Stale);
    }
    let messages = packing.before + packing.added;
    let args = args![packing.chunk, messages, packing.packed.clone(), packing.before];
    let sql = match packing.before {
        0 => "INSERT INTO packed_messages (chunk_id, messages, packed) SELECT $1, $2, $3 WHERE $4 = 0",
        _ => "UPDATE packed_messages SET messages = $2, packed = $3 WHERE chunk_id = $1 AND messages = $4",
    };
    match tx.run(sql, args).await {
        Ok(1) => look_again(tx, packing.chunk, packing.due_at).await,
        Ok(_) => Err(Error::Stale),
        Err(error) if error.is_duplicate() => Err(Error::Stale),
        Err(error) => Err(error),
    }
}

/// Lets the next chunks be looked at, those with `at_least` messages, up to the first that was made after `before`; true when there
/// may be more. One dated more than [`CLOCK_DRIFT`] in the future counts as old, so that it does not stop the walk. `most` bounds how
/// many are gone through.
pub async fn queue_more(tx: &mut Tx, now: Time, before: Time, at_least: i64, most: i64) -> Result<bool> {
    let (upto,): (ChunkId,) = tx.one("SELECT upto FROM packing_progress WHERE id = 1", args![]).await?;
    let sql = "SELECT ch.id, ch.size, c.created_at FROM campaign_chunks ch JOIN campaigns c ON c.id = ch.campaign_id \
               WHERE ch.id > $1 ORDER BY ch.id LIMIT $2";
    let next: Vec<(ChunkId, i64, Time)> = tx.all(sql, args![upto, most]).await?;
    let young = before..=now + CLOCK_DRIFT;
    let passed: Vec<_> = next.iter().take_while(|(.., created_at)| !young.contains(created_at)).collect();
    let Some((last, ..)) = passed.last() else { return Ok(false) };
    let walked = "UPDATE packing_progress SET upto = $1 WHERE id = 1 AND upto = $2";
    if tx.run(walked, args![*last, upto]).await? == 0 {
        return Ok(true); // Another daemon was quicker.
    }
    let large = Column::of(passed.iter().filter(|(_, size, _)| *size >= at_least).map(|(id, ..)| id));
    let sql = sql!(
        "INSERT INTO packing_queue (chunk_id, due_at) SELECT j.id, 0 FROM UNNEST($1::BIGINT[]) AS j (id) WHERE true \
         ON CONFLICT (chunk_id) DO NOTHING"
    );
    tx.run(sql, args![vec![large]]).await?;
    Ok(passed.len() as i64 == most)
}

/// Chunks whose packed messages cannot be read, or are not as many as their row says.
pub async fn damaged(tx: &mut Tx) -> Result<Vec<ChunkId>> {
    let (mut damaged, mut after) = (Vec::new(), ChunkId(0));
    loop {
        let sql = "SELECT chunk_id, messages, packed FROM packed_messages WHERE chunk_id > $1 ORDER BY chunk_id LIMIT $2";
        let rows: Vec<(ChunkId, i64, Vec<u8>)> = tx.all(sql, args![after, CHUNKS as i64]).await?;
        let Some((last, ..)) = rows.last() else { return Ok(damaged) };
        after = *last;
        let is_damaged = |(_, messages, packed): &&(ChunkId, i64, Vec<u8>)| {
            model::unpack(packed).map_or(true, |held| held.len() as i64 != *messages)
        };
        damaged.extend(rows.iter().filter(is_damaged).map(|(chunk, ..)| *chunk));
    }
}

/// All packed messages.
#[cfg(test)]
pub async fn all(tx: &mut Tx) -> Result<Vec<MessageId>> {
    let rows: Vec<(ChunkId, Vec<u8>)> =
        tx.all("SELECT chunk_id, packed FROM packed_messages", args![]).await?;
    let mut all = Vec::new();
    for (chunk, packed) in rows {
        all.extend(model::places(&packed)?.into_iter().map(|place| MessageId::new(chunk, place)));
    }
    Ok(all)
}

/// The plans of what is asked for each page.
#[cfg(test)]
pub async fn plans(tx: &mut Tx) -> Result<Vec<Vec<String>>> {
    let chunk = || vec![Column::Ints(vec![1])];
    Ok(vec![
        tx.explain(PACKED, args![chunk()]).await?,
        tx.explain(FINAL, args![0, 4096]).await?,
        tx.explain(TAKE, args![0, 4096]).await?,
    ])
}
