//! Whether the clock can be believed. By one that is years ahead everything is past its time, and what is erased does not come back.

use std::time::Duration;

use talkdrum_core::time::Time;

/// How far ahead of what is expected a clock may be: of the newest record at first, then of itself.
const AHEAD_MAX: Duration = Duration::from_hours(24);
/// For how long the daemon runs with a clock that jumped before it is believed: someone may put it right until then.
const BELIEVED_AFTER: Duration = Duration::from_hours(24);

/// What the clock said last.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClockWatch {
    at: Time,
    /// How long the daemon was up then.
    up: Duration,
    jumped: Option<Duration>,
}

impl ClockWatch {
    /// Begins with the time of the newest record.
    pub(super) const fn new(newest: Time, up: Duration) -> Self {
        Self { at: newest, up, jumped: None }
    }

    /// Whether the clock is about where it is expected, or has said so for a day. `up` is how long the daemon runs by a clock that is
    /// never set.
    pub(super) fn trusts(&mut self, now: Time, up: Duration) -> bool {
        let expected = self.at + up.saturating_sub(self.up);
        let jumped = match now <= expected + AHEAD_MAX {
            true => None,
            false => Some(self.jumped.unwrap_or(up)),
        };
        let is_trusted = jumped.is_none_or(|since| up.saturating_sub(since) >= BELIEVED_AFTER);
        if is_trusted {
            *self = Self::new(now, up);
        } else {
            self.jumped = jumped;
        }
        is_trusted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_hours(1);
    const NOW: Time = Time(1_800_000_000_000);

    #[test]
    fn a_clock_that_jumped_is_believed_when_it_is_put_right_or_a_day_later() {
        let mut watch = ClockWatch::new(NOW, Duration::ZERO);
        assert!(watch.trusts(NOW + HOUR, HOUR));
        let wrong = NOW + HOUR * 24 * 3_650;
        assert!(!watch.trusts(wrong, HOUR * 2));
        assert!(watch.trusts(NOW + HOUR * 3, HOUR * 3), "it was put right");
        for up in 4..28 {
            assert!(!watch.trusts(wrong + HOUR * up, HOUR * up), "{up}");
        }
        assert!(watch.trusts(wrong + HOUR * 28, HOUR * 28), "it stays with it");
        assert!(watch.trusts(wrong + HOUR * 29, HOUR * 29));
        assert!(watch.trusts(NOW, HOUR * 30), "by a clock that is behind nothing is old");
    }
}
