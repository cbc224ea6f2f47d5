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
/// The call must be safe to repeat: a read, or a change under an idempotency key. Where an attempt may have done what was
/// asked, and a later one only did not get through, the error is that of the former.
pub(crate) async fn retrying<T, F>(
    mut told: impl FnMut(&CallError, Duration),
    call: impl FnMut() -> F,
) -> Result<T, CallError>
where
    F: Future<Output = Result<T, CallError>>,
{
    let mut doubt = None;
    let note = |error: &CallError, pause: Duration| {
        if error.is_in_doubt() {
            doubt = Some(error.clone());
        }
        told(error, pause);
    };
    let answer = call.retry(PATIENCE).when(CallError::is_passing).notify(note).await;
    answer.map_err(|error| error.after(doubt))
}

/// Calls, and when the answer was lost, calls again as [`retrying`] does: what was asked may have happened.
pub(crate) async fn calling_for_sure<T, F>(
    told: impl FnMut(&CallError, Duration),
    mut call: impl FnMut() -> F,
) -> Result<T, CallError>
where
    F: Future<Output = Result<T, CallError>>,
{
    match call().await {
        Err(lost @ CallError::Lost { .. }) => {
            retrying(told, call).await.map_err(|error| error.after(Some(lost)))
        }
        answer => answer,
    }
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

    #[tokio::test]
    async fn an_attempt_that_may_have_done_it_is_not_forgotten() {
        let lost = || CallError::Lost { url: String::new(), reason: "reset".to_owned(), reads: false };
        let refused = || CallError::Refused {
            problem: Box::new(talkdrum_api::problem::Problem { status: 401, ..Default::default() }),
            url: String::new(),
            source: crate::client::TokenSource::Given,
            reads: false,
        };
        let away = || CallError::Unreachable { url: String::new(), reason: "refused".to_owned() };
        let ends = |after_loss: &'static [u8]| async move {
            let mut calls = after_loss.iter();
            let call = || {
                std::future::ready(match calls.next() {
                    Some(b'l') => Err::<(), _>(lost()),
                    Some(b'a') => Err(away()),
                    _ => Err(refused()),
                })
            };
            calling_for_sure(|_, _| {}, call).await.unwrap_err()
        };
        for attempts in [&b"l"[..], b"la", b"al"] {
            let is_lost = matches!(ends(attempts).await, CallError::Lost { .. });
            // What was not reached at first is not called again.
            assert_eq!(is_lost, attempts[0] == b'l', "{attempts:?}");
        }
        let mut attempts = 0;
        let call = || {
            attempts += 1;
            std::future::ready(Err::<(), _>(if attempts == 1 { lost() } else { refused() }))
        };
        assert!(matches!(retrying(|_, _| {}, call).await, Err(CallError::Lost { .. })));
    }

    #[test]
    fn pauses_double_up_to_the_longest_and_patience_ends() {
        let pauses: Vec<u128> = PATIENCE.build().map(|pause| pause.as_millis()).collect();
        assert_eq!(pauses, [250, 500, 1000, 2000, 4000, 8000, 10_000]);
    }
}
