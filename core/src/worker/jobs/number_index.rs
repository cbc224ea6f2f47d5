//! Merging recipients' numbers into the number index, behind the send.
//!
//! An index over tens of millions of numbers is quick to grow only in order: a tick takes many chunks at once, sorts
//! their numbers in memory and writes them in slices, so that neighbours share pages and other writes get their turn.
//!
//! Invariant: an audience's place in the queue advances with the last slice of its chunks, in one transaction; after a
//! crash before that, slices are written again, which changes nothing.

use std::collections::BTreeMap;

use crate::error::Result;
use crate::model::campaign::audience_chunk::{CHUNK_SIZE, Chunk};
use crate::store::campaign::list;
use crate::store::message::number_index as table;
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

/// One slice: numbers with their recipients, and where the audiences are once it is written (all but the last: none).
#[derive(Clone, Debug, Default)]
struct Slice {
    numbers: Vec<i64>,
    recipients: Vec<i64>,
    /// Audience, and the first chunk that is not merged.
    done: Vec<(i64, i64)>,
}

/// Merges what waits, up to a bound; true when there is more.
///
/// Nothing here depends on the time; it is taken so that all workers are driven alike.
pub async fn tick(store: &Store, _now: Time) -> Result<bool> {
    let mut tx = store.read().await?;
    let waiting = table::waiting(&mut tx, CHUNKS_AT_ONCE).await?;
    if waiting.is_empty() {
        return Ok(false);
    }
    let batch = Batch::of(&waiting);
    let mut rows = Vec::new();
    for chunks in batch.chunks.chunks(32) {
        for (id, data) in list::audience_chunks(&mut tx, chunks.to_vec()).await? {
            let chunk = Chunk::decode_without_fields(&data)?;
            let numbered = chunk.numbers().iter().zip(id * CHUNK_SIZE as i64..);
            let numbered = numbered.filter(|(number, _)| !number.is_erased());
            rows.extend(numbered.map(|(number, recipient)| (number.digits().cast_signed(), recipient)));
        }
    }
    drop(tx);
    rows.sort_unstable();
    let (mut rest, mut done) = (rows.as_slice(), batch.next);
    // Small at first: clients may be waiting.
    let mut orders = None;
    loop {
        let seen = store.orders();
        let size = if orders.replace(seen) == Some(seen) { SLICE } else { SMALL_SLICE };
        let (rows, later) = rest.split_at(size.min(rest.len()));
        rest = later;
        let mut slice = Slice::of(rows);
        if rest.is_empty() {
            slice.done = std::mem::take(&mut done).into_iter().collect();
        }
        write(store, slice).await?;
        if rest.is_empty() {
            break;
        }
    }
    let mut tx = store.read().await?;
    Ok(!table::waiting(&mut tx, 1).await?.is_empty())
}

async fn write(store: &Store, slice: Slice) -> Result<()> {
    match merge(store, slice.clone(), false).await {
        // Written before, by a tick that ended too soon.
        Err(error) if error.is_duplicate() => merge(store, slice, true).await,
        other => other,
    }
}

async fn merge(store: &Store, slice: Slice, again: bool) -> Result<()> {
    store
        .write(Lane::Background, (slice, again), |tx, (slice, again)| {
            Box::pin(async move {
                if !slice.numbers.is_empty() {
                    table::merge(tx, slice.numbers.clone(), slice.recipients.clone(), *again).await?;
                }
                let (audiences, next) = slice.done.iter().copied().unzip();
                table::merged(tx, audiences, next).await
            })
        })
        .await
}

impl Slice {
    fn of(rows: &[(i64, i64)]) -> Self {
        let (numbers, recipients) = rows.iter().copied().unzip();
        Self { numbers, recipients, done: Vec::new() }
    }
}

/// The chunks of one tick, and where it leaves each audience.
#[derive(Debug, Default)]
struct Batch {
    chunks: Vec<i64>,
    next: BTreeMap<i64, i64>,
}

impl Batch {
    /// The first chunks that wait, at least one, up to the bound on recipients.
    fn of(waiting: &[table::WaitingRow]) -> Self {
        let mut batch = Self::default();
        let mut recipients = 0;
        for row in waiting {
            let size = row.size.unwrap_or(0);
            if recipients > 0 && recipients + size > RECIPIENTS_AT_ONCE {
                break;
            }
            recipients += size;
            batch.chunks.extend(row.id);
            batch.next.insert(row.audience_id, row.id.map_or(0, |id| id + 1));
        }
        batch
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::error::Error;
    use crate::store::WriteFaults;
    use crate::testing::builder::{Built, Spot, build};
    use crate::testing::database::for_each_database;

    /// Dies before its second write.
    #[derive(Debug, Default)]
    struct DiesAtSecond(AtomicUsize);

    impl WriteFaults for DiesAtSecond {
        fn crash_before(&self) -> bool {
            self.0.fetch_add(1, Ordering::SeqCst) == 1
        }

        fn crash_after(&self) -> bool {
            false
        }
    }

    async fn sizes(store: &Store) -> (i64, i64) {
        let mut tx = store.read().await.unwrap();
        tx.one(
            "SELECT (SELECT COUNT(*) FROM number_index), (SELECT COUNT(*) FROM number_index_queue)",
            crate::args![],
        )
        .await
        .unwrap()
    }

    #[tokio::test]
    async fn a_crash_between_slices_leaves_the_audience_queued_and_the_next_tick_completes_it() {
        for_each_database(|store| async move {
            build(&store, "ada").chunk(&vec![Spot::Tail; 2_500]).store().await;
            let dying = store.with_faults(Arc::new(DiesAtSecond::default()));
            assert!(matches!(tick(&dying, Time(0)).await, Err(Error::Crashed)));
            assert_eq!(sizes(&store).await, (SMALL_SLICE as i64, 1));
            assert!(!tick(&store, Time(0)).await.unwrap());
            assert_eq!(sizes(&store).await, (2_500, 0));
        })
        .await;
    }

    fn waiting(audience_id: i64, id: i64, size: i64) -> table::WaitingRow {
        table::WaitingRow { audience_id, id: Some(id), size: Some(size) }
    }

    #[test]
    fn a_batch_takes_whole_chunks_up_to_its_bound_and_always_one() {
        let rows: Vec<_> = (1..=40).map(|id| waiting(1 + id / 21, id, 4_096)).collect();
        let batch = Batch::of(&rows);
        assert_eq!(batch.chunks, (1..=32).collect::<Vec<_>>());
        assert_eq!(batch.next, BTreeMap::from([(1, 21), (2, 33)]));
        assert_eq!(Batch::of(&[waiting(1, 5, RECIPIENTS_AT_ONCE * 2)]).chunks, [5]);
    }

    #[tokio::test]
    async fn everything_queued_is_merged_once_and_the_queue_ends_empty() {
        for_each_database(|store| async move {
            let built =
                build(&store, "ada").chunk(&vec![Spot::Tail; 2_500]).chunk(&[Spot::Tail; 3]).store().await;
            built.merge_one(&store).await;
            while tick(&store, Time(0)).await.unwrap() {}
            assert_eq!(sizes(&store).await, (2_503, 0));
            assert!(!tick(&store, Time(0)).await.unwrap());
        })
        .await;
    }

    #[tokio::test]
    async fn of_audiences_that_move_on_together_those_with_none_left_are_forgotten() {
        for_each_database(|store| async move {
            let long = build(&store, "ada").chunk(&[Spot::Tail; 3]).chunk(&[Spot::Tail; 2]).store().await;
            let short = build(&store, "bola").chunk(&[Spot::Tail; 1]).store().await;
            let other = build(&store, "chidi").chunk(&[Spot::Tail; 1]).store().await;
            let audiences = vec![long.audience, short.audience];
            let next = vec![long.audience_chunks[0] + 1, short.audience_chunks[0] + 1];
            store
                .write(Lane::Background, (audiences, next), |tx, (audiences, next)| {
                    Box::pin(table::merged(tx, audiences.clone(), next.clone()))
                })
                .await
                .unwrap();
            let mut tx = store.read().await.unwrap();
            let left = table::waiting(&mut tx, 10).await.unwrap();
            let left: Vec<_> = left.iter().map(|row| (row.audience_id, row.id)).collect();
            let of = |built: &Built, chunk: usize| (built.audience, Some(built.audience_chunks[chunk]));
            assert_eq!(left, [of(&long, 1), of(&other, 0)]);
        })
        .await;
    }
}
