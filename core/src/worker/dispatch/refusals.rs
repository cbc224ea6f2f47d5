//! Whether a carrier refuses all that it is given for a reason of its own, while its connection stands: others take over then, as
//! from one that is down.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::time::Time;

/// Refusals in a row after which a carrier takes nothing. A window of a busy carrier may be as many: they count for good where
/// the refusals are final, and else once [`BUSY_FOR`] is over, too.
const IN_A_ROW: u32 = 20;
/// How long a carrier that asks for patience takes nothing, before others take over.
const BUSY_FOR: Duration = Duration::from_secs(10);
/// How often a message is handed to such a carrier, to learn whether it takes messages again.
const TRY_EVERY: Duration = Duration::from_secs(10);

/// What a carrier answered lately, as its settler saw it.
#[derive(Debug, Default)]
pub(in crate::worker) struct Refusals(Mutex<Run>);

/// Refusals since a message was taken, or refused for a reason of the message.
#[derive(Debug, Default)]
struct Run {
    all: u32,
    /// Those that were final.
    finals: u32,
    /// The last one, in the carrier's words.
    last: Arc<str>,
    since: Time,
    tried_at: Time,
    is_told: bool,
}

impl Run {
    fn is_all(&self, now: Time) -> bool {
        self.finals >= IN_A_ROW || self.all >= IN_A_ROW && now.since(self.since) >= BUSY_FOR
    }
}

impl Refusals {
    fn run(&self) -> MutexGuard<'_, Run> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The carrier took a message, or found fault with the message alone; whether it was known to refuse all.
    pub(in crate::worker) fn ended(&self) -> bool {
        std::mem::take(&mut *self.run()).is_told
    }

    /// The carrier refused a message for a reason of its own, told in these words: for good, or for now.
    pub(in crate::worker) fn refused(&self, reason: &Arc<str>, is_final: bool, now: Time) {
        let mut run = self.run();
        if run.all == 0 {
            run.since = now;
        }
        run.all = run.all.saturating_add(1);
        run.finals = run.finals.saturating_add(u32::from(is_final));
        run.last = Arc::clone(reason);
    }

    /// Whether the carrier refuses all that it is given.
    pub(super) fn are_all(&self, now: Time) -> bool {
        self.run().is_all(now)
    }

    /// Why the carrier refuses all that it is given, in its words; `None` while it takes messages.
    pub(in crate::worker) fn why_all(&self, now: Time) -> Option<Arc<str>> {
        let run = self.run();
        run.is_all(now).then(|| Arc::clone(&run.last))
    }

    /// Whether a message may be tried at such a carrier now: once in [`TRY_EVERY`].
    pub(super) fn may_try(&self, now: Time) -> bool {
        let mut run = self.run();
        let is_due = now.since(run.tried_at) >= TRY_EVERY || now < run.tried_at;
        if is_due {
            run.tried_at = now;
        }
        is_due
    }

    /// Whether it is not told yet that the carrier refuses all.
    pub(super) fn is_news(&self) -> bool {
        !std::mem::replace(&mut self.run().is_told, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Time = Time(1_700_000_000_000);

    fn after(refusals: &Refusals, finals: u32, passing: u32) -> bool {
        let refused = |is_final| refusals.refused(&"no credit".into(), is_final, START);
        (0..finals).for_each(|_| refused(true));
        (0..passing).for_each(|_| refused(false));
        refusals.are_all(START)
    }

    #[test]
    fn a_busy_carrier_is_given_time_and_one_that_refuses_for_good_is_not() {
        let refusals = Refusals::default();
        assert!(!after(&refusals, 19, 500) && after(&refusals, 1, 0));
        let busy = Refusals::default();
        assert!(!after(&busy, 0, 500));
        let just_before = START + BUSY_FOR - Duration::from_millis(1);
        assert!(!busy.are_all(just_before) && busy.why_all(just_before).is_none());
        assert_eq!(busy.why_all(START + BUSY_FOR).as_deref(), Some("no credit"));
        assert!(busy.is_news() && !busy.is_news());
        assert!(busy.ended() && !busy.are_all(START + BUSY_FOR) && !busy.ended());
        assert!(!after(&busy, 19, 0), "they are counted anew");
        assert!(!busy.are_all(START + BUSY_FOR), "of few nothing follows");
    }

    #[test]
    fn a_carrier_that_refuses_all_is_tried_now_and_then() {
        let refusals = Refusals::default();
        let tries: Vec<u64> =
            (0..30).filter(|second| refusals.may_try(START + Duration::from_secs(*second))).collect();
        assert_eq!(tries, [0, 10, 20]);
        assert!(refusals.may_try(START), "a clock that was set back stops nothing");
    }
}
