//! Times of a call that a change of the clock does not bend: bills are made of their differences.

use std::time::{Instant, SystemTime};

/// Started once a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    wall: SystemTime,
    monotonic: Instant,
}

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self { wall: SystemTime::now(), monotonic: Instant::now() }
    }

    /// The time of day: the one at the start, and what passed since.
    pub(crate) fn now(&self) -> SystemTime {
        self.wall + self.monotonic.elapsed()
    }
}
