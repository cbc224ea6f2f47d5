//! Carriers as administrators see them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::money::Amount;

/// `GET /admin/carriers`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Carriers {
    /// In the order of the configuration.
    pub carriers: Vec<Carrier>,
    /// How many there are.
    pub total: i64,
}

/// A carrier and how it fares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Carrier {
    /// Its name in the configuration.
    pub name: String,
    /// How it is spoken to: `smpp`, `kannel`, `termii`, `africastalking`, `infobip` or `template`, or for calls `sip` or
    /// `http-voice`; empty when it is not configured any more.
    pub kind: String,
    /// Whether it stands in the configuration. One that does not is shown while something waits at it.
    pub configured: bool,
    /// `up`, `connecting`, `refusing` (all that it is given, for a reason of its own, until it takes a message again), `stopped`
    /// (until the configuration is mended), or `unheld` when no daemon holds it.
    pub health: String,
    /// Why it is not up.
    pub reason: Option<String>,
    /// Its connections.
    pub binds: Vec<CarrierBind>,
    /// Short messages that may be outstanding at once; calls that may be up.
    pub window: Option<u32>,
    /// Short messages submitted and not answered; calls that are up.
    pub window_used: Option<u32>,
    /// Messages, or new calls, a second it may take; 0 is as many as it does.
    pub rate: u32,
    /// Messages a second that it answered over the last ten seconds; none for calls.
    pub rate_now: Option<u32>,
    /// Of a carrier of calls, how they go.
    #[serde(default)]
    pub calls: Option<CarrierCalls>,
    /// Whether it asked for less and is being waited for.
    pub throttled: bool,
    /// How long receipts take, of a sample of the last ten minutes.
    pub receipt_lag: Option<CarrierReceiptLag>,
    /// `open`, `paused`, `draining`, or `drained` once nothing of it is in flight.
    pub state: String,
    /// Why, in the operator's words.
    pub state_reason: Option<String>,
    /// Whose word it is.
    pub state_by: Option<String>,
    /// Since when.
    pub state_since: Option<String>,
    /// Messages that wait to be sent, of campaigns that are sending; those that are tried again among them.
    pub queued: i64,
    /// Messages of campaigns that are scheduled or paused.
    pub queued_later: i64,
    /// Messages of which the carrier has not said yet whether it takes them; calls that are up.
    pub in_flight: i64,
    /// The platform's own text messages that wait.
    pub queued_notices: i64,
    /// Since when the message that waits longest could have been sent.
    pub oldest_queued_at: Option<String>,
    /// How long that is, in seconds.
    pub oldest_queued_s: Option<i64>,
    /// Since when the chunk that was heard of least has messages in flight.
    pub oldest_lease_at: Option<String>,
    /// Receipts that match no message so far.
    pub unmatched_receipts: i64,
    /// Messages of which it is not known whether they were sent.
    pub unknown_messages: i64,
    /// The run of the daemon that holds it.
    pub held_by: Option<i64>,
    /// When that daemon last looked: what it says of health, binds, window and rate is as of then.
    pub seen_at: Option<String>,
    /// Its traffic is traced until then.
    pub traced_until: Option<String>,
    /// The networks to which promotional messages wait, as it delivers too few of them.
    #[serde(default)]
    pub breakers: Vec<CarrierBreaker>,
}

/// A network to which promotional messages by a carrier wait.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CarrierBreaker {
    /// The network, as routes name it.
    pub network: String,
    /// `open`: they wait; `half_open`: a few are let through, to see whether the network delivers again.
    pub state: String,
    /// Receipts that opened it: of messages that were delivered; 0 where an administrator opened it.
    pub delivered: i64,
    /// Of messages that were not.
    pub failed: i64,
    /// Promotional messages that wait for it.
    pub waiting: i64,
    /// Since when.
    pub opened_at: Option<String>,
    /// When a few are let through next.
    pub probe_at: Option<String>,
    /// The administrator who opened it; `null` where it opened by itself.
    pub changed_by: Option<String>,
}

/// How the calls of a carrier go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CarrierCalls {
    /// Calls that are up, those that still ring among them.
    pub up: u32,
    /// Calls that began in the last minute.
    pub begun_last_minute: u32,
    /// Calls that ended in the last five minutes, by how: `answered`, `busy`, `no_answer`, `rejected`, `invalid_number`,
    /// `trunk_error`, `failed`.
    pub ended: BTreeMap<String, u32>,
    /// Packets of audio that were sent in these calls; 0 over HTTP, where the provider sends them.
    pub packets: u64,
    /// Of these, those that were sent over 20 ms after their time. Speech breaks up where they are more than one in a
    /// hundred: the machine has too much to do.
    pub packets_late: u64,
}

/// A connection to a carrier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CarrierBind {
    /// `transceiver`, `transmitter`, `receiver`, `http`, or `trunk` of a carrier of calls.
    pub role: String,
    /// `bound`, `connecting` or `refused`.
    pub state: String,
    /// Why it is not bound.
    pub reason: Option<String>,
    /// Since when.
    pub since: Option<String>,
}

/// How long receipts take, from the carrier's answer on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CarrierReceiptLag {
    /// Receipts that were measured.
    pub measured: u32,
    /// Half of them came within so many ms.
    pub p50_ms: i64,
    /// 95 of 100 came within so many ms.
    pub p95_ms: i64,
}

/// The answer of `POST /admin/carriers/{name}/pause`, `resume`, `drain`, `hang-up` and `breaker`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct CarrierHeld {
    /// The carrier as it is now.
    pub carrier: Carrier,
    /// In words.
    pub message: String,
}

/// A test message and what became of it so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CarrierTest {
    /// The test.
    pub id: i64,
    /// The carrier.
    pub carrier: String,
    /// `queued`, `submitting`, `sent` (accepted), `delivered`, `undelivered`, `failed` (refused), `expired`, `unknown`.
    pub status: String,
    /// The code of a refusal or failure.
    pub error: Option<String>,
    /// The carrier's references of its parts.
    pub references: Vec<String>,
    /// Whether nothing more will be heard of it.
    pub over: bool,
    /// When it was asked for.
    pub created_at: String,
    /// When the last of it was heard.
    pub done_at: Option<String>,
    /// In words.
    pub message: String,
}

/// The answer of `GET /admin/carriers/{name}/trace`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct CarrierTrace {
    /// Oldest first.
    pub lines: Vec<CarrierTraceLine>,
    /// How many there are.
    pub total: i64,
    /// Until when the carrier is traced; `null` when it is not.
    pub until: Option<String>,
}

/// A PDU or an exchange, masked: no text, no password, no whole number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CarrierTraceLine {
    /// In order of the wire: ask for what is `after` the last one seen.
    pub sequence: i64,
    /// When.
    pub at: String,
    /// What went over the wire: `->` out, `<-` in.
    pub line: String,
}

/// The answer of `POST /admin/carriers/{name}/reroute`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CarrierRerouted {
    /// Messages that go by another carrier now.
    pub moved: Vec<MovedMessages>,
    /// Messages that stay, and why.
    pub kept: Vec<KeptMessages>,
    /// The platform's own text messages that go by another carrier now.
    pub notices: i64,
    /// In words.
    pub message: String,
}

/// Messages that go by another carrier now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MovedMessages {
    /// That carrier.
    pub carrier: String,
    /// How many.
    pub messages: i64,
}

/// Messages that stay where they are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct KeptMessages {
    /// Why.
    pub reason: String,
    /// How many.
    pub messages: i64,
}

/// The answer of `POST /admin/carriers/reload`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CarriersReloaded {
    /// Carriers that are new.
    pub started: Vec<String>,
    /// Carriers whose settings changed: they drain and restart.
    pub changed: Vec<String>,
    /// Carriers that go on untouched.
    pub unchanged: Vec<String>,
    /// Carriers that are not configured any more: they drain and end.
    pub removed: Vec<RemovedCarrier>,
    /// Whether the routes changed.
    pub routes_changed: bool,
    /// Other settings that changed in the file, which need a restart.
    pub needs_restart: Vec<String>,
    /// Every daemon on the database, and what became of the reload there. What stands above is of the one that was asked.
    #[serde(default)]
    pub daemons: Vec<DaemonReloaded>,
    /// In words.
    pub message: String,
}

/// What became of a reload at one daemon.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DaemonReloaded {
    /// Its host and port.
    pub name: String,
    /// `api`, `worker` or `all`.
    pub role: String,
    /// `reloaded`; `started` after the reload was asked for, and so with the new file; `refused`: its own file cannot be
    /// used, and nothing has changed there; `silent`: it did not say in time.
    pub outcome: String,
    /// In words.
    pub message: String,
}

/// A carrier that is not configured any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RemovedCarrier {
    /// Its name.
    pub name: String,
    /// Messages that still wait for it: reroute them, or put it back.
    pub waiting: i64,
}

/// `GET /admin/margins`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Margins {
    /// By day, carrier and network, newest day first.
    pub margins: Vec<Margin>,
    /// How many there are.
    pub total: i64,
}

/// What a carrier was given on one day for one network, what customers paid for it and what it costs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Margin {
    /// The day in Africa/Lagos, `YYYY-MM-DD`.
    pub day: String,
    /// The carrier.
    pub carrier: String,
    /// The network, by the number's prefix.
    pub network: String,
    /// Messages that the carrier took.
    pub messages: i64,
    /// Their short messages: what the carrier's invoice counts.
    pub segments: i64,
    /// What customers paid, refunds taken off.
    pub revenue: Amount,
    /// In which currency.
    pub currency: String,
    /// What the carrier charges; `null` where the configuration gives no price.
    pub cost: Option<Amount>,
    /// In which currency.
    pub cost_currency: Option<String>,
    /// Revenue less cost, where both are in one currency.
    pub margin: Option<Amount>,
}
