//! Commits whose answer is lost, and runs that were taken for dead: nothing is sent twice, nothing is lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use talkdrum_api::purpose::OptOutReach;

use crate::carrier::{Event, Refusal, Verdict};
use crate::error::Error;
use crate::model::message::id::MessageId;
use crate::model::message::receipt_state::ReceiptState;
use crate::model::message::status::{MessageStatus, MoneyState};
use crate::store::operations::daemon;
use crate::store::{Lane, Store, WriteFaults, message};
use crate::testing::builder::START;
use crate::testing::doubt::Doubts;
use crate::testing::worker::{Open, Run, accepted, answered, campaign, messages_in, receipt};
use crate::time::Clock as _;
use crate::worker::jobs::recovery;
use crate::worker::settle::deferred_receipts::Bounds;
use crate::{args, both_databases};
use tokio_util::sync::CancellationToken;

use crate::contact::suppression::{self, OptOutSource, SuppressionScope};
use crate::testing::builder::Spot;
use crate::testing::builder::build;
use crate::testing::doubt::coded;
use crate::time::ManualClock;
use crate::worker::jobs::recovery as rescue;
use crate::worker::runtime::Workers;
use crate::worker::runtime::carrier_metrics::Meter;

/// A run whose writes may be in doubt.
async fn doubtful(store: &Store) -> (Run, Arc<Doubts>) {
    let doubts = Arc::new(Doubts::default());
    (Run::start(&store.with_faults(Arc::<Doubts>::clone(&doubts))).await, doubts)
}

fn throttled(message: MessageId) -> Event {
    answered(message, Verdict::Throttled(Refusal { code: 0x58, reason: "busy".into(), is_carriers: true }))
}

async fn count(store: &Store, sql: &'static str) -> i64 {
    let row: (i64,) = store.read().await.unwrap().one(sql, args![]).await.unwrap();
    row.0
}

both_databases! {
    async fn retries_that_are_stored_though_their_commit_is_in_doubt_are_stored_once(store: Store) {
        campaign(&store, 3).await;
        let (mut run, doubts) = doubtful(&store).await;
        let sent = run.dispatch().await;
        run.settle(vec![accepted(sent[0].message, "7")]).await;
        doubts.after(0);
        let rest = || vec![throttled(sent[1].message), throttled(sent[2].message)];
        // Stored, and claimed again before it is known: the events must not come back.
        run.settler.settle(rest(), run.clock.now()).await.unwrap();
        run.clock.advance(Duration::from_secs(10));
        assert_eq!(run.dispatch().await.len(), 2);
        assert_eq!(count(&store, "SELECT COUNT(*) FROM retries").await, 0);
        run.verify().await;
    }

    async fn a_claim_of_retries_whose_commit_is_in_doubt_is_not_lost(store: Store) {
        campaign(&store, 3).await;
        let (mut run, doubts) = doubtful(&store).await;
        let sent = run.dispatch().await;
        run.settle(sent.iter().map(|one| throttled(one.message)).collect()).await;
        run.clock.advance(Duration::from_secs(10));
        // The first asks how many writes are stored.
        doubts.after(1);
        assert_eq!(run.dispatch().await.len(), 3);
        run.verify().await;
    }

    async fn what_is_owed_is_paid_once_though_its_commit_is_in_doubt(store: Store) {
        campaign(&store, 300).await;
        let (mut run, doubts) = doubtful(&store).await;
        run.dispatcher.step(10).await.unwrap();
        run.dispatcher.step(10).await.unwrap();
        // The first asks how many writes are stored.
        doubts.after(1);
        run.dispatcher.finish().await.unwrap();
        let queued = count(&store, "SELECT COUNT(*) FROM retries").await;
        assert!(queued > 0);
        // Nothing is owed any more: the same rows are not written again.
        run.dispatcher.finish().await.unwrap();
        assert_eq!(count(&store, "SELECT COUNT(*) FROM retries").await, queued);
        run.verify().await;
    }

    async fn a_run_that_was_taken_for_dead_wakes_and_learns_that_a_message_never_left(store: Store) {
        campaign(&store, 2).await;
        let mut zombie = Run::start(&store).await;
        let sent = zombie.dispatch().await;
        let owner = zombie.owner;
        store
            .write(Lane::Interactive, owner, |tx, owner| Box::pin(daemon::stop(tx, *owner, START)))
            .await
            .unwrap();
        let next = Run::start(&store).await;
        assert_eq!(recovery::tick(&store, next.owner, recovery::LEASE, START).await.unwrap().0, 2);
        zombie.settle(vec![throttled(sent[0].message), accepted(sent[1].message, "7")]).await;
        assert_eq!(count(&store, "SELECT COUNT(*) FROM retries").await, 0, "it has a row: it is not queued again");
        let ids = [sent[0].message, sent[1].message];
        let states = message::states(&mut store.read().await.unwrap(), &ids).await.unwrap();
        let stood = |id| (states[&id].status, states[&id].money);
        assert_eq!(stood(ids[0]), (MessageStatus::Rejected, MoneyState::Released));
        assert_eq!(stood(ids[1]), (MessageStatus::Submitted, MoneyState::Captured));
        zombie.verify().await;
    }

    async fn an_answer_to_a_message_that_was_taken_for_lost_is_not_thrown_away(store: Store) {
        campaign(&store, 2).await;
        let mut zombie = Run::start(&store).await;
        let sent = zombie.dispatch().await;
        let owner = zombie.owner;
        store
            .write(Lane::Interactive, owner, |tx, owner| Box::pin(daemon::stop(tx, *owner, START)))
            .await
            .unwrap();
        let next = Run::start(&store).await;
        assert_eq!(recovery::tick(&store, next.owner, recovery::LEASE, START).await.unwrap().0, 2);
        // Every message of the chunk has a row: one more would be too many.
        zombie.settle(sent.iter().map(|one| accepted(one.message, &one.message.0.to_string())).collect()).await;
        assert_eq!(messages_in(&store, MessageStatus::Submitted).await, 2);
        zombie.verify().await;
    }

    async fn a_run_that_was_taken_for_dead_charges_nothing_for_what_it_gave_up_unsent(store: Store) {
        for (user, status) in [("ada", MessageStatus::Expired), ("ben", MessageStatus::Suppressed)] {
            let built = build(&store, user).chunk(&[Spot::Tail]).store().await;
            let (mut zombie, doubts) = doubtful(&store).await;
            if status == MessageStatus::Expired {
                zombie.clock.advance(Duration::from_hours(48));
            } else {
                let opt_out = store.write(Lane::Interactive, (built.user, built.numbers[0]), |tx, (user, number)| {
                    Box::pin(suppression::add(tx, SuppressionScope::User(*user), *number, (OptOutSource::Stop, OptOutReach::All), START))
                });
                assert!(opt_out.await.unwrap());
            }
            zombie.dispatcher.step(100).await.unwrap();
            let claimed = "SELECT CAST(SUM(cursor) - SUM(answered) AS BIGINT) FROM campaign_chunks";
            assert_eq!(count(&store, claimed).await, 1);
            // It is given up, and that cannot be written.
            doubts.before(0, coded("57P01"));
            zombie.dispatcher.step(100).await.unwrap_err();
            let owner = zombie.owner;
            store
                .write(Lane::Interactive, owner, |tx, owner| Box::pin(daemon::stop(tx, *owner, START)))
                .await
                .unwrap();
            let next = Run::start(&store).await;
            assert_eq!(rescue::tick(&store, next.owner, rescue::LEASE, START).await.unwrap().0, 1);
            zombie.dispatcher.finish().await.unwrap();
            let message = MessageId::new(built.chunks[0], 0);
            let states = message::states(&mut store.read().await.unwrap(), &[message]).await.unwrap();
            assert_eq!((states[&message].status, states[&message].money), (status, MoneyState::Released));
            zombie.verify().await;
        }
    }

    async fn an_answer_for_a_chunk_that_left_memory_is_settled(store: Store) {
        campaign(&store, 3).await;
        let mut zombie = Run::start(&store).await;
        let ids: Vec<MessageId> = zombie.dispatch().await.iter().map(|one| one.message).collect();
        let owner = zombie.owner;
        store
            .write(Lane::Interactive, owner, |tx, owner| Box::pin(daemon::stop(tx, *owner, START)))
            .await
            .unwrap();
        let next = Run::start(&store).await;
        assert_eq!(rescue::tick(&store, next.owner, rescue::LEASE, START).await.unwrap().0, 3);
        zombie.settler.book.prune(&store).await.unwrap();
        assert!(zombie.settler.book.is_empty(), "every message has a row, so that the chunk is done");
        let refused = Verdict::Refused(Refusal { code: 0xb, reason: "refused".into(), is_carriers: false });
        zombie.settle(vec![accepted(ids[0], "7"), answered(ids[1], refused), throttled(ids[2])]).await;
        zombie.settle(vec![receipt("7", ReceiptState::Delivered, 1)]).await;
        let states = message::states(&mut store.read().await.unwrap(), &ids).await.unwrap();
        let stood: Vec<_> = ids.iter().map(|id| (states[id].status, states[id].money)).collect();
        assert_eq!(stood, [
            (MessageStatus::Delivered, MoneyState::Captured),
            (MessageStatus::Rejected, MoneyState::Released),
            (MessageStatus::Rejected, MoneyState::Released),
        ]);
        assert_eq!(count(&store, "SELECT COUNT(*) FROM messages WHERE CAST(carrier_ref AS TEXT) = '7'").await, 1);
        zombie.verify().await;
    }

    async fn a_long_message_that_left_memory_is_not_given_back_because_a_part_was_throttled(store: Store) {
        let built = build(&store, "ada").text(&"long ".repeat(60)).segments(2).chunk(&[Spot::Tail]).store().await;
        let mut zombie = Run::start(&store).await;
        assert_eq!(zombie.dispatch().await.len(), 1);
        let owner = zombie.owner;
        store
            .write(Lane::Interactive, owner, |tx, owner| Box::pin(daemon::stop(tx, *owner, START)))
            .await
            .unwrap();
        let next = Run::start(&store).await;
        assert_eq!(rescue::tick(&store, next.owner, rescue::LEASE, START).await.unwrap().0, 1);
        zombie.settler.book.prune(&store).await.unwrap();
        let message = MessageId::new(built.chunks[0], 0);
        zombie.settle(vec![throttled(message)]).await;
        let states = message::states(&mut store.read().await.unwrap(), &[message]).await.unwrap();
        // Another part may have been accepted in an earlier try, of which nothing is in memory any more.
        let stood = (states[&message].status, states[&message].money);
        assert_eq!(stood, (MessageStatus::Unknown, MoneyState::Reserved));
    }

    async fn an_answer_that_meets_a_message_that_moved_on_is_tried_again(store: Store) {
        campaign(&store, 1).await;
        let moving = Arc::new(Moving::default());
        let mut run = Run::start(&store.with_faults(Arc::<Moving>::clone(&moving))).await;
        let sent = run.dispatch().await;
        // Twice on either path.
        moving.0.store(4, Ordering::Relaxed);
        let clock = Arc::<ManualClock>::clone(&run.clock);
        let day = Duration::from_hours(24);
        let workers = Workers::register(store.clone(), clock, Arc::new(Open), day).await.unwrap();
        let (sender, events) = tokio::sync::mpsc::channel(1);
        sender.send(vec![accepted(sent[0].message, "7")]).await.unwrap();
        drop(sender);
        workers.settle(run.settler, events, &Meter::default(), CancellationToken::new()).await;
        assert_eq!(messages_in(&store, MessageStatus::Submitted).await, 1);
    }

    async fn a_process_that_dies_while_it_writes_held_receipts_sets_none_aside(store: Store) {
        campaign(&store, 3).await;
        let held = Bounds { few: 2, dense: usize::MAX, many: 12, slice: 5 };
        let mut run = Run::start(&store).await.deferring(held);
        let ids: Vec<MessageId> = run.send_all().await.iter().map(|one| one.message).collect();
        let receipts = (1..).zip(&ids).map(|(token, id)| receipt(&id.0.to_string(), ReceiptState::Delivered, token));
        run.settle(receipts.collect()).await;
        assert_eq!(run.settler.deferred(), 3);
        let owner = run.owner;
        store
            .write(Lane::Interactive, owner, |tx, owner| Box::pin(daemon::stop(tx, *owner, START)))
            .await
            .unwrap();
        let next = Run::start(&store).await;
        let dying = store.with_faults(Arc::new(Dead));
        assert!(matches!(recovery::write_deferred(&dying, next.owner, START).await, Err(Error::Crashed)));
        recovery::tick(&store, next.owner, recovery::LEASE, START).await.unwrap();
        next.verify().await;
        assert_eq!(messages_in(&store, MessageStatus::Delivered).await, 3);
    }
}

/// Every answer is lost with the process.
#[derive(Debug)]
struct Dead;

impl WriteFaults for Dead {
    fn crash_before(&self) -> bool {
        false
    }

    fn crash_after(&self) -> bool {
        true
    }
}

/// So many writes find that a message moved on since they were computed.
#[derive(Debug, Default)]
struct Moving(AtomicU32);

impl WriteFaults for Moving {
    fn crash_before(&self) -> bool {
        false
    }

    fn crash_after(&self) -> bool {
        false
    }

    fn fail_before(&self) -> Option<Error> {
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(1), Ordering::Relaxed);
        (left > 0).then_some(Error::Stale)
    }
}
