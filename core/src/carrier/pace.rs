//! How fast submissions may be sent to a carrier: a rate over all its binds, and the pause of a bind (or an HTTP
//! connection) that was throttled.
//!
//! Invariant: in no second are more than the rate and one burst (a twentieth of it) sent.

use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock, MonotonicClock};
use governor::middleware::NoOpMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use tokio::time::Instant;

use crate::time::backoff::Backoff;

/// Submissions a second over all binds.
#[derive(Debug)]
pub(crate) struct Pace<C: Clock = MonotonicClock> {
    /// `None` is no limit.
    limiter: Option<RateLimiter<NotKeyed, InMemoryState, C, NoOpMiddleware<C::Instant>>>,
    clock: C,
}

impl Pace {
    /// A pace of `rate` a second; 0 is no limit.
    pub(crate) fn new(rate: u32) -> Self {
        Self::with_clock(rate, MonotonicClock)
    }
}

impl<C: Clock + Clone> Pace<C> {
    fn with_clock(rate: u32, clock: C) -> Self {
        let limiter = NonZeroU32::new(rate).map(|rate| {
            let burst = NonZeroU32::new(rate.get() / 20).unwrap_or(NonZeroU32::MIN);
            RateLimiter::direct_with_clock(Quota::per_second(rate).allow_burst(burst), clock.clone())
        });
        Self { limiter, clock }
    }

    /// Asks for permission to send one submission.
    ///
    /// # Errors
    /// How long to wait before asking again.
    pub(crate) fn take(&self) -> Result<(), Duration> {
        let Some(limiter) = &self.limiter else { return Ok(()) };
        limiter.check().map_err(|not_until| not_until.wait_time_from(self.clock.now()))
    }
}

/// The pause of one bind whose submissions are refused for now.
#[derive(Debug)]
pub(crate) struct Pause {
    pauses: Backoff,
    until: Option<Instant>,
}

impl Pause {
    /// Pauses of `first`, doubled while throttling goes on, up to `longest`.
    pub(crate) const fn new(first: Duration, longest: Duration) -> Self {
        Self { pauses: Backoff::new(first, longest), until: None }
    }

    /// A submission was throttled. Answers to what was under way when the pause began do not lengthen it.
    pub(crate) fn throttled(&mut self, now: Instant) {
        if self.until.is_none() {
            self.until = Some(now + self.pauses.pause());
        }
    }

    /// A submission was accepted.
    pub(crate) const fn accepted(&mut self) {
        if self.until.is_none() {
            self.pauses.reset();
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

    use governor::clock::FakeRelativeClock;

    fn taken(pace: &Pace<FakeRelativeClock>) -> usize {
        std::iter::repeat_with(|| pace.take()).take_while(Result::is_ok).count()
    }

    #[test]
    fn a_second_lets_the_rate_through_and_one_burst_more() {
        let clock = FakeRelativeClock::default();
        let pace = Pace::with_clock(100, clock.clone());
        let mut total = taken(&pace);
        for _ in 0..1000 {
            clock.advance(Duration::from_millis(1));
            total += taken(&pace);
        }
        assert_eq!(total, 105);
    }

    #[test]
    fn a_refusal_says_when_to_ask_again() {
        let clock = FakeRelativeClock::default();
        let pace = Pace::with_clock(10, clock.clone());
        assert_eq!(pace.take(), Ok(()));
        let wait = pace.take().unwrap_err();
        assert_eq!(wait, Duration::from_millis(100));
        clock.advance(wait);
        assert_eq!(pace.take(), Ok(()));
    }

    #[test]
    fn idleness_saves_up_no_more_than_a_burst() {
        let clock = FakeRelativeClock::default();
        let pace = Pace::with_clock(100, clock.clone());
        clock.advance(Duration::from_secs(60));
        assert_eq!(taken(&pace), 5);
    }

    #[test]
    fn no_rate_is_no_limit() {
        let pace = Pace::new(0);
        assert!((0..100_000).all(|_| pace.take().is_ok()));
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
