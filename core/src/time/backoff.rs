//! Pauses between tries, each twice as long as the one before, up to a longest.

use std::time::Duration;

use crate::entropy::Entropy;

/// The first pause, doubled so many times, and never more than the longest.
pub(crate) fn doubled(first: Duration, times: impl Into<i64>, longest: Duration) -> Duration {
    first.saturating_mul(1 << times.into().clamp(0, 31)).min(longest)
}

/// Pauses that are doubled one by one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Backoff {
    first: Duration,
    longest: Duration,
    next: Duration,
}

impl Backoff {
    pub(crate) const fn new(first: Duration, longest: Duration) -> Self {
        Self { first, longest, next: first }
    }

    /// Begins with the first pause again.
    pub(crate) const fn reset(&mut self) {
        self.next = self.first;
    }

    /// The next pause.
    pub(crate) fn pause(&mut self) -> Duration {
        let pause = self.next;
        self.next = doubled(pause, 1, self.longest);
        pause
    }

    /// The next pause with random jitter of up to half, so that those who wait do not come back in step. The client's
    /// `backon` draws its jitter itself and only lengthens the wait; here it comes from the injected entropy, as a
    /// simulation is played again from its seed.
    pub(crate) fn jittered(&mut self, entropy: &dyn Entropy) -> Duration {
        let micros = u64::try_from(self.pause().as_micros()).unwrap_or(u64::MAX).max(2);
        Duration::from_micros(micros - entropy.u64() % (micros / 2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::SeededEntropy;

    const FIRST: Duration = Duration::from_millis(100);
    const LONGEST: Duration = Duration::from_millis(1_000);
    const PAUSES: [u64; 6] = [100, 200, 400, 800, 1_000, 1_000];

    #[test]
    fn pauses_grow_to_their_limit_whether_they_are_counted_or_taken_one_by_one() {
        let mut backoff = Backoff::new(FIRST, LONGEST);
        for (times, pause) in (0_i64..).zip(PAUSES) {
            assert_eq!(doubled(FIRST, times, LONGEST), Duration::from_millis(pause));
            assert_eq!(backoff.pause(), Duration::from_millis(pause));
        }
        backoff.reset();
        assert_eq!(backoff.pause(), FIRST);
        assert_eq!((doubled(FIRST, -1, LONGEST), doubled(FIRST, i64::MAX, LONGEST)), (FIRST, LONGEST));
        assert_eq!(doubled(Duration::MAX, 1, Duration::MAX), Duration::MAX);
    }

    #[test]
    fn jittered_pauses_grow_to_their_limit_and_are_never_below_half() {
        let entropy = SeededEntropy::new(7);
        let mut backoff = Backoff::new(FIRST, LONGEST);
        for whole in PAUSES {
            let pause = backoff.jittered(&entropy);
            let (half, whole) = (Duration::from_millis(whole / 2), Duration::from_millis(whole));
            assert!(pause > half && pause <= whole, "{pause:?} of {whole:?}");
        }
        backoff.reset();
        assert!(backoff.jittered(&entropy) <= FIRST);
    }
}
