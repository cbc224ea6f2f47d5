//! Carriers: everything that takes short messages out of the platform, behind one trait, and what places calls, behind
//! another ([`voice`]).
//!
//! A carrier never touches the store. It takes [`Submission`]s and reports exactly one [`Answer`] for each: accepted,
//! refused, throttled, never written, or written and not answered. Receipts come independently, before or after the
//! answer, and are acknowledged only after the worker has committed them.

pub mod calls;
mod config_secret;
pub mod http;
pub mod live_calls;
mod pace;
pub mod policy;
pub mod sip;
pub mod smpp;
mod submit_queue;
pub mod trace;
pub mod vitals;
pub mod voice;

pub use config_secret::ConfigSecret;
pub use smpp::Script;
use talkdrum_api::kind::Kind;
pub use trace::{Trace, masked_number};

use crate::model::carrier::BindRole;
use crate::model::message::id::MessageId;
use crate::model::message::receipt_state::ReceiptState;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::sync::mpsc;

use self::vitals::{Bind, Line};
use self::voice::CallResult;
use crate::content::{Body, CallScript};
use crate::error::Result;
use crate::phone::Msisdn;
use crate::time::Time;

/// A carrier's id of a message that it accepted, in canonical form: as configured hex or decimal becomes plain decimal
/// without leading zeros when it is a number of at most 64 bits, and lower case otherwise.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reference(pub Box<str>);

/// A message handed to a carrier, to be sent or called.
#[derive(Clone, Debug)]
pub struct Submission {
    /// Which message this is.
    pub message: MessageId,
    /// The recipient.
    pub to: Msisdn,
    /// The sender: a sender id of up to 11 characters, or digits.
    pub from: Arc<str>,
    /// The content. Messages of one text share one body, so a carrier may prepare it once (`Arc::ptr_eq`).
    pub body: Arc<Body>,
    /// Bit n is set when part n was accepted in an earlier try and must not be sent again.
    pub parts_done: u16,
    /// How often it was tried before.
    pub tries: u32,
    /// Of a call that other trunks failed to place: the number that the first of them calls from, where the content names
    /// none.
    pub caller: Option<Msisdn>,
    /// When it is of no use any more.
    pub expires_at: Option<Time>,
}

/// What became of a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every part was accepted.
    Accepted,
    /// Refused for good. Parts accepted before it stay accepted by the carrier; the message is rejected.
    Refused(Refusal),
    /// Refused for now: it may be sent again, and only what was not accepted yet.
    Throttled(Refusal),
    /// At least one part was never written to the wire and none is in doubt: it may be sent again.
    Unsent,
    /// A part was written and not answered (the connection broke, the answer timed out): it may have been sent.
    Unanswered,
    /// It was a call, and this is how it ended.
    Called(Box<CallResult>),
}

/// Why a carrier refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The carrier's code: an SMPP command status. 0 where the carrier speaks in words: then they are the report.
    pub code: u32,
    /// In words, for reports.
    pub reason: Arc<str>,
    /// The reason is the carrier's: its load, its account, its connection; another carrier may take the message. False where
    /// it is the message's, its number's or its sender's, where the carrier does not say, and where some other part of the
    /// message is in doubt.
    pub is_carriers: bool,
}

impl Refusal {
    /// One in words.
    pub fn in_words(reason: impl Into<Arc<str>>, is_carriers: bool) -> Self {
        Self { code: 0, reason: reason.into(), is_carriers }
    }
}

/// The one answer to a submission.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Which message.
    pub message: MessageId,
    /// What became of it.
    pub verdict: Verdict,
    /// The parts accepted in this try with the carrier's references; a one-part message has part 0, and a message that
    /// the carrier cuts by itself is [`WHOLE`](crate::model::message::id::WHOLE). With [`Verdict::Unanswered`]: the
    /// reference that its receipt will bear, should it have been accepted.
    pub accepted: Accepted,
}

/// References of the parts accepted in one try; no allocation beyond the reference for the usual single part.
#[derive(Clone, Debug, Default)]
pub enum Accepted {
    /// None.
    #[default]
    None,
    /// One part.
    One(u8, Reference),
    /// Several.
    Many(Vec<(u8, Reference)>),
}

impl Accepted {
    /// The parts with their references.
    pub fn iter(&self) -> impl Iterator<Item = (u8, &Reference)> {
        let (one, many) = match self {
            Self::None => (None, [].as_slice()),
            Self::One(part, reference) => (Some((*part, reference)), [].as_slice()),
            Self::Many(parts) => (None, parts.as_slice()),
        };
        one.into_iter().chain(many.iter().map(|(part, reference)| (*part, reference)))
    }

    /// Adds a part.
    pub fn push(&mut self, part: u8, reference: Reference) {
        *self = match std::mem::take(self) {
            Self::None => Self::One(part, reference),
            Self::One(first, held) => Self::Many(vec![(first, held), (part, reference)]),
            Self::Many(mut parts) => {
                parts.push((part, reference));
                Self::Many(parts)
            }
        };
    }
}

/// A delivery receipt.
#[derive(Clone, Debug)]
pub struct Receipt {
    /// The carrier's reference of the message, canonical.
    pub reference: Reference,
    /// The handset, where the receipt names it.
    pub to: Option<Msisdn>,
    /// The sender of the message, where the receipt names it.
    pub from: Option<Box<str>>,
    /// What it says.
    pub state: ReceiptState,
    /// The network's error code, where given.
    pub error: Option<Box<str>>,
    /// When the network was done, by the carrier's clock, in UTC.
    pub done_at: Option<Time>,
    /// Hand this back by [`SmsCarrier::acknowledge`] after the commit.
    pub token: ReceiptToken,
}

/// Names a received PDU or callback that waits for its acknowledgement. A token of a closed connection is ignored; the
/// carrier will send the receipt again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReceiptToken {
    /// Which connection, counted over the carrier's life.
    pub connection: u64,
    /// The sequence number on it.
    pub sequence: u32,
}

/// A message from a handset.
#[derive(Clone, Debug)]
pub struct Inbound {
    /// The handset.
    pub from: Box<str>,
    /// Our number or short code.
    pub to: Box<str>,
    /// What it says; empty for a part of a longer one.
    pub text: String,
    /// The part that it is, if the handset cut the message.
    pub part: Option<InboundPart>,
    /// The carrier's unique id for it.
    pub reference: Option<Box<str>>,
    /// A number of the carrier or the handset that wraps around: the same text under the same number within a short
    /// time is the same message.
    pub mark: Option<Box<str>>,
    /// To acknowledge.
    pub token: ReceiptToken,
}

/// A part of a message that the handset cut. It is read when all of them are there: a character may begin in one and
/// end in the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InboundPart {
    /// The same for all parts of a message; the handset uses it again after some hundred others.
    pub reference: u32,
    /// How many parts there are: 2 or more.
    pub total: u8,
    /// Which of them, from 1.
    pub place: u8,
    /// How its octets are written.
    pub script: Script,
    /// The octets without the user data header.
    pub octets: Box<[u8]>,
}

impl InboundPart {
    /// A part; `None` where the numbers cannot be, or there is one part alone.
    pub fn new(reference: u32, total: u8, place: u8, script: Script, octets: &[u8]) -> Option<Self> {
        let can_be = total > 1 && (1..=total).contains(&place);
        can_be.then(|| Self { reference, total, place, script, octets: octets.into() })
    }
}

/// What a carrier reports, in batches as they came off the wire.
#[derive(Clone, Debug)]
pub enum Event {
    /// A submission's one answer.
    Answer(Answer),
    /// A receipt.
    Receipt(Receipt),
    /// A message from a handset.
    Inbound(Inbound),
    /// The person who was called with this message opted out by a key. It is told when it is heard: how the call ends may
    /// never be.
    OptOut(MessageId),
}

/// The receiving end of a carrier's events. The channel is bounded: a worker that cannot commit slows the wire down.
pub type Events = mpsc::Receiver<Vec<Event>>;

/// What a carrier can do, checked before anything is charged.
#[derive(Clone, Debug)]
pub struct Capabilities {
    /// The kinds it carries.
    pub kinds: Vec<Kind>,
    /// Messages a second it was configured to take; 0 is as fast as it answers.
    pub rate: u32,
    /// Short messages outstanding at once, over all its connections; calls that may be up.
    pub window: u32,
    /// How it calls again; `None` of a carrier of short messages.
    pub calls: Option<CallPolicy>,
}

/// How often a number is called that does not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallPolicy {
    /// Calls at most, the first one among them: 1 is no second try.
    pub attempts: u32,
    /// How long after the end of a call the next one may begin.
    pub retry_after: Duration,
    /// Other carriers of calls that place what this one failed to, in their order.
    pub failover: Vec<String>,
    /// The number that calls are from where their content names none: others that place them show it, too.
    pub caller: Option<Msisdn>,
}

impl CallPolicy {
    /// So many calls at most, so long after each other, and no other trunk.
    pub const fn new(attempts: u32, retry_after: Duration) -> Self {
        Self { attempts, retry_after, failover: Vec::new(), caller: None }
    }
}

/// The state of a carrier's connection, for `/readyz`, metrics and `talkdrum carriers`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Health {
    /// Connected and taking messages.
    Up,
    /// Connecting, or waiting to connect again.
    Connecting {
        /// Why it is not up.
        reason: String,
    },
    /// The carrier refuses the credentials: tried again rarely, and when the configuration changes.
    Stopped {
        /// What the operator must correct.
        reason: String,
    },
}

/// A connection, or several, over which short messages leave the platform.
pub trait SmsCarrier: Send + Sync + fmt::Debug {
    /// The label of reports and metrics, unique.
    fn name(&self) -> &str;

    /// What it can do.
    fn capabilities(&self) -> &Capabilities;

    /// The state of its connection.
    fn health(&self) -> Health;

    /// The state of the part that takes messages: up also while receipts do not come in.
    fn sending_health(&self) -> Health {
        self.health()
    }

    /// Its state in detail: each connection, what is outstanding, whether it is throttled.
    fn line(&self) -> Line {
        Line::new(vec![Bind::new(BindRole::Carrier, self.health(), None)], 0, false)
    }

    /// The trace of what goes over its wire.
    fn trace(&self) -> Option<&Trace> {
        None
    }

    /// Waits until the carrier can take messages and returns how many parts may be handed over now without
    /// queueing beyond its window. Never returns 0. While it is throttled or disconnected, it waits.
    fn ready(&self) -> BoxFuture<'_, u32>;

    /// Makes what the calls of this script have in common, before the first of them is claimed.
    ///
    /// # Errors
    /// It cannot be made: the campaign cannot go on.
    fn prepare<'a>(&'a self, _script: &'a CallScript) -> BoxFuture<'a, Result<()>> {
        Box::pin(std::future::ready(Ok(())))
    }

    /// Hands messages over; returns at once. Each is answered by exactly one [`Event::Answer`], also when the
    /// connection is lost (then `Unsent` or `Unanswered`, as the truth is).
    fn submit(&self, batch: Vec<Submission>);

    /// Acknowledges receipts and inbound messages whose effects are committed.
    fn acknowledge(&self, tokens: Vec<ReceiptToken>);

    /// Stops taking messages, waits up to `grace` for outstanding answers, unbinds. Whatever is unanswered then is
    /// answered `Unanswered` or `Unsent`.
    fn close(&self, grace: Duration) -> BoxFuture<'_, ()>;
}
