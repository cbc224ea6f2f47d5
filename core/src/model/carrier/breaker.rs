//! The breaker of a carrier and a network: where receipts say that too little is delivered, promotional messages to that
//! network wait, and a few are let through now and then to see whether it delivers again.
//!
//! ```text
//!          fewer than `floor` % of at least `sample` receipts of the last `window_s` delivered
//! closed ─────────────────────────────────────────────────────────────────────────▶ open ◀──────────┐
//!   ▲                                                                                │ `probe_every_s` later
//!   └────── `floor` % of `probe` receipts delivered ─────── half_open ◀──────────────┘              │
//!                                                               └────── fewer: another wait ────────┘
//! ```
//!
//! What is not promotional goes out in each state, and its receipts count like all others. While it is half open, `probe`
//! promotional messages may go out in each `probe_every_s`, and one more for each that the carrier did not take. Receipts count
//! when they come, whenever their message was sent.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use serde::Deserialize;

use crate::model::message::id::MessageId;
use crate::time::Time;

/// Parts of the window: it is exact to one of them.
const BUCKETS: i64 = 10;

/// Messages that wait singly for breakers of a carrier, about. Beyond it promotional chunks wait as a whole, those to other
/// networks too.
pub const PARKED_MAX: i64 = 100_000;

words! {
    /// Whether promotional messages go to a network by a carrier.
    BreakerState {
        /// They do.
        Closed = "closed",
        /// They wait.
        Open = "open",
        /// They wait, but for a few that show whether the network delivers again.
        HalfOpen = "half_open",
    }
}

/// When the breakers of a carrier open and close: `breaker` of a carrier in the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BreakerTerms {
    /// Of a hundred receipts, so many must say delivered, from 1 to 99.
    pub floor: u8,
    /// Receipts that are judged, at least.
    #[serde(default = "sample")]
    pub sample: u32,
    /// Seconds; older receipts do not count.
    #[serde(default = "window_s")]
    pub window_s: u32,
    /// Promotional messages that go out to see whether the network delivers again; and receipts that decide it.
    #[serde(default = "probe")]
    pub probe: u32,
    /// Seconds until that is tried for the first time, and again.
    #[serde(default = "probe_every_s")]
    pub probe_every_s: u32,
}

const fn sample() -> u32 {
    200
}

const fn window_s() -> u32 {
    600
}

const fn probe() -> u32 {
    20
}

const fn probe_every_s() -> u32 {
    300
}

impl BreakerTerms {
    /// What is wrong with them, as a sentence that names the setting; `None` where they can be used.
    pub fn fault(&self) -> Option<String> {
        let figures = [
            ("floor", u32::from(self.floor), 1, 99),
            ("sample", self.sample, 10, 100_000),
            ("window_s", self.window_s, 60, 86_400),
            ("probe", self.probe, 1, 1_000),
            ("probe_every_s", self.probe_every_s, 10, 86_400),
        ];
        let outside = figures.into_iter().find(|(_, value, least, most)| value < least || value > most);
        outside.map(|(name, value, least, most)| {
            format!("`breaker.{name}` must be from {least} to {most}, and is {value}")
        })
    }

    const fn bucket_ms(&self) -> i64 {
        self.window_s as i64 * 1_000 / BUCKETS
    }

    fn probe_every(&self) -> Duration {
        Duration::from_secs(self.probe_every_s.into())
    }
}

/// Final receipts by what they say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReceiptCount {
    /// The message was delivered.
    pub delivered: i64,
    /// It was not, and will not be.
    pub failed: i64,
}

impl ReceiptCount {
    /// How many there are.
    pub const fn all(self) -> i64 {
        self.delivered + self.failed
    }

    const fn add(&mut self, is_delivered: bool) {
        if is_delivered {
            self.delivered += 1;
        } else {
            self.failed += 1;
        }
    }

    const fn is_below(self, floor: u8) -> bool {
        self.delivered * 100 < self.all() * floor as i64
    }
}

/// The receipts of the last while, by parts of it.
#[derive(Clone, Debug, Default)]
struct ReceiptWindow {
    /// The number of each part since 1970, oldest first.
    buckets: VecDeque<(i64, ReceiptCount)>,
    sum: ReceiptCount,
}

impl ReceiptWindow {
    fn add(&mut self, is_delivered: bool, bucket_ms: i64, now: Time) {
        // A clock that was set back counts on in the newest part.
        let newest = self.buckets.back().map_or(i64::MIN, |(number, _)| *number);
        let number = now.0.div_euclid(bucket_ms).max(newest);
        if number > newest {
            self.buckets.push_back((number, ReceiptCount::default()));
            while let Some((_, old)) = self.buckets.front().filter(|(old, _)| number - old >= BUCKETS) {
                self.sum.delivered -= old.delivered;
                self.sum.failed -= old.failed;
                self.buckets.pop_front();
            }
        }
        if let Some((_, count)) = self.buckets.back_mut() {
            count.add(is_delivered);
            self.sum.add(is_delivered);
        }
    }
}

/// What is stored of a breaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct StoredBreaker {
    /// Its state.
    pub state: BreakerState,
    /// Receipts that opened it last; none where an administrator did.
    pub delivered: i64,
    /// Of these, those that did not say delivered.
    pub failed: i64,
    /// When it opened last.
    pub opened_at: Option<Time>,
    /// When promotional messages are let through next; `None` while it is closed, or where an administrator has just opened it.
    pub probe_at: Option<Time>,
    /// When its state changed last.
    pub changed_at: Time,
}

/// The breaker of one network, in the run that holds the carrier.
#[derive(Clone, Debug)]
pub struct NetworkBreaker {
    stored: StoredBreaker,
    window: ReceiptWindow,
    /// Receipts since it is half open.
    trial: ReceiptCount,
    /// Promotional messages that may still go out while it is half open.
    credit: u32,
    /// Those that went out since there is credit.
    probes: BTreeSet<MessageId>,
}

impl Default for NetworkBreaker {
    fn default() -> Self {
        let (delivered, failed) = (0, 0);
        let (opened_at, probe_at, changed_at) = (None, None, Time(0));
        Self::from(StoredBreaker {
            state: BreakerState::Closed,
            delivered,
            failed,
            opened_at,
            probe_at,
            changed_at,
        })
    }
}

/// One that begins with what is stored: no receipt counts yet, and nothing is let through before the next time.
impl From<StoredBreaker> for NetworkBreaker {
    fn from(stored: StoredBreaker) -> Self {
        let (window, trial) = (ReceiptWindow::default(), ReceiptCount::default());
        Self { stored, window, trial, credit: 0, probes: BTreeSet::new() }
    }
}

impl NetworkBreaker {
    /// What is to be stored of it.
    pub const fn stored(&self) -> StoredBreaker {
        self.stored
    }

    /// Whether promotional messages wait, but for those that [`NetworkBreaker::let_through`] lets through.
    pub fn holds(&self) -> bool {
        self.stored.state != BreakerState::Closed
    }

    /// Counts a final receipt. True when the state changed by it.
    pub fn count(&mut self, terms: &BreakerTerms, is_delivered: bool, now: Time) -> bool {
        match self.stored.state {
            BreakerState::Closed => {
                self.window.add(is_delivered, terms.bucket_ms(), now);
                let seen = self.window.sum;
                let opens = seen.all() >= i64::from(terms.sample) && seen.is_below(terms.floor);
                if opens {
                    self.stored.delivered = seen.delivered;
                    self.stored.failed = seen.failed;
                    self.stored.opened_at = Some(now);
                    self.open(terms, now);
                }
                opens
            }
            // What comes now was mostly sent before it opened.
            BreakerState::Open => false,
            BreakerState::HalfOpen => {
                self.trial.add(is_delivered);
                if self.trial.all() < i64::from(terms.probe) {
                    return false;
                }
                if self.trial.is_below(terms.floor) {
                    self.open(terms, now);
                } else {
                    self.close(now);
                }
                true
            }
        }
    }

    fn open(&mut self, terms: &BreakerTerms, now: Time) {
        let probe_at = Some(now + terms.probe_every());
        *self =
            Self::from(StoredBreaker { state: BreakerState::Open, probe_at, changed_at: now, ..self.stored });
    }

    fn close(&mut self, now: Time) {
        let (state, probe_at, changed_at) = (BreakerState::Closed, None, now);
        *self = Self::from(StoredBreaker { state, probe_at, changed_at, ..self.stored });
    }

    /// Lets time pass. True when messages may be let through from now on, [`BreakerTerms::probe`] of them.
    pub fn advance(&mut self, terms: &BreakerTerms, now: Time) -> bool {
        if !self.holds() {
            return false;
        }
        let Some(at) = self.stored.probe_at else {
            // An administrator opened it.
            self.stored.probe_at = Some(now + terms.probe_every());
            return false;
        };
        if now < at {
            return false;
        }
        if self.stored.state == BreakerState::Open {
            self.stored.state = BreakerState::HalfOpen;
            self.stored.changed_at = now;
        }
        self.stored.probe_at = Some(now + terms.probe_every());
        self.credit = terms.probe;
        self.probes.clear();
        true
    }

    /// Whether a promotional message may go out. While it is half open, each answer of yes is one message less.
    pub fn let_through(&mut self, message: MessageId) -> bool {
        match self.stored.state {
            BreakerState::Closed => true,
            BreakerState::Open => false,
            BreakerState::HalfOpen => {
                let may = self.credit > 0;
                if may {
                    self.credit -= 1;
                    self.probes.insert(message);
                }
                may
            }
        }
    }

    /// Notes that a message that was let through was not taken: another one may go out. False where it was not let through since
    /// there is credit.
    pub fn give_back(&mut self, message: MessageId) -> bool {
        let is_probe = self.probes.remove(&message);
        self.credit += u32::from(is_probe);
        is_probe
    }
}

#[cfg(test)]
mod tests;
