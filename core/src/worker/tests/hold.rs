//! Carriers under an operator's hand: what goes out, what waits, and where it goes when it is led elsewhere.

use std::sync::Arc;

use talkdrum_api::kind::Kind;
use tokio::sync::Notify;

use crate::campaign::report::progress;
use crate::campaign::standstill::{self, Around};
use crate::ledger::verify::verify;
use crate::model::account::id::UserId;
use crate::model::account::user::Role;
use crate::model::message::id::MessageId;
use crate::model::message::status::MessageStatus as S;
use crate::model::page::RecordScope;
use crate::model::platform::id::RunId;
use crate::operate::{self, Hold, RerouteTarget, overview, reroute};
use crate::phone::NetworkTable;
use crate::routing::{RouteCarrier, RouteConfig, Router};
use crate::store::chunk::retry::{self, DueRetries};
use crate::store::message::reroute::Reroutes;
use crate::store::message::{self, reroute_rows};
use crate::store::operations::daemon;
use crate::store::{Dialect, Lane, Store};
use crate::testing::account::make_user;
use crate::testing::builder::{START, Spot, build};
use crate::testing::worker::{Run, accepted};
use crate::time::Time;
use crate::worker::dispatch::DispatchStep;
use crate::worker::jobs::recovery;
use crate::{args, both_databases};

async fn say(store: &Store, by: UserId, carrier: &'static str, hold: Hold) {
    store
        .write(Lane::Interactive, (by, carrier, hold), |tx, (by, carrier, hold)| {
            Box::pin(operate::set(tx, carrier, *hold, "by the test", *by, START))
        })
        .await
        .unwrap();
}

async fn state(store: &Store) -> (String, i64, i64) {
    let mut tx = store.read().await.unwrap();
    let views = overview(&mut tx, &["main".to_owned()], START).await.unwrap();
    (views[0].state().code().to_owned(), views[0].waiting.queued(), views[0].waiting.in_flight())
}

fn route_carrier(name: &str) -> RouteCarrier {
    RouteCarrier { name: name.into(), kinds: Kind::SMS.to_vec(), ..RouteCarrier::default() }
}

both_databases! {
    async fn nothing_new_is_claimed_while_a_carrier_is_held_and_what_was_claimed_is_queued_again(store: Store) {
        let admin = make_user(&store, "root", Role::Admin).await;
        let built = build(&store, "ada").chunk(&vec![Spot::Tail; 1_000]).store().await;
        let mut run = Run::start(&store).await;
        run.dispatcher.step(10).await.unwrap();
        let first = std::mem::take(&mut *run.carrier.submitted.lock().unwrap());
        assert_eq!(first.len(), 10);
        say(&store, admin, "main", Hold::Paused).await;
        // Though this run has not heard of it: the database refuses.
        for _ in 0..50 {
            run.dispatcher.step(100).await.unwrap();
        }
        let sent = first.len() + run.carrier.submitted.lock().unwrap().len();
        assert!(sent < 300, "{sent} of 1000 went out");
        let mut open = first;
        open.append(&mut *run.carrier.submitted.lock().unwrap());
        run.dispatcher.hold(Some(100), Hold::Paused).await.unwrap();
        assert!(run.carrier.submitted.lock().unwrap().is_empty());
        let in_flight = i64::try_from(open.len()).unwrap();
        assert_eq!(state(&store).await, ("paused".to_owned(), 1_000 - in_flight, in_flight));
        run.settle(open.iter().map(|one| accepted(one.message, &one.message.0.to_string())).collect()).await;
        assert_eq!(state(&store).await, ("paused".to_owned(), 1_000 - in_flight, 0));
        let mut tx = store.read().await.unwrap();
        let mut campaign = [progress::view(&mut tx, RecordScope::All, built.campaign).await.unwrap()];
        let around = Around { now: START, ..Around::default() };
        standstill::explain(&mut tx, &mut campaign, RecordScope::All, &around).await.unwrap();
        let [campaign] = campaign;
        assert!(campaign.status_reason.unwrap().contains("'main'"), "it says what it waits for");
        drop(tx);
        say(&store, admin, "main", Hold::Open).await;
        assert_eq!(open.len() + run.send_all().await.len(), 1_000);
    }

    async fn a_drain_sends_what_is_claimed_and_then_says_so(store: Store) {
        let admin = make_user(&store, "root", Role::Admin).await;
        build(&store, "ada").chunk(&vec![Spot::Tail; 1_000]).store().await;
        let mut run = Run::start(&store).await;
        run.dispatcher.step(10).await.unwrap();
        say(&store, admin, "main", Hold::Draining).await;
        while run.dispatcher.hold(Some(7), Hold::Draining).await.unwrap() == DispatchStep::Worked {}
        let sent = std::mem::take(&mut *run.carrier.submitted.lock().unwrap());
        assert!(sent.len() > 10, "what was claimed went out: {}", sent.len());
        let in_flight = i64::try_from(sent.len()).unwrap();
        assert_eq!(state(&store).await, ("draining".to_owned(), 1_000 - in_flight, in_flight));
        run.settle(sent.iter().map(|one| accepted(one.message, &one.message.0.to_string())).collect()).await;
        assert_eq!(state(&store).await, ("drained".to_owned(), 1_000 - in_flight, 0));
    }

    async fn what_was_never_sent_is_led_elsewhere_and_the_rest_stays(store: Store) {
        let admin = make_user(&store, "root", Role::Admin).await;
        let spots = [Spot::Answered(S::Submitted), Spot::Retry, Spot::Answered(S::Unknown), Spot::Tail, Spot::Tail];
        let built = build(&store, "ada").chunk(&spots).chunk(&[Spot::InFlight, Spot::Tail]).store().await;
        let target = RerouteTarget::Carrier(route_carrier("spare"));
        let refused = reroute(&store, "main", true, &target, admin, START).await.unwrap_err();
        assert_eq!(refused.code(), "carrier_open");
        say(&store, admin, "main", Hold::Paused).await;
        let led = reroute(&store, "main", true, &target, admin, START).await.unwrap();
        assert_eq!(led.moved.into_iter().collect::<Vec<_>>(), [("spare".to_owned(), 3)]);
        let kept: Vec<_> = led.kept.into_iter().collect();
        assert_eq!(kept.len(), 1, "{kept:?}");
        assert!(kept[0].0.contains("in flight") && kept[0].1 == 1, "{kept:?}");
        let mut tx = store.read().await.unwrap();
        let reroutes = Reroutes::of(&mut tx, built.chunks[0], "spare").await.unwrap();
        let carriers: Vec<&str> = (0..5).map(|place| reroutes.carrier_of(place)).collect();
        assert_eq!(carriers, ["main", "spare", "main", "spare", "spare"]);
        let retry: (String,) = tx.one("SELECT carrier FROM retries", crate::args![]).await.unwrap();
        assert_eq!(retry.0, "spare");
        let open = crate::store::carrier::open_items::open(&mut tx).await.unwrap();
        assert_eq!(open["main"].unknown_messages, 1, "the unknown message is counted for main");
        let why = crate::campaign::report::explain::message(
            &mut tx,
            RecordScope::All,
            MessageId::new(built.chunks[0], 0),
            NetworkTable::builtin(),
        );
        assert!(why.await.unwrap().history[1].note.contains("the carrier main"));
        assert_eq!(verify(&mut tx).await.unwrap().0, Vec::<String>::new());
        drop(tx);
        // Nothing is left to move, and nothing moves twice.
        let again = reroute(&store, "main", true, &target, admin, START).await.unwrap();
        assert!(again.moved.is_empty());
    }

    async fn what_the_other_carrier_does_not_take_stays_and_routes_are_asked_number_by_number(store: Store) {
        let admin = make_user(&store, "root", Role::Admin).await;
        build(&store, "ada").segments(3).chunk(&[Spot::Tail; 4]).store().await;
        say(&store, admin, "main", Hold::Paused).await;
        let short = RerouteTarget::Carrier(RouteCarrier { max_parts: 2, ..route_carrier("short") });
        let led = reroute(&store, "main", true, &short, admin, START).await.unwrap();
        assert_eq!((led.moved.len(), led.kept.values().sum::<i64>()), (0, 4), "{led:?}");
        let numeric = RerouteTarget::Carrier(RouteCarrier { numeric_senders_only: true, ..route_carrier("numeric") });
        let led = reroute(&store, "main", true, &numeric, admin, START).await.unwrap();
        assert_eq!((led.moved.len(), led.kept.values().sum::<i64>()), (0, 4), "{led:?}");
        let by = |carrier: &str| {
            let route = RouteConfig { carrier: carrier.into(), ..RouteConfig::default() };
            let router = Router::new(vec![route_carrier("main"), route_carrier("spare")], &[route], NetworkTable::builtin()).unwrap();
            RerouteTarget::Routes { router: router.into(), networks: NetworkTable::builtin().clone().into(), dnd: None }
        };
        let led = reroute(&store, "main", true, &by("main"), admin, START).await.unwrap();
        assert!(led.moved.is_empty() && led.kept.keys().all(|why| why.contains("still lead")), "{led:?}");
        let led = reroute(&store, "main", true, &by("spare"), admin, START).await.unwrap();
        assert_eq!((led.moved["spare"], led.kept.len()), (4, 0), "{led:?}");
    }

    async fn a_half_sent_message_is_lent_when_its_chunk_is_led_elsewhere_during_the_claim(store: Store) {
        let built = build(&store, "ada").chunk(&[Spot::Retry, Spot::Tail]).store().await;
        let half = store.write(Lane::Interactive, (), |tx, ()| {
            Box::pin(async move { tx.run_exactly(1, "UPDATE retries SET parts_done = 1", args![]).await })
        });
        half.await.unwrap();
        let owner = Run::start(&store).await.owner;
        let (locked, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let input = (built.chunks[0], Arc::clone(&locked), Arc::clone(&go_on));
        let leading = store.write(Lane::Interactive, input, |tx, (chunk, locked, go_on)| {
            Box::pin(async move {
                reroute_rows::lock(tx, *chunk).await?;
                reroute_rows::reroute(tx, *chunk, "spare", &reroute_rows::Manners::default()).await?;
                locked.notify_one();
                go_on.notified().await;
                Ok(())
            })
        });
        let now = Time(START.0 + 600_000);
        let claiming = async {
            locked.notified().await;
            let due = DueRetries { now, started_before: now, quiet: false, limit: 16, even_held: true, only_spared: false, only_own: false };
            let claim = store.write(Lane::Intent, (owner, due), |tx, (owner, due)| {
                Box::pin(retry::claim(tx, "main", *owner, *due))
            });
            let release = async {
                // By then the claim has found the retry, and waits for the chunk.
                tokio::time::sleep(std::time::Duration::from_millis(300)).await;
                go_on.notify_one();
            };
            tokio::join!(claim, release).0
        };
        let (led, claimed) = tokio::join!(leading, claiming);
        led.unwrap();
        assert_eq!(claimed.unwrap().len(), 1);
        let mut tx = store.read().await.unwrap();
        let held: (Option<RunId>,) =
            tx.one("SELECT owner FROM campaign_chunks WHERE id = $1", args![built.chunks[0]]).await.unwrap();
        assert_eq!(held.0, None, "the chunk is the other carrier's");
        assert_eq!(retry::lent_of_chunk(&mut tx, built.chunks[0]).await.unwrap().len(), 1);
    }

    async fn the_rest_of_a_half_sent_message_goes_by_its_carrier_when_its_chunk_is_another_runs(store: Store) {
        let built = build(&store, "ada").chunk(&[Spot::Retry, Spot::Tail]).store().await;
        let other = Run::start(&store).await.owner;
        // Led to another carrier, whose run holds the chunk: it has the rest, and not the half-sent message.
        store
            .write(Lane::Interactive, (built.chunks[0], other), |tx, (chunk, other)| {
                Box::pin(async move {
                    let sql = "UPDATE campaign_chunks SET carrier = 'spare', owner = $2, cursor = 1 WHERE id = $1";
                    tx.run_exactly(1, sql, args![*chunk, *other]).await?;
                    tx.run_exactly(1, "UPDATE retries SET parts_done = 1", args![]).await
                })
            })
            .await
            .unwrap();
        let mut run = Run::start(&store).await;
        run.clock.advance(std::time::Duration::from_secs(600));
        let sent = run.dispatch().await;
        let message = MessageId::new(built.chunks[0], 0);
        assert_eq!(sent.iter().map(|one| (one.message, one.parts_done)).collect::<Vec<_>>(), [(message, 1)]);
        // The run that holds the chunk dies: what is in flight here is not taken for lost.
        let third = Run::start(&store).await.owner;
        let dies = async |owner: RunId| {
            let stop = store.write(Lane::Interactive, owner, |tx, owner| Box::pin(daemon::stop(tx, *owner, START)));
            stop.await.unwrap();
            recovery::tick(&store, third, recovery::LEASE, START).await.unwrap().0
        };
        let mut tx = store.read().await.unwrap();
        let held: (Option<RunId>,) =
            tx.one("SELECT owner FROM campaign_chunks WHERE id = $1", args![built.chunks[0]]).await.unwrap();
        assert_eq!(held.0, Some(other), "the chunk stays with its run");
        drop(tx);
        assert_eq!(retry::lent_of_chunk(&mut store.read().await.unwrap(), built.chunks[0]).await.unwrap().len(), 1);
        if store.dialect() == Dialect::Postgres {
            assert_eq!(dies(other).await, 0);
        }
        // Now it is: no run would ever settle it otherwise.
        assert_eq!(dies(run.owner).await, 1);
        let settled = message::states(&mut store.read().await.unwrap(), &[message]).await.unwrap();
        assert_eq!(settled[&message].status, S::Unknown);
    }
}
