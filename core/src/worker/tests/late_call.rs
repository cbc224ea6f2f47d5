//! Ends of calls that are told when nothing follows the call any more.

use std::time::Duration;

use crate::carrier::http::voice::CallReport;
use crate::carrier::voice::{CallOf, CallOutcome, CallResult, EndedBy};
use crate::carrier::{CallPolicy, Event, Verdict};
use crate::contact::suppression::{self, SuppressionScope};
use crate::model::message::id::MessageId;
use crate::store::Store;
use crate::store::voice::call;
use crate::testing::trunk::ended;
use crate::testing::worker::{Run, answered};
use crate::time::Clock;
use crate::worker::settle::late_call::{Late, settle};
use crate::worker::tests::failover::{calls_of, campaign};
use crate::{args, both_databases};

/// A trunk whose calls are all unknown, and their messages.
async fn unknown(store: &Store, calls: usize) -> (Run, Vec<MessageId>) {
    campaign(store, calls).await;
    let policy = CallPolicy::new(2, Duration::from_mins(5));
    let mut run = Run::start_trunk(store, "main", policy).await;
    let placed: Vec<MessageId> = run.dispatch().await.iter().map(|it| it.message).collect();
    run.settle(placed.iter().map(|message| answered(*message, Verdict::Unanswered)).collect()).await;
    (run, placed)
}

async fn heard(run: &Run, carrier: &str, message: MessageId, word: &str, call: u16) -> Late {
    let report = CallReport::of_test(CallOf { message, call }, word, 61, "1");
    settle(&run.store, carrier, &report, run.clock.now()).await.unwrap()
}

/// A call that was ended here before it was answered: it does not count as an attempt.
fn hung_up(message: MessageId) -> Event {
    let result = CallResult { ended_by: EndedBy::Caller, ..ended(CallOutcome::Failed) };
    answered(message, Verdict::Called(Box::new(result)))
}

/// Messages by status: delivered, undelivered, rejected, unknown.
async fn standing(store: &Store) -> (i64, i64, i64, i64) {
    let sql = "SELECT delivered, undelivered, rejected, unknown FROM campaign_chunks";
    store.read().await.unwrap().one(sql, args![]).await.unwrap()
}

both_databases! {
    async fn the_late_end_of_an_unknown_call_settles_its_message_and_money_once(store: Store) {
        let (run, calls) = unknown(&store, 4).await;
        assert_eq!(standing(&store).await, (0, 0, 0, 4));
        assert_eq!(heard(&run, "main", calls[0], "ringing", 1).await, Late::Known, "it is not over");
        assert_eq!(heard(&run, "spare", calls[0], "answered", 1).await, Late::Known, "it went by another carrier");
        assert_eq!(standing(&store).await, (0, 0, 0, 4));
        for (call, word) in [(calls[0], "answered"), (calls[1], "busy"), (calls[2], "rejected")] {
            assert_eq!(heard(&run, "main", call, word, 1).await, Late::Settled, "{word}");
            assert_eq!(heard(&run, "main", call, "failed", 1).await, Late::Known, "its first end is the end");
        }
        assert_eq!(standing(&store).await, (1, 1, 1, 1));
        // 61 seconds are two pulses, and one was reserved.
        let mut tx = store.read().await.unwrap();
        let money: (i64, i64) =
            tx.one("SELECT captured_micros, released_micros FROM campaign_chunks", args![]).await.unwrap();
        drop(tx);
        assert!(money.0 > 0 && money.1 == 2 * money.0, "{money:?}");
        let row = call::of(&mut store.read().await.unwrap(), &calls[..1]).await.unwrap().remove(0);
        assert_eq!((row.outcome.0, row.attempts, row.pulses, row.up_ms), (CallOutcome::Answered, 1, 1, 61_000));
        run.verify().await;
    }

    async fn a_nine_that_is_told_late_opts_out_as_one_that_came_in_time(store: Store) {
        let built = campaign(&store, 2).await;
        let policy = CallPolicy::new(2, Duration::from_mins(5));
        let mut run = Run::start_trunk(&store, "main", policy).await;
        let placed = run.dispatch().await;
        run.settle(placed.iter().map(|it| answered(it.message, Verdict::Unanswered)).collect()).await;
        for (call, keys) in placed.iter().zip(["9", "1"]) {
            let of = CallOf { message: call.message, call: 1 };
            let report = CallReport::of_test(of, "answered", 12, keys);
            assert_eq!(settle(&store, "main", &report, run.clock.now()).await.unwrap(), Late::Settled);
        }
        // Keys that are told of a message that is settled by now.
        let of = CallOf { message: placed[1].message, call: 1 };
        let report = CallReport::of_test(of, "answered", 12, "19");
        assert_eq!(settle(&store, "spare", &report, run.clock.now()).await.unwrap(), Late::Known);
        let mut tx = store.read().await.unwrap();
        let list = suppression::list(&mut tx, SuppressionScope::User(built.user), "", 0, 100).await.unwrap();
        let found: Vec<&str> = list.optouts.iter().map(|it| it.phone.as_str()).collect();
        assert_eq!(found, [placed[0].to.to_string()]);
        drop(tx);
        assert_eq!(settle(&store, "main", &report, run.clock.now()).await.unwrap(), Late::Known);
        let mut tx = store.read().await.unwrap();
        let list = suppression::list(&mut tx, SuppressionScope::User(built.user), "", 0, 100).await.unwrap();
        assert_eq!(list.total, 2);
        drop(tx);
        run.verify().await;
    }

    async fn two_daemons_that_hear_the_same_end_settle_it_once(store: Store) {
        let (run, calls) = unknown(&store, 1).await;
        let hear = || heard(&run, "main", calls[0], "answered", 1);
        let (one, other) = tokio::join!(hear(), hear());
        let settled = [one, other].iter().filter(|late| **late == Late::Settled).count();
        assert_eq!(settled, 1, "{one:?} {other:?}");
        assert_eq!(standing(&store).await, (1, 0, 0, 0));
        run.verify().await;
    }

    async fn what_is_told_of_a_call_under_way_or_of_an_older_one_settles_nothing(store: Store) {
        campaign(&store, 1).await;
        let policy = CallPolicy::new(2, Duration::from_mins(5));
        let mut run = Run::start_trunk(&store, "main", policy).await;
        let call = run.dispatch().await[0].message;
        assert_eq!(heard(&run, "main", call, "answered", 1).await, Late::Elsewhere, "its daemon follows it");
        run.settle(vec![calls_of::busy(call)]).await;
        run.clock.advance(Duration::from_mins(5));
        assert_eq!(run.dispatch().await[0].tries, 1);
        run.settle(vec![answered(call, Verdict::Unanswered)]).await;
        assert_eq!(standing(&store).await, (0, 0, 0, 1));
        // The provider tells of the first call again; nothing is told of the second.
        run.clock.advance(Duration::from_secs(9));
        assert_eq!(heard(&run, "main", call, "busy", 1).await, Late::Known);
        assert_eq!(standing(&store).await, (0, 0, 0, 1));
        assert_eq!(heard(&run, "main", call, "answered", 2).await, Late::Settled);
        assert_eq!(standing(&store).await, (1, 0, 0, 0));
        run.verify().await;
    }
    async fn the_end_of_a_call_that_was_hung_up_is_not_that_of_the_next_one(store: Store) {
        campaign(&store, 1).await;
        let mut run = Run::start_trunk(&store, "main", CallPolicy::new(2, Duration::from_mins(5))).await;
        let call = run.dispatch().await[0].message;
        run.settle(vec![hung_up(call)]).await;
        run.clock.advance(Duration::from_mins(5));
        assert_eq!(run.dispatch().await.len(), 1);
        run.settle(vec![answered(call, Verdict::Unanswered)]).await;
        // The provider tells of the first call once more.
        assert_eq!(heard(&run, "main", call, "busy", 1).await, Late::Known);
        assert_eq!(standing(&store).await, (0, 0, 0, 1));
        assert_eq!(heard(&run, "main", call, "answered", 2).await, Late::Settled);
        let row = call::of(&mut store.read().await.unwrap(), &[call]).await.unwrap().remove(0);
        assert_eq!((row.attempts, row.tries), (1, 2), "the first one did not count");
        run.verify().await;
    }
}
