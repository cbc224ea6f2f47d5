//! How fast a carrier answers and how long its receipts take, measured on a bounded sample of its events.
//!
//! Nothing is decided by it; it is for metrics and operators.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::carrier::vitals::ReceiptLag;
use crate::carrier::{Event, Reference, Verdict};
use crate::time::Time;

/// The rate is measured over this many seconds.
const RATE_SECONDS: i64 = 10;
/// Receipts measured within this tell the lag.
const LAG_SPAN: Duration = Duration::from_mins(10);
/// Receipts that tell it, at most.
const LAGS_MAX: usize = 512;
/// Messages whose receipt is waited for at once, to be measured.
const SAMPLES_MAX: usize = 256;
/// A message whose receipt did not come within this is not waited for any more.
const SAMPLE_SPAN: Duration = Duration::from_hours(1);

/// The meter of one carrier.
#[derive(Debug, Default)]
pub(crate) struct Meter(Mutex<Seen>);

#[derive(Debug, Default)]
struct Seen {
    /// Answers by second, newest last.
    answers: VecDeque<(i64, u32)>,
    /// When messages were accepted whose receipts are to be measured.
    samples: HashMap<Reference, Time>,
    /// How long receipts took, in ms, and when they came; newest last.
    lags: VecDeque<(Time, i64)>,
}

/// What a meter shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    /// Answers a second.
    pub(crate) rate_now: u32,
    /// How long receipts take.
    pub(crate) receipt_lag: Option<ReceiptLag>,
    /// Messages of the sample whose receipt has not come.
    pub(crate) receipts_awaited: u32,
}

impl Meter {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes in what came off the wire at `now`.
    pub(crate) fn note(&self, events: &[Event], now: Time) {
        if events.is_empty() {
            return;
        }
        let mut seen = self.seen();
        let mut answers = 0_u32;
        for event in events {
            match event {
                Event::Answer(answer) => {
                    answers += 1;
                    if answer.verdict == Verdict::Accepted && seen.samples.len() < SAMPLES_MAX {
                        let named = answer.accepted.iter().next();
                        if let Some((_, reference)) = named.filter(|(_, reference)| !reference.0.is_empty()) {
                            seen.samples.insert(reference.clone(), now);
                        }
                    }
                }
                Event::Receipt(receipt) => {
                    if let Some(since) = seen.samples.remove(&receipt.reference) {
                        let lag = i64::try_from(now.since(since).as_millis()).unwrap_or(i64::MAX);
                        seen.lags.push_back((now, lag));
                    }
                }
                Event::Inbound(_) | Event::OptOut(_) => {}
            }
        }
        let second = now.0.div_euclid(1_000);
        match seen.answers.back_mut() {
            Some((last, count)) if *last == second => *count += answers,
            _ => seen.answers.push_back((second, answers)),
        }
        seen.forget(now);
    }

    /// What it shows at `now`.
    pub(crate) fn read(&self, now: Time) -> Reading {
        let mut seen = self.seen();
        seen.forget(now);
        let this = now.0.div_euclid(1_000);
        // The second that has not ended yet would make every rate look too low.
        let whole = seen.answers.iter().filter(|(second, _)| *second < this);
        let answers: i64 = whole.map(|(_, count)| i64::from(*count)).sum();
        let mut lags: Vec<i64> = seen.lags.iter().map(|(_, lag)| *lag).collect();
        lags.sort_unstable();
        let share = |percent: usize| lags[(lags.len() * percent / 100).min(lags.len() - 1)];
        let receipt_lag = (!lags.is_empty()).then(|| ReceiptLag {
            measured: u32::try_from(lags.len()).unwrap_or(u32::MAX),
            p50_ms: share(50),
            p95_ms: share(95),
        });
        Reading {
            rate_now: u32::try_from((answers + RATE_SECONDS - 1) / RATE_SECONDS).unwrap_or(u32::MAX),
            receipt_lag,
            receipts_awaited: u32::try_from(seen.samples.len()).unwrap_or(u32::MAX),
        }
    }
}

impl Seen {
    fn forget(&mut self, now: Time) {
        let oldest = now.0.div_euclid(1_000) - RATE_SECONDS;
        while self.answers.front().is_some_and(|(second, _)| *second < oldest) {
            self.answers.pop_front();
        }
        while self.lags.len() > LAGS_MAX || self.lags.front().is_some_and(|(at, _)| now.since(*at) > LAG_SPAN)
        {
            self.lags.pop_front();
        }
        if self.samples.len() == SAMPLES_MAX {
            self.samples.retain(|_, since| now.since(*since) <= SAMPLE_SPAN);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::carrier::{Accepted, Answer, Receipt, ReceiptToken};
    use crate::model::message::id::MessageId;
    use crate::model::message::receipt_state::ReceiptState;

    fn answer(reference: &str) -> Event {
        let accepted = Accepted::One(0, Reference(reference.into()));
        Event::Answer(Answer { message: MessageId(1), verdict: Verdict::Accepted, accepted })
    }

    fn receipt(reference: &str) -> Event {
        Event::Receipt(Receipt {
            reference: Reference(reference.into()),
            to: None,
            from: None,
            state: ReceiptState::Delivered,
            error: None,
            done_at: None,
            token: ReceiptToken { connection: 0, sequence: 0 },
        })
    }

    #[test]
    fn the_rate_is_that_of_the_last_whole_seconds_and_goes_back_to_nothing() {
        let meter = Meter::default();
        for second in 0..10 {
            meter.note(&vec![answer("1"); 50], Time(second * 1_000 + 5));
        }
        assert_eq!(meter.read(Time(10_000)).rate_now, 50);
        assert_eq!(meter.read(Time(15_000)).rate_now, 25);
        assert_eq!(meter.read(Time(30_000)).rate_now, 0);
    }

    #[test]
    fn the_lag_is_measured_from_the_answer_to_the_receipt() {
        let meter = Meter::default();
        for number in 0..100_i64 {
            meter.note(&[answer(&number.to_string())], Time(0));
        }
        for number in 0..99_i64 {
            meter.note(&[receipt(&number.to_string())], Time(number * 10));
        }
        let reading = meter.read(Time(2_000));
        let lag = ReceiptLag { measured: 99, p50_ms: 490, p95_ms: 940 };
        assert_eq!((reading.receipt_lag, reading.receipts_awaited), (Some(lag), 1));
        assert_eq!(meter.read(Time(2_000_000)).receipt_lag, None, "that was long ago");
    }

    #[test]
    fn the_sample_is_bounded_and_lets_go_of_what_is_never_delivered() {
        let meter = Meter::default();
        for number in 0..1_000 {
            meter.note(&[answer(&number.to_string())], Time(0));
        }
        assert_eq!(meter.read(Time(1)).receipts_awaited, 256);
        assert_eq!(meter.read(Time(4_000_000)).receipts_awaited, 0);
    }
}
