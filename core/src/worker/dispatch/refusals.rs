//! Whether a carrier refuses all that it is given for a reason of its own, while its connection stands: others take over then, as
//! from one that is down.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::model::message::id::MessageId;
use crate::time::Time;

/// Messages refused in a row after which a carrier is held to refuse all. Where all of these refusals are final, that is at once;
/// where some ask for patience, once [`BUSY_FOR`] is over: a busy carrier may refuse a whole window.
const IN_A_ROW: usize = 20;
/// How long a carrier that asks for patience is given.
const BUSY_FOR: Duration = Duration::from_secs(10);
/// How often a message is handed to a carrier that refuses all, to learn whether it takes messages again.
const TRY_EVERY: Duration = Duration::from_secs(10);

/// What a carrier answered lately, as its settler stored it.
#[derive(Debug, Default)]
pub(in crate::worker) struct Refusals(Mutex<Run>);

/// Refusals since a message was taken, or refused for a reason of the message.
#[derive(Debug, Default)]
struct Run {
    /// Messages that were refused, each once: one that is tried again and again tells nothing of others.
    refused: Few,
    /// Those whose refusal was final.
    finals: Few,
    /// The last refusal, in the carrier's words.
    last: Arc<str>,
    since: Time,
    tried_at: Time,
    is_told: bool,
}

/// The first different messages, [`IN_A_ROW`] at most.
#[derive(Debug, Default)]
struct Few(Vec<MessageId>);

impl Few {
    fn add(&mut self, message: MessageId) {
        if !self.is_full() && !self.0.contains(&message) {
            self.0.push(message);
        }
    }

    const fn is_full(&self) -> bool {
        self.0.len() >= IN_A_ROW
    }
}

impl Run {
    fn is_all(&self, now: Time) -> bool {
        self.finals.is_full() || self.refused.is_full() && now.since(self.since) >= BUSY_FOR
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
    pub(in crate::worker) fn refused(&self, message: MessageId, why: &Arc<str>, is_final: bool, now: Time) {
        let mut run = self.run();
        if run.refused.0.is_empty() {
            run.since = now;
        }
        run.refused.add(message);
        if is_final {
            run.finals.add(message);
        }
        run.last = Arc::clone(why);
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
    pub(super) fn is_try_due(&self, now: Time) -> bool {
        let tried_at = self.run().tried_at;
        now.since(tried_at) >= TRY_EVERY || now < tried_at
    }

    /// Messages were handed to the carrier.
    pub(super) fn tried(&self, now: Time) {
        self.run().tried_at = now;
    }

    /// Whether it is not told yet that the carrier refuses all.
    pub(super) fn is_news(&self) -> bool {
        !std::mem::replace(&mut self.run().is_told, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::campaign::id::ChunkId;

    const START: Time = Time(1_700_000_000_000);

    fn after(refusals: &Refusals, finals: i64, passing: i64) -> bool {
        let refused = |chunk, is_final| {
            refusals.refused(MessageId::new(ChunkId(chunk), 0), &"no credit".into(), is_final, START);
        };
        (0..finals).for_each(|chunk| refused(chunk, true));
        (100..100 + passing).for_each(|chunk| refused(chunk, false));
        refusals.are_all(START)
    }

    #[test]
    fn a_busy_carrier_is_given_time_and_one_that_refuses_for_good_is_not() {
        let refusals = Refusals::default();
        assert!(!after(&refusals, 19, 500) && after(&refusals, 20, 0));
        let busy = Refusals::default();
        assert!(!after(&busy, 0, 500));
        let just_before = START + BUSY_FOR - Duration::from_millis(1);
        assert!(!busy.are_all(just_before) && busy.why_all(just_before).is_none());
        assert_eq!(busy.why_all(START + BUSY_FOR).as_deref(), Some("no credit"));
        assert!(busy.is_news() && !busy.is_news());
        assert!(busy.ended() && !busy.are_all(START + BUSY_FOR) && !busy.ended());
        assert!(!after(&busy, 19, 0), "they are counted again");
        assert!(!busy.are_all(START + BUSY_FOR), "of few nothing follows");
    }

    #[test]
    fn one_message_that_is_refused_again_and_again_tells_nothing_of_others() {
        let refusals = Refusals::default();
        for _ in 0..100 {
            refusals.refused(MessageId::new(ChunkId(7), 0), &"queue full".into(), true, START);
        }
        assert!(!refusals.are_all(START + BUSY_FOR));
    }

    #[test]
    fn a_carrier_that_refuses_all_is_tried_now_and_then() {
        let refusals = Refusals::default();
        let mut tries = Vec::new();
        for second in 0..30 {
            let now = START + Duration::from_secs(second);
            // Until something was handed over it stays due.
            assert_eq!(refusals.is_try_due(now), refusals.is_try_due(now));
            if refusals.is_try_due(now) && second != 10 {
                tries.push(second);
                refusals.tried(now);
            }
        }
        assert_eq!(tries, [0, 11, 21]);
        assert!(refusals.is_try_due(START), "a clock that was set back stops nothing");
    }
}
