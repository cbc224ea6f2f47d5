//! Lives of the process: how they begin, take carriers, settle, keep house and end. On SQLite there is one at a time, on
//! PostgreSQL two run side by side, and a carrier belongs to the one that holds its lease.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rand::RngExt;

use super::faults::Killer;
use super::{CARRIERS, HELD, Simulation, WINDOW, World};
use crate::args;
use crate::campaign::control::canary;
use crate::carrier::vitals::Vitals;
use crate::carrier::{Event, Health, SmsCarrier};
use crate::error::{Error, Result};
use crate::model::campaign::canary::Judging;
use crate::model::carrier::CarrierHealth;
use crate::model::carrier::breaker::BreakerTerms;
use crate::model::platform::id::RunId;
use crate::operate::{Hold, generation};
use crate::phone::NetworkTable;
use crate::store::carrier::state;
use crate::store::operations::daemon;
use crate::store::{Dialect, Lane, Store};
use crate::testing::builder::START;
use crate::testing::carrier::ScriptedCarrier;
use crate::time::{Clock, ManualClock, Time};
use crate::worker::breakers::BreakerSetup;
use crate::worker::dispatch::open_chunks::OpenChunks;
use crate::worker::dispatch::{DispatchStep, Dispatcher};
use crate::worker::jobs::{compaction, number_index, packing, recovery, scheduler};
use crate::worker::runtime::leases;
use crate::worker::settle::Settler;
use crate::worker::settle::unmatched_receipts::Backfill;

/// A run whose heartbeat is older than this is dead. The database's clock is a real one, and a seed takes less.
const LEASE: Duration = Duration::from_hours(1);

/// Breakers that open often and are tried soon.
const BREAKER: BreakerTerms =
    BreakerTerms { floor: 95, sample: 10, window_s: 60, probe: 3, probe_every_s: 10 };

/// Messages at another carrier than their chunks', which their own never tried.
const LED_AWAY: &str = "SELECT COUNT(*) FROM retries r JOIN campaign_chunks ch ON ch.id = r.message_id / 4096 \
                        WHERE r.carrier <> ch.carrier AND r.reason = 'platform:unsent' AND r.tried <> ''";
/// Messages that wait for a breaker.
const PARKED: &str = "SELECT COUNT(*) FROM retries WHERE network IS NOT NULL";

/// One life of the process.
pub(super) struct Life {
    pub(super) owner: RunId,
    /// The carriers that it holds.
    pub(super) lines: [Option<Line>; 2],
    /// The database went back since it last claimed its leases: another may have been given one.
    pub(super) doubts_leases: bool,
}

impl Life {
    fn has(&self, which: usize) -> bool {
        self.lines[which].is_some()
    }
}

/// One carrier of it.
pub(super) struct Line {
    pub(super) carrier: Arc<ScriptedCarrier>,
    pub(super) dispatcher: Dispatcher,
    pub(super) settler: Settler,
    reload: Backfill,
    killer: Arc<Killer>,
    waiting: Vec<Event>,
    /// Events that could not be stored: there are none while the database stays what it was.
    passed_over: usize,
}

impl Line {
    /// Settles what came off the wire, as the loop that drives the settler does. What could not be stored is kept for the
    /// next time; an event that never can be is passed over.
    async fn settle(&mut self, most: usize, now: Time) -> Result<()> {
        self.waiting.extend(self.carrier.take_events(most));
        let mut batches = vec![std::mem::take(&mut self.waiting)];
        while let Some(batch) = batches.pop() {
            let Err((error, mut batch)) = self.settler.settle(batch, now).await else { continue };
            if error.is_passing() {
                if matches!(error, Error::Crashed) && self.killer.is_stored() {
                    batch.clear();
                }
                self.waiting = batches.into_iter().rev().fold(batch, |all, later| [all, later].concat());
                return Err(error);
            }
            if batch.len() > 1 {
                let later = batch.split_off(batch.len() / 2);
                batches.extend([later, batch]);
            } else {
                self.passed_over += batch.len();
                self.settler.give_up(&batch);
            }
        }
        Ok(())
    }
}

/// The heartbeat of a run whose process is gone gets old.
async fn fall_silent(store: &Store, owner: RunId) {
    store
        .write(Lane::Interactive, owner, |tx, owner| {
            Box::pin(tx.run("UPDATE daemons SET heartbeat_at = 0 WHERE id = $1", args![*owner]))
        })
        .await
        .unwrap();
}

impl Simulation {
    /// How many processes the database can have at once.
    pub(super) fn places(store: &Store) -> usize {
        match store.dialect() {
            Dialect::Sqlite => 1,
            Dialect::Postgres => 2,
        }
    }

    /// The process that acts next. A place that is empty may be filled; there is always one that lives.
    pub(super) async fn next_life(&mut self) -> usize {
        if self.lives.len() == 1 {
            return 0;
        }
        let place = self.chance.random_range(0..self.lives.len());
        if self.lives[place].is_some() {
            return place;
        }
        let other = 1 - place;
        if self.lives[other].is_none() || self.chance.random_bool(0.15) {
            self.begin(place).await;
            return place;
        }
        other
    }

    /// A new life in a place that is empty. The network knows it by new connections.
    pub(super) async fn begin(&mut self, place: usize) {
        let now = self.clock.now();
        let directory = self.directories[place].clone();
        generation::start(&self.store, &directory, format!("directory {place}"), now).await.unwrap();
        let owner = self
            .store
            .write(Lane::Interactive, now, |tx, now| Box::pin(daemon::start(tx, *now)))
            .await
            .unwrap();
        self.lives[place] = Some(Life { owner, lines: [None, None], doubts_leases: false });
    }

    /// A life ends where it stands, and on SQLite another one begins at once.
    pub(super) async fn crash(&mut self, place: usize) {
        self.die(place).await;
        if self.lives.len() == 1 {
            self.begin(place).await;
        }
    }

    /// A life ends where it stands. It may only have been taken for dead, and wake.
    pub(super) async fn die(&mut self, place: usize) {
        let Some(dead) = self.lives[place].take() else { return };
        self.crashes.fetch_add(1, Ordering::SeqCst);
        self.killer.disarm();
        let (owner, now) = (dead.owner, self.clock.now());
        if self.lives.len() == 1 {
            self.store
                .write(Lane::Interactive, (owner, now), |tx, (owner, now)| {
                    Box::pin(daemon::stop(tx, *owner, *now))
                })
                .await
                .unwrap();
        } else if self.chance.random_bool(0.5) {
            fall_silent(&self.store, owner).await;
        } else {
            self.silent.push(owner);
        }
        self.zombie = if self.rng.random_bool(0.3) { Some(dead) } else { None };
    }

    /// A run whose process is gone has been silent for long enough.
    pub(super) async fn grow_silent(&mut self) {
        if let Some(owner) = self.silent.pop() {
            fall_silent(&self.store, owner).await;
        }
    }

    /// Those of the runs that a database knows whose process is gone: after it went back they may seem to live.
    pub(super) async fn note_silent(&mut self) {
        let mut tx = self.store.read().await.unwrap();
        let runs: Vec<(RunId,)> =
            tx.all("SELECT id FROM daemons WHERE stopped_at IS NULL ORDER BY id", args![]).await.unwrap();
        let is_gone = |run: &RunId| self.lives.iter().flatten().all(|life| life.owner != *run);
        self.silent = runs.into_iter().map(|(run,)| run).filter(is_gone).collect();
    }

    /// All end, and a new life takes everything.
    pub(super) async fn restart(&mut self) {
        for place in 0..self.lives.len() {
            if let Some(life) = self.lives[place].take() {
                self.crashes.fetch_add(1, Ordering::SeqCst);
                drop(life);
            }
        }
        self.killer.disarm();
        self.note_silent().await;
        while !self.silent.is_empty() {
            self.grow_silent().await;
        }
        self.zombie = None;
        self.begin(0).await;
    }

    /// A carrier of a life, which takes its lease when it does not have it. `None` when another life has it.
    pub(super) async fn line(&mut self, place: usize, which: usize) -> Result<Option<&mut Line>> {
        let Some(life) = &self.lives[place] else { return Err(Error::Crashed) };
        if life.lines[which].is_none() {
            let leased = self
                .faulty
                .write(Lane::Interactive, (CARRIERS[which], life.owner), |tx, (carrier, owner)| {
                    Box::pin(daemon::lease_carrier(tx, carrier, *owner, LEASE))
                })
                .await;
            match leased {
                Ok(true) => {}
                Ok(false) => return Ok(None),
                // A run that the database forgot gets none, until its next heartbeat ends it.
                Err(error) if self.gone_back > 0 && !error.is_passing() => return Ok(None),
                Err(error) => return Err(error),
            }
            // A database that went back forgot who took a lease, until that process claims it again.
            let is_mine = self.lives.iter().flatten().all(|life| !life.has(which) || life.doubts_leases);
            assert!(is_mine, "two processes have {}", CARRIERS[which]);
            let line = self.connect(which, life.owner);
            self.taken_over += i64::from(self.holders[which].is_some_and(|last| last != place));
            self.holders[which] = Some(place);
            let Some(life) = &mut self.lives[place] else { return Err(Error::Crashed) };
            life.lines[which] = Some(line);
        }
        Ok(self.lives[place].as_mut().and_then(|life| life.lines[which].as_mut()))
    }

    fn connect(&self, which: usize, owner: RunId) -> Line {
        let (network, name) = (&self.networks[which], CARRIERS[which]);
        let carrier = match self.world {
            World::Messages | World::Spares | World::Erased => network.connect(name, WINDOW),
            World::Calls => network.connect_for_calls(name, WINDOW, CARRIERS[1 - which]),
        };
        let shared: Arc<dyn SmsCarrier> = Arc::<ScriptedCarrier>::clone(&carrier);
        let networks = Arc::new(NetworkTable::builtin().clone());
        let breakers = BreakerSetup { terms: (self.world == World::Spares).then_some(BREAKER), networks };
        let book = Arc::new(OpenChunks::new(72 * 3_600_000).with_breakers(Some(breakers)));
        let clock: Arc<dyn Clock> = Arc::<ManualClock>::clone(&self.clock);
        let store = self.faulty.clone();
        Line {
            dispatcher: Dispatcher::new(store, Arc::clone(&shared), Arc::clone(&book), clock, owner),
            settler: Settler::new(self.faulty.clone(), shared, book, owner).deferring(HELD),
            carrier,
            reload: Backfill::default(),
            killer: Arc::clone(&self.killer),
            waiting: Vec::new(),
            passed_over: 0,
        }
    }

    /// A step of one carrier. What an operator said of it is heard of late, now and then, and so is a link that is cut.
    pub(super) async fn dispatch(&mut self, place: usize) -> Result<DispatchStep> {
        let (which, is_late) = (self.rng.random_range(0..2), self.rng.random_bool(0.2));
        self.show_carriers().await;
        let said = state::find(&mut self.store.read().await?, CARRIERS[which]).await?;
        let hold = said.filter(|_| !is_late).map_or(Hold::Open, |said| said.state);
        if self.is_gate_shut().await? {
            let Some(line) = self.line(place, which).await? else { return Ok(DispatchStep::Idle(None)) };
            return line.dispatcher.stand_by().await.map(|()| DispatchStep::Idle(None));
        }
        let is_up = !self.networks[which].is_cut() || self.chance.random_bool(0.3);
        let refused_all = Arc::clone(&self.refused_all);
        let Some(line) = self.line(place, which).await? else { return Ok(DispatchStep::Idle(None)) };
        let room = if is_up { Some(line.carrier.ready().await) } else { None };
        refused_all.fetch_add(
            i64::from(line.dispatcher.vitals().health == CarrierHealth::Refusing),
            Ordering::SeqCst,
        );
        match (hold, room) {
            (Hold::Open, Some(room)) => line.dispatcher.step(room).await,
            (Hold::Open, None) => line.dispatcher.stand_aside().await,
            (held, room) => line.dispatcher.hold(room, held).await,
        }
    }

    /// Counts what waits at the other carrier, as its own was down, and what waits for a breaker.
    async fn note_waiting(&self) {
        let mut tx = self.store.read().await.unwrap();
        for (sql, seen) in [(LED_AWAY, &self.led_away), (PARKED, &self.parked)] {
            let (count,): (i64,) = tx.one(sql, args![]).await.unwrap();
            seen.fetch_max(count, Ordering::SeqCst);
        }
    }

    /// Daemons tell how their carriers fare, so that others may take what one failed to.
    async fn show_carriers(&self) {
        if matches!(self.world, World::Messages | World::Erased) {
            return;
        }
        self.note_waiting().await;
        for (which, name) in CARRIERS.iter().enumerate() {
            let Some(life) = self.lives.iter().flatten().find(|life| life.has(which)) else { continue };
            let health = match self.networks[which].is_cut() {
                false => Health::Up,
                true => Health::Connecting { reason: "the link is cut".into() },
            };
            let vitals = match (self.world, &life.lines[which]) {
                (World::Spares, Some(line)) => line.dispatcher.vitals(),
                _ => Vitals { window: WINDOW, ..Vitals::of_test_trunk(health) },
            };
            let seen = vec![((*name).to_owned(), vitals)];
            let input = (life.owner, self.clock.now(), seen);
            let noted = self.store.write(Lane::Background, input, |tx, (owner, now, seen)| {
                Box::pin(state::note_vitals(tx, *owner, *now, seen))
            });
            // A database that went back may not know the run.
            assert!(noted.await.is_ok() || self.gone_back > 0);
        }
    }

    pub(super) async fn settle(&mut self, place: usize) -> Result<()> {
        let which = self.rng.random_range(0..2);
        self.settle_line(place, which).await.map(|_| ())
    }

    /// Settles what a carrier said; whether some of it is held until it can be written.
    pub(super) async fn settle_line(&mut self, place: usize, which: usize) -> Result<bool> {
        let (most, now) = (self.rng.random_range(1..60), self.clock.now());
        let Some(line) = self.line(place, which).await? else { return Ok(false) };
        let settled = line.settle(most, now).await;
        let (passed_over, held) = (line.passed_over, i64::from(line.settler.deferred() > 0));
        line.passed_over = 0;
        let written = match settled {
            Ok(()) => line.settler.write_deferred(now, false).await.map(|_| ()),
            error => error,
        };
        let tended = match written {
            Ok(()) => line.settler.tend_breakers(now).await,
            error => error,
        };
        self.passed_over += passed_over;
        self.held += held;
        tended.map(|()| held > 0)
    }

    /// The life that was taken for dead goes on for a moment: it settles what it hears, and submits what it had claimed.
    pub(super) async fn wake(&mut self) -> Result<()> {
        let now = self.clock.now();
        // It learns from its next heartbeat that it is dead, and ends.
        let Some(mut zombie) = self.zombie.take() else { return Ok(()) };
        for line in zombie.lines.iter_mut().flatten() {
            line.dispatcher.step(WINDOW).await?;
            line.settle(100, now).await?;
        }
        self.woken += 1;
        Ok(())
    }

    /// A life closes a carrier in good order and gives its lease back, as after a reload.
    pub(super) async fn hand_over(&mut self, place: usize) -> Result<()> {
        let which = self.chance.random_range(0..2);
        self.close(place, which).await
    }

    async fn close(&mut self, place: usize, which: usize) -> Result<()> {
        let now = self.clock.now();
        let Some(life) = &mut self.lives[place] else { return Err(Error::Crashed) };
        let owner = life.owner;
        let Some(mut line) = life.lines[which].take() else { return Ok(()) };
        let finished = line.dispatcher.finish().await;
        // Closing answers everything that is outstanding.
        let settled = line.settle(usize::MAX, now).await;
        let written = line.settler.write_deferred(now, true).await.map(|_| ());
        let left = recovery::leave(&self.faulty, owner, CARRIERS[which], now).await.map(|_| ());
        let released = self
            .faulty
            .write(Lane::Interactive, (CARRIERS[which], owner), |tx, (carrier, owner)| {
                Box::pin(daemon::release_carrier(tx, carrier, *owner))
            })
            .await;
        finished.and(settled).and(written).and(left).and(released)
    }

    /// A life claims its leases again, and closes the carriers that another has.
    async fn renew_leases(&mut self, place: usize, owner: RunId) -> Result<()> {
        let Some(life) = &self.lives[place] else { return Err(Error::Crashed) };
        let held = (0..2).filter(|which| life.has(*which)).map(|which| CARRIERS[which].to_owned());
        let lost = leases::renew(&self.faulty, held.collect(), owner, LEASE).await?;
        let Some(life) = &self.lives[place] else { return Err(Error::Crashed) };
        assert!(lost.is_empty() || life.doubts_leases, "{lost:?} were taken from a life");
        for which in (0..2).filter(|which| lost.iter().any(|lost| lost == CARRIERS[*which])) {
            self.leases_lost += 1;
            self.close(place, which).await?;
        }
        let Some(life) = &mut self.lives[place] else { return Err(Error::Crashed) };
        life.doubts_leases = false;
        for (which, name) in CARRIERS.iter().enumerate() {
            let holders = self.lives.iter().flatten().filter(|life| life.has(which));
            let is_mine = holders.clone().count() < 2 || holders.clone().any(|life| life.doubts_leases);
            assert!(is_mine, "two processes have {name}");
        }
        Ok(())
    }

    pub(super) async fn housekeep(&mut self, place: usize) -> Result<()> {
        let now = self.clock.now();
        let Some(life) = &self.lives[place] else { return Err(Error::Crashed) };
        let owner = life.owner;
        let lives = self
            .faulty
            .write(Lane::Heartbeat, (owner, now), |tx, (owner, now)| {
                Box::pin(daemon::heartbeat(tx, *owner, *now))
            })
            .await?;
        if !lives {
            // It was taken for dead, and ends.
            return Err(Error::Crashed);
        }
        self.renew_leases(place, owner).await?;
        if self.chance.random_bool(0.3) {
            self.compare(place, &self.faulty.clone()).await?;
        }
        // It may have ended.
        let Some(life) = self.lives[place].as_mut().filter(|life| life.owner == owner) else { return Ok(()) };
        recovery::tick(&self.faulty, owner, LEASE, now).await?;
        scheduler::tick(&self.faulty, now).await?;
        let by = Judging { since: START, now, is_quiet: false };
        canary::judge_all(&self.faulty, by, &mut Vec::new()).await?;
        while number_index::tick(&self.faulty, now).await? {}
        while compaction::tick(&self.faulty, 16).await? {}
        while packing::tick(&self.faulty, now, 4).await? {}
        for line in life.lines.iter_mut().flatten() {
            line.settler.reload(&mut line.reload, now).await?;
            line.settler.match_late(now).await?;
        }
        Ok(())
    }
}
