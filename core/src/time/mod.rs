//! Time as the domain sees it: milliseconds since the Unix epoch in UTC, read from an injected [`Clock`].
//!
//! Nothing else in the workspace reads the wall clock, so tests and the simulation decide what time it is.

pub(crate) mod backoff;
pub mod period;
pub mod start;

use std::fmt;
use std::ops::{Add, Sub};
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// An instant in UTC, in milliseconds since 1970-01-01T00:00:00Z, as every `*_at` column stores it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Time(pub i64);

talkdrum_api::column!(Time, i64, |millis| Some(Time(millis)));

impl Time {
    /// Milliseconds since the epoch.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// The time elapsed since `earlier`; zero when `earlier` lies ahead.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(u64::try_from(self.0 - earlier.0).unwrap_or(0))
    }

    /// RFC 3339 in UTC with milliseconds, the API's form.
    pub fn to_rfc3339(self) -> String {
        jiff::Timestamp::from_millisecond(self.0)
            .map_or_else(|_| self.0.to_string(), |stamp| format!("{stamp:.3}"))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_rfc3339())
    }
}

impl Add<Duration> for Time {
    type Output = Self;
    fn add(self, span: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(span.as_millis()).unwrap_or(i64::MAX)))
    }
}

impl Sub<Duration> for Time {
    type Output = Self;
    fn sub(self, span: Duration) -> Self {
        Self(self.0.saturating_sub(i64::try_from(span.as_millis()).unwrap_or(i64::MAX)))
    }
}

/// Where the current time comes from.
pub trait Clock: Send + Sync + fmt::Debug {
    /// The current time.
    fn now(&self) -> Time;
}

/// The machine's clock: the only reader of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Time {
        Time(jiff::Timestamp::now().as_millisecond())
    }
}

/// A clock that stands still until it is told to move.
#[derive(Debug)]
pub struct ManualClock(AtomicI64);

impl ManualClock {
    /// A clock that shows `start`.
    pub const fn new(start: Time) -> Self {
        Self(AtomicI64::new(start.0))
    }

    /// Moves on by `span`.
    pub fn advance(&self, span: Duration) {
        self.0.fetch_add(i64::try_from(span.as_millis()).unwrap_or(i64::MAX), Ordering::SeqCst);
    }

    /// Jumps to `time`, which may lie in the past.
    pub fn set(&self, time: Time) {
        self.0.store(time.0, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Time {
        Time(self.0.load(Ordering::SeqCst))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_written_as_rfc_3339_with_milliseconds() {
        assert_eq!(Time(1_700_000_000_123).to_rfc3339(), "2023-11-14T22:13:20.123Z");
    }

    #[test]
    fn a_manual_clock_moves_only_when_told() {
        let clock = ManualClock::new(Time(1_000));
        assert_eq!(clock.now(), Time(1_000));
        clock.advance(Duration::from_secs(2));
        assert_eq!(clock.now(), Time(3_000));
    }
}
