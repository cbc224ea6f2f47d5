//! Calls that a trunk fails to place go over another trunk.

use std::time::Duration;

use crate::carrier::voice::{CallOutcome, CallResult};
use crate::carrier::{CallPolicy, Event, Health, SmsCarrier as _, Submission, Verdict};
use crate::content::{CallScript, ClipSource, Content, Pulse};
use crate::model::message::id::MessageId;
use crate::model::message::status::MessageStatus;
use crate::phone::Msisdn;
use crate::store::message::reroute::Reroutes;
use crate::store::operations::daemon;
use crate::store::{Lane, Store};
use crate::testing::builder::{Built, Spot, build};
use crate::testing::trunk::ended;
use crate::testing::worker::{Run, answered, messages_in};
use crate::time::{Clock, Time};
use crate::worker::jobs::recovery;
use crate::{args, both_databases};

const RETRY_AFTER: Duration = Duration::from_mins(5);
const CALLER: Msisdn = match Msisdn::from_digits(2_342_012_345_678) {
    Some(number) => number,
    None => panic!("a number"),
};

fn policy(failover: &[&str]) -> CallPolicy {
    let failover = failover.iter().map(|name| (*name).to_owned()).collect();
    CallPolicy { failover, caller: Some(CALLER), ..CallPolicy::new(2, RETRY_AFTER) }
}

pub(super) async fn campaign(store: &Store, calls: usize) -> Built {
    let script = CallScript {
        clip: ClipSource::Speech { text: "Hello".into(), voice: "uk-female".into() },
        caller: None,
        length_ms: 50_000,
        tail_ms: 2_000,
        pulse: Pulse::MINUTES,
        poll: None,
    };
    let builder = build(store, "ada").content(&Content::Voice(script)).pages(1).refund_undelivered();
    builder.chunk(&vec![Spot::Tail; calls]).store().await
}

fn ends(message: MessageId, call: CallResult) -> Event {
    answered(message, Verdict::Called(Box::new(call)))
}

/// Ends of calls.
pub(super) mod calls_of {
    use super::*;

    pub(in crate::worker::tests) fn busy(message: MessageId) -> Event {
        ends(message, ended(CallOutcome::Busy))
    }
}

async fn count(store: &Store, sql: &'static str) -> i64 {
    let row: (i64,) = store.read().await.unwrap().one(sql, args![]).await.unwrap();
    row.0
}

async fn carrier_of(store: &Store, message: MessageId) -> String {
    let mut tx = store.read().await.unwrap();
    Reroutes::of(&mut tx, message.chunk(), "main").await.unwrap().carrier_of(message.place()).to_owned()
}

/// What a run dispatches: so many calls.
async fn first(run: &mut Run, calls: usize) -> Vec<Submission> {
    let placed = run.dispatch().await;
    assert_eq!(placed.len(), calls);
    placed
}

both_databases! {
    async fn a_call_that_its_trunk_failed_to_place_goes_at_once_over_another_and_costs_once(store: Store) {
        campaign(&store, 3).await;
        let mut main = Run::start_trunk(&store, "main", policy(&["spare"])).await;
        let mut spare = Run::start_trunk(&store, "spare", policy(&[])).await;
        let placed = first(&mut main, 3).await;
        let [lost, rang, busy] = [0, 1, 2].map(|place| placed[place].message);
        let failed = ended(CallOutcome::TrunkError);
        main.settle(vec![
            ends(lost, failed.clone()),
            ends(rang, CallResult { ringing_at: Some(Time(1)), ..failed.clone() }),
            ends(busy, ended(CallOutcome::Busy)),
        ])
        .await;
        assert_eq!(carrier_of(&store, lost).await, "spare");
        // The spare's run never held the chunk, which goes on over its own trunk.
        let again = spare.dispatch().await;
        assert_eq!(again.iter().map(|it| it.message).collect::<Vec<_>>(), [lost], "the others wait");
        assert_eq!(again[0].caller, Some(CALLER), "the recipient sees the same number");
        assert!(main.dispatch().await.is_empty());
        spare.settle(vec![ends(lost, ended(CallOutcome::Answered))]).await;
        assert_eq!(messages_in(&store, MessageStatus::Delivered).await, 1);
        assert_eq!(count(&store, "SELECT attempts FROM calls WHERE outcome = 'answered'").await, 1);
        main.clock.advance(RETRY_AFTER);
        spare.clock.advance(RETRY_AFTER);
        assert!(spare.dispatch().await.is_empty(), "busy and ringing phones are left to their trunk");
        let later = first(&mut main, 2).await;
        assert!(later.iter().all(|it| it.caller.is_none()));
        main.settle(later.iter().map(|it| ends(it.message, ended(CallOutcome::Answered))).collect()).await;
        assert_eq!(messages_in(&store, MessageStatus::Delivered).await, 3);
        assert_eq!(count(&store, "SELECT COUNT(*) FROM campaign_chunks WHERE state = 'open'").await, 0);
        main.verify().await;
    }

    async fn each_trunk_is_tried_once_and_then_the_attempt_is_over(store: Store) {
        campaign(&store, 1).await;
        let mut main = Run::start_trunk(&store, "main", policy(&["spare"])).await;
        let mut spare = Run::start_trunk(&store, "spare", policy(&["main"])).await;
        for attempt in 0..2 {
            let call = first(&mut main, 1).await[0].message;
            main.settle(vec![ends(call, ended(CallOutcome::TrunkError))]).await;
            let over = first(&mut spare, 1).await[0].message;
            assert_eq!(over, call);
            spare.settle(vec![ends(call, ended(CallOutcome::TrunkError))]).await;
            assert!(spare.dispatch().await.is_empty() && main.dispatch().await.is_empty(), "{attempt}");
            main.clock.advance(RETRY_AFTER);
            spare.clock.advance(RETRY_AFTER);
            main.show(Health::Up).await;
            spare.show(Health::Up).await;
        }
        assert_eq!(messages_in(&store, MessageStatus::Undelivered).await, 1, "undelivered");
        assert_eq!(count(&store, "SELECT COUNT(*) FROM retries").await, 0);
        main.verify().await;
    }

    async fn a_trunk_that_takes_no_calls_has_them_placed_by_another_as_far_as_that_has_room(store: Store) {
        campaign(&store, 14).await;
        let mut main = Run::start_trunk(&store, "main", policy(&["spare"])).await;
        let mut spare = Run::start_trunk(&store, "spare", policy(&[])).await;
        main.dispatcher.stand_aside().await.unwrap();
        assert_eq!(count(&store, "SELECT COUNT(*) FROM retries").await, 0, "it is up: its channels are taken");
        main.show(Health::Connecting { reason: "refused".into() }).await;
        for _ in 0..9 {
            main.dispatcher.stand_aside().await.unwrap();
        }
        assert!(main.carrier.submitted.lock().unwrap().is_empty());
        assert_eq!(first(&mut spare, 9).await.len(), 9, "its nine channels");
        main.show(Health::Up).await;
        assert_eq!(first(&mut main, 5).await.len(), 5);
    }

    async fn what_waits_for_long_at_another_trunk_comes_back(store: Store) {
        campaign(&store, 1).await;
        let mut main = Run::start_trunk(&store, "main", policy(&["spare"])).await;
        let _spare = Run::start_trunk(&store, "spare", policy(&[])).await;
        let call = first(&mut main, 1).await[0].message;
        main.settle(vec![ends(call, ended(CallOutcome::TrunkError))]).await;
        main.clock.advance(Duration::from_secs(50));
        assert!(main.dispatch().await.is_empty());
        main.clock.advance(Duration::from_secs(11));
        assert_eq!(first(&mut main, 1).await[0].message, call);
        assert_eq!(carrier_of(&store, call).await, "main");
        main.settle(vec![ends(call, ended(CallOutcome::TrunkError))]).await;
        assert_eq!(count(&store, "SELECT attempts FROM retries WHERE carrier = 'main'").await, 1, "both failed");
    }

    async fn a_trunk_that_left_a_call_waiting_once_is_led_to_again_while_the_calls_own_is_down(store: Store) {
        campaign(&store, 1).await;
        let mut main = Run::start_trunk(&store, "main", policy(&["spare"])).await;
        let mut spare = Run::start_trunk(&store, "spare", policy(&[])).await;
        for waits_at in ["spare", "main", "spare"] {
            main.show(Health::Connecting { reason: "refused".into() }).await;
            spare.show(Health::Up).await;
            for _ in 0..3 {
                main.dispatcher.stand_aside().await.unwrap();
            }
            let (at,): (String,) =
                store.read().await.unwrap().one("SELECT carrier FROM retries", args![]).await.unwrap();
            assert_eq!(at, waits_at);
            main.clock.advance(Duration::from_secs(61));
            spare.clock.advance(Duration::from_secs(61));
        }
        assert_eq!(first(&mut spare, 1).await.len(), 1);
    }

    async fn a_call_in_flight_by_another_trunk_is_unknown_when_that_trunks_run_dies(store: Store) {
        campaign(&store, 1).await;
        let mut main = Run::start_trunk(&store, "main", policy(&["spare"])).await;
        let mut spare = Run::start_trunk(&store, "spare", policy(&[])).await;
        let call = first(&mut main, 1).await[0].message;
        main.settle(vec![ends(call, ended(CallOutcome::TrunkError))]).await;
        first(&mut spare, 1).await;
        // Its own trunk closes meanwhile, and knows of the one in flight.
        assert_eq!(recovery::leave(&store, main.owner, "main", main.clock.now()).await.unwrap(), 0);
        store
            .write(Lane::Interactive, (spare.owner, spare.clock.now()), |tx, (owner, now)| {
                Box::pin(daemon::stop(tx, *owner, *now))
            })
            .await
            .unwrap();
        let (unknown, _) = recovery::tick(&store, main.owner, None, main.clock.now()).await.unwrap();
        assert_eq!((unknown, messages_in(&store, MessageStatus::Unknown).await), (1, 1));
        main.verify().await;
    }

    async fn a_call_in_flight_by_a_trunk_that_closes_is_unknown(store: Store) {
        campaign(&store, 1).await;
        let mut main = Run::start_trunk(&store, "main", policy(&["spare"])).await;
        let mut spare = Run::start_trunk(&store, "spare", policy(&[])).await;
        let call = first(&mut main, 1).await[0].message;
        main.settle(vec![ends(call, ended(CallOutcome::TrunkError))]).await;
        first(&mut spare, 1).await;
        let unknown = recovery::leave(&store, spare.owner, spare.carrier.name(), spare.clock.now()).await.unwrap();
        assert_eq!(unknown, 1);
        assert_eq!(count(&store, "SELECT COUNT(*) FROM lent_retries").await, 0);
        main.verify().await;
    }
}
