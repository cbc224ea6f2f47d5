//! What the carrier and its calls share: the settings, the client, and the trouble that keeps calls back.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::call_inbox::CallInbox;
use super::config::HttpVoiceConfig;
use crate::carrier::Health;
use crate::carrier::http::outgoing::client;
use crate::carrier::pace::Pause;
use crate::carrier::voice::PlaceError;
use crate::entropy::Entropy;
use crate::error::Result;
use crate::time::{Clock, Time};

/// Signs the addresses of clips.
pub trait ClipAddresses: Send + Sync + fmt::Debug {
    /// The file name of a clip of a carrier, and the query that proves it, good until `until` at least.
    fn file(&self, carrier: &str, clip: u64, until: Time) -> String;
}

/// What the carrier needs from the daemon.
#[derive(Clone, Debug)]
pub struct HttpVoiceDeps {
    /// For what is stored of calls, and for addresses that expire.
    pub clock: Arc<dyn Clock>,
    /// For references.
    pub entropy: Arc<dyn Entropy>,
    /// For the provider to fetch what it plays.
    pub addresses: Arc<dyn ClipAddresses>,
    /// Where webhooks come in.
    pub inbox: CallInbox,
}

/// What the carrier and its calls share.
pub(super) struct Shared {
    pub(super) config: HttpVoiceConfig,
    pub(super) deps: HttpVoiceDeps,
    pub(super) client: reqwest::Client,
    trouble: Mutex<Trouble>,
    /// From here on no call is placed.
    pub(super) closing: CancellationToken,
    /// From here on no end of a call is waited for.
    pub(super) cut: CancellationToken,
}

/// Why no calls are placed for a while.
struct Trouble {
    pause: Pause,
    until: Option<Instant>,
    /// Stays until the provider takes a call: until then they are tried one at a time.
    reason: Option<String>,
    /// Since when there is one, or there is none.
    since: Time,
}

/// How long no call is tried.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wait {
    /// Longer each time.
    Longer,
    /// As long as the provider asks for, within reason.
    For(Duration),
    /// As long as it gets: an operator has to correct something.
    Longest,
}

impl Shared {
    /// # Errors
    /// When no HTTP client can be made.
    pub(super) fn new(config: HttpVoiceConfig, deps: HttpVoiceDeps) -> Result<Self> {
        let (first, longest) = config.link.pauses();
        let since = deps.clock.now();
        let trouble = Trouble { pause: Pause::new(first, longest), until: None, reason: None, since };
        Ok(Self {
            config,
            deps,
            client: client()?,
            trouble: Mutex::new(trouble),
            closing: CancellationToken::new(),
            cut: CancellationToken::new(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Trouble> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A submit failed.
    pub(super) fn trouble(&self, reason: &str, wait: Wait) {
        let (now, longest) = (Instant::now(), self.config.link.pauses().1);
        let mut trouble = self.lock();
        if trouble.reason.as_deref() != Some(reason) {
            tracing::warn!(carrier = self.config.name, reason, "the carrier of calls has trouble");
        }
        if trouble.reason.is_none() {
            trouble.since = self.deps.clock.now();
        }
        trouble.reason = Some(reason.to_owned());
        trouble.pause.throttled(now);
        match wait {
            Wait::Longer => {}
            Wait::For(wait) => trouble.until = Some(now + wait.min(longest)),
            Wait::Longest => trouble.until = Some(now + longest),
        }
    }

    /// The provider took a call, or refused that one alone.
    pub(super) fn answered(&self) {
        let mut trouble = self.lock();
        trouble.pause.accepted();
        if trouble.reason.take().is_some() {
            (trouble.until, trouble.since) = (None, self.deps.clock.now());
            tracing::info!(carrier = self.config.name, "the carrier takes calls");
        }
    }

    /// Down with the reason for as long as no call is tried.
    pub(super) fn health(&self) -> (Health, Time) {
        let mut trouble = self.lock();
        let now = Instant::now();
        trouble.until = trouble.until.filter(|until| *until > now);
        let paused_until = trouble.pause.until(now).or(trouble.until);
        let health = match &trouble.reason {
            Some(reason) if paused_until.is_some() => Health::Connecting { reason: reason.clone() },
            _ => Health::Up,
        };
        (health, trouble.since)
    }

    /// Whether the last submit got no clear answer.
    pub(super) fn is_careful(&self) -> bool {
        self.lock().reason.is_some()
    }

    pub(super) fn check(&self) -> Result<(), PlaceError> {
        match self.health().0 {
            Health::Up => Ok(()),
            Health::Connecting { reason } | Health::Stopped { reason } => Err(PlaceError::Down(reason)),
        }
    }
}
