//! Lives of the process: how they begin, take carriers, settle, keep house and end. On SQLite there is one at a time, on
//! PostgreSQL two run side by side, and a carrier belongs to the one that holds its lease.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use rand::RngExt;

use super::{CARRIERS, HELD, Simulation, WINDOW};
use crate::args;
use crate::carrier::{Event, SmsCarrier};
use crate::clock::{Clock, ManualClock, Time};
use crate::error::{Error, Result};
use crate::operate::Hold;
use crate::store::{Dialect, Lane, Store, carrier_state, daemon};
use crate::testing::carrier::ScriptedCarrier;
use crate::worker::book::Book;
use crate::worker::dispatch::{Dispatcher, Step};
use crate::worker::late::Reload;
use crate::worker::settle::Settler;
use crate::worker::{index, rescue, schedule};

/// A run whose heartbeat is older than this is dead. The database's clock is a real one, and a seed takes less.
const LEASE_MS: i64 = 3_600_000;

/// One life of the process.
pub(super) struct Life {
    pub(super) owner: i64,
    /// The carriers that it holds.
    pub(super) lines: [Option<Line>; 2],
}

/// One carrier of it.
pub(super) struct Line {
    pub(super) carrier: Arc<ScriptedCarrier>,
    pub(super) dispatcher: Dispatcher,
    pub(super) settler: Settler,
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

/// A run whose process is gone; its heartbeat gets old, or is as good as old.
async fn fall_silent(store: &Store, owner: i64) {
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
        let owner = self
            .store
            .write(Lane::Interactive, now, |tx, now| Box::pin(daemon::start(tx, *now)))
            .await
            .unwrap();
        self.lives[place] = Some(Life { owner, lines: [None, None] });
    }

    /// A life ends where it stands. It may only have been taken for dead, and wake.
    pub(super) async fn crash(&mut self, place: usize) {
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
        if self.lives.len() == 1 {
            self.begin(place).await;
        }
    }

    /// A run whose process is gone has been silent for long enough.
    pub(super) async fn grow_silent(&mut self) {
        if let Some(owner) = self.silent.pop() {
            fall_silent(&self.store, owner).await;
        }
    }

    /// All end, and a new life takes everything.
    pub(super) async fn restart(&mut self) {
        for place in 0..self.lives.len() {
            if let Some(life) = self.lives[place].take() {
                self.crashes.fetch_add(1, Ordering::SeqCst);
                self.silent.push(life.owner);
            }
        }
        self.killer.disarm();
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
                    Box::pin(daemon::lease_carrier(tx, carrier, *owner, LEASE_MS))
                })
                .await?;
            if !leased {
                return Ok(None);
            }
            let line = self.connect(which, life.owner);
            self.taken_over += i64::from(self.holders[which].is_some_and(|last| last != place));
            self.holders[which] = Some(place);
            let Some(life) = &mut self.lives[place] else { return Err(Error::Crashed) };
            life.lines[which] = Some(line);
        }
        Ok(self.lives[place].as_mut().and_then(|life| life.lines[which].as_mut()))
    }

    fn connect(&self, which: usize, owner: i64) -> Line {
        let carrier = self.networks[which].connect(CARRIERS[which], WINDOW);
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

    /// A step of one carrier. What an operator said of it is heard of late, now and then, and so is a link that is cut.
    pub(super) async fn dispatch(&mut self, place: usize) -> Result<Step> {
        let (which, is_late) = (self.rng.random_range(0..2), self.rng.random_bool(0.2));
        let said = carrier_state::find(&mut self.store.read().await?, CARRIERS[which]).await?;
        let hold = if is_late { Hold::Open } else { Hold::from_word(&said.state) };
        let is_up = !self.networks[which].is_cut() || self.chance.random_bool(0.3);
        let Some(line) = self.line(place, which).await? else { return Ok(Step::Idle(None)) };
        let room = if is_up { Some(line.carrier.ready().await) } else { None };
        match (hold, room) {
            (Hold::Open, Some(room)) => line.dispatcher.step(room).await,
            (Hold::Open, None) => line.dispatcher.expire_late().await.map(|()| Step::Worked),
            (held, room) => line.dispatcher.hold(room, held).await,
        }
    }

    pub(super) async fn settle(&mut self, place: usize) -> Result<()> {
        let which = self.rng.random_range(0..2);
        self.settle_line(place, which).await
    }

    pub(super) async fn settle_line(&mut self, place: usize, which: usize) -> Result<()> {
        let (most, now) = (self.rng.random_range(1..60), self.clock.now());
        let Some(line) = self.line(place, which).await? else { return Ok(()) };
        line.settle(most, now).await?;
        let held = i64::from(line.settler.held() > 0);
        let written = line.settler.write_held(now, false).await.map(|_| ());
        self.held += held;
        written
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
        let (which, now) = (self.chance.random_range(0..2), self.clock.now());
        let Some(life) = &mut self.lives[place] else { return Err(Error::Crashed) };
        let owner = life.owner;
        let Some(mut line) = life.lines[which].take() else { return Ok(()) };
        let finished = line.dispatcher.finish().await;
        // Closing answers everything that is outstanding.
        let settled = line.settle(usize::MAX, now).await;
        let written = line.settler.write_held(now, true).await.map(|_| ());
        let left = rescue::leave(&self.faulty, owner, CARRIERS[which], now).await.map(|_| ());
        let released = self
            .faulty
            .write(Lane::Interactive, (CARRIERS[which], owner), |tx, (carrier, owner)| {
                Box::pin(daemon::release_carrier(tx, carrier, *owner))
            })
            .await;
        finished.and(settled).and(written).and(left).and(released)
    }

    pub(super) async fn housekeep(&mut self, place: usize) -> Result<()> {
        let now = self.clock.now();
        let Some(life) = &mut self.lives[place] else { return Err(Error::Crashed) };
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
        let silence = std::time::Duration::from_millis(LEASE_MS.unsigned_abs());
        rescue::tick(&self.faulty, owner, silence, now).await?;
        schedule::tick(&self.faulty, now).await?;
        while index::tick(&self.faulty, now).await? {}
        for line in life.lines.iter_mut().flatten() {
            line.settler.reload(&mut line.reload, now).await?;
            line.settler.match_late(now).await?;
        }
        Ok(())
    }
}
