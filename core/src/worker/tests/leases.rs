//! Whose carrier it is: two runs beside each other, and a database that forgot who took a lease.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;

use crate::carrier::voice::VoiceCarrier;
use crate::model::platform::id::RunId;
use crate::operate;
use crate::store::operations::daemon;
use crate::store::{Dialect, Lane, Store};
use crate::testing::carrier::Network;
use crate::testing::odds::Odds;
use crate::testing::trunk::ScriptedTrunk;
use crate::testing::worker::Open;
use crate::time::{Clock, ManualClock, SystemClock};
use crate::worker::runtime::{CarrierSlot, Start, StartCarrier, StartTrunk, Workers};
use crate::{args, both_databases};

/// Long beside what a busy machine holds a task up; a heartbeat is a fifth of it.
const LEASE: Duration = Duration::from_secs(5);

async fn register(store: &Store) -> Workers {
    let day = Duration::from_hours(24);
    let workers = Workers::register(store.clone(), Arc::new(SystemClock), Arc::new(Open), day).await.unwrap();
    workers.with_lease(LEASE)
}

/// The carrier of a run that lives on until it is closed.
fn slot(network: &Network) -> CarrierSlot {
    named(network, "main")
}

fn named(network: &Network, name: &'static str) -> CarrierSlot {
    let network = network.clone();
    let start: StartCarrier = Box::new(move || {
        let (sender, events) = mpsc::channel(1);
        // The channel stays open.
        std::mem::forget(sender);
        Ok((network.connect(name, 10), events))
    });
    CarrierSlot { name: name.into(), unknown: None, breakers: None, start: Start::Messages(start) }
}

/// The same of a carrier of calls, which is shut down once `may_end` has a permit.
fn trunk_slot(may_end: &Arc<Semaphore>) -> CarrierSlot {
    let may_end = Arc::clone(may_end);
    let start: StartTrunk = Box::new(move || {
        let trunk: Arc<dyn VoiceCarrier> = ScriptedTrunk::ends_with(Arc::clone(&may_end));
        Ok(trunk)
    });
    CarrierSlot { name: "main".into(), unknown: None, breakers: None, start: Start::Calls(start) }
}

/// Waits until the runs hold so many trunks each.
async fn trunks_are_held(runs: [&Workers; 2], wanted: [usize; 2]) {
    for _ in 0..600 {
        if runs.map(|run| run.trunks().len()) == wanted {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{:?}, not {wanted:?}", runs.map(|run| run.trunks().len()));
}

async fn run_sql(store: &Store, sql: &'static str) {
    store
        .write(Lane::Interactive, sql, |tx, sql| {
            Box::pin(async move { tx.run(*sql, args![]).await.map(|_| ()) })
        })
        .await
        .unwrap();
}

async fn owner(store: &Store) -> Option<RunId> {
    owner_of(store, "main").await
}

async fn owner_of(store: &Store, carrier: &str) -> Option<RunId> {
    let mut tx = store.read().await.unwrap();
    let sql = "SELECT owner FROM carrier_leases WHERE carrier = $1";
    let row: Option<(RunId,)> = tx.opt(sql, args![carrier]).await.unwrap();
    row.map(|(owner,)| owner)
}

/// Waits until `workers` alone of the two carries, and the database says so.
async fn carried_by(store: &Store, workers: &Workers, other: &Workers) {
    for _ in 0..600 {
        let counts = (workers.carriers().len(), other.carriers().len());
        if counts == (1, 0) && owner(store).await == Some(workers.owner()) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("not carried by {} alone", workers.owner());
}

both_databases! {
    async fn a_carrier_whose_lease_another_run_was_given_is_drained_and_waited_for(store: Store) {
        // A file belongs to one daemon.
        if store.dialect() == Dialect::Sqlite {
            return;
        }
        let network = Network::new(1, Odds::FAIR);
        let (first, second) = (register(&store).await, register(&store).await);
        let running = tokio::spawn({ let (first, slot) = (first.clone(), slot(&network)); async move { first.run(vec![slot]).await } });
        carried_by(&store, &first, &second).await;
        // The database does not know that it is taken: it is claimed again.
        run_sql(&store, "DELETE FROM carrier_leases").await;
        carried_by(&store, &first, &second).await;
        let beside = tokio::spawn({ let (second, slot) = (second.clone(), slot(&network)); async move { second.run(vec![slot]).await } });
        let input = (second.owner(), LEASE);
        store
            .write(Lane::Interactive, input, |tx, (owner, lease)| {
                Box::pin(async move {
                    tx.run("DELETE FROM carrier_leases", args![]).await?;
                    daemon::lease_carrier(tx, "main", *owner, *lease).await
                })
            })
            .await
            .unwrap();
        carried_by(&store, &second, &first).await;
        // The first waits for it like any other run.
        second.stop();
        beside.await.unwrap().unwrap();
        carried_by(&store, &first, &second).await;
        first.stop();
        running.await.unwrap().unwrap();
        assert_eq!(owner(&store).await, None, "given back");
    }

    async fn a_trunk_belongs_to_one_run_until_its_last_call_is_over(store: Store) {
        if store.dialect() == Dialect::Sqlite {
            return;
        }
        let may_end = Arc::new(Semaphore::new(0));
        let network = Network::new(1, Odds::FAIR);
        let (first, second) = (register(&store).await, register(&store).await);
        let begin = |run: &Workers| {
            let (run, slots) = (run.clone(), vec![trunk_slot(&may_end), named(&network, "texts")]);
            tokio::spawn(async move { run.run(slots).await })
        };
        let running = begin(&first);
        trunks_are_held([&first, &second], [1, 0]).await;
        while first.carriers().is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let view = |at| { let store = store.clone(); async move {
            let mut tx = store.read().await.unwrap();
            operate::overview(&mut tx, &["main".to_owned()], at).await.unwrap().remove(0)
        } };
        // A machine that stood still for a lease shows none, until it is claimed again.
        let shown = async {
            loop {
                let seen = view(SystemClock.now()).await;
                if (seen.owner, seen.calls_up()) == (Some(first.owner()), Some(3)) {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(4 * LEASE, shown).await.expect("its holder and its calls");
        let beside = begin(&second);
        first.stop();
        trunks_are_held([&first, &second], [0, 0]).await;
        // What carries messages does not wait for calls.
        let texts = async {
            while second.carriers().is_empty() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(LEASE / 2, texts).await.unwrap();
        // A call of the first is still up, so the other run must not place any, however long that takes.
        tokio::time::sleep(LEASE + LEASE / 2).await;
        assert_eq!((owner_of(&store, "main").await, second.trunks().len()), (Some(first.owner()), 0));
        may_end.add_permits(2);
        trunks_are_held([&first, &second], [0, 1]).await;
        running.await.unwrap().unwrap();
        second.stop();
        beside.await.unwrap().unwrap();
        assert_eq!(owner(&store).await, None, "given back");
    }

    async fn a_trunk_of_a_run_that_is_not_heard_is_hung_up_and_needs_a_new_lease(store: Store) {
        if store.dialect() == Dialect::Sqlite {
            return;
        }
        let clock = Arc::new(ManualClock::new(SystemClock.now()));
        let day = Duration::from_hours(24);
        let workers = Workers::register(store.clone(), clock.clone(), Arc::new(Open), day).await.unwrap().with_lease(LEASE);
        let (never, end) = (Arc::new(Semaphore::new(0)), CancellationToken::new());
        let carry = |held: CancellationToken, trunk: &Arc<ScriptedTrunk>| {
            let (workers, trunk, end) = (workers.clone(), Arc::clone(trunk), end.clone());
            let slot = trunk_slot(&never);
            tokio::spawn(async move { workers.carry_calls(&slot, trunk, held, &end).await })
        };
        let trunk = ScriptedTrunk::ends_with(Arc::clone(&never));
        let carried = carry(workers.lease_carrier("main", &end).await.unwrap(), &trunk);
        trunks_are_held([&workers, &workers], [1, 1]).await;
        clock.advance(LEASE);
        carried.await.unwrap();
        assert_eq!((trunk.graces(), workers.trunks().len()), (vec![Duration::ZERO], 0));
        // No heartbeat came through: it is not taken again.
        let early = tokio::time::timeout(Duration::from_millis(300), workers.lease_carrier("main", &end)).await;
        assert!(early.is_err() && owner(&store).await.is_none());

        workers.note_beat(true, clock.now());
        let trunk = ScriptedTrunk::ends_with(Arc::clone(&never));
        let held = workers.lease_carrier("main", &end).await.unwrap();
        let carried = carry(held.clone(), &trunk);
        trunks_are_held([&workers, &workers], [1, 1]).await;
        held.cancel();
        carried.await.unwrap();
        assert_eq!(trunk.graces(), [Duration::ZERO], "another run has its lease");

        let trunk = ScriptedTrunk::ends_with(Arc::clone(&never));
        let carried = carry(workers.lease_carrier("main", &end).await.unwrap(), &trunk);
        trunks_are_held([&workers, &workers], [1, 1]).await;
        end.cancel();
        trunks_are_held([&workers, &workers], [0, 0]).await;
        clock.advance(LEASE);
        carried.await.unwrap();
        assert_eq!(trunk.graces().len(), 2, "its grace ends early");
        assert_eq!(trunk.graces().last(), Some(&Duration::ZERO));
    }

    async fn a_lease_that_could_not_be_given_back_is_given_back_later(store: Store) {
        let workers = register(&store).await;
        let input = (workers.owner(), LEASE);
        store
            .write(Lane::Interactive, input, |tx, (owner, lease)| Box::pin(daemon::lease_carrier(tx, "main", *owner, *lease)))
            .await
            .unwrap();
        workers.renew_leases().await.unwrap();
        assert_eq!(owner(&store).await, None);
    }

    async fn a_run_that_was_not_heard_itself_for_a_whole_lease_declares_none_dead(store: Store) {
        let workers = register(&store).await;
        let now = SystemClock.now();
        let is_file = store.dialect() == Dialect::Sqlite;
        assert_eq!(workers.may_judge(now).is_some(), is_file);
        assert!(workers.may_judge(now + LEASE * 2).is_some());
        workers.note_beat(false, now);
        assert_eq!(workers.may_judge(now + LEASE * 3).is_some(), is_file);
        workers.note_beat(true, now + LEASE * 4);
        assert_eq!(workers.may_judge(now + LEASE * 4).is_some(), is_file);
        assert!(workers.may_judge(now + LEASE * 5).is_some());
    }

    async fn what_comes_with_a_heartbeat_does_not_hold_the_next_one_up(store: Store) {
        let workers = register(&store).await.with_lease(Duration::from_millis(50));
        // A database that never answers.
        let ended = tokio::time::timeout(LEASE * 6, workers.in_between("nothing", std::future::pending())).await;
        assert!(ended.is_ok());
    }

    async fn a_run_that_gave_a_carrier_up_does_not_claim_its_lease_again(store: Store) {
        let workers = register(&store).await;
        let end = CancellationToken::new();
        let held = workers.lease_carrier("main", &end).await.unwrap();
        run_sql(&store, "DELETE FROM carrier_leases").await;
        workers.renew_leases().await.unwrap();
        assert_eq!(owner(&store).await, Some(workers.owner()));
        workers.release_carrier("main").await;
        workers.renew_leases().await.unwrap();
        assert_eq!(owner(&store).await, None);
        assert!(!held.is_cancelled());
        end.cancel();
        assert!(held.is_cancelled());
        assert!(workers.lease_carrier("main", &end).await.is_none());
    }
}
