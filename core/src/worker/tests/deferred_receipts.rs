//! Receipts in no order: held, written, and what becomes of them when something goes wrong.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::campaign::report::progress;
use crate::carrier::Event;
use crate::ledger::verify::verify;
use crate::model::campaign::id::CampaignId;
use crate::model::message::receipt_state::ReceiptState;
use crate::model::message::status::message_status;
use crate::model::platform::id::RunId;
use crate::store::operations::daemon;
use crate::store::{Lane, Store};
use crate::testing::builder::{Spot, build};
use crate::testing::worker::{Open, Run, campaign, receipt};
use crate::time::{Clock as _, ManualClock, Time};
use crate::worker::jobs::recovery;
use crate::worker::runtime::Workers;
use crate::worker::runtime::carrier_metrics::Meter;
use crate::worker::settle::deferred_receipts::{Bounds, DEFERRED_FOR};
use crate::{args, both_databases};

const DAY: Duration = Duration::from_hours(24);
/// Held from two on, written in twos.
const HELD: Bounds = Bounds { few: 2, dense: usize::MAX, many: 6, slice: 2 };

/// Receipts of messages that were accepted under their own ids.
fn receipts(messages: &[i64], state: ReceiptState) -> Vec<Event> {
    messages.iter().map(|id| receipt(&id.to_string(), state, u32::try_from(id % 4_096).unwrap())).collect()
}

async fn sent(store: &Store, size: usize) -> (Run, CampaignId, Vec<i64>) {
    let built = campaign(store, size).await;
    let mut run = Run::start(store).await.deferring(HELD);
    let ids = run.send_all().await.iter().map(|one| one.message.0).collect();
    (run, built.campaign, ids)
}

/// Messages that are delivered, as rows and as the campaign counts them; rows of held receipts.
async fn delivered(store: &Store, campaign: CampaignId) -> (i64, i64, i64) {
    let mut tx = store.read().await.unwrap();
    let counts = progress::counts(&mut tx, campaign).await.unwrap();
    let sql = concat!(
        "SELECT (SELECT COUNT(*) FROM messages WHERE status = ",
        message_status!(Delivered),
        "), (SELECT COUNT(*) FROM held_receipts)"
    );
    let (rows, held): (i64, i64) = tx.one(sql, args![]).await.unwrap();
    (rows, counts.delivered, held)
}

/// Changes one row of what is held, as damage would, or who mends it.
async fn swap(store: &Store, from: i64, to: i64) {
    let changed = store.write(Lane::Interactive, (from, to), |tx, (from, to)| {
        let sql = "UPDATE held_receipts SET receipts = REPLACE(receipts, $1, $2)";
        Box::pin(async move { tx.run_exactly(1, sql, args![from.to_string(), to.to_string()]).await })
    });
    changed.await.unwrap();
}

async fn hold_damaged(store: &Store, owner: RunId) {
    let held = store.write(Lane::Interactive, owner, |tx, owner| {
        let sql = "INSERT INTO held_receipts (owner, receipts) VALUES ($1, 'damaged')";
        Box::pin(async move { tx.run_exactly(1, sql, args![*owner]).await })
    });
    held.await.unwrap();
}

async fn die(run: &Run) {
    run.store
        .write(Lane::Interactive, (run.owner, run.clock.now()), |tx, (owner, now)| {
            Box::pin(daemon::stop(tx, *owner, *now))
        })
        .await
        .unwrap();
}

async fn rescue_all(run: &Run) {
    while recovery::tick(&run.store, run.owner, recovery::LEASE, run.clock.now()).await.unwrap().1 {}
}

async fn findings(store: &Store) -> usize {
    let findings = verify(&mut store.read().await.unwrap()).await.unwrap().0;
    assert!(findings.iter().all(|finding| finding.starts_with("held receipts")), "{findings:?}");
    findings.len()
}

both_databases! {
    async fn scattered_receipts_are_stored_and_acknowledged_at_once_and_written_when_there_are_enough(store: Store) {
        let (mut run, campaign, ids) = sent(&store, 7).await;
        run.settle(receipts(&[ids[5], ids[0], ids[3]], ReceiptState::Delivered)).await;
        assert_eq!((run.acknowledged(), run.settler.deferred()), (3, 3));
        assert_eq!(delivered(&store, campaign).await, (0, 0, 1));
        assert!(!run.write_deferred().await, "it is not time");
        assert_eq!(run.settler.deferred_due(), Some(run.clock.now() + DEFERRED_FOR));
        run.settle(receipts(&[ids[6], ids[1], ids[2]], ReceiptState::Delivered)).await;
        assert_eq!((run.acknowledged(), run.settler.deferred()), (6, 6));
        // Slice by slice; what came goes with the last of them.
        for left in [2, 2, 0] {
            assert_eq!(run.settler.deferred_due(), Some(Time(0)), "there is more to write, and no receipt to wait for");
            assert!(run.write_deferred().await);
            let (rows, counted, held) = delivered(&store, campaign).await;
            assert_eq!((rows, held), (counted, left));
        }
        assert!(!run.write_deferred().await);
        assert_eq!(run.settler.deferred_due(), None);
        assert_eq!(delivered(&store, campaign).await, (6, 6, 0));
        run.verify().await;
    }

    async fn held_receipts_wait_no_longer_than_a_moment(store: Store) {
        let (mut run, campaign, ids) = sent(&store, 3).await;
        run.settle(receipts(&[ids[2], ids[0]], ReceiptState::Delivered)).await;
        assert!(!run.write_deferred().await);
        run.clock.advance(DEFERRED_FOR);
        assert!(run.write_deferred().await);
        assert_eq!(delivered(&store, campaign).await, (2, 2, 0));
    }

    async fn what_a_run_held_when_it_died_goes_to_its_messages_once(store: Store) {
        let (mut run, campaign, ids) = sent(&store, 6).await;
        run.settle(receipts(&ids, ReceiptState::Delivered)).await;
        assert!(run.write_deferred().await, "it dies in the middle of them");
        assert_eq!(delivered(&store, campaign).await, (2, 2, 1));
        rescue_all(&run).await;
        assert_eq!(delivered(&store, campaign).await, (2, 2, 1), "its own are none of the dead's");
        die(&run).await;
        rescue_all(&Run::start(&store).await).await;
        assert_eq!(delivered(&store, campaign).await, (6, 6, 0));
        // It was not dead, only silent: what it still writes changes nothing.
        while run.write_deferred().await {}
        assert_eq!(delivered(&store, campaign).await, (6, 6, 0));
        run.verify().await;
    }

    async fn held_receipts_that_cannot_be_read_hold_no_others_up(store: Store) {
        let (mut run, campaign, ids) = sent(&store, 3).await;
        // More than are written in one call.
        for _ in 0..9 {
            hold_damaged(&store, run.owner).await;
        }
        run.settle(receipts(&ids, ReceiptState::Delivered)).await;
        die(&run).await;
        let next = Run::start(&store).await;
        rescue_all(&next).await;
        assert_eq!(delivered(&store, campaign).await, (3, 3, 9), "the damaged rows stay");
        assert_eq!(findings(&store).await, 9);
    }

    async fn a_receipt_of_a_dead_run_that_cannot_be_written_waits_alone_until_it_can(store: Store) {
        let (mut run, campaign, ids) = sent(&store, 3).await;
        run.settle(receipts(&ids, ReceiptState::Delivered)).await;
        die(&run).await;
        // As a damaged file would have it: a message of a chunk that does not exist.
        let astray = ids[1] + (1_000 << 12);
        swap(&store, ids[1], astray).await;
        let next = Run::start(&store).await;
        rescue_all(&next).await;
        assert_eq!(delivered(&store, campaign).await, (2, 2, 1));
        assert_eq!(findings(&store).await, 1);
        // A later start finds the same, or that it was repaired.
        recovery::take_up_again(&store).await.unwrap();
        rescue_all(&next).await;
        assert_eq!(delivered(&store, campaign).await, (2, 2, 1));
        swap(&store, astray, ids[1]).await;
        recovery::take_up_again(&store).await.unwrap();
        rescue_all(&next).await;
        assert_eq!(delivered(&store, campaign).await, (3, 3, 0));
        run.verify().await;
    }

    async fn another_receipt_of_a_held_one_is_not_undone_by_it(store: Store) {
        let (mut run, campaign, ids) = sent(&store, 3).await;
        run.settle(receipts(&ids, ReceiptState::Undelivered)).await;
        run.settle(receipts(&ids[1..2], ReceiptState::Delivered)).await;
        assert_eq!(delivered(&store, campaign).await, (1, 1, 1));
        run.clock.advance(DEFERRED_FOR);
        while run.write_deferred().await {}
        let counts = progress::counts(&mut store.read().await.unwrap(), campaign).await.unwrap();
        assert_eq!((counts.delivered, counts.undelivered, counts.submitted), (1, 2, 0));
        run.verify().await;
    }

    async fn what_is_held_when_the_carrier_closes_is_written_before_the_settler_ends(store: Store) {
        let (mut run, campaign, ids) = sent(&store, 6).await;
        run.settle(receipts(&ids, ReceiptState::Delivered)).await;
        assert_eq!(delivered(&store, campaign).await, (0, 0, 1));
        let clock = Arc::<ManualClock>::clone(&run.clock);
        let workers = Workers::register(store.clone(), clock, Arc::new(Open), DAY).await.unwrap();
        let (sender, events) = tokio::sync::mpsc::channel(1);
        drop(sender);
        workers.settle(run.settler, events, &Meter::default(), CancellationToken::new()).await;
        assert_eq!(delivered(&store, campaign).await, (6, 6, 0));
    }

    async fn what_is_refunded_is_not_held(store: Store) {
        let built = build(&store, "ada").refund_undelivered().chunk(&[Spot::Tail; 3]).store().await;
        let mut run = Run::start(&store).await.deferring(HELD);
        let ids: Vec<i64> = run.send_all().await.iter().map(|one| one.message.0).collect();
        run.settle(receipts(&ids, ReceiptState::Delivered)).await;
        assert_eq!(run.settler.deferred(), 0);
        assert_eq!(delivered(&store, built.campaign).await, (3, 3, 0));
    }

    async fn receipts_that_come_in_order_are_written_at_once(store: Store) {
        let built = campaign(&store, 300).await;
        let mut run = Run::start(&store).await;
        let ids: Vec<i64> = run.send_all().await.iter().map(|one| one.message.0).collect();
        run.settle(receipts(&ids, ReceiptState::Delivered)).await;
        assert_eq!(run.settler.deferred(), 0);
        assert_eq!(delivered(&store, built.campaign).await, (300, 300, 0));
    }

    async fn a_held_receipt_that_cannot_be_written_holds_no_other_up(store: Store) {
        let (mut run, campaign, ids) = sent(&store, 4).await;
        run.settle(receipts(&ids, ReceiptState::Delivered)).await;
        // As a damaged file would have it: a message whose chunk has no counters left.
        let (chunk, other) = (ids[0] >> 12, (ids[0] >> 12) + 1_000);
        run.settler.lead_astray(ids[0], (other << 12) + (ids[0] & 4_095));
        run.clock.advance(DEFERRED_FOR);
        while run.settler.deferred() > 0 {
            if let Err(error) = run.settler.write_deferred(run.clock.now(), false).await {
                assert!(!error.is_passing(), "{error}");
                run.settler.write_deferred_each(run.clock.now()).await.unwrap();
            }
        }
        assert_eq!(delivered(&store, campaign).await, (3, 3, 1), "of chunk {chunk}");
        assert_eq!(findings(&store).await, 1, "it is set aside");
    }
}
