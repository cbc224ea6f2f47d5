//! The carrier: its channels, its rate, its health. What becomes of a call is in `call`.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::sync::Semaphore;
use tokio_util::task::TaskTracker;

use super::call::Placed;
use super::call_inbox::Holder;
use super::config::HttpVoiceConfig;
use super::reference;
use super::shared::{HttpVoiceDeps, Shared};
use super::submit::Values;
use crate::carrier::Health;
use crate::carrier::live_calls::LiveCalls;
use crate::carrier::pace::Pace;
use crate::carrier::voice::{Call, CallRequest, PlaceError, VoiceCapabilities, VoiceCarrier};
use crate::error::Result;
use crate::phone::Msisdn;
use crate::time::Time;

/// How long calls may take to tell their end once they are cut off: they ask the provider once more.
const LAST_WORDS: Duration = Duration::from_secs(8);

/// A carrier of calls over HTTP. Dropping it lets its calls go on to their end; [`VoiceCarrier::shutdown`] ends them.
pub struct HttpVoiceCarrier {
    shared: Arc<Shared>,
    capabilities: VoiceCapabilities,
    channels: Arc<Semaphore>,
    pace: Pace,
    /// Held by the one submit that is under way while it is not clear that the provider takes calls.
    alone: Arc<tokio::sync::Mutex<()>>,
    tasks: TaskTracker,
    live: LiveCalls,
    holder: Mutex<Option<Holder>>,
}

impl fmt::Debug for HttpVoiceCarrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpVoiceCarrier").field("config", &self.shared.config).finish_non_exhaustive()
    }
}

impl HttpVoiceCarrier {
    /// Starts it on the current runtime. Webhooks that come to the inbox reach its calls from now on.
    ///
    /// # Errors
    /// A file with a secret that cannot be read; when no HTTP client can be made.
    pub fn start(config: HttpVoiceConfig, deps: HttpVoiceDeps) -> Result<Arc<Self>> {
        let config = config.with_secrets()?;
        let channels = usize::try_from(config.channels()).unwrap_or(usize::MAX);
        Ok(Arc::new(Self {
            capabilities: VoiceCapabilities {
                channels: config.channels(),
                rate: config.rate(),
                caller_id: config.caller_id.to_string().into(),
                own_caller_id: true,
                keys: config.tells_keys(),
                repeats: config.repeats(),
                policy: config.policy.clone(),
            },
            channels: Arc::new(Semaphore::new(channels)),
            pace: Pace::new(config.rate()),
            alone: Arc::default(),
            tasks: TaskTracker::new(),
            live: LiveCalls::default(),
            holder: Mutex::new(Some(deps.inbox.hold())),
            shared: Arc::new(Shared::new(config, deps)?),
        }))
    }

    /// Waits until a call may be submitted; nothing is submitted yet.
    async fn permit(&self) -> Result<SubmitPermit, PlaceError> {
        self.shared.check()?;
        let channels = Arc::clone(&self.channels);
        let channel = channels.acquire_owned().await.map_err(|_| PlaceError::ShutDown)?;
        while let Err(wait) = self.pace.take() {
            tokio::time::sleep(wait).await;
        }
        let alone =
            if self.shared.is_careful() { Some(Arc::clone(&self.alone).lock_owned().await) } else { None };
        // Much may have changed meanwhile.
        self.shared.check()?;
        Ok(SubmitPermit { channel, alone })
    }

    fn begin(&self, request: &CallRequest, permit: SubmitPermit) -> Result<Call, PlaceError> {
        let (shared, deps) = (&self.shared, &self.shared.deps);
        let config = &shared.config;
        let on_shelf = deps.inbox.shelf().put(&request.clip, deps.entropy.as_ref()).ok_or_else(|| {
            PlaceError::Down(
                "too many clips are played at the same time: there is no room for one more".into(),
            )
        })?;
        let until = deps.clock.now() + config.call_timeout;
        let file = deps.addresses.file(&config.name, on_shelf.id(), until);
        let reference = reference::new(request.of, deps.entropy.as_ref());
        let number = |number: Msisdn| format!("{}{number}", config.number_prefix);
        // A provider that is not told to repeat plays it once.
        let plays =
            if config.repeats() { request.duration() } else { request.clip.duration() + request.tail };
        let values = Values {
            to: number(request.to),
            from: number(request.from.unwrap_or(config.caller_id)),
            audio_url: config.clip_url(&file),
            callback_url: config.callback_url().unwrap_or_default(),
            plays: request.plays,
            digits: request.ends_on.clone(),
            max_seconds: u64::try_from(plays.as_millis().div_ceil(1_000)).unwrap_or(u64::MAX),
            reference,
        };
        let place = deps.inbox.open(&values.reference);
        let (call, teller) = Call::begin(&self.live);
        let length = request.clip.duration();
        let placed = Placed::new(Arc::clone(shared), place, teller, length);
        self.tasks.spawn(async move {
            let SubmitPermit { channel, alone } = permit;
            placed.carry(&values, alone).await;
            drop((channel, on_shelf));
        });
        Ok(call)
    }
}

impl HttpVoiceConfig {
    /// Whether webhooks or polled answers tell pressed keys.
    pub fn tells_keys(&self) -> bool {
        let polled = self.poll.iter().any(|poll| !poll.fields.digits.is_empty());
        !self.call.digits.is_empty() || polled
    }

    /// Whether the request says how often to play a clip.
    pub fn repeats(&self) -> bool {
        self.submit.uses("plays")
    }
}

/// A call may be submitted now: its channel is kept until it is over.
struct SubmitPermit {
    channel: tokio::sync::OwnedSemaphorePermit,
    alone: Option<tokio::sync::OwnedMutexGuard<()>>,
}

impl VoiceCarrier for HttpVoiceCarrier {
    fn name(&self) -> &str {
        &self.shared.config.name
    }

    fn capabilities(&self) -> &VoiceCapabilities {
        &self.capabilities
    }

    /// Up unless the last submits failed: then down with the reason, until one is tried again.
    fn health(&self) -> (Health, Time) {
        self.shared.health()
    }

    fn calls_up(&self) -> u32 {
        let free = u32::try_from(self.channels.available_permits()).unwrap_or(u32::MAX);
        self.capabilities.channels.saturating_sub(free)
    }

    fn live(&self) -> &LiveCalls {
        &self.live
    }

    fn place(&self, request: CallRequest) -> BoxFuture<'_, Result<Call, PlaceError>> {
        Box::pin(async move {
            if request.clip.samples().is_empty() {
                return Err(PlaceError::Refused("there is nothing to play".into()));
            }
            let permit = tokio::select! {
                biased;
                () = self.shared.closing.cancelled() => return Err(PlaceError::ShutDown),
                permit = self.permit() => permit?,
            };
            self.begin(&request, permit)
        })
    }

    /// Calls whose end is not told within `grace` are ended where the provider can be asked to, and asked about once more.
    /// Those that go on all the same have no end here.
    fn shutdown(&self, grace: Duration) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            self.shared.closing.cancel();
            self.tasks.close();
            if tokio::time::timeout(grace, self.tasks.wait()).await.is_err() {
                self.shared.cut.cancel();
                if tokio::time::timeout(LAST_WORDS, self.tasks.wait()).await.is_err() {
                    tracing::warn!(carrier = self.name(), "calls were left whose end is not known");
                }
            }
            self.holder.lock().unwrap_or_else(PoisonError::into_inner).take();
        })
    }
}
