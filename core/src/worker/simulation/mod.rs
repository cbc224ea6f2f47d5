//! The workers against a hostile world, from a seed: answers lost, receipts early, twice or never, time that jumps,
//! operators who hold carriers and lead messages from one to the other, a database that fails before a commit or answers
//! it with an error, the process killed between any two writes, and one that was taken for dead and wakes. Whatever
//! happens, afterwards
//!
//! - the ledger adds up, no wallet is negative, reserves hold what open messages cost ([`crate::ledger::verify`]);
//! - no message was accepted twice by the network;
//! - every message is charged, released, or `unknown` with its money still reserved;
//! - nothing that the network accepted is shown as unsent, nothing that it never saw as sent.

mod check;
mod faults;
mod seeds;

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use self::faults::Killer;
use super::dispatch::{Dispatcher, Limits, Step};
use super::settle::Settler;
use crate::campaign::control::{self, Authority};
use crate::carrier::{Event, SmsCarrier};
use crate::contact::suppression::{self, Scope, Source};
use crate::content::Kind;
use crate::error::{Error, Result};
use crate::model::user::Role;
use crate::operate::{self, Hold, Target, reroute};
use crate::routing::Exit;
use crate::store::carrier::state;
use crate::store::operations::daemon;
use crate::store::{Lane, Store, WriteFaults};
use crate::testing::account::make_user;
use crate::testing::builder::{Built, START, Spot, build};
use crate::testing::carrier::{Network, Odds, ScriptedCarrier};
use crate::testing::database::for_each_database;
use crate::time::{Clock, ManualClock, Time};
use crate::worker::dispatch::open_chunks::Book;
use crate::worker::jobs::{number_index, recovery, scheduler};
use crate::worker::settle::deferred_receipts::Bounds;
use crate::worker::settle::unmatched_receipts::Reload;

/// Their references are the same numbers: what is taken for the other carrier's is found out.
const CARRIERS: [&str; 2] = ["main", "spare"];
const WINDOW: u32 = 40;
const OPERATIONS: u32 = 400;
/// Receipts are held though there are few.
const HELD: Bounds = Bounds { few: 2, dense: usize::MAX, many: 12, slice: 5 };

/// One life of the process.
struct Life {
    owner: i64,
    lines: [Line; 2],
}

/// One carrier of it.
struct Line {
    carrier: Arc<ScriptedCarrier>,
    dispatcher: Dispatcher,
    settler: Settler,
    reload: Reload,
    waiting: Vec<Event>,
}

impl Line {
    /// Settles what came off the wire. What could not be stored is kept for the next time.
    async fn settle(&mut self, most: usize, now: Time) -> Result<()> {
        self.waiting.extend(self.carrier.take_events(most));
        let events = std::mem::take(&mut self.waiting);
        match self.settler.settle(events, now).await {
            Ok(_) => Ok(()),
            Err((error, events)) => {
                self.waiting = events;
                Err(error)
            }
        }
    }
}

/// The whole of it.
struct Simulation {
    rng: StdRng,
    /// Without faults: what the test itself does.
    store: Store,
    /// With the killer's hand on it: what the process does.
    faulty: Store,
    killer: Arc<Killer>,
    clock: Arc<ManualClock>,
    networks: [Network; 2],
    admin: i64,
    campaigns: Vec<Built>,
    life: Option<Life>,
    /// A life before it that was taken for dead and is not.
    zombie: Option<Life>,
    crashes: AtomicU32,
    /// Messages that were led from one carrier to the other.
    led: i64,
    /// How often receipts were held.
    held: i64,
    /// How often the database failed a write, or did not say whether it stored it.
    doubts: i64,
    /// How often a life went on that was taken for dead.
    woken: i64,
}

impl Simulation {
    async fn new(store: Store, seed: u64, odds: Odds) -> Self {
        let killer = Arc::new(Killer::default());
        killer.disarm();
        let faults: Arc<dyn WriteFaults> = Arc::<Killer>::clone(&killer);
        let mut simulation = Self {
            rng: StdRng::seed_from_u64(seed),
            faulty: store.with_faults(faults),
            store,
            killer,
            clock: Arc::new(ManualClock::new(START)),
            networks: [Network::new(seed ^ 0x5eed, odds), Network::new(seed ^ 0xbeef, odds)],
            admin: 0,
            campaigns: Vec::new(),
            life: None,
            zombie: None,
            crashes: AtomicU32::new(0),
            led: 0,
            held: 0,
            doubts: 0,
            woken: 0,
        };
        simulation.admin = make_user(&simulation.store, "root", Role::Admin).await;
        simulation.confirm().await;
        simulation.begin().await;
        simulation
    }

    /// A new campaign of one of three users, in one or two chunks.
    async fn confirm(&mut self) {
        let user = format!("user{}", self.rng.random_range(0..3));
        let chunks = self.rng.random_range(1..3);
        let mut builder = build(&self.store, &user);
        for _ in 0..chunks {
            let size = self.rng.random_range(1..150);
            builder = builder.chunk(&vec![Spot::Tail; size]);
        }
        self.campaigns.push(builder.store().await);
    }

    /// A new life: the run before it is dead, and the network knows it by a new connection.
    async fn begin(&mut self) {
        let now = self.clock.now();
        if let Some(dead) = self.life.take() {
            self.crashes.fetch_add(1, Ordering::SeqCst);
            self.killer.disarm();
            self.store
                .write(Lane::Interactive, (dead.owner, now), |tx, (owner, now)| {
                    Box::pin(daemon::stop(tx, *owner, *now))
                })
                .await
                .unwrap();
            self.zombie = if self.rng.random_bool(0.3) { Some(dead) } else { None };
        }
        let owner = self
            .store
            .write(Lane::Interactive, now, |tx, now| Box::pin(daemon::start(tx, *now)))
            .await
            .unwrap();
        self.life = Some(Life { owner, lines: [0, 1].map(|line| self.connect(line, owner)) });
    }

    fn connect(&self, line: usize, owner: i64) -> Line {
        let carrier = self.networks[line].connect(CARRIERS[line], WINDOW);
        let shared: Arc<dyn SmsCarrier> = Arc::<ScriptedCarrier>::clone(&carrier);
        let book = Arc::new(Book::new(72 * 3_600_000));
        let clock: Arc<dyn Clock> = Arc::<ManualClock>::clone(&self.clock);
        let store = self.faulty.clone();
        Line {
            dispatcher: Dispatcher::new(store, Arc::clone(&shared), Arc::clone(&book), clock, owner),
            settler: Settler::new(self.faulty.clone(), shared, book, owner).holding(HELD),
            carrier,
            reload: Reload::default(),
            waiting: Vec::new(),
        }
    }

    /// One operation at random; a crash begins a new life.
    async fn operate(&mut self) {
        if self.rng.random_range(0..100) < 10 {
            self.killer.arm(&mut self.rng);
        }
        let outcome = match self.rng.random_range(0..100) {
            0..40 => self.dispatch().await.map(|_| ()),
            40..75 => self.settle().await,
            75..80 => self.housekeep().await,
            80..90 => {
                let span = Duration::from_millis(self.rng.random_range(0..20_000));
                self.clock.advance(span);
                Ok(())
            }
            90..92 => self.control().await,
            92..95 => self.hold_or_reroute().await,
            95..96 => self.opt_out().await,
            96..98 => {
                self.confirm().await;
                Ok(())
            }
            98 => self.wake().await,
            _ => Err(Error::Crashed),
        };
        match outcome {
            Ok(()) => {}
            Err(Error::Crashed) => self.begin().await,
            // As the loops that drive the workers do, and a person who gets an error.
            Err(error) if error.is_passing() => self.doubts += 1,
            Err(error) => panic!("{error}"),
        }
    }

    /// A step of one carrier. What an operator said of it is heard of late, now and then.
    async fn dispatch(&mut self) -> Result<Step> {
        let (which, is_late) = (self.rng.random_range(0..2), self.rng.random_bool(0.2));
        let said = state::find(&mut self.store.read().await?, CARRIERS[which]).await?;
        let hold = if is_late { Hold::Open } else { Hold::from_word(&said.state) };
        let Some(life) = &mut self.life else { return Err(Error::Crashed) };
        let line = &mut life.lines[which];
        let room = line.carrier.ready().await;
        match hold {
            Hold::Open => line.dispatcher.step(room).await,
            held => line.dispatcher.hold(Some(room), held).await,
        }
    }

    async fn settle(&mut self) -> Result<()> {
        let which = self.rng.random_range(0..2);
        self.settle_line(which).await
    }

    async fn settle_line(&mut self, which: usize) -> Result<()> {
        let most = self.rng.random_range(1..60);
        let Some(life) = &mut self.life else { return Err(Error::Crashed) };
        let line = &mut life.lines[which];
        line.settle(most, self.clock.now()).await?;
        self.held += i64::from(line.settler.held() > 0);
        line.settler.write_held(self.clock.now(), false).await.map(|_| ())
    }

    /// The life that was taken for dead goes on for a moment: it settles what it hears, and submits what it had claimed.
    async fn wake(&mut self) -> Result<()> {
        let now = self.clock.now();
        // It learns from its next heartbeat that it is dead, and ends.
        let Some(mut zombie) = self.zombie.take() else { return Ok(()) };
        for line in &mut zombie.lines {
            line.dispatcher.step(WINDOW).await?;
            line.settle(100, now).await?;
        }
        self.woken += 1;
        Ok(())
    }

    /// An operator's hand: a carrier is paused, drained or let go, or what waits at it is led to the other.
    async fn hold_or_reroute(&mut self) -> Result<()> {
        let (which, what) = (self.rng.random_range(0..2_usize), self.rng.random_range(0..7));
        match what {
            0 | 1 => self.say(CARRIERS[which], Hold::Paused).await,
            2 => self.say(CARRIERS[which], Hold::Draining).await,
            3 | 4 => self.say(CARRIERS[which], Hold::Open).await,
            _ => self.reroute(which).await,
        }
    }

    async fn say(&self, carrier: &'static str, hold: Hold) -> Result<()> {
        let input = (carrier, hold, self.admin, self.clock.now());
        self.faulty
            .write(Lane::Interactive, input, |tx, (carrier, hold, by, now)| {
                Box::pin(operate::set(tx, carrier, *hold, "by the test", *by, *now))
            })
            .await
    }

    /// What waits at a carrier is led to the other: as it stands, or when some of what is in flight is settled.
    async fn reroute(&mut self, which: usize) -> Result<()> {
        let from = CARRIERS[which];
        if self.rng.random_bool(0.7) {
            self.say(from, Hold::Paused).await?;
        }
        for _ in 0..self.rng.random_range(0..12) {
            let Some(life) = &mut self.life else { return Err(Error::Crashed) };
            life.lines[which].dispatcher.hold(Some(WINDOW), Hold::Paused).await?;
            self.settle_line(which).await?;
        }
        let exit = Exit { name: CARRIERS[1 - which].into(), kinds: Kind::ALL.to_vec(), ..Exit::default() };
        let (target, now) = (Target::Carrier(exit), self.clock.now());
        match reroute(&self.faulty, from, true, &target, self.admin, now).await {
            Ok(done) => {
                self.led += done.moved.values().sum::<i64>();
                Ok(())
            }
            Err(Error::Conflict { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn housekeep(&mut self) -> Result<()> {
        let now = self.clock.now();
        let Some(life) = &mut self.life else { return Err(Error::Crashed) };
        recovery::tick(&self.faulty, life.owner, recovery::LEASE, now).await?;
        scheduler::tick(&self.faulty, now).await?;
        while number_index::tick(&self.faulty, now).await? {}
        for line in &mut life.lines {
            line.settler.reload(&mut line.reload, now).await?;
            line.settler.match_late(now).await?;
        }
        Ok(())
    }

    /// A recipient opts out, or in again.
    async fn opt_out(&mut self) -> Result<()> {
        let built = &self.campaigns[self.rng.random_range(0..self.campaigns.len())];
        let number = built.numbers[self.rng.random_range(0..built.numbers.len())];
        let scope = if self.rng.random_bool(0.5) { Scope::Platform } else { Scope::User(built.user) };
        let back = self.rng.random_bool(0.3);
        self.faulty
            .write(Lane::Interactive, (scope, number, back), |tx, (scope, number, back)| {
                Box::pin(async move {
                    match back {
                        true => suppression::remove(tx, *scope, *number).await,
                        false => suppression::add(tx, *scope, *number, Source::Stop, START).await,
                    }
                })
            })
            .await
            .map(|_| ())
    }

    /// A customer's hand: pause, resume or cancel. A refusal is an answer.
    async fn control(&mut self) -> Result<()> {
        let campaign = self.campaigns[self.rng.random_range(0..self.campaigns.len())].campaign;
        let (what, now) = (self.rng.random_range(0..5), self.clock.now());
        let outcome = self
            .faulty
            .write(Lane::Interactive, (campaign, what, now), |tx, (campaign, what, now)| {
                Box::pin(async move {
                    match what {
                        0 | 1 => control::pause(tx, *campaign, Authority::Admin, "by the test").await,
                        2 | 3 => control::resume(tx, *campaign, Authority::Admin, true, *now).await,
                        _ => control::cancel(tx, *campaign, Authority::Admin, *now).await.map(|_| ()),
                    }
                })
            })
            .await;
        match outcome {
            Err(Error::Conflict { .. }) => Ok(()),
            other => other,
        }
    }

    /// Everything goes well from here on, until nothing moves any more.
    async fn heal(&mut self) {
        for network in &self.networks {
            network.set_odds(Odds::FAIR);
        }
        for carrier in CARRIERS {
            let input = (carrier, self.admin, self.clock.now());
            self.store
                .write(Lane::Interactive, input, |tx, (carrier, by, now)| {
                    Box::pin(operate::set(tx, carrier, Hold::Open, "", *by, *now))
                })
                .await
                .unwrap();
        }
        self.begin().await;
        // By now it is dead.
        self.zombie = None;
        for index in 0..self.campaigns.len() {
            let campaign = (self.campaigns[index].campaign, self.clock.now());
            let _over = self
                .store
                .write(Lane::Interactive, campaign, |tx, (campaign, now)| {
                    Box::pin(control::resume(tx, *campaign, Authority::Admin, true, *now))
                })
                .await;
        }
        let mut quiet = 0;
        for _ in 0..40_000 {
            self.housekeep().await.unwrap();
            let step = self.dispatch().await.unwrap();
            let busy = self.networks.iter().any(|network| !network.is_quiet());
            self.settle().await.unwrap();
            self.clock.advance(Duration::from_millis(400));
            quiet = if busy || step == Step::Worked { 0 } else { quiet + 1 };
            // Long enough for receipts that settle unknown messages by their number.
            if quiet > 400 {
                return;
            }
        }
        panic!("the workers never came to rest");
    }
}

async fn simulate(store: Store, seed: u64, odds: Odds) -> Simulation {
    let mut simulation = Simulation::new(store, seed, odds).await;
    for _ in 0..OPERATIONS {
        simulation.operate().await;
    }
    simulation.heal().await;
    simulation.check().await;
    simulation
}

#[tokio::test]
async fn whatever_happens_every_message_ends_once_and_every_unit_of_money_is_explained() {
    let seen = &Mutex::new([("led to the other carrier", 0), ("held", 0), ("in doubt", 0), ("woken", 0)]);
    let seeds = seeds::all();
    for seed in &seeds {
        seeds::say(*seed);
        for_each_database(|store| async move {
            let done = simulate(store, *seed, Odds::FOUL).await;
            let mut seen = seen.lock().unwrap();
            for (place, count) in [done.led, done.held, done.doubts, done.woken].into_iter().enumerate() {
                seen[place].1 += count;
            }
        })
        .await;
    }
    // One seed need not show everything.
    if seeds.len() >= seeds::FIXED {
        for (what, count) in *seen.lock().unwrap() {
            assert!(count > 0, "nothing was ever {what}");
        }
    }
}

#[tokio::test]
async fn a_crash_leaves_at_most_a_window_and_the_run_ahead_unknown() {
    for seed in seeds::all() {
        for_each_database(|store| async move {
            // Receipts are lost, so that nothing settles what the crash left.
            let odds = Odds { receipt_lost: 100, ..Odds::FAIR };
            let simulation = simulate(store, seed, odds).await;
            // A life that wakes may claim once more.
            let crashes = i64::from(simulation.crashes.load(Ordering::SeqCst)) + simulation.woken;
            let lines = &simulation.life.as_ref().unwrap().lines;
            let bound: i64 = lines.iter().map(|line| Limits::of(line.carrier.capabilities()).unsettled).sum();
            // The scripted network answers at once: what is not settled yet waits in its outbox.
            let unknown = simulation.unknown().await;
            assert!(unknown <= crashes * bound, "{unknown} unknown after {crashes} crashes");
        })
        .await;
    }
}
