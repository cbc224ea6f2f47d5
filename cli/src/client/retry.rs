//! Trying again: only what is safe to repeat, only while it can help, and not for ever.

use std::time::Duration;

use backon::{ExponentialBuilder, Retryable as _};

use super::CallError;

/// Eight attempts, with pauses that double from 250 ms to 10 s: about half a minute, enough for a daemon to be restarted.
const PATIENCE: ExponentialBuilder = ExponentialBuilder::new()
    .with_min_delay(Duration::from_millis(250))
    .with_max_delay(Duration::from_secs(10))
    .with_max_times(7);

/// Calls until there is an answer, an error that will not pass, or no patience left. `told` hears of each pause.
/// The call must be safe to repeat: a read, or a change under an idempotency key.
pub(crate) async fn retrying<T, F>(
    told: impl FnMut(&CallError, Duration),
    call: impl FnMut() -> F,
) -> Result<T, CallError>
where
    F: Future<Output = Result<T, CallError>>,
{
    call.retry(PATIENCE).when(CallError::is_passing).notify(told).await
}

#[cfg(test)]
mod tests {
    use backon::BackoffBuilder as _;

    use super::*;

    /// How often a call is made, and whether it succeeds in the end.
    async fn attempts_of(outcome: impl Fn(u32) -> Result<(), CallError>) -> (u32, bool) {
        let mut calls = 0;
        let call = || {
            calls += 1;
            std::future::ready(outcome(calls))
        };
        let is_ok = retrying(|_, _| {}, call).await.is_ok();
        (calls, is_ok)
    }

    #[tokio::test]
    async fn what_passes_is_tried_again_and_what_does_not_is_not() {
        let unreachable = || CallError::Unreachable { url: String::new(), reason: String::new() };
        assert_eq!(attempts_of(|call| if call < 2 { Err(unreachable()) } else { Ok(()) }).await, (2, true));
        let unreadable = |_| Err(CallError::Unreadable { what: String::new() });
        assert_eq!(attempts_of(unreadable).await, (1, false));
    }

    #[test]
    fn pauses_double_up_to_the_longest_and_patience_ends() {
        let pauses: Vec<u128> = PATIENCE.build().map(|pause| pause.as_millis()).collect();
        assert_eq!(pauses, [250, 500, 1000, 2000, 4000, 8000, 10_000]);
    }
}
