//! A carrier as routing sees it: what it takes and how fast.

use std::sync::Arc;

use talkdrum_api::kind::Kind;

use crate::carrier::SmsCarrier;
use crate::error::{Error, Result};

/// The rate assumed of a carrier without a configured one, in short messages a second: it only serves the estimate
/// of when a campaign is finished.
pub const ASSUMED_RATE: u32 = 5_000;

/// How long a phone is assumed to ring before it is answered, in ms.
const RINGS_MS: u64 = 10_000;

/// What routing knows of a carrier.
#[derive(Clone, Debug, Default)]
pub struct RouteCarrier {
    /// The carrier's name.
    pub name: Arc<str>,
    /// The kinds it carries.
    pub kinds: Vec<Kind>,
    /// Messages a second it was configured to take; 0 is as fast as it answers.
    pub rate: u32,
    /// Calls that may be up; 0 of a carrier of short messages.
    pub channels: u32,
    /// Whether it tells the keys that are pressed in calls.
    pub keys: bool,
    /// Whether it plays a clip again while no key is pressed.
    pub repeats: bool,
    /// Short messages of one message, at most; 0 is no limit.
    pub max_parts: u8,
    /// It takes no sender ids with letters.
    pub numeric_senders_only: bool,
    /// No receipts come from it, so that nothing it takes is known to be delivered.
    pub no_receipts: bool,
    /// Its own refund policy; the platform's when `None`.
    pub refund_undelivered: Option<bool>,
}

impl RouteCarrier {
    /// What routing needs of a carrier.
    pub fn of(carrier: &dyn SmsCarrier) -> Self {
        let capabilities = carrier.capabilities();
        Self {
            name: carrier.name().into(),
            kinds: capabilities.kinds.clone(),
            rate: capabilities.rate,
            ..Self::default()
        }
    }

    /// Whether it takes such a message at all.
    ///
    /// # Errors
    /// What about it the carrier does not take.
    pub fn check(&self, kind: Kind, sender: &str, segments: u8) -> Result<()> {
        let refuse = |what: String| {
            Err(Error::rule("not_carried", format!("The carrier '{}' takes no {what}", self.name)))
        };
        if !self.kinds.contains(&kind) {
            return refuse(format!("{} messages", kind.code()));
        }
        if !self.takes_sender(sender) {
            return refuse(format!("messages from '{sender}': its senders are numbers"));
        }
        if !self.takes_length(segments) {
            return refuse(format!("messages of {segments} parts: {} are the most", self.max_parts));
        }
        Ok(())
    }

    /// Whether its calls can ask a question that is played so often.
    pub const fn takes_question(&self, plays: u8) -> bool {
        self.keys && (plays <= 1 || self.repeats)
    }

    /// Whether it takes short messages of every kind.
    pub(super) fn has_all_sms_kinds(&self) -> bool {
        Kind::SMS.iter().all(|kind| self.kinds.contains(kind))
    }

    pub(super) fn takes_sender(&self, sender: &str) -> bool {
        !self.numeric_senders_only || sender.trim_start_matches('+').bytes().all(|byte| byte.is_ascii_digit())
    }

    pub(super) const fn takes_length(&self, segments: u8) -> bool {
        self.max_parts == 0 || segments <= self.max_parts
    }

    /// How long it takes for this many short messages, or for calls that are up for `call_ms` each, in ms.
    pub(super) fn duration_ms(&self, segments: u64, call_ms: u64) -> u64 {
        let rate = if self.rate == 0 { ASSUMED_RATE } else { self.rate };
        let by_rate = segments.saturating_mul(1_000).div_ceil(u64::from(rate));
        match u64::from(self.channels) {
            0 => by_rate,
            channels => by_rate.max(segments.div_ceil(channels).saturating_mul(call_ms + RINGS_MS)),
        }
    }
}
