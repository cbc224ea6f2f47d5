//! Trying again: only what is safe to repeat, only while it can help, and not for ever.

use std::time::Duration;

use super::CallError;

/// How often and how long to try.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// Attempts in all.
    pub(crate) attempts: u32,
    /// The pause after the first; each later one is twice as long, up to [`Self::longest`].
    pub(crate) first: Duration,
    /// The longest pause.
    pub(crate) longest: Duration,
}

impl Patience {
    /// For a confirm: about half a minute, enough for a daemon to be restarted.
    pub(crate) const CONFIRM: Self =
        Self { attempts: 8, first: Duration::from_millis(250), longest: Duration::from_secs(10) };

    /// The pause after attempt `attempt` (from 1), or `None` when that was the last.
    pub(crate) fn pause(&self, attempt: u32) -> Option<Duration> {
        if attempt >= self.attempts {
            return None;
        }
        Some(self.first.saturating_mul(1 << attempt.saturating_sub(1).min(16)).min(self.longest))
    }
}

/// Calls until there is an answer, an error that will not pass, or no patience left. `told` hears of each pause.
/// The call must be safe to repeat: a read, or a change under an idempotency key.
pub(crate) async fn retrying<T, F>(
    patience: Patience,
    mut told: impl FnMut(&CallError, Duration),
    mut call: impl FnMut() -> F,
) -> Result<T, CallError>
where
    F: Future<Output = Result<T, CallError>>,
{
    let mut attempt = 1;
    loop {
        let error = match call().await {
            Ok(answer) => return Ok(answer),
            Err(error) => error,
        };
        match patience.pause(attempt).filter(|_| error.is_passing()) {
            Some(pause) => {
                told(&error, pause);
                tokio::time::sleep(pause).await;
            }
            None => return Err(error),
        }
        attempt += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    const QUICK: Patience = Patience { attempts: 4, first: Duration::ZERO, longest: Duration::ZERO };

    fn unreachable() -> CallError {
        CallError::Unreachable { url: String::new(), reason: String::new() }
    }

    async fn attempts_of(outcome: impl Fn(u32) -> Result<u32, CallError>) -> (u32, bool) {
        let calls = Cell::new(0);
        let result = retrying(
            QUICK,
            |_, _| {},
            || {
                calls.set(calls.get() + 1);
                let outcome = outcome(calls.get());
                async move { outcome }
            },
        );
        let ok = result.await.is_ok();
        (calls.get(), ok)
    }

    #[tokio::test]
    async fn what_passes_is_tried_again_and_what_does_not_is_not() {
        assert_eq!(attempts_of(|call| if call < 3 { Err(unreachable()) } else { Ok(call) }).await, (3, true));
        let unreadable = |_| Err(CallError::Unreadable { what: String::new() });
        assert_eq!(attempts_of(unreadable).await, (1, false));
    }

    #[tokio::test]
    async fn patience_ends() {
        assert_eq!(attempts_of(|_| Err(unreachable())).await, (4, false));
    }

    #[test]
    fn pauses_double_up_to_the_longest() {
        let pauses: Vec<u128> =
            (1..8).filter_map(|attempt| Patience::CONFIRM.pause(attempt)).map(|it| it.as_millis()).collect();
        assert_eq!(pauses, [250, 500, 1000, 2000, 4000, 8000, 10_000]);
        assert!(Patience::CONFIRM.pause(8).is_none());
    }
}
