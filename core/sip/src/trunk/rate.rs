//! New calls a second.

use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// A token bucket that holds one: calls are spaced evenly, and none is saved up.
#[derive(Debug)]
pub(crate) struct Rate {
    pause: Duration,
    next: Mutex<Option<Instant>>,
}

impl Rate {
    pub(crate) fn new(per_second: NonZeroU32) -> Self {
        Self { pause: Duration::from_secs(1) / per_second.get(), next: Mutex::new(None) }
    }

    /// Waits for its turn, in the order of asking.
    pub(crate) async fn turn(&self) {
        let turn = {
            let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
            let now = Instant::now();
            let turn = next.unwrap_or(now).max(now);
            *next = Some(turn + self.pause);
            turn
        };
        sleep_until(turn).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn calls_are_spaced_and_none_is_saved_up() {
        let rate = Rate::new(NonZeroU32::new(4).unwrap());
        tokio::time::sleep(Duration::from_secs(10)).await;
        let began = Instant::now();
        for nth in 0..9_u32 {
            rate.turn().await;
            let waited = began.elapsed().as_millis();
            assert!(waited.abs_diff(u128::from(nth) * 250) <= 2, "{nth}: {waited} ms");
        }
    }
}
