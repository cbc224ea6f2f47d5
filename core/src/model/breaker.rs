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
//! promotional messages may go out in each `probe_every_s`. Receipts count when they come, whenever their message was sent.

use std::collections::VecDeque;
use std::time::Duration;

use serde::Deserialize;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
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
        Self { stored, window: ReceiptWindow::default(), trial: ReceiptCount::default(), credit: 0 }
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
        true
    }

    /// Whether a promotional message may go out. While it is half open, each answer of yes is one message less.
    pub const fn let_through(&mut self) -> bool {
        match self.stored.state {
            BreakerState::Closed => true,
            BreakerState::Open => false,
            BreakerState::HalfOpen => {
                let may = self.credit > 0;
                self.credit = self.credit.saturating_sub(1);
                may
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TERMS: BreakerTerms =
        BreakerTerms { floor: 60, sample: 200, window_s: 600, probe: 20, probe_every_s: 300 };
    const MINUTE: i64 = 60_000;

    /// Counts so many receipts, the delivered ones first; how often the state changed.
    fn count(breaker: &mut NetworkBreaker, delivered: i64, failed: i64, now: i64) -> usize {
        let all = (0..delivered + failed).map(|n| n < delivered);
        all.filter(|is_delivered| breaker.count(&TERMS, *is_delivered, Time(now))).count()
    }

    fn state(breaker: &NetworkBreaker) -> BreakerState {
        breaker.stored().state
    }

    #[test]
    fn it_opens_below_the_floor_and_not_before_the_sample_is_full() {
        let mut breaker = NetworkBreaker::default();
        assert_eq!(count(&mut breaker, 100, 99, 0), 0, "199 receipts are too few");
        assert_eq!(count(&mut breaker, 0, 1, 1), 1);
        let stored = breaker.stored();
        assert_eq!((stored.state, stored.delivered, stored.failed), (BreakerState::Open, 100, 100));
        assert_eq!((stored.opened_at, stored.probe_at), (Some(Time(1)), Some(Time(1 + 5 * MINUTE))));
        let mut breaker = NetworkBreaker::default();
        assert_eq!(count(&mut breaker, 120, 80, 0), 0, "60 of a hundred are the floor");
        assert_eq!(count(&mut breaker, 0, 1, 0), 1, "120 of 201 are fewer");
    }

    #[test]
    fn receipts_of_longer_ago_than_the_window_do_not_count() {
        let mut breaker = NetworkBreaker::default();
        count(&mut breaker, 0, 150, 0);
        assert_eq!(count(&mut breaker, 0, 49, 9 * MINUTE), 0);
        // The first 150 are ten minutes old.
        assert_eq!(count(&mut breaker, 0, 150, 10 * MINUTE), 0);
        assert_eq!(count(&mut breaker, 0, 1, 10 * MINUTE), 1, "the 200th of ten minutes");
        // A failure an hour for a year opens nothing, and takes no memory.
        let mut breaker = NetworkBreaker::default();
        let opened = (0..8_760).map(|hour| count(&mut breaker, 0, 1, hour * 60 * MINUTE)).sum::<usize>();
        assert_eq!((opened, breaker.window.buckets.len()), (0, 1));
    }

    #[test]
    fn a_clock_that_was_set_back_neither_loses_nor_keeps_receipts_for_ever() {
        let mut breaker = NetworkBreaker::default();
        count(&mut breaker, 0, 100, 60 * MINUTE);
        assert_eq!(count(&mut breaker, 0, 99, 0), 0);
        assert_eq!(breaker.window.sum.failed, 199);
        assert_eq!(count(&mut breaker, 0, 1, 80 * MINUTE), 0, "those are gone");
        assert_eq!(breaker.window.sum.failed, 1);
    }

    #[test]
    fn it_waits_then_lets_some_through_and_their_receipts_close_it() {
        let mut breaker = NetworkBreaker::default();
        count(&mut breaker, 0, 200, 0);
        assert!(!breaker.let_through() && breaker.holds());
        count(&mut breaker, 20, 0, MINUTE);
        assert_eq!(state(&breaker), BreakerState::Open, "these were sent before");
        assert!(!breaker.advance(&TERMS, Time(5 * MINUTE - 1)));
        assert!(breaker.advance(&TERMS, Time(5 * MINUTE)));
        assert_eq!(state(&breaker), BreakerState::HalfOpen);
        assert_eq!((0..30).filter(|_| breaker.let_through()).count(), 20);
        assert_eq!(count(&mut breaker, 12, 7, 6 * MINUTE), 0, "one is missing");
        assert_eq!(count(&mut breaker, 0, 1, 6 * MINUTE), 1);
        assert_eq!(state(&breaker), BreakerState::Closed, "12 of 20 are the floor");
        assert!(breaker.let_through() && !breaker.holds());
        assert_eq!((breaker.stored().probe_at, breaker.stored().failed), (None, 200));
        assert_eq!(count(&mut breaker, 0, 199, 7 * MINUTE), 0, "what opened it is forgotten");
    }

    #[test]
    fn one_that_does_not_deliver_yet_waits_again() {
        let mut breaker = NetworkBreaker::default();
        count(&mut breaker, 0, 200, 0);
        breaker.advance(&TERMS, Time(5 * MINUTE));
        assert_eq!(count(&mut breaker, 11, 9, 6 * MINUTE), 1);
        let stored = breaker.stored();
        assert_eq!(
            (stored.state, stored.opened_at),
            (BreakerState::Open, Some(Time(0))),
            "since the beginning"
        );
        assert_eq!(stored.probe_at, Some(Time(11 * MINUTE)));
        assert!(!breaker.let_through());
    }

    #[test]
    fn without_receipts_as_many_are_let_through_once_more() {
        let mut breaker = NetworkBreaker::default();
        count(&mut breaker, 0, 200, 0);
        breaker.advance(&TERMS, Time(5 * MINUTE));
        while breaker.let_through() {}
        count(&mut breaker, 10, 0, 6 * MINUTE);
        assert!(!breaker.advance(&TERMS, Time(10 * MINUTE - 1)));
        assert!(breaker.advance(&TERMS, Time(10 * MINUTE)));
        assert_eq!((0..30).filter(|_| breaker.let_through()).count(), 20);
        assert_eq!(count(&mut breaker, 10, 0, 11 * MINUTE), 1, "the first ten count, too");
        assert_eq!(state(&breaker), BreakerState::Closed);
    }

    #[test]
    fn one_that_was_stored_lets_nothing_through_before_its_time() {
        let stored = StoredBreaker {
            state: BreakerState::HalfOpen,
            delivered: 1,
            failed: 199,
            opened_at: Some(Time(0)),
            probe_at: Some(Time(9)),
            changed_at: Time(5),
        };
        let mut breaker = NetworkBreaker::from(stored);
        assert!(!breaker.let_through());
        assert!(breaker.advance(&TERMS, Time(9)) && breaker.let_through());
        let mut forced =
            NetworkBreaker::from(StoredBreaker { state: BreakerState::Open, probe_at: None, ..stored });
        assert!(!forced.advance(&TERMS, Time(10)));
        assert_eq!(forced.stored().probe_at, Some(Time(10 + 5 * MINUTE)));
    }

    #[test]
    fn terms_outside_their_bounds_are_refused_by_name() {
        assert_eq!(TERMS.fault(), None);
        for (terms, name) in [
            (BreakerTerms { floor: 0, ..TERMS }, "breaker.floor"),
            (BreakerTerms { floor: 100, ..TERMS }, "breaker.floor"),
            (BreakerTerms { sample: 9, ..TERMS }, "breaker.sample"),
            (BreakerTerms { window_s: 59, ..TERMS }, "breaker.window_s"),
            (BreakerTerms { probe: 0, ..TERMS }, "breaker.probe"),
            (BreakerTerms { probe_every_s: 9, ..TERMS }, "breaker.probe_every_s"),
        ] {
            let fault = terms.fault().unwrap_or_default();
            assert!(fault.contains(name), "{fault}");
        }
        let read: BreakerTerms = serde_json::from_value(serde_json::json!({ "floor": 60 })).unwrap();
        assert_eq!(read, TERMS, "the others have defaults");
    }
}
