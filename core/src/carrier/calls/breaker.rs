//! A circuit breaker: what keeps a trunk that answers pings and refuses every call, as it wants to be paid, from using up the
//! attempts of whole campaigns.
//!
//! ```text
//! closed ── trunk errors in a row ──▶ open ── its pause is over ──▶ half open: a few trials
//!    ▲                                 ▲                                    │
//!    └──── a call reached a phone ─────┼────────────── or not, and a longer pause
//! ```
//!
//! Trials are of whatever is due, in the fair order of the dispatcher: where one customer's numbers alone are refused,
//! another's call closes it.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::carrier::voice::{CallOutcome, CallResult};
use crate::time::backoff::Backoff;

/// Trunk errors in a row that open it.
const ERRORS: u32 = 5;
/// For so long at least: meanwhile the calls of others, where there are some, ring or end.
const SPAN: Duration = Duration::from_secs(10);
/// How long it is open at first; each time twice as long.
const FIRST_PAUSE: Duration = Duration::from_secs(30);
/// How long it is open at most.
const LONGEST_PAUSE: Duration = Duration::from_mins(5);
/// Calls at once while it is half open.
const TRIALS: u32 = 3;

/// Whether calls are placed over a trunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Circuit {
    /// As many as there is room for.
    Closed,
    /// None; why, in words for operators.
    Open(String),
    /// So many at once.
    HalfOpen(u32),
}

/// See the module.
#[derive(Debug)]
pub(super) struct Breaker(Mutex<State>);

#[derive(Debug)]
struct State {
    /// Trunk errors since a call reached a phone, and when the first of them was.
    errors: u32,
    first_error: Option<Instant>,
    pauses: Backoff,
    /// Until when it is open, and why; in the past it is half open.
    opened: Option<(Instant, String)>,
}

impl State {
    const CLOSED: Self =
        Self { errors: 0, first_error: None, pauses: Backoff::new(FIRST_PAUSE, LONGEST_PAUSE), opened: None };
}

impl Breaker {
    pub(super) const fn new() -> Self {
        Self(Mutex::new(State::CLOSED))
    }

    pub(super) fn circuit(&self, now: Instant) -> Circuit {
        match &self.state().opened {
            None => Circuit::Closed,
            Some((until, why)) if now < *until => Circuit::Open(why.clone()),
            Some(_) => Circuit::HalfOpen(TRIALS),
        }
    }

    /// A phone rings, or was picked up.
    pub(super) fn reach(&self) {
        *self.state() = State::CLOSED;
    }

    /// Hears how a call ended. Of one that was ended here, or that could not be understood, nothing follows.
    pub(super) fn hear(&self, call: &CallResult, now: Instant) {
        let is_error = call.outcome == CallOutcome::TrunkError
            && call.ringing_at.is_none()
            && call.answered_at.is_none();
        let mut state = self.state();
        if is_error {
            state.errors = state.errors.saturating_add(1);
            let first = *state.first_error.get_or_insert(now);
            let is_open = state.opened.as_ref().is_some_and(|(until, _)| now < *until);
            let are_many = state.errors >= ERRORS && now.saturating_duration_since(first) >= SPAN;
            if are_many && !is_open {
                let pause = state.pauses.pause();
                let code = call.code.map(|code| format!(" ({code})")).unwrap_or_default();
                let why = format!("Call after call failed: {}{code}", call.reason);
                tracing::warn!(?pause, why, "no calls are placed over the trunk for a while");
                state.opened = Some((now + pause, why));
            }
        } else if call.outcome != CallOutcome::Failed {
            *state = State::CLOSED;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::trunk::ended;
    use crate::time::Time;

    #[test]
    fn trunk_errors_in_a_row_open_it_for_longer_each_time_and_a_phone_that_is_reached_closes_it() {
        let (breaker, start) = (Breaker::new(), Instant::now());
        let refused = CallResult { code: Some(402), ..ended(CallOutcome::TrunkError) };
        for _ in 0..2 * ERRORS {
            breaker.hear(&refused, start);
        }
        breaker.hear(&ended(CallOutcome::Failed), start);
        assert_eq!(breaker.circuit(start), Circuit::Closed, "others' calls may ring yet");
        let opens = start + SPAN;
        breaker.hear(&refused, opens);
        let why = format!("Call after call failed: {} (402)", refused.reason);
        assert_eq!(breaker.circuit(opens), Circuit::Open(why));
        // What was up when it opened makes its pause no longer.
        breaker.hear(&refused, opens + Duration::from_secs(1));
        let half = opens + FIRST_PAUSE;
        assert_eq!(breaker.circuit(half), Circuit::HalfOpen(TRIALS));
        breaker.hear(&refused, half);
        assert!(matches!(breaker.circuit(half + FIRST_PAUSE), Circuit::Open(_)));
        let mut now = half + FIRST_PAUSE * 2;
        for _ in 0..9 {
            assert_eq!(breaker.circuit(now), Circuit::HalfOpen(TRIALS));
            breaker.hear(&refused, now);
            now += LONGEST_PAUSE;
        }
        breaker.hear(&ended(CallOutcome::Busy), now);
        assert_eq!(breaker.circuit(now), Circuit::Closed);
        for second in 0..8 {
            breaker.hear(&refused, now + Duration::from_secs(second));
        }
        assert_eq!(breaker.circuit(now + Duration::from_secs(8)), Circuit::Closed, "they are counted again");
    }

    #[test]
    fn a_trunk_that_makes_phones_ring_is_no_trunk_that_refuses() {
        let (breaker, start) = (Breaker::new(), Instant::now());
        let rang = CallResult { ringing_at: Some(Time(1)), ..ended(CallOutcome::TrunkError) };
        let refused = ended(CallOutcome::TrunkError);
        for second in 0..60 {
            let now = start + Duration::from_secs(second);
            breaker.hear(&refused, now);
            // Another's call, now and then.
            match second % 8 {
                0 => breaker.hear(&rang, now),
                4 => breaker.reach(),
                _ => {}
            }
            assert_eq!(breaker.circuit(now), Circuit::Closed);
        }
    }
}
