//! The thin loops that drive the workers: one pair of tasks a carrier, one for what is due, one heartbeat.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::sync::mpsc::error::TryRecvError;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::book::Book;
use super::dispatch::{Dispatcher, Step};
use super::late::Reload;
use super::settle::Settler;
use super::{rescue, schedule, unknown};
use crate::campaign::hours::QuietHours;
use crate::carrier::policy::UnknownThen;
use crate::carrier::{Event, Events, SmsCarrier};
use crate::clock::{Clock, Time};
use crate::error::{Error, Result};
use crate::notice::Notices;
use crate::store::{Dialect, Lane, Store, daemon};

/// Events settled in one transaction: small enough that nobody waits long for the writer.
const BATCH: usize = 4_096;
/// How long an idle dispatcher sleeps when nobody wakes it.
const IDLE: Duration = Duration::from_millis(500);
/// How long a carrier that takes nothing is waited for before expired messages are looked for.
const NOT_READY: Duration = Duration::from_secs(5);
/// How often unknown messages are looked at whose money waited long enough.
const UNKNOWN_EVERY: Duration = Duration::from_mins(1);
/// The shortest sleep before something is due.
const DUE_SOON: Duration = Duration::from_millis(5);
/// Tries to store what came last while the daemon stops.
const LAST_TRIES: u32 = 20;
/// After a failed step.
const BACK_OFF: Duration = Duration::from_millis(500);
/// Between heartbeats; a run that missed them for [`SELF_FENCE_MS`] stops writing to sockets.
const HEARTBEAT: Duration = Duration::from_secs(3);
/// Shorter than [`rescue::SILENCE_MS`], after which others take its chunks.
const SELF_FENCE_MS: i64 = 10_000;
/// How long a settler waits for events before it looks after late receipts.
const QUIET: Duration = Duration::from_millis(200);
/// How long answers may take when the daemon stops.
const GRACE: Duration = Duration::from_secs(10);

/// What a carrier is started with, once this daemon holds its lease.
pub type StartCarrier = Box<dyn FnOnce() -> Result<(Arc<dyn SmsCarrier>, Events)> + Send>;

/// A carrier by name, and how to start it.
pub struct CarrierSlot {
    /// Its name in the configuration.
    pub name: String,
    /// When and how its unknown messages are settled; `None` leaves them to people.
    pub unknown: Option<(Duration, UnknownThen)>,
    /// Connects it.
    pub start: StartCarrier,
}

impl std::fmt::Debug for CarrierSlot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CarrierSlot").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Whether intents may be stored: disk space, a restore's hold.
pub trait Gate: Send + Sync + std::fmt::Debug {
    /// An error says why not, and what to do.
    fn check(&self) -> Result<()>;
}

/// What the workers share.
#[derive(Clone, Debug)]
pub struct Workers {
    store: Store,
    clock: Arc<dyn Clock>,
    gate: Arc<dyn Gate>,
    owner: i64,
    validity: Duration,
    notices: Option<Notices>,
    hours: Option<Arc<QuietHours>>,
    wake: Arc<Notify>,
    stop: CancellationToken,
    /// The last heartbeat that the database took.
    beat_at: Arc<AtomicI64>,
    carriers: Arc<std::sync::RwLock<Vec<Arc<dyn SmsCarrier>>>>,
    declared_dead: Arc<AtomicBool>,
}

impl Workers {
    /// Registers a run of the daemon. `validity` is how long a message is of use after its campaign began.
    pub async fn register(
        store: Store,
        clock: Arc<dyn Clock>,
        gate: Arc<dyn Gate>,
        validity: Duration,
    ) -> Result<Self> {
        let now = clock.now();
        let owner = store.write(Lane::Interactive, now, |tx, now| Box::pin(daemon::start(tx, *now))).await?;
        Ok(Self {
            store,
            clock,
            gate,
            owner,
            validity,
            notices: None,
            hours: None,
            wake: Arc::new(Notify::new()),
            stop: CancellationToken::new(),
            beat_at: Arc::new(AtomicI64::new(now.0)),
            carriers: Arc::default(),
            declared_dead: Arc::default(),
        })
    }

    /// Also sends the platform's own text messages.
    #[must_use]
    pub fn with_notices(self, notices: Notices) -> Self {
        Self { notices: Some(notices), ..self }
    }

    /// The same with quiet hours for promotional messages.
    pub fn with_hours(self, hours: Option<Arc<QuietHours>>) -> Self {
        Self { hours, ..self }
    }

    /// This run's id: the owner of the chunks it holds.
    pub const fn owner(&self) -> i64 {
        self.owner
    }

    /// Wakes idle dispatchers: something was confirmed or resumed.
    pub fn wake(&self) {
        self.wake.notify_waiters();
    }

    /// The carriers this daemon holds.
    pub fn carriers(&self) -> Vec<Arc<dyn SmsCarrier>> {
        self.carriers.read().map(|carriers| carriers.clone()).unwrap_or_default()
    }

    /// Runs until [`Workers::stop`], then waits for outstanding answers and gives everything back.
    pub async fn run(&self, slots: Vec<CarrierSlot>) -> Result<()> {
        let mut tasks = JoinSet::new();
        let housekeeping = self.clone();
        tasks.spawn(async move { housekeeping.housekeep().await });
        let beating = self.clone();
        tasks.spawn(async move { beating.beat().await });
        for slot in slots {
            let workers = self.clone();
            tasks.spawn(async move { workers.carry(slot).await });
        }
        while let Some(ended) = tasks.join_next().await {
            if let Err(panic) = ended {
                tracing::error!(%panic, "a worker panicked");
                self.stop.cancel();
            }
        }
        let now = self.clock.now();
        let unknown = rescue::stop(&self.store, self.owner, now).await?;
        if unknown > 0 {
            tracing::warn!(unknown, "messages were in flight when the daemon stopped");
        }
        let owner = self.owner;
        self.store
            .write(Lane::Interactive, (owner, now), |tx, (owner, now)| {
                Box::pin(daemon::stop(tx, *owner, *now))
            })
            .await
    }

    /// Asks the workers to end.
    pub fn stop(&self) {
        self.stop.cancel();
        self.wake();
    }

    /// Sleeps, or returns true at once when the workers are to stop.
    async fn stopped_within(&self, span: Duration) -> bool {
        tokio::time::timeout(span, self.stop.cancelled()).await.is_ok()
    }

    async fn housekeep(&self) {
        // On SQLite nobody else can die while this run lives.
        let mut may_find_dead = true;
        loop {
            let now = self.clock.now();
            if may_find_dead {
                match rescue::tick(&self.store, self.owner, now).await {
                    Ok((unknown, more)) => {
                        may_find_dead = more || self.store.dialect() == Dialect::Postgres;
                        if unknown > 0 {
                            tracing::warn!(unknown, "messages of a run that died are unknown now");
                            self.wake();
                        }
                    }
                    Err(error) => tracing::error!(%error, "the rescue failed"),
                }
            }
            match schedule::tick(&self.store, now).await {
                Ok(started) if started.is_empty() => {}
                Ok(started) => {
                    tracing::info!(campaigns = ?started, "scheduled campaigns started");
                    self.wake();
                }
                Err(error) => tracing::error!(%error, "starting scheduled campaigns failed"),
            }
            if self.stopped_within(IDLE).await {
                return;
            }
        }
    }

    async fn beat(&self) {
        while !self.stopped_within(HEARTBEAT).await {
            let now = self.clock.now();
            let beat = self
                .store
                .write(Lane::Interactive, (self.owner, now), |tx, (owner, now)| {
                    Box::pin(daemon::heartbeat(tx, *owner, *now))
                })
                .await;
            match beat {
                Ok(true) => self.beat_at.store(now.0, Ordering::Relaxed),
                Ok(false) => {
                    tracing::error!("others took this run for dead: it stops, so that nothing is sent twice");
                    self.declared_dead.store(true, Ordering::Relaxed);
                    self.stop.cancel();
                }
                Err(error) => tracing::error!(%error, "the heartbeat failed"),
            }
        }
    }

    /// Whether this run may still write to sockets: others may have taken its chunks when it fell silent.
    fn is_fenced(&self) -> bool {
        self.store.dialect() == Dialect::Postgres
            && (self.declared_dead.load(Ordering::Relaxed)
                || self.clock.now().0 - self.beat_at.load(Ordering::Relaxed) > SELF_FENCE_MS)
    }

    /// Waits for a carrier's lease, then dispatches and settles until the end.
    async fn carry(&self, slot: CarrierSlot) {
        loop {
            let input = (slot.name.clone(), self.owner);
            let leased = self
                .store
                .write(Lane::Interactive, input, |tx, (carrier, owner)| {
                    Box::pin(daemon::lease_carrier(tx, carrier, *owner, rescue::SILENCE_MS))
                })
                .await;
            match leased {
                Ok(true) => break,
                Ok(false) => {}
                Err(error) => tracing::error!(carrier = slot.name, %error, "leasing the carrier failed"),
            }
            if self.stopped_within(HEARTBEAT).await {
                return;
            }
        }
        let (carrier, events) = match (slot.start)() {
            Ok(started) => started,
            Err(error) => {
                tracing::error!(carrier = slot.name, code = error.code(), %error, "the carrier cannot be started");
                return self.release(slot.name).await;
            }
        };
        if let Ok(mut carriers) = self.carriers.write() {
            carriers.push(Arc::clone(&carrier));
        }
        let validity = i64::try_from(self.validity.as_millis()).unwrap_or(i64::MAX);
        let book = Arc::new(Book::new(validity).with_hours(self.hours.clone()));
        let settler = Settler::new(self.store.clone(), Arc::clone(&carrier), Arc::clone(&book));
        let closed = CancellationToken::new();
        if let Some(policy) = slot.unknown {
            let (workers, name, closed) = (self.clone(), slot.name.clone(), closed.clone());
            tokio::spawn(async move { workers.write_off(&name, policy, closed).await });
        }
        let mut settling = {
            let (workers, closed) = (self.clone(), closed.clone());
            tokio::spawn(async move { workers.settle(settler, events, closed).await })
        };
        tokio::select! {
            () = self.dispatch(&carrier, book) => {}
            ended = &mut settling => {
                // Nothing may be sent whose answer nobody would record.
                tracing::error!(carrier = slot.name, ?ended, "the settler ended by itself: the daemon stops");
                self.stop.cancel();
                carrier.close(Duration::ZERO).await;
                return;
            }
        }
        // Closing answers everything outstanding; when it returns, the last event is in the channel.
        carrier.close(GRACE).await;
        closed.cancel();
        if let Ok(mut carriers) = self.carriers.write() {
            carriers.retain(|held| held.name() != slot.name);
        }
        if let Err(panic) = settling.await {
            tracing::error!(carrier = slot.name, %panic, "the settler panicked");
        }
    }

    /// Settles unknown messages as the carrier's policy says, until the carrier is closed.
    async fn write_off(&self, carrier: &str, policy: (Duration, UnknownThen), closed: CancellationToken) {
        let mut look = unknown::Look::default();
        loop {
            tokio::select! {
                () = closed.cancelled() => return,
                () = self.stop.cancelled() => return,
                () = tokio::time::sleep(UNKNOWN_EVERY) => {}
            }
            match unknown::tick(&self.store, carrier, policy, &mut look, self.clock.now()).await {
                Ok(0) => {}
                Ok(messages) => {
                    tracing::warn!(carrier, messages, then = ?policy.1, "unknown messages were settled");
                }
                Err(error) => {
                    tracing::error!(carrier, code = error.code(), %error, "unknown messages were left");
                }
            }
        }
    }

    async fn release(&self, carrier: String) {
        let released = self
            .store
            .write(Lane::Interactive, (carrier, self.owner), |tx, (carrier, owner)| {
                Box::pin(daemon::release_carrier(tx, carrier, *owner))
            })
            .await;
        if let Err(error) = released {
            tracing::error!(code = error.code(), %error, "the carrier's lease was not given back");
        }
    }

    async fn dispatch(&self, carrier: &Arc<dyn SmsCarrier>, book: Arc<Book>) {
        let mut dispatcher = Dispatcher::new(
            self.store.clone(),
            Arc::clone(carrier),
            book,
            Arc::clone(&self.clock),
            self.owner,
        )
        .with_notices(self.notices.clone());
        while self.dispatch_once(carrier, &mut dispatcher).await {}
        if let Err(error) = dispatcher.finish().await {
            tracing::error!(carrier = carrier.name(), code = error.code(), %error, "claims were not given back");
        }
    }

    /// One step, and a pause when there was nothing to do. False when the workers are to stop.
    async fn dispatch_once(&self, carrier: &Arc<dyn SmsCarrier>, dispatcher: &mut Dispatcher) -> bool {
        let woken = self.wake.notified();
        tokio::pin!(woken);
        woken.as_mut().enable();
        let room = tokio::select! {
            biased;
            () = self.stop.cancelled() => return false,
            room = carrier.ready() => Some(room),
            () = tokio::time::sleep(NOT_READY) => None,
        };
        let step = match (self.may_send(), room) {
            (Ok(()), Some(room)) => dispatcher.step(room).await,
            (Ok(()), None) => dispatcher.expire_late().await.map(|()| Step::Worked),
            (Err(error), _) => Err(error),
        };
        let pause = match step {
            Ok(Step::Worked) => return true,
            Ok(Step::Full) => {
                tokio::select! {
                    () = self.stop.cancelled() => return false,
                    () = dispatcher.unsettled().fell() => return true,
                }
            }
            Ok(Step::Idle(due)) => due.map_or(IDLE, |due| due.since(self.clock.now()).clamp(DUE_SOON, IDLE)),
            Err(error) => {
                tracing::error!(carrier = carrier.name(), code = error.code(), %error, "nothing is dispatched");
                BACK_OFF
            }
        };
        tokio::select! {
            () = self.stop.cancelled() => false,
            () = woken => true,
            () = tokio::time::sleep(pause) => true,
        }
    }

    /// Whether messages may go out: the gate is open, and the database heard from this run lately.
    fn may_send(&self) -> Result<()> {
        if self.is_fenced() {
            return Err(Error::unavailable(
                "fenced",
                "The database did not hear from this run for a while: it sends nothing until it does",
            ));
        }
        self.gate.check()
    }

    async fn settle(&self, mut settler: Settler, mut events: Events, closed: CancellationToken) {
        let mut reload = Some(Reload::default());
        let mut looked_at = Time(0);
        let mut waiting: Vec<Event> = Vec::new();
        loop {
            let open = gather(&mut events, &mut waiting, &closed).await;
            self.settle_all(&mut settler, std::mem::take(&mut waiting), &closed).await;
            if !open {
                return;
            }
            let now = self.clock.now();
            if let Err(error) = self.look_after_late(&mut settler, &mut reload, &mut looked_at, now).await {
                tracing::error!(%error, "late receipts could not be matched");
            }
        }
    }

    /// Settles events whatever it takes: waits for a database that is away, and parts a batch that cannot be written
    /// until the one event is found that is to blame. While the daemon stops, it waits for [`LAST_TRIES`] only.
    async fn settle_all(&self, settler: &mut Settler, events: Vec<Event>, closed: &CancellationToken) {
        let mut batches = vec![events];
        let mut failures = 0;
        while let Some(batch) = batches.pop() {
            let (error, mut batch) = match settler.settle(batch, self.clock.now()).await {
                Ok(applied) => {
                    for campaign in applied.campaigns_completed {
                        tracing::info!(campaign, "campaign completed");
                    }
                    continue;
                }
                Err(failed) => failed,
            };
            tracing::error!(code = error.code(), %error, events = batch.len(), "answers and receipts were not stored");
            if error.is_passing() {
                failures += 1;
                if closed.is_cancelled() && failures > LAST_TRIES {
                    tracing::error!(events = batch.len(), "given up: what they are about will be unknown");
                    settler.give_up(&batch);
                    return;
                }
                batches.push(batch);
                tokio::time::sleep(BACK_OFF).await;
            } else if batch.len() > 1 {
                let later = batch.split_off(batch.len() / 2);
                batches.push(later);
                batches.push(batch);
            } else {
                tracing::error!(event = ?batch, "an event that cannot be stored is passed over");
                settler.give_up(&batch);
            }
        }
    }

    async fn look_after_late(
        &self,
        settler: &mut Settler,
        reload: &mut Option<Reload>,
        looked_at: &mut Time,
        now: Time,
    ) -> Result<()> {
        if let Some(state) = reload
            && !settler.reload(state, now).await?
        {
            *reload = None;
        }
        settler.evict().await?;
        if now.since(*looked_at) >= Duration::from_secs(1) {
            *looked_at = now;
            settler.match_late(now).await?;
            settler.book.prune(&self.store).await?;
        }
        Ok(())
    }
}

/// Waits for events and takes what else is there, up to a batch. False when the carrier is closed and all is taken.
async fn gather(events: &mut Events, waiting: &mut Vec<Event>, closed: &CancellationToken) -> bool {
    if waiting.is_empty() {
        tokio::select! {
            biased;
            batch = events.recv() => match batch {
                Some(batch) => waiting.extend(batch),
                None => return false,
            },
            () = closed.cancelled() => return false,
            () = tokio::time::sleep(QUIET) => return true,
        }
    }
    while waiting.len() < BATCH {
        match events.try_recv() {
            Ok(batch) => waiting.extend(batch),
            Err(TryRecvError::Empty) => return true,
            Err(TryRecvError::Disconnected) => return false,
        }
    }
    true
}
