use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::error::Error;
use crate::model::campaign::id::{AudienceChunkId, AudienceId};
use crate::phone::Msisdn;
use crate::store::WriteFaults;
use crate::testing::builder::{Builder, Built, Spot, build};
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

/// Rows of recipients, packed recipients, runs, and audiences that wait.
async fn sizes(store: &Store) -> [i64; 4] {
    let sql = "SELECT (SELECT COUNT(*) FROM number_index), \
                 (SELECT CAST(COALESCE(SUM(recipients), 0) AS BIGINT) FROM number_runs), \
                 (SELECT COUNT(*) FROM number_runs), (SELECT COUNT(*) FROM number_index_queue)";
    let mut tx = store.read().await.unwrap();
    let (rows, packed, runs, queued) = tx.one(sql, crate::args![]).await.unwrap();
    [rows, packed, runs, queued]
}

/// Numbers of which none shares a bucket with another.
fn scattered(mut plan: Builder, places: usize) -> Builder {
    for place in 0..places {
        let digits = 2_348_031_000_000 + place as u64 * 100_000;
        plan = plan.number(0, place, Msisdn::from_digits(digits).unwrap());
    }
    plan
}

#[tokio::test]
async fn a_crash_between_slices_leaves_the_audience_queued_and_the_next_tick_completes_it() {
    for_each_database(|store| async move {
        scattered(build(&store, "ada").chunk(&vec![Spot::Tail; 2_500]), 2_500).store().await;
        let dying = store.with_faults(Arc::new(DiesAtSecond::default()));
        assert!(matches!(tick(&dying, Time(0)).await, Err(Error::Crashed)));
        assert_eq!(sizes(&store).await, [SMALL_SLICE as i64, 0, 0, 1]);
        assert!(!tick(&store, Time(0)).await.unwrap());
        assert_eq!(sizes(&store).await, [2_500, 0, 0, 0]);
    })
    .await;
}

#[tokio::test]
async fn a_large_audience_is_packed_by_itself_and_a_small_or_scattered_one_is_a_row_each() {
    for_each_database(|store| async move {
        build(&store, "ada").chunk(&[Spot::Tail; 7]).store().await;
        build(&store, "bola").chunk(&vec![Spot::Tail; 2_500]).chunk(&[Spot::Tail; 3]).store().await;
        build(&store, "chidi").chunk(&[Spot::Tail; 7]).store().await;
        scattered(build(&store, "dapo").chunk(&[Spot::Tail; 9]), 9).store().await;
        let mut seen = Vec::new();
        while merge_batch(&store, Time(0)).await.unwrap().is_some() {
            seen.push(sizes(&store).await);
        }
        assert_eq!(seen, [[7, 0, 0, 3], [7, 2_503, 1, 2], [14, 2_503, 1, 1], [23, 2_503, 1, 0]]);
    })
    .await;
}

async fn add(store: &Store, rows: &[NumberPosting], batch: Batch, is_packed: bool) {
    match is_packed {
        true => pack(store, rows, batch.places[0]).await.unwrap(),
        false => write_slices(store, rows, batch.places.into()).await.unwrap(),
    }
}

#[tokio::test]
async fn of_daemons_that_found_the_same_one_adds_it() {
    for_each_database(|store| async move {
        let built = build(&store, "ada").chunk(&[Spot::Tail; 20]).chunk(&[Spot::Tail; 10]).store().await;
        let found = table::waiting(&mut store.read().await.unwrap(), Time(0), 2).await.unwrap();
        let (first, both) = (|| Batch::of(&found[..1]), || Batch::of(&found));
        let rows: Vec<NumberPosting> =
            (0..20).map(|n| (2_348_031_200_000 + n, built.audience_chunks[0].recipient(0) + n)).collect();
        tokio::join!(add(&store, &rows, first(), true), add(&store, &rows, first(), true));
        assert_eq!(sizes(&store).await, [0, 20, 1, 1]);
        // Nor does one that found more, of which the beginning was merged meanwhile, in either form.
        for is_packed in [true, false] {
            add(&store, &rows, both(), is_packed).await;
            assert_eq!(sizes(&store).await, [0, 20, 1, 1]);
        }
        assert!(!tick(&store, Time(0)).await.unwrap());
        assert_eq!(sizes(&store).await, [0, 30, 2, 0]);
        // Nor one that slept until the queue had forgotten it: its numbers may be erased by now.
        for is_packed in [true, false] {
            add(&store, &rows, both(), is_packed).await;
            assert_eq!(sizes(&store).await, [0, 30, 2, 0]);
        }
    })
    .await;
}

#[tokio::test]
async fn what_a_crash_left_as_rows_is_found_once_where_it_is_packed_later() {
    for_each_database(|store| async move {
        let built = build(&store, "ada").chunk(&vec![Spot::Tail; 1_000]).store().await;
        let found = table::waiting(&mut store.read().await.unwrap(), Time(0), 1).await.unwrap();
        let number = built.numbers[3].digits().cast_signed();
        let recipient = built.audience_chunks[0].recipient(3);
        let dying = store.with_faults(Arc::new(DiesAtSecond::default()));
        let rows = vec![(number, recipient); 1].into_iter().chain((0..SMALL_SLICE as i64).map(|n| (n, n)));
        let rows: Vec<NumberPosting> = rows.collect();
        assert!(write_slices(&dying, &rows, Batch::of(&found).places.into()).await.is_err());
        while tick(&store, Time(0)).await.unwrap() {}
        let mut tx = store.read().await.unwrap();
        assert_eq!(table::recipients(&mut tx, number, 10).await.unwrap(), [recipient]);
    })
    .await;
}

#[tokio::test]
async fn an_audience_that_cannot_be_read_holds_up_no_other_and_is_merged_later() {
    for_each_database(|store| async move {
        let damaged = build(&store, "ada").chunk(&[Spot::Tail; 2]).chunk(&[Spot::Tail; 1]).store().await;
        build(&store, "bola").chunk(&[Spot::Tail; 3]).store().await;
        build(&store, "chidi").chunk(&vec![Spot::Tail; 2_500]).store().await;
        damaged.turn_first_chunk(&store).await;
        let now = Time(1_700_000_000_000);
        assert!(!tick(&store, now).await.unwrap(), "what is put off is not more to do");
        // Its whole second chunk waits, too: an audience is merged in order.
        assert_eq!(sizes(&store).await, [3, 2_500, 1, 1]);
        assert!(!tick(&store, now + table::AGAIN_AFTER).await.unwrap(), "it is put off again");
        assert_eq!(sizes(&store).await, [3, 2_500, 1, 1]);
        damaged.turn_first_chunk(&store).await;
        assert!(
            !tick(&store, now + table::AGAIN_AFTER * 3 / 2).await.unwrap(),
            "it is not read all the time"
        );
        assert_eq!(sizes(&store).await, [3, 2_500, 1, 1]);
        assert!(!tick(&store, now + table::AGAIN_AFTER * 2).await.unwrap());
        assert_eq!(sizes(&store).await, [6, 2_500, 1, 0]);

        let damaged = build(&store, "dapo").chunk(&[Spot::Tail; 2]).store().await;
        damaged.turn_first_chunk(&store).await;
        assert!(!tick(&store, now + table::AGAIN_AFTER * 1_000).await.unwrap());
        damaged.turn_first_chunk(&store).await;
        assert!(!tick(&store, now).await.unwrap());
        assert_eq!(sizes(&store).await, [8, 2_500, 1, 0], "the clock was ahead");
    })
    .await;
}

fn waiting(audience: i64, id: i64, size: i64) -> table::WaitingRow {
    table::WaitingRow { audience_id: AudienceId(audience), id: Some(AudienceChunkId(id)), size: Some(size) }
}

#[test]
fn a_batch_takes_whole_chunks_up_to_its_bound_and_always_one() {
    let rows: Vec<_> = (1..=40).map(|id| waiting(1, id, 4_096)).collect();
    let batch = Batch::of(&rows);
    assert_eq!(batch.chunks, (1..=32).map(AudienceChunkId).collect::<Vec<_>>());
    assert_eq!(
        batch.places,
        [Place { audience: AudienceId(1), from: AudienceChunkId(1), next: AudienceChunkId(33) }]
    );
    assert_eq!(Batch::of(&[waiting(1, 5, RECIPIENTS_AT_ONCE * 2)]).chunks, [AudienceChunkId(5)]);
    let rows: Vec<_> = (1..=600).map(|id| waiting(id, id, LARGE - 1)).collect();
    assert_eq!(Batch::of(&rows).places.len(), AUDIENCES_AT_ONCE);
    // One with none left is no reason to write a large one that follows in rows.
    let none = table::WaitingRow { audience_id: AudienceId(1), id: None, size: None };
    assert!(Batch::of(&[none, waiting(2, 1, LARGE)]).chunks.is_empty());
}

#[tokio::test]
async fn everything_queued_is_merged_once_and_the_queue_ends_empty() {
    for_each_database(|store| async move {
        let built =
            build(&store, "ada").chunk(&vec![Spot::Tail; 2_500]).chunk(&[Spot::Tail; 3]).store().await;
        built.merge_one(&store).await;
        while tick(&store, Time(0)).await.unwrap() {}
        assert_eq!(sizes(&store).await, [2_503, 0, 0, 0]);
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
        let place = |built: &Built| {
            let from = built.audience_chunks[0];
            Place { audience: built.audience, from, next: AudienceChunkId(from.0 + 1) }
        };
        let places = vec![place(&long), place(&short)];
        store
            .write(Lane::Background, places, |tx, places| Box::pin(table::merged(tx, places)))
            .await
            .unwrap();
        let mut tx = store.read().await.unwrap();
        let left = table::waiting(&mut tx, Time(0), 10).await.unwrap();
        let left: Vec<_> = left.iter().map(|row| (row.audience_id, row.id)).collect();
        let of = |built: &Built, chunk: usize| (built.audience, Some(built.audience_chunks[chunk]));
        assert_eq!(left, [of(&long, 1), of(&other, 0)]);
    })
    .await;
}
