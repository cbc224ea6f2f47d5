//! How fast submissions may be sent to a carrier: a rate over all its binds, and the pause of a bind (or an HTTP
//! connection) that was throttled.
//!
//! Invariant: in no second are more than the rate and one burst (a twentieth of it) sent.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;

const NANOS: u64 = 1_000_000_000;

/// Submissions a second over all binds, by the generic cell rate algorithm in whole nanoseconds.
#[derive(Debug)]
pub(crate) struct Pace {
    started: Instant,
    /// Nanoseconds one submission takes; 0 is no limit.
    interval: u64,
    /// How far ahead of the rate a burst may run.
    tolerance: u64,
    /// When the next submission is due, in nanoseconds after `started`.
    due: AtomicU64,
}

impl Pace {
    /// A pace of `rate` a second; 0 is no limit.
    pub(crate) fn new(rate: u32) -> Self {
        let rate = u64::from(rate);
        let interval = NANOS.checked_div(rate).unwrap_or(0);
        let burst = (rate / 20).max(1);
        Self { started: Instant::now(), interval, tolerance: interval * (burst - 1), due: AtomicU64::new(0) }
    }

    /// Asks for permission to send one submission.
    ///
    /// # Errors
    /// How long to wait before asking again.
    pub(crate) fn take(&self, now: Instant) -> Result<(), Duration> {
        if self.interval == 0 {
            return Ok(());
        }
        let now = u64::try_from(now.duration_since(self.started).as_nanos()).unwrap_or(u64::MAX);
        let step = |due: u64| (due <= now + self.tolerance).then(|| due.max(now) + self.interval);
        match self.due.try_update(Ordering::Relaxed, Ordering::Relaxed, step) {
            Ok(_) => Ok(()),
            Err(due) => Err(Duration::from_nanos(due - now - self.tolerance)),
        }
    }
}

/// The pause of one bind whose submissions are refused for now.
#[derive(Debug)]
pub(crate) struct Pause {
    first: Duration,
    longest: Duration,
    next: Duration,
    until: Option<Instant>,
}

impl Pause {
    /// Pauses of `first`, doubled while throttling goes on, up to `longest`.
    pub(crate) const fn new(first: Duration, longest: Duration) -> Self {
        Self { first, longest, next: first, until: None }
    }

    /// A submission was throttled. Answers to what was under way when the pause began do not lengthen it.
    pub(crate) fn throttled(&mut self, now: Instant) {
        if self.until.is_none() {
            self.until = Some(now + self.next);
            self.next = (self.next * 2).min(self.longest);
        }
    }

    /// A submission was accepted.
    pub(crate) const fn accepted(&mut self) {
        if self.until.is_none() {
            self.next = self.first;
        }
    }

    /// Until when nothing is to be sent; ends the pause when it is over.
    pub(crate) fn until(&mut self, now: Instant) -> Option<Instant> {
        self.until = self.until.filter(|until| *until > now);
        self.until
    }

    /// Whether the bind was pausing when last asked.
    pub(crate) const fn is_on(&self) -> bool {
        self.until.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(pace: &Pace, at: Instant) -> usize {
        std::iter::repeat_with(|| pace.take(at)).take_while(Result::is_ok).count()
    }

    #[test]
    fn a_second_lets_the_rate_through_and_one_burst_more() {
        let pace = Pace::new(100);
        let start = pace.started;
        let total: usize = (0..=1000).map(|ms| taken(&pace, start + Duration::from_millis(ms))).sum();
        assert_eq!(total, 105);
    }

    #[test]
    fn a_refusal_says_when_to_ask_again() {
        let pace = Pace::new(10);
        let start = pace.started;
        assert_eq!(pace.take(start), Ok(()));
        let wait = pace.take(start).unwrap_err();
        assert_eq!(wait, Duration::from_millis(100));
        assert_eq!(pace.take(start + wait), Ok(()));
    }

    #[test]
    fn idleness_saves_up_no_more_than_a_burst() {
        let pace = Pace::new(100);
        assert_eq!(taken(&pace, pace.started + Duration::from_secs(60)), 5);
    }

    #[test]
    fn no_rate_is_no_limit() {
        let pace = Pace::new(0);
        assert!((0..100_000).all(|_| pace.take(pace.started).is_ok()));
    }

    #[test]
    fn pauses_grow_while_throttling_goes_on_and_are_short_again_after() {
        let second = Duration::from_secs(1);
        let start = Instant::now();
        let mut pause = Pause::new(second, second * 3);
        pause.throttled(start);
        pause.throttled(start + second / 2);
        assert_eq!(pause.until(start), Some(start + second));
        assert_eq!(pause.until(start + second), None);
        pause.throttled(start + second);
        assert_eq!(pause.until(start + second), Some(start + second * 3));
        assert_eq!(pause.until(start + second * 3), None);
        pause.throttled(start + second * 3);
        assert_eq!(
            pause.until(start + second * 3),
            Some(start + second * 6),
            "never longer than the longest"
        );
        assert_eq!(pause.until(start + second * 6), None);
        pause.accepted();
        pause.throttled(start + second * 6);
        assert_eq!(pause.until(start + second * 6), Some(start + second * 7));
    }
}
