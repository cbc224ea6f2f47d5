//! A trunk as the platform sees it.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures::future::BoxFuture;
use talkdrum_sip::{CallError, Clip, Reach, StartError, Trunk, TrunkConfig};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::SipConfig;
use crate::carrier::Health;
use crate::carrier::live_calls::LiveCalls;
use crate::carrier::voice::{
    Call, CallClip, CallEvent, CallRequest, CallResult, PlaceError, Teller, VoiceCapabilities, VoiceCarrier,
};
use crate::error::Result;
use crate::time::{Clock, Time};

/// How long after a start that failed, as the trunk's name was not found, it is tried again.
const START_AGAIN: Duration = Duration::from_secs(5);

/// Clips that are held as the trunk wants them: as many as campaigns have in turn.
const PREPARED: usize = 8;

/// How long calls may take to tell their end once the trunk is shut down: it waited for the answers itself.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// A SIP trunk. Dropping it lets its calls go on to their end; [`VoiceCarrier::shutdown`] ends them.
pub struct SipCarrier {
    name: String,
    capabilities: VoiceCapabilities,
    shared: Arc<Shared>,
    /// Ends the tries to start the trunk.
    stop: CancellationToken,
    tasks: TaskTracker,
    live: LiveCalls,
    /// The clips that were played last, as the trunk wants them: the calls of a campaign play one.
    prepared: Mutex<VecDeque<(Weak<[i16]>, Clip)>>,
}

/// What the task that starts the trunk leaves behind.
struct Shared {
    trunk: OnceLock<Trunk>,
    /// Why it does not run yet, and since when.
    waiting: Mutex<(Health, Time)>,
}

impl fmt::Debug for SipCarrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SipCarrier").field("name", &self.name).finish_non_exhaustive()
    }
}

impl SipCarrier {
    /// Begins to start the trunk, which goes on until it works: its name may not be found yet.
    ///
    /// # Errors
    /// A setting that cannot work, or a password file that cannot be read.
    pub fn start(config: &SipConfig, clock: &Arc<dyn Clock>) -> Result<Arc<Self>> {
        config.validate()?;
        let trunk = config.trunk()?;
        let since = clock.now();
        let waiting = Health::Connecting { reason: "It is being started".into() };
        let carrier = Arc::new(Self {
            name: config.name.clone(),
            capabilities: VoiceCapabilities {
                channels: trunk.channels.get(),
                rate: trunk.rate.get(),
                caller_id: trunk.caller_id.as_str().into(),
                own_caller_id: true,
                keys: true,
                repeats: true,
                policy: config.policy(),
            },
            shared: Arc::new(Shared { trunk: OnceLock::new(), waiting: Mutex::new((waiting, since)) }),
            stop: CancellationToken::new(),
            tasks: TaskTracker::new(),
            live: LiveCalls::default(),
            prepared: Mutex::default(),
        });
        let (shared, clock) = (Arc::clone(&carrier.shared), Arc::clone(clock));
        let start = async move { shared.start(&trunk, clock.as_ref()).await };
        carrier.tasks.spawn(carrier.stop.clone().run_until_cancelled_owned(start));
        Ok(carrier)
    }

    /// A clip in the trunk's own form. That of a long one takes some time, so no other task waits for it.
    pub(super) async fn prepare(&self, clip: &CallClip) -> Result<Clip, PlaceError> {
        let known = find(&self.prepared.lock().unwrap_or_else(PoisonError::into_inner), clip);
        if let Some(clip) = known {
            return Ok(clip);
        }
        let samples = Arc::clone(clip.samples());
        let made = tokio::task::spawn_blocking(move || Clip::from_samples(&samples)).await;
        let made = made
            .map_err(|_| PlaceError::ShutDown)?
            .map_err(|error| PlaceError::Refused(error.to_string()))?;
        let mut prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        // Calls that began together each made one: they share the first.
        if let Some(known) = find(&prepared, clip) {
            return Ok(known);
        }
        prepared.retain(|(samples, _)| samples.strong_count() > 0);
        prepared.push_front((Arc::downgrade(clip.samples()), made.clone()));
        prepared.truncate(PREPARED);
        Ok(made)
    }
}

/// A clip as the trunk wants it, where it is there.
fn find(prepared: &VecDeque<(Weak<[i16]>, Clip)>, clip: &CallClip) -> Option<Clip> {
    let is_it = |samples: &Weak<[i16]>| std::ptr::addr_eq(samples.as_ptr(), Arc::as_ptr(clip.samples()));
    prepared.iter().find(|(samples, _)| is_it(samples)).map(|(_, clip)| clip.clone())
}

impl Shared {
    /// Starts the trunk, however often that has to be tried.
    async fn start(&self, config: &TrunkConfig, clock: &dyn Clock) {
        loop {
            let health = match Trunk::start(config.clone()).await {
                Ok(trunk) => {
                    let _ = self.trunk.set(trunk);
                    return;
                }
                Err(StartError::Config(error)) => Health::Stopped { reason: error.to_string() },
                Err(error @ StartError::Network { .. }) => Health::Connecting { reason: error.to_string() },
            };
            {
                let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
                if waiting.0 != health {
                    tracing::warn!(host = config.host, ?health, "the trunk was not started");
                    *waiting = (health, clock.now());
                }
            }
            tokio::time::sleep(START_AGAIN).await;
        }
    }
}

impl VoiceCarrier for SipCarrier {
    fn name(&self) -> &str {
        &self.name
    }

    fn capabilities(&self) -> &VoiceCapabilities {
        &self.capabilities
    }

    fn health(&self) -> (Health, Time) {
        let Some(trunk) = self.shared.trunk.get() else {
            return self.shared.waiting.lock().unwrap_or_else(PoisonError::into_inner).clone();
        };
        let health = trunk.health();
        let down = |reason: String| Health::Connecting { reason };
        let told = match (health.reach, health.code) {
            (Reach::Up, _) => Health::Up,
            (Reach::Unknown, _) => down("The trunk has not answered yet".into()),
            (Reach::Down, Some(code)) => down(format!("The trunk takes no calls now: it answers {code}")),
            (Reach::Down, None) => down("The trunk does not answer".into()),
        };
        (told, time(health.since))
    }

    fn calls_up(&self) -> u32 {
        let free = self.shared.trunk.get().map(Trunk::free_channels);
        free.map_or(0, |free| {
            self.capabilities.channels.saturating_sub(u32::try_from(free).unwrap_or(u32::MAX))
        })
    }

    fn live(&self) -> &LiveCalls {
        &self.live
    }

    fn place(&self, request: CallRequest) -> BoxFuture<'_, Result<Call, PlaceError>> {
        Box::pin(async move {
            let Some(trunk) = self.shared.trunk.get() else {
                return Err(match self.health().0 {
                    Health::Up => PlaceError::ShutDown,
                    Health::Connecting { reason } | Health::Stopped { reason } => PlaceError::Down(reason),
                });
            };
            let request = talkdrum_sip::CallRequest {
                to: request.to.to_string(),
                from: request.from.map(|from| from.to_string()),
                clip: self.prepare(&request.clip).await?,
                tail: request.tail,
                plays: request.plays,
                ends_on: request.ends_on,
            };
            let placed = trunk.call(request).await.map_err(|error| match error {
                CallError::ShutDown => PlaceError::ShutDown,
                CallError::NotANumber | CallError::TailTooLong | CallError::Plays => {
                    PlaceError::Refused(error.to_string())
                }
            })?;
            let (call, teller) = Call::begin(&self.live);
            self.tasks.spawn(tell(placed, teller));
            Ok(call)
        })
    }

    fn shutdown(&self, grace: Duration) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            self.stop.cancel();
            if let Some(trunk) = self.shared.trunk.get() {
                trunk.shutdown(grace).await;
            }
            self.tasks.close();
            if tokio::time::timeout(LAST_WORDS, self.tasks.wait()).await.is_err() {
                tracing::warn!(carrier = self.name, "calls were left whose end is not known");
            }
        })
    }
}

/// Hands on what happens in a call, and hangs it up when that is asked for.
async fn tell(mut placed: talkdrum_sip::Call, teller: Teller) {
    let mut hung_up = false;
    loop {
        let event = tokio::select! {
            biased;
            event = placed.next_event() => event,
            () = teller.hung_up(), if !hung_up => {
                hung_up = true;
                placed.hang_up();
                continue;
            }
        };
        match event {
            Some(talkdrum_sip::CallEvent::Trying) => {}
            Some(talkdrum_sip::CallEvent::Ringing) => teller.tell(CallEvent::Ringing),
            Some(talkdrum_sip::CallEvent::Answered) => teller.tell(CallEvent::Answered),
            Some(talkdrum_sip::CallEvent::Key(key)) => teller.tell(CallEvent::Key(key)),
            Some(talkdrum_sip::CallEvent::Ended(result)) => {
                teller.count_packets(result.media.sent, result.media.late);
                return teller.tell(CallEvent::Ended(told(result)));
            }
            None => return,
        }
    }
}

fn told(result: talkdrum_sip::CallResult) -> CallResult {
    CallResult {
        up: result.answered_for(),
        outcome: result.outcome,
        reason: result.reason,
        code: result.sip_code,
        ringing_at: result.ringing_at.map(time),
        answered_at: result.answered_at.map(time),
        ended_at: time(result.ended_at),
        heard: result.heard,
        digits: result.digits,
        ended_by: result.ended_by,
    }
}

fn time(at: SystemTime) -> Time {
    Time(0) + at.duration_since(UNIX_EPOCH).unwrap_or_default()
}
