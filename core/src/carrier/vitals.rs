//! How a carrier fares, in figures: its binds, its window, its pace, its receipts.
//!
//! The daemon that holds the carrier stores them with its heartbeat, so that every other one can show them. The
//! invariant: bounded in size, and nothing secret: reasons are those of [`super::Health`].

use serde::{Deserialize, Serialize};

use super::live_calls::CallFigures;
use super::voice::VoiceCarrier;
use super::{Health, SmsCarrier};
use crate::time::Time;

/// Binds that are listed one by one; further ones are left out.
const BINDS_MAX: usize = 64;
/// The longest reason, in characters.
const REASON_MAX: usize = 300;

/// The role of the one bind that stands for a carrier of calls.
const TRUNK: &str = "trunk";

/// One connection to the carrier, or the one way to a provider over HTTP or to a trunk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bind {
    /// `transceiver`, `transmitter`, `receiver`, `http`, or `trunk` of a carrier of calls.
    pub role: String,
    /// `bound`, `connecting` or `refused` (until the configuration is corrected).
    pub state: String,
    /// Why it is not bound.
    pub reason: Option<String>,
    /// Since when, in ms; `None` where it was not noted.
    pub since: Option<i64>,
}

impl Bind {
    /// A bind in the state that `health` says.
    pub fn new(role: &str, health: Health, since: Option<Time>) -> Self {
        let (state, reason) = match health {
            Health::Up => ("bound", None),
            Health::Connecting { reason } => ("connecting", Some(reason)),
            Health::Stopped { reason } => ("refused", Some(reason)),
        };
        let reason = reason.map(|reason| reason.chars().take(REASON_MAX).collect());
        Self { role: role.to_owned(), state: state.to_owned(), reason, since: since.map(Time::millis) }
    }
}

/// What a carrier knows of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Its connections.
    pub binds: Vec<Bind>,
    /// Short messages handed over and not answered; calls that are up.
    pub used: u32,
    /// Whether it asked for less and is being waited for.
    pub throttled: bool,
    /// Of a carrier of calls, what began and ended lately.
    #[serde(default)]
    pub calls: Option<CallFigures>,
}

impl Line {
    /// A line of these binds, shortened where there are too many.
    pub fn new(mut binds: Vec<Bind>, used: usize, throttled: bool) -> Self {
        binds.truncate(BINDS_MAX);
        Self { binds, used: u32::try_from(used).unwrap_or(u32::MAX), throttled, calls: None }
    }
}

/// How long receipts take, from the answer on, over the last minutes; of a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceiptLag {
    /// Receipts that were measured.
    pub measured: u32,
    /// Half of them came within so many ms.
    pub p50_ms: i64,
    /// 95 of 100 came within so many ms.
    pub p95_ms: i64,
}

/// All of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vitals {
    /// `up`, `connecting` or `stopped`.
    pub health: String,
    /// Why it is not up.
    pub reason: Option<String>,
    /// What the carrier knows.
    #[serde(flatten)]
    pub line: Line,
    /// Short messages that may be outstanding at once; calls that may be up.
    pub window: u32,
    /// Messages, or new calls, a second it was configured to take; 0 is as fast as it answers.
    pub rate: u32,
    /// Messages a second that it answered lately; 0 for a carrier of calls.
    pub rate_now: u32,
    /// How long receipts take; `None` when none was measured lately.
    pub receipt_lag: Option<ReceiptLag>,
    /// Messages of the sample that were accepted and whose receipt has not come.
    pub receipts_awaited: u32,
}

impl Vitals {
    /// The carrier's own part.
    pub fn of(carrier: &dyn SmsCarrier) -> Self {
        Self {
            line: carrier.line(),
            window: carrier.capabilities().window,
            rate: carrier.capabilities().rate,
            ..Self::with_health(carrier.health())
        }
    }

    /// Those of a carrier of calls, which takes calls or does not, as `health` says.
    pub fn of_trunk(trunk: &dyn VoiceCarrier, health: Health) -> Self {
        let since = trunk.health().1;
        let calls_up = usize::try_from(trunk.calls_up()).unwrap_or(usize::MAX);
        Self {
            line: Line {
                calls: Some(trunk.live().figures()),
                ..Line::new(vec![Bind::new(TRUNK, health.clone(), Some(since))], calls_up, false)
            },
            window: trunk.capabilities().channels,
            rate: trunk.capabilities().rate,
            ..Self::with_health(health)
        }
    }

    /// Those of a carrier of calls that is idle.
    #[cfg(test)]
    pub(crate) fn of_test_trunk(health: Health) -> Self {
        let binds = vec![Bind::new(TRUNK, health.clone(), None)];
        Self { line: Line::new(binds, 0, false), ..Self::with_health(health) }
    }

    /// Calls that are up; `None` of a carrier of short messages.
    pub fn calls_up(&self) -> Option<u32> {
        self.line.binds.iter().any(|bind| bind.role == TRUNK).then_some(self.line.used)
    }

    fn with_health(health: Health) -> Self {
        let (health, reason) = match health {
            Health::Up => ("up", None),
            Health::Connecting { reason } => ("connecting", Some(reason)),
            Health::Stopped { reason } => ("stopped", Some(reason)),
        };
        Self { health: health.to_owned(), reason, ..Self::default() }
    }
}
