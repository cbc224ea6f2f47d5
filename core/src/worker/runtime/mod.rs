//! The thin loops that drive the workers: two tasks for each carrier, one for what is due, one for heartbeats, one for
//! operators' holds.

mod campaigns;
pub mod carrier_metrics;
pub mod carrier_state;
pub mod carrier_task;
mod heartbeat;
pub(super) mod leases;
mod settling;
mod standstill_log;
pub mod supervisor;
mod trunk_task;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::dispatch::{DispatchStep, Dispatcher};
use crate::carrier::calls::Clips;
use crate::carrier::policy::UnknownThen;
use crate::carrier::voice::VoiceCarrier;
use crate::carrier::{Events, SmsCarrier};
use crate::error::{Error, Result};
use crate::model::platform::id::RunId;
use crate::notice::Notices;
use crate::operate::Hold;
use crate::routing::dnd::DndList;
use crate::routing::quiet_hours::QuietHours;
use crate::store::operations::daemon;
use crate::store::{Dialect, Lane, Store};
use crate::time::Clock;
use crate::worker::breakers::BreakerSetup;
use crate::worker::dispatch::open_chunks::OpenChunks;
use crate::worker::jobs::recovery;
use crate::worker::runtime::carrier_state::{OperatorHolds, RunningCarrier};
use crate::worker::runtime::heartbeat::Heartbeats;
use crate::worker::runtime::leases::Leases;
use crate::worker::runtime::standstill_log::StandstillLog;
use crate::worker::runtime::supervisor::Changes;

/// How long an idle dispatcher sleeps when it is not woken.
const IDLE: Duration = Duration::from_millis(500);
/// How long a dispatcher waits for a carrier that takes nothing before it gives up expired messages.
const NOT_READY: Duration = Duration::from_secs(5);
/// The same of a trunk whose calls others may place meanwhile.
const LOOK_ASIDE: Duration = Duration::from_secs(2);
/// The shortest sleep before a retry is due.
const DUE_SOON: Duration = Duration::from_millis(5);
/// Pause after a failed step.
const BACK_OFF: Duration = Duration::from_millis(500);

/// Starts a carrier of short messages, each time that this run gets its lease.
pub type StartCarrier = Box<dyn Fn() -> Result<(Arc<dyn SmsCarrier>, Events)> + Send + Sync>;
/// Starts a carrier of calls, each time that this run gets its lease.
pub type StartTrunk = Box<dyn Fn() -> Result<Arc<dyn VoiceCarrier>> + Send + Sync>;

/// How a carrier is started.
pub enum Start {
    /// One that carries short messages.
    Messages(StartCarrier),
    /// One that places calls.
    Calls(StartTrunk),
}

impl std::fmt::Debug for Start {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Messages(_) => "Messages",
            Self::Calls(_) => "Calls",
        })
    }
}

/// A carrier by name, and how to start it.
pub struct CarrierSlot {
    /// Its name in the configuration.
    pub name: String,
    /// When and how its unknown messages are settled; `None` leaves them to administrators.
    pub unknown: Option<(Duration, UnknownThen)>,
    /// When promotional messages wait for a network that is not delivered to; `None` where the networks are not told apart.
    pub breakers: Option<BreakerSetup>,
    /// Connects it.
    pub start: Start,
}

impl std::fmt::Debug for CarrierSlot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CarrierSlot").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Whether messages may be sent: enough disk space, no hold after a restore.
pub trait Gate: Send + Sync + std::fmt::Debug {
    /// An error tells why not, and what to do.
    fn check(&self) -> Result<()>;
}

/// What the workers share.
#[derive(Clone, Debug)]
pub struct Workers {
    pub(super) store: Store,
    pub(super) clock: Arc<dyn Clock>,
    gate: Arc<dyn Gate>,
    pub(super) owner: RunId,
    pub(super) validity: Duration,
    notices: Option<Notices>,
    /// Where the sound of calls comes from; without it there are test calls only.
    pub(super) clips: Option<Arc<dyn Clips>>,
    pub(super) hours: Option<Arc<QuietHours>>,
    pub(super) dnd: DndList,
    wake: Arc<Notify>,
    pub(super) stop: CancellationToken,
    heartbeats: Arc<Heartbeats>,
    pub(super) carriers: Arc<std::sync::RwLock<Vec<RunningCarrier>>>,
    /// Carriers of calls that this run holds.
    pub(super) trunks: Arc<std::sync::RwLock<Vec<Arc<dyn VoiceCarrier>>>>,
    leases: Leases,
    /// Operators' holds on carriers.
    pub(super) words: Arc<OperatorHolds>,
    pub(super) looking: Arc<Notify>,
    pub(super) changes: Changes,
    /// After this long without a heartbeat other runs take what this run holds.
    pub(super) lease: Duration,
}

impl Workers {
    /// Registers a run of the daemon. `validity` is how long a message is valid after its campaign began.
    pub async fn register(
        store: Store,
        clock: Arc<dyn Clock>,
        gate: Arc<dyn Gate>,
        validity: Duration,
    ) -> Result<Self> {
        let now = clock.now();
        let owner = store.write(Lane::Interactive, now, |tx, now| Box::pin(daemon::start(tx, *now))).await?;
        Ok(Self {
            store: store.for_workers(),
            clock,
            gate,
            owner,
            validity,
            notices: None,
            clips: None,
            hours: None,
            dnd: DndList::default(),
            wake: Arc::new(Notify::new()),
            stop: CancellationToken::new(),
            heartbeats: Arc::new(Heartbeats::since(now)),
            carriers: Arc::default(),
            trunks: Arc::default(),
            leases: Leases::default(),
            words: Arc::default(),
            looking: Arc::default(),
            changes: Changes::default(),
            lease: recovery::LEASE,
        })
    }

    /// The same with another lease than [`recovery::LEASE`]: a run whose heartbeat is older than this is dead
    /// (PostgreSQL).
    #[must_use]
    pub fn with_lease(self, lease: Duration) -> Self {
        Self { lease, ..self }
    }

    /// Also sends the platform's own text messages.
    #[must_use]
    pub fn with_notices(self, notices: Notices) -> Self {
        Self { notices: Some(notices), ..self }
    }

    /// Also calls for campaigns, with what these clips say.
    #[must_use]
    pub fn with_clips(self, clips: Arc<dyn Clips>) -> Self {
        Self { clips: Some(clips), ..self }
    }

    /// The same with quiet hours for promotional messages.
    pub fn with_hours(self, hours: Option<Arc<QuietHours>>) -> Self {
        Self { hours, ..self }
    }

    /// The same with the platform's Do-Not-Disturb list.
    #[must_use]
    pub fn with_dnd(self, dnd: DndList) -> Self {
        Self { dnd, ..self }
    }

    /// This run's id: the owner of the chunks it holds.
    pub const fn owner(&self) -> RunId {
        self.owner
    }

    /// Wakes idle dispatchers: a campaign was confirmed or resumed.
    pub fn wake(&self) {
        self.wake.notify_waiters();
    }

    /// The carriers that this run holds.
    pub fn carriers(&self) -> Vec<Arc<dyn SmsCarrier>> {
        self.held().into_iter().map(|held| held.carrier).collect()
    }

    /// Runs until [`Workers::stop`], then waits for outstanding answers and gives its chunks and leases back.
    pub async fn run(&self, slots: Vec<CarrierSlot>) -> Result<()> {
        let mut tasks = JoinSet::new();
        let housekeeping = self.clone();
        tasks.spawn(async move { housekeeping.housekeep().await });
        // While a carrier is held, also after the stop, the run is heard: else others would take what it still ends.
        let given_back = CancellationToken::new();
        let (beating, until) = (self.clone(), given_back.clone());
        tasks.spawn(async move { beating.beat(&until).await });
        let watching = self.clone();
        tasks.spawn(async move { watching.watch().await });
        let supervising = self.clone();
        let given_back = given_back.drop_guard();
        tasks.spawn(async move {
            let _given_back = given_back;
            supervising.supervise(slots).await;
        });
        while let Some(ended) = tasks.join_next().await {
            if let Err(panic) = ended {
                tracing::error!(%panic, "a worker panicked");
                self.stop.cancel();
            }
        }
        let now = self.clock.now();
        let unknown = recovery::stop(&self.store, self.owner, now).await?;
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
        let since = self.clock.now();
        // On SQLite no other run can die while this one lives.
        let mut may_find_dead = true;
        if let Err(error) = recovery::take_up_again(&self.store).await {
            tracing::error!(%error, "receipts that were set aside stay there until the next start");
        }
        loop {
            let now = self.clock.now();
            if may_find_dead {
                match recovery::tick(&self.store, self.owner, self.may_judge(now), now).await {
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
            self.start_and_judge(since, now).await;
            if self.stopped_within(IDLE).await {
                return;
            }
        }
    }

    pub(super) async fn dispatch(
        &self,
        carrier: &Arc<dyn SmsCarrier>,
        book: Arc<OpenChunks>,
        end: &CancellationToken,
    ) {
        let mut dispatcher = Dispatcher::new(
            self.store.clone(),
            Arc::clone(carrier),
            book,
            Arc::clone(&self.clock),
            self.owner,
        )
        .with_notices(self.notices.clone().filter(|_| carrier.capabilities().calls.is_none()))
        .until(end.clone());
        let mut told = StandstillLog::default();
        while self.dispatch_once(carrier, &mut dispatcher, &mut told, end).await {}
        if let Err(error) = dispatcher.finish().await {
            tracing::error!(carrier = carrier.name(), code = error.code(), %error, "claims were not given back");
        }
    }

    /// One step, and a pause when there was nothing to do. False when the carrier is to end.
    async fn dispatch_once(
        &self,
        carrier: &Arc<dyn SmsCarrier>,
        dispatcher: &mut Dispatcher,
        told: &mut StandstillLog,
        end: &CancellationToken,
    ) -> bool {
        let woken = self.wake.notified();
        tokio::pin!(woken);
        woken.as_mut().enable();
        let not_ready = if dispatcher.has_failover() { LOOK_ASIDE } else { NOT_READY };
        let room = tokio::select! {
            biased;
            () = end.cancelled() => return false,
            room = carrier.ready() => Some(room),
            () = tokio::time::sleep(not_ready) => None,
        };
        let hold = self.words.of(carrier.name());
        let step = match (self.may_send(), room) {
            (Ok(()), room) if hold != Hold::Open => dispatcher.hold(room, hold).await,
            (Ok(()), Some(room)) => dispatcher.step(room).await,
            (Ok(()), None) => dispatcher.stand_aside().await.map(|_| DispatchStep::Worked),
            (Err(error), _) => dispatcher.stand_by().await.and(Err(error)),
        };
        if step.is_ok() && hold == Hold::Open && told.is_over() {
            tracing::info!(carrier = carrier.name(), "messages are dispatched again");
        }
        let pause = match step {
            Ok(DispatchStep::Worked) => return true,
            Ok(DispatchStep::Full) => {
                tokio::select! {
                    () = end.cancelled() => return false,
                    () = woken => return true,
                    () = dispatcher.unsettled().fell() => return true,
                }
            }
            Ok(DispatchStep::Idle(due)) => {
                due.map_or(IDLE, |due| due.since(self.clock.now()).clamp(DUE_SOON, IDLE))
            }
            Err(error) => {
                if told.is_news(error.code(), self.clock.now()) {
                    tracing::error!(carrier = carrier.name(), code = error.code(), %error, "nothing is dispatched");
                }
                BACK_OFF
            }
        };
        tokio::select! {
            () = end.cancelled() => false,
            () = woken => true,
            () = tokio::time::sleep(pause) => true,
        }
    }

    /// Whether messages may go out: the gate is open, and the last heartbeat is recent.
    fn may_send(&self) -> Result<()> {
        if self.is_fenced() {
            return Err(Error::unavailable(
                "fenced",
                "The database did not hear from this run for a while: it sends nothing until it does",
            ));
        }
        self.gate.check()
    }
}
