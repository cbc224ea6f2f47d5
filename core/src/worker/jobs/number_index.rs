//! Merging recipients' numbers into the number index, behind the send.
//!
//! An index over tens of millions of numbers is quick to grow only in order: a tick takes many chunks at once, sorts
//! their numbers in memory and writes them in slices, so that neighbours share pages and other writes get their turn.
//!
//! A large audience is packed into runs (`store/message/number_runs.rs`), each written in one transaction.
//!
//! Invariant: an audience's place in the queue advances with the last of what is written of its chunks, in one transaction, and
//! nothing is written for a place that has advanced: another daemon was first, or what was read may be erased. After a crash
//! before that, it is written again, which changes nothing.
//!
//! An audience with a chunk that cannot be read is put off, and holds up no other. It stays in the queue, so that no search and no
//! erasure takes it for merged.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::model::campaign::audience_chunk::Chunk;
use crate::model::campaign::id::{AudienceChunkId, AudienceId};
use crate::model::message::postings::{BucketWidth, NumberPosting};
use crate::store::campaign::list;
use crate::store::message::number_index::{self as table, Place};
use crate::store::message::number_runs::{self, NewRun};
use crate::store::{Lane, Store};
use crate::time::Time;

/// Rows a write, where no client waits for one.
const SLICE: usize = 2_000;
/// Rows a write beside the orders of clients, which wait for it on SQLite.
const SMALL_SLICE: usize = 500;
/// Recipients sorted together: 32 full chunks, about two megabytes.
const RECIPIENTS_AT_ONCE: i64 = 131_072;
/// Chunks looked at for them: audiences of single messages have tiny ones.
const CHUNKS_AT_ONCE: i64 = 4_096;

/// Batches of a tick.
const BATCHES_AT_ONCE: usize = 64;
/// Audiences of a batch: each slice looks at their places.
const AUDIENCES_AT_ONCE: usize = 512;
/// Waiting recipients from which on an audience is merged by itself, so that it can be packed.
const LARGE: i64 = if cfg!(test) { 8 } else { 16_384 };
/// Packed are those of which a bucket has so many on average: with fewer, reading a run takes as long as a search for rows.
const POSTINGS_IN_BUCKET: usize = if cfg!(test) { 4 } else { 16 };

/// One slice: numbers with their recipients, of audiences that advance with the last one.
#[derive(Clone, Debug)]
struct Slice {
    numbers: Vec<i64>,
    recipients: Vec<i64>,
    places: Arc<[Place]>,
    is_last: bool,
}

/// Merges what waits, up to a bound; true when there is more.
///
/// # Errors
/// Those of the database. An audience that cannot be read is put off, with a line in the log.
pub async fn tick(store: &Store, now: Time) -> Result<bool> {
    let mut merged = 0;
    for _ in 0..BATCHES_AT_ONCE {
        match merge_batch(store, now).await? {
            Some(recipients) => merged += recipients,
            None => return Ok(false),
        }
        if merged >= RECIPIENTS_AT_ONCE {
            break;
        }
    }
    Ok(!table::waiting(&mut store.read().await?, now, 1).await?.is_empty())
}

/// Merges what can be written together; of how many recipients. `None` where nothing waits. Nothing is merged where some of it
/// cannot be read: that is put off.
async fn merge_batch(store: &Store, now: Time) -> Result<Option<i64>> {
    let mut tx = store.read().await?;
    let waiting = table::waiting(&mut tx, now, CHUNKS_AT_ONCE).await?;
    if waiting.is_empty() {
        return Ok(None);
    }
    let batch = Batch::of(&waiting);
    let mut rows = Vec::new();
    let mut unreadable = BTreeSet::new();
    for chunks in batch.chunks.chunks(32) {
        for (id, data) in list::audience_chunks(&mut tx, chunks.to_vec()).await? {
            let chunk = match Chunk::decode_without_fields(&data) {
                Err(error @ Error::Corrupt(_)) => {
                    let audience = waiting.iter().find(|row| row.id == Some(id)).map(|row| row.audience_id);
                    if let Some(audience) = audience.filter(|audience| unreadable.insert(*audience)) {
                        tracing::error!(audience = audience.0, audience_chunk = id.0, %error,
                            "an audience is not merged into the number index, and tried again in an hour");
                    }
                    continue;
                }
                chunk => chunk?,
            };
            let numbered = chunk.numbers().iter().zip(id.recipient(0)..);
            let numbered = numbered.filter(|(number, _)| !number.is_erased());
            rows.extend(numbered.map(|(number, recipient)| (number.digits().cast_signed(), recipient)));
        }
    }
    drop(tx);
    if !unreadable.is_empty() {
        put_off(store, unreadable, now).await?;
        return Ok(Some(0));
    }
    rows.sort_unstable();
    match batch.places[..] {
        [place] if rows.len() as i64 >= LARGE && buckets(&rows) * POSTINGS_IN_BUCKET <= rows.len() => {
            pack(store, &rows, place).await?;
        }
        _ => write_slices(store, &rows, batch.places.into()).await?,
    }
    Ok(Some(rows.len() as i64))
}

async fn put_off(store: &Store, audiences: BTreeSet<AudienceId>, now: Time) -> Result<()> {
    let put_off = store.write(Lane::Background, (audiences, now), |tx, (audiences, now)| {
        Box::pin(table::put_off(tx, audiences, *now))
    });
    put_off.await
}

/// How many wide buckets these postings, which are in order, are of.
fn buckets(rows: &[NumberPosting]) -> usize {
    rows.chunk_by(|one, next| BucketWidth::Wide.bucket_of(one.0) == BucketWidth::Wide.bucket_of(next.0))
        .count()
}

/// Adds a run of an audience.
async fn pack(store: &Store, rows: &[NumberPosting], place: Place) -> Result<()> {
    store
        .write(Lane::Background, (NewRun::of(place.audience, rows), place), |tx, (run, place)| {
            Box::pin(async move {
                let places = std::slice::from_ref(place);
                if !table::still_waits(tx, places).await? {
                    return Ok(());
                }
                number_runs::add(tx, run).await?;
                table::merged(tx, places).await
            })
        })
        .await
}

/// Writes a row for each recipient.
async fn write_slices(store: &Store, mut rest: &[NumberPosting], places: Arc<[Place]>) -> Result<()> {
    // Small at first: clients may be waiting.
    let mut orders = None;
    loop {
        let seen = store.orders();
        let size = if orders.replace(seen) == Some(seen) { SLICE } else { SMALL_SLICE };
        let (rows, later) = rest.split_at(size.min(rest.len()));
        rest = later;
        let (numbers, recipients) = rows.iter().copied().unzip();
        let slice = Slice { numbers, recipients, places: Arc::clone(&places), is_last: rest.is_empty() };
        if !write(store, slice).await? || rest.is_empty() {
            return Ok(());
        }
    }
}

async fn write(store: &Store, slice: Slice) -> Result<bool> {
    match merge(store, slice.clone(), false).await {
        // Written before, by a tick that ended too soon.
        Err(error) if error.is_duplicate() => merge(store, slice, true).await,
        other => other,
    }
}

/// Writes a slice; false where its audiences do not wait any more as they did.
async fn merge(store: &Store, slice: Slice, again: bool) -> Result<bool> {
    store
        .write(Lane::Background, (slice, again), |tx, (slice, again)| {
            Box::pin(async move {
                if !table::still_waits(tx, &slice.places).await? {
                    return Ok(false);
                }
                if !slice.numbers.is_empty() {
                    table::merge(tx, slice.numbers.clone(), slice.recipients.clone(), *again).await?;
                }
                if slice.is_last {
                    table::merged(tx, &slice.places).await?;
                }
                Ok(true)
            })
        })
        .await
}

/// The chunks of one tick, and how far it brings each audience.
#[derive(Debug, Default)]
struct Batch {
    chunks: Vec<AudienceChunkId>,
    places: Vec<Place>,
}

impl Batch {
    /// The first chunks that wait, at least one, up to the bound on recipients; those of a large audience by themselves.
    fn of(waiting: &[table::WaitingRow]) -> Self {
        let mut batch = Self::default();
        let mut recipients = 0;
        for audience in waiting.chunk_by(|one, next| one.audience_id == next.audience_id) {
            let sizes = || audience.iter().map(|row| row.size.unwrap_or(0));
            let is_large = sizes().sum::<i64>() >= LARGE;
            let has_others = !batch.places.is_empty();
            if is_large && has_others || batch.places.len() == AUDIENCES_AT_ONCE {
                break;
            }
            for (row, size) in audience.iter().zip(sizes()) {
                if recipients > 0 && recipients + size > RECIPIENTS_AT_ONCE {
                    return batch;
                }
                recipients += size;
                batch.add(row);
            }
            if is_large {
                break;
            }
        }
        batch
    }

    fn add(&mut self, row: &table::WaitingRow) {
        self.chunks.extend(row.id);
        let (from, next) = row.id.map_or((AudienceChunkId(i64::MAX), AudienceChunkId::BEFORE_ALL), |id| {
            (id, AudienceChunkId(id.0 + 1))
        });
        match self.places.last_mut() {
            Some(place) if place.audience == row.audience_id => place.next = next,
            _ => self.places.push(Place { audience: row.audience_id, from, next }),
        }
    }
}

#[cfg(test)]
mod tests;
