//! How a carrier fares, in figures: its binds, its window, its pace, its receipts.
//!
//! The daemon that holds the carrier stores them with its heartbeat, so that every other one can show them. The
//! invariant: bounded in size, and nothing secret: reasons are those of [`super::Health`], or of a refusal that is the carrier's
//! own and no message's.

use serde::{Deserialize, Serialize};

use super::live_calls::CallFigures;
use super::voice::VoiceCarrier;
use super::{Health, SmsCarrier};
use crate::model::carrier::{BindRole, BindState, CarrierHealth};
use crate::time::Time;

/// Binds that are listed; no carrier has more: 64 pairs of one that sends and one that receives.
const BINDS_MAX: usize = 128;
/// The longest reason, in characters.
const REASON_MAX: usize = 300;

/// One connection to the carrier, or the one way to a provider over HTTP or to a trunk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bind {
    /// What it is for.
    pub role: BindRole,
    /// How it is.
    pub state: BindState,
    /// Why it is not bound.
    pub reason: Option<String>,
    /// Since when; `None` where it was not noted.
    pub since: Option<Time>,
}

impl Bind {
    /// A bind in the state that `health` says.
    pub fn new(role: BindRole, health: Health, since: Option<Time>) -> Self {
        let (state, reason) = match health {
            Health::Up => (BindState::Bound, None),
            Health::Connecting { reason } => (BindState::Connecting, Some(reason)),
            Health::Stopped { reason } => (BindState::Refused, Some(reason)),
        };
        let reason = reason.map(|reason| reason.chars().take(REASON_MAX).collect());
        Self { role, state, reason, since }
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

/// Seconds of a carrier's rate that may wait there while texts are led to it.
const SECONDS_AHEAD: u32 = 10;
/// The same in windows, where no rate is configured.
const WINDOWS_AHEAD: u32 = 8;

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
    /// How it is.
    pub health: CarrierHealth,
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

json_column!(Vitals);

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
                ..Line::new(vec![Bind::new(BindRole::Trunk, health.clone(), Some(since))], calls_up, false)
            },
            window: trunk.capabilities().channels,
            rate: trunk.capabilities().rate,
            ..Self::with_health(health)
        }
    }

    /// Those of a carrier of calls that is idle.
    #[cfg(test)]
    pub(crate) fn of_test_trunk(health: Health) -> Self {
        let binds = vec![Bind::new(BindRole::Trunk, health.clone(), None)];
        Self { line: Line::new(binds, 0, false), ..Self::with_health(health) }
    }

    /// Calls that are up; `None` of a carrier of short messages.
    pub fn calls_up(&self) -> Option<u32> {
        self.line.binds.iter().any(|bind| bind.role == BindRole::Trunk).then_some(self.line.used)
    }

    /// How many texts may wait at a carrier, so that it takes them within seconds; none while it asks for a pause.
    pub fn room_for_texts(&self) -> u32 {
        match (self.line.throttled, self.rate) {
            (true, _) => 0,
            (false, 0) => self.window.saturating_mul(WINDOWS_AHEAD),
            (false, rate) => rate.saturating_mul(SECONDS_AHEAD),
        }
    }

    /// Whether it takes messages now, whether or not their receipts come in.
    pub fn takes_messages(&self) -> bool {
        let sends = |bind: &Bind| bind.role == BindRole::Transmitter && bind.state == BindState::Bound;
        match self.health {
            CarrierHealth::Up => true,
            CarrierHealth::Refusing => false,
            CarrierHealth::Connecting | CarrierHealth::Stopped => self.line.binds.iter().any(sends),
        }
    }

    /// The same of a carrier that, while it takes messages, refuses all that it is given, in these words.
    #[must_use]
    pub fn refusing(self, why: Option<&str>) -> Self {
        match why.filter(|_| self.takes_messages()) {
            Some(why) => {
                let reason = Some(why.chars().take(REASON_MAX).collect());
                Self { health: CarrierHealth::Refusing, reason, ..self }
            }
            None => self,
        }
    }

    /// Whether it stays as it is until it takes a message: it refused all, or is a provider over HTTP that failed.
    pub fn wants_a_try(&self) -> bool {
        let is_over_http = self.line.binds.iter().any(|bind| bind.role == BindRole::Http);
        self.health == CarrierHealth::Refusing || self.health == CarrierHealth::Connecting && is_over_http
    }

    fn with_health(health: Health) -> Self {
        let (health, reason) = match health {
            Health::Up => (CarrierHealth::Up, None),
            Health::Connecting { reason } => (CarrierHealth::Connecting, Some(reason)),
            Health::Stopped { reason } => (CarrierHealth::Stopped, Some(reason)),
        };
        Self { health, reason, ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As daemons of every version store them.
    #[test]
    fn vitals_are_stored_with_the_same_words_as_ever() {
        let stored = r#"{"health":"stopped","reason":"no password","binds":[{"role":"transmitter","state":"refused",
            "reason":"no password","since":7},{"role":"http","state":"bound","reason":null,"since":null}],"used":1,
            "throttled":false,"window":2,"rate":3,"rate_now":4,"receipt_lag":null,"receipts_awaited":5}"#;
        let vitals: Vitals = serde_json::from_str(stored).unwrap();
        assert_eq!((vitals.health, vitals.line.binds[0].state), (CarrierHealth::Stopped, BindState::Refused));
        let (again, mut before) =
            (serde_json::to_value(&vitals).unwrap(), serde_json::from_str(stored).unwrap());
        let serde_json::Value::Object(fields) = &mut before else { panic!("{before}") };
        fields.insert("calls".into(), serde_json::Value::Null);
        assert_eq!(again, before);
        assert!(serde_json::from_str::<Vitals>(&stored.replace("stopped", "asleep")).is_err());
    }

    #[test]
    fn a_carrier_takes_messages_while_its_receiver_is_away() {
        let away = || Health::Connecting { reason: "gone".into() };
        let with = |transmitter, receiver| {
            let binds = vec![
                Bind::new(BindRole::Transmitter, transmitter, None),
                Bind::new(BindRole::Receiver, receiver, None),
            ];
            Vitals { line: Line::new(binds, 0, false), ..Vitals::with_health(away()) }
        };
        assert!(with(Health::Up, away()).takes_messages() && !with(away(), Health::Up).takes_messages());
        // The last of 64 pairs is the one that sends.
        let pairs = (1..=64).flat_map(|pair| {
            let transmitter = if pair == 64 { Health::Up } else { away() };
            [(BindRole::Transmitter, transmitter), (BindRole::Receiver, away())]
        });
        let binds = pairs.map(|(role, health)| Bind::new(role, health, None)).collect();
        let many = Vitals { line: Line::new(binds, 0, false), ..Vitals::with_health(away()) };
        assert!(many.takes_messages());
        let refusing = with(Health::Up, away()).refusing(Some("no credit"));
        assert!(refusing.health == CarrierHealth::Refusing && !refusing.takes_messages());
        assert_eq!(with(away(), Health::Up).refusing(Some("no credit")).health, CarrierHealth::Connecting);
    }

    #[test]
    fn as_many_texts_wait_at_a_carrier_as_it_takes_within_seconds() {
        let room = |rate, window, throttled| {
            let line = Line::new(Vec::new(), 0, throttled);
            Vitals { rate, window, line, ..Vitals::default() }.room_for_texts()
        };
        assert_eq!((room(50, 10, false), room(0, 10, false), room(50, 10, true)), (500, 80, 0));
    }
}
