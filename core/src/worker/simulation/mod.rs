//! The workers against a hostile world, from a seed: answers lost, receipts early, twice or never, time that jumps,
//! operators who hold carriers and lead messages from one to the other, a database that fails before a commit or answers
//! it with an error, the process killed between any two writes, and one that was taken for dead and wakes; a carrier and
//! the database lost at once; a database that goes back in time; on PostgreSQL two daemons side by side, of which one takes
//! over what the other had. Calls go the same way: answered too late, cut off, placed again, at once over the other trunk or
//! later. Whatever happens, afterwards
//!
//! - the ledger adds up, no wallet is negative, reserves hold what open messages cost ([`crate::ledger::verify`]);
//! - no message was accepted twice by the network;
//! - nothing of what waits for a canary goes out before enough of the canary was delivered or its campaign was resumed;
//! - every message is charged, released, or `unknown` with its money still reserved;
//! - nothing that the network accepted is shown as unsent, nothing that it never saw as sent;
//! - what a carrier refused for a reason of its own, or never sent, may go by the other, and nothing else does;
//! - what waits for a network that is not delivered to goes out once it is;
//! - a call that was answered is charged the pulses that it was up;
//! - a number opted out by key exactly if a call of its that is settled had a 9, and polls count each
//!   answered call once;
//! - no message was sent to a number whose opt-out that ends its purpose was stored before its intent;
//! - what is over is erased beside the send, nothing that may still go out is, and all of the above holds afterwards;
//! - no phone that rang is called again before its time, over whichever trunk.

mod check;
mod erasing;
mod faults;
mod life;
mod loss;
mod operator;
mod opt_outs;
mod restore;
mod seeds;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use talkdrum_api::kind::Kind;

use self::faults::Killer;
use self::life::Life;
use self::loss::Loss;
use self::opt_outs::Ended;
use self::restore::{Directory, Forgotten, Past};
use super::dispatch::{DispatchStep, Limits};
use crate::carrier::Capabilities;
use crate::error::Error;
use crate::model::account::id::UserId;
use crate::model::account::user::Role;
use crate::model::platform::id::RunId;
use crate::phone::Msisdn;
use crate::store::{Store, WriteFaults};
use crate::testing::account::make_user;
use crate::testing::builder::{Built, START};
use crate::testing::carrier::{CALL_AGAIN, Network, Phones};
use crate::testing::database::for_each_database;
use crate::testing::odds::Odds;
use crate::time::ManualClock;
use crate::worker::settle::deferred_receipts::Bounds;

/// Their references are the same numbers: what is taken for the other carrier's is found out.
const CARRIERS: [&str; 2] = ["main", "spare"];
const WINDOW: u32 = 40;
const OPERATIONS: u32 = 400;
/// Receipts are held though there are few.
const HELD: Bounds = Bounds { few: 2, dense: usize::MAX, many: 12, slice: 5 };

/// What campaigns are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum World {
    Messages,
    /// Messages that either carrier takes over from the other.
    Spares,
    /// Half of them of calls.
    Calls,
    /// Messages that retention erases as soon as they are over.
    Erased,
}

/// The whole of it.
struct Simulation {
    world: World,
    rng: StdRng,
    /// What befalls carriers, databases and daemons as a whole: apart, so that the rest of a seed stays as it is.
    chance: StdRng,
    /// Without faults: what the test itself does.
    store: Store,
    /// With the killer's hand on it: what the process does.
    faulty: Store,
    killer: Arc<Killer>,
    clock: Arc<ManualClock>,
    networks: [Network; 2],
    phones: Phones,
    admin: UserId,
    campaigns: Vec<Built>,
    /// Numbers, with the lists that they were put on or taken off by hand.
    touched: BTreeSet<(i64, Msisdn)>,
    ended: Ended,
    /// By place.
    lives: Vec<Option<Life>>,
    /// Runs whose process is gone and whose heartbeat is not old yet.
    silent: Vec<RunId>,
    /// By carrier: the place that had it last.
    holders: [Option<usize>; 2],
    /// A life before that was taken for dead and is not.
    zombie: Option<Life>,
    loss: Option<Loss>,
    /// By place.
    directories: Vec<Directory>,
    past: Past,
    /// By place: operations until the process there compares generations, after the database went back.
    compares_in: [Option<u32>; 2],
    forgotten: Forgotten,
    crashes: AtomicU32,
    /// The most messages that waited at the other carrier at once, as their own was down.
    led_away: AtomicI64,
    /// Steps of a dispatcher whose carrier refused all that it was given.
    refused_all: Arc<AtomicI64>,
    /// The most messages that waited for a breaker at once.
    parked: AtomicI64,
    /// Messages that were led from one carrier to the other.
    led: i64,
    /// How often receipts were held.
    held: i64,
    /// How often the database failed a write, or did not say whether it stored it.
    doubts: i64,
    /// How often a life went on that was taken for dead.
    woken: i64,
    /// How often links were cut.
    cuts: i64,
    /// How often a carrier was lost with answers on their way, and the database refused several writes meanwhile.
    lost: i64,
    /// How often a daemon took a carrier over from the other.
    taken_over: i64,
    /// How often another daemon had the lease of a carrier, as the database had forgotten who took it.
    leases_lost: i64,
    /// Messages that were packed before all went well.
    packed: i64,
    /// Events that could not be stored.
    passed_over: usize,
    /// How often the database went back in time.
    gone_back: i64,
    /// How often retention was let on beside the send.
    erasings: u32,
}

impl Simulation {
    async fn new(store: Store, seed: u64, odds: Odds, world: World) -> Self {
        let killer = Arc::new(Killer::default());
        killer.disarm();
        let faults: Arc<dyn WriteFaults> = Arc::<Killer>::clone(&killer);
        let mut simulation = Self {
            world,
            rng: StdRng::seed_from_u64(seed),
            chance: StdRng::seed_from_u64(seed ^ 0xcafe),
            faulty: store.with_faults(faults),
            lives: (0..Self::places(&store)).map(|_| None).collect(),
            store,
            killer,
            clock: Arc::new(ManualClock::new(START)),
            networks: [Network::new(seed ^ 0x5eed, odds), Network::new(seed ^ 0xbeef, odds)],
            phones: Phones::default(),
            admin: UserId(0),
            campaigns: Vec::new(),
            touched: BTreeSet::new(),
            ended: Ended::default(),
            silent: Vec::new(),
            holders: [None, None],
            zombie: None,
            loss: None,
            directories: vec![Directory::default(); 2],
            past: Past::Never,
            compares_in: [None, None],
            forgotten: Forgotten::default(),
            crashes: AtomicU32::new(0),
            led_away: AtomicI64::new(0),
            refused_all: Arc::default(),
            parked: AtomicI64::new(0),
            led: 0,
            held: 0,
            doubts: 0,
            woken: 0,
            cuts: 0,
            lost: 0,
            taken_over: 0,
            leases_lost: 0,
            packed: 0,
            passed_over: 0,
            gone_back: 0,
            erasings: 0,
        };
        for (which, network) in simulation.networks.iter().enumerate() {
            network.note_calls(&simulation.phones, &simulation.clock, which);
        }
        simulation.plan_restore();
        simulation.admin = make_user(&simulation.store, "root", Role::Admin).await;
        simulation.confirm().await;
        for place in 0..simulation.lives.len() {
            simulation.begin(place).await;
        }
        simulation
    }

    /// One operation at random; a crash begins a new life.
    async fn operate(&mut self) {
        self.pass_loss();
        self.pass_restore().await;
        if self.lives.len() > 1 && self.chance.random_bool(0.05) {
            self.grow_silent().await;
        }
        if self.rng.random_range(0..100) < 10 {
            self.killer.arm(&mut self.rng);
        }
        let place = self.next_life().await;
        let outcome = if self.world == World::Erased && self.chance.random_bool(0.1) {
            self.erase_beside().await
        } else if self.lives.len() > 1 && self.chance.random_bool(0.02) {
            self.hand_over(place).await
        } else {
            self.operate_in(place).await
        };
        self.check_canaries().await;
        match outcome {
            Ok(()) => {}
            Err(Error::Crashed) => self.crash(place).await,
            // As the loops that drive the workers do, and a person who gets an error.
            Err(error) if error.is_passing() => self.doubts += 1,
            // A database that went back may not know what a process works on: errors are expected until it notices.
            Err(_) if self.is_going_back() => {}
            Err(error) => panic!("{error}"),
        }
    }

    async fn operate_in(&mut self, place: usize) -> crate::Result<()> {
        match self.rng.random_range(0..100) {
            0..40 => self.dispatch(place).await.map(|_| ()),
            40..75 => self.settle(place).await,
            75..80 => self.housekeep(place).await,
            80..90 => {
                let span = Duration::from_millis(self.rng.random_range(0..20_000));
                self.clock.advance(span);
                Ok(())
            }
            90..92 => self.control().await,
            92..95 => self.hold_or_reroute(place).await,
            95..96 => self.opt_out().await,
            96..98 => {
                // Nobody confirms anything in the seconds until all have noticed.
                if !self.is_going_back() {
                    self.confirm().await;
                }
                Ok(())
            }
            98 => self.wake().await,
            _ => Err(Error::Crashed),
        }
    }

    /// Everything goes well from here on, until nothing moves any more.
    async fn heal(&mut self) {
        for network in &self.networks {
            network.set_odds(Odds::FAIR);
        }
        self.find_again();
        self.finish_restore().await;
        self.open_carriers().await;
        self.restart().await;
        self.release_again().await;
        self.resume_campaigns().await;
        let mut quiet = 0;
        for _ in 0..40_000 {
            self.housekeep(0).await.unwrap();
            self.resume_canaries().await;
            let step = self.dispatch(0).await.unwrap();
            let mut busy = self.networks.iter().any(|network| !network.is_quiet());
            for which in 0..CARRIERS.len() {
                busy |= self.settle_line(0, which).await.unwrap();
            }
            self.clock.advance(Duration::from_millis(if quiet < 10 { 400 } else { 16_000 }));
            quiet = if busy || step == DispatchStep::Worked { 0 } else { quiet + 1 };
            // Long enough for receipts that settle unknown messages by their number.
            if quiet > 20 {
                return;
            }
        }
        panic!("the workers never came to rest");
    }
}

async fn simulate(store: Store, seed: u64, odds: Odds, world: World) -> Simulation {
    let mut simulation = Simulation::new(store, seed, odds, world).await;
    if world == World::Erased {
        simulation.begin_erasing().await;
    }
    for _ in 0..OPERATIONS {
        simulation.operate().await;
    }
    simulation.packed = simulation.packed().await;
    simulation.heal().await;
    simulation.check().await;
    simulation.check_ended().await;
    simulation
}

#[tokio::test]
async fn whatever_happens_every_message_ends_once_and_every_unit_of_money_is_explained() {
    let seen = &Mutex::new([
        ("led to the other carrier", 0),
        ("held", 0),
        ("in doubt", 0),
        ("woken", 0),
        ("lost together with the database", 0),
        ("put back to an earlier time", 0),
        ("accepted and forgotten", 0),
        ("taken over by the other daemon", 0),
        ("leased again by the other daemon", 0),
        ("ended by an opt-out", 0),
        ("stopped by its canary", 0),
        ("let go by its canary", 0),
        ("packed while others were sent", 0),
    ]);
    let has_two_daemons = &std::sync::atomic::AtomicBool::new(false);
    let seeds = seeds::all();
    for seed in &seeds {
        seeds::say(*seed);
        for_each_database(|store| async move {
            has_two_daemons.fetch_or(Simulation::places(&store) > 1, Ordering::SeqCst);
            let done = simulate(store, *seed, Odds::FOUL, World::Messages).await;
            let [stopped, passed] = done.canaries().await;
            let counts = [
                done.led,
                done.held,
                done.doubts,
                done.woken,
                done.lost,
                done.gone_back,
                i64::try_from(done.accepted().forgotten()).unwrap(),
                done.taken_over,
                done.leases_lost,
                done.ended(),
                stopped,
                passed,
                done.packed,
            ];
            let mut seen = seen.lock().unwrap();
            for (place, count) in counts.into_iter().enumerate() {
                seen[place].1 += count;
            }
        })
        .await;
    }
    // One seed need not show everything.
    if seeds.len() >= seeds::FIXED {
        for (what, count) in *seen.lock().unwrap() {
            let is_possible = has_two_daemons.load(Ordering::SeqCst) || !what.ends_with("daemon");
            assert!(count > 0 || !is_possible, "nothing was ever {what}");
        }
    }
}

#[tokio::test]
async fn a_crash_leaves_at_most_a_window_and_the_run_ahead_unknown() {
    let capabilities = Capabilities { kinds: Kind::SMS.to_vec(), rate: 0, window: WINDOW, calls: None };
    crash_leaves_unknown(World::Messages, &capabilities).await;
}

#[tokio::test]
async fn a_crash_leaves_at_most_the_calls_that_were_up_unknown() {
    let calls = Some(CALL_AGAIN);
    let capabilities = Capabilities { kinds: Kind::ALL.to_vec(), rate: 0, window: WINDOW, calls };
    crash_leaves_unknown(World::Calls, &capabilities).await;
}

async fn crash_leaves_unknown(world: World, capabilities: &Capabilities) {
    let bound = 2 * Limits::of(capabilities).unsettled;
    for seed in seeds::some() {
        seeds::say(seed);
        for_each_database(|store| async move {
            // Receipts are lost, so that nothing settles what the crash left.
            let odds = Odds { receipt_lost: 100, ..Odds::FAIR };
            let simulation = simulate(store, seed, odds, world).await;
            // A life that wakes may claim once more; a link that is cut leaves what was on its way in doubt.
            let crashes = i64::from(simulation.crashes.load(Ordering::SeqCst)) + simulation.woken;
            let times = crashes + simulation.cuts;
            // The scripted network answers at once: what is not settled yet waits in its outbox.
            let unknown = simulation.unknown().await;
            assert!(unknown <= times * bound, "{unknown} unknown after {times} crashes and cuts");
        })
        .await;
    }
}

#[tokio::test]
async fn whatever_happens_every_call_is_charged_by_what_was_answered() {
    let seen = &Mutex::new(BTreeMap::new());
    let seeds = seeds::all();
    for seed in &seeds {
        seeds::say(*seed);
        for_each_database(|store| async move {
            let done = simulate(store, *seed, Odds::FOUL, World::Calls).await;
            let counts = done.calls_seen().await;
            let mut seen = seen.lock().unwrap();
            for (what, count) in counts {
                *seen.entry(what).or_insert(0) += count;
            }
        })
        .await;
    }
    if seeds.len() >= seeds::FIXED {
        for (what, count) in seen.lock().unwrap().iter() {
            assert!(*count > 0, "no call was ever {what}");
        }
    }
}

#[tokio::test]
async fn whatever_is_erased_meanwhile_was_over_and_the_books_stay_as_they_are() {
    let [meanwhile, afterwards] = &[const { AtomicI64::new(0) }; 2];
    let seeds = seeds::some();
    for seed in &seeds {
        seeds::say(*seed);
        for_each_database(|store| async move {
            let done = simulate(store, *seed, Odds::FOUL, World::Erased).await;
            meanwhile.fetch_add(done.erased().await[0], Ordering::SeqCst);
            done.erase_all().await;
            done.check().await;
            let [erased, left] = done.erased().await;
            // What is unknown is not over.
            assert!(left == 0 || done.unknown().await > 0, "{erased} erased, {left} left");
            afterwards.fetch_add(erased, Ordering::SeqCst);
        })
        .await;
    }
    let [meanwhile, afterwards] = [meanwhile, afterwards].map(|it| it.load(Ordering::SeqCst));
    if seeds.len() >= seeds::FIXED {
        assert!(meanwhile > 0, "nothing was ever erased while others were sent");
        assert!(afterwards > meanwhile, "{afterwards} afterwards, {meanwhile} meanwhile");
    }
}

#[tokio::test]
async fn whatever_two_carriers_do_a_message_goes_by_one_of_them_once() {
    let seen = &Mutex::new([
        ("moved on", 0),
        ("refused by both", 0),
        ("led away while its carrier was down", 0),
        ("held by a breaker", 0),
        ("refused with all others", 0),
    ]);
    let seeds = seeds::all();
    for seed in &seeds {
        seeds::say(*seed);
        for_each_database(|store| async move {
            let done = simulate(store, *seed, Odds::BARRED, World::Spares).await;
            let [moved_on, refused] = done.moved_on();
            let [led_away, parked, refused_all] =
                [&done.led_away, &done.parked, &done.refused_all].map(|it| it.load(Ordering::SeqCst));
            let mut seen = seen.lock().unwrap();
            for (place, count) in [moved_on, refused, led_away, parked, refused_all].into_iter().enumerate() {
                seen[place].1 += count;
            }
        })
        .await;
    }
    if seeds.len() >= seeds::FIXED {
        for (what, count) in *seen.lock().unwrap() {
            assert!(count > 0, "nothing was ever {what}");
        }
    }
}
