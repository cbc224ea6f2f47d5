//! What becomes of a submission: numbers with a meaning, then the faults that were asked for.
//!
//! Without faults, all is delivered but for destinations that end in 9001 to 9005.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

use super::args::Faults;
use super::dice::{Dice, Throw};
use super::mailbox::lock;
use super::pdu::{Fate, SUBMIT_FAILED, Submit, THROTTLED};

const NANOS: u64 = 1_000_000_000;

/// Numbers remembered as throttled once; beyond it the oldest memory goes.
const THROTTLED_MAX: usize = 100_000;

/// How far a reordered receipt falls behind, in milliseconds.
const REORDER_MS_MAX: u64 = 50;

/// What happens to a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// Neither taken nor answered.
    Drop,
    /// Refused with this status.
    Refuse(u32),
    /// Taken.
    Accept {
        /// Whether the answer is sent.
        answer: bool,
        receipt: Option<ReceiptPlan>,
    },
}

/// How a receipt is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ReceiptPlan {
    pub(super) fate: Fate,
    pub(super) delay_ms: u64,
    pub(super) early: bool,
    pub(super) twice: bool,
    pub(super) lost: bool,
}

/// Decides, and remembers what decisions need.
#[derive(Debug)]
pub(super) struct Policy {
    pub(super) dice: Dice,
    throttled_once: Mutex<HashSet<u64>>,
    /// When the next submission is due under `rate_max`, in nanoseconds since the SMSC began.
    due: AtomicU64,
    /// When the first submission came, in nanoseconds since the SMSC began.
    first: OnceLock<u64>,
}

impl Policy {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            dice: Dice::new(seed),
            throttled_once: Mutex::default(),
            due: AtomicU64::new(0),
            first: OnceLock::new(),
        }
    }

    /// Decides on the `ordinal`th submission, to `number`, at `now` nanoseconds.
    pub(super) fn decide(
        &self,
        submit: &Submit<'_>,
        number: u64,
        ordinal: u64,
        now: u64,
        faults: &Faults,
    ) -> Decision {
        let happens = |chance, throw| self.dice.happens(chance, throw, ordinal);
        if happens(faults.drop_submits, Throw::DropSubmit) {
            return Decision::Drop;
        }
        if !self.has_rate(faults.rate_max, now) {
            return Decision::Refuse(THROTTLED);
        }
        let fate = match number % 10_000 {
            9_001 => return Decision::Refuse(SUBMIT_FAILED),
            9_002 => Some(Fate::Undelivered),
            9_003 => Some(Fate::Expired),
            9_004 => None,
            9_005 if self.is_first(number) => return Decision::Refuse(THROTTLED),
            _ => Some(Fate::Delivered),
        };
        let wanted = fate.filter(|fate| match submit.registered_delivery & 3 {
            1 => true,
            2 => *fate != Fate::Delivered,
            _ => false,
        });
        let receipt = wanted.map(|fate| ReceiptPlan {
            fate,
            delay_ms: self.receipt_delay(ordinal, now, faults),
            early: happens(faults.early_receipts, Throw::EarlyReceipt),
            twice: happens(faults.duplicate_receipts, Throw::DuplicateReceipt),
            lost: happens(faults.lose_receipts, Throw::LoseReceipt),
        });
        Decision::Accept { answer: !happens(faults.lose_answers, Throw::LoseAnswer), receipt }
    }

    /// Milliseconds before the answer.
    pub(super) fn answer_delay(&self, ordinal: u64, faults: &Faults) -> u64 {
        let jitter = u64::from(faults.answer_jitter_ms);
        u64::from(faults.answer_delay_ms) + self.dice.below(jitter + 1, Throw::AnswerJitter, ordinal)
    }

    fn receipt_delay(&self, ordinal: u64, now: u64, faults: &Faults) -> u64 {
        let since_the_first = now.saturating_sub(*self.first.get_or_init(|| now)) / 1_000_000;
        let outage = u64::from(faults.receipt_outage_ms).saturating_sub(since_the_first);
        let jitter = u64::from(faults.receipt_jitter_ms);
        let delay = u64::from(faults.receipt_delay_ms).max(outage)
            + self.dice.below(jitter + 1, Throw::ReceiptJitter, ordinal);
        if self.dice.happens(faults.reorder_receipts, Throw::ReorderReceipt, ordinal) {
            return delay + 1 + self.dice.below(REORDER_MS_MAX, Throw::ReorderBy, ordinal);
        }
        delay
    }

    fn is_first(&self, number: u64) -> bool {
        let mut once = lock(&self.throttled_once);
        if once.len() >= THROTTLED_MAX {
            once.clear();
        }
        once.insert(number)
    }

    /// A bucket that holds a tenth of a second.
    fn has_rate(&self, rate: u32, now: u64) -> bool {
        if rate == 0 {
            return true;
        }
        let interval = NANOS / u64::from(rate);
        let step = |due: u64| (due <= now + NANOS / 10).then(|| due.max(now) + interval);
        self.due.try_update(Ordering::Relaxed, Ordering::Relaxed, step).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::super::args::Chance;
    use super::*;

    fn submit() -> Submit<'static> {
        Submit { source: (5, 0, b"A"), destination: b"", registered_delivery: 1, text: b"Hi", segment: 0 }
    }

    fn decide(number: u64, faults: &Faults) -> Decision {
        Policy::new(1).decide(&submit(), number, 1, 0, faults)
    }

    fn fate(decision: Decision) -> Option<Fate> {
        match decision {
            Decision::Accept { answer: true, receipt } => receipt.map(|plan| plan.fate),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn numbers_have_the_meanings_the_handbook_gives_them() {
        let faultless = Faults::default();
        assert_eq!(fate(decide(2_348_031_234_567, &faultless)), Some(Fate::Delivered));
        assert_eq!(decide(2_348_031_239_001, &faultless), Decision::Refuse(0x45));
        assert_eq!(fate(decide(2_348_031_239_002, &faultless)), Some(Fate::Undelivered));
        assert_eq!(fate(decide(2_348_031_239_003, &faultless)), Some(Fate::Expired));
        assert_eq!(fate(decide(2_348_031_239_004, &faultless)), None);
        let policy = Policy::new(1);
        let decide = || policy.decide(&submit(), 2_348_031_239_005, 1, 0, &faultless);
        assert_eq!(decide(), Decision::Refuse(0x58));
        assert_eq!(fate(decide()), Some(Fate::Delivered));
    }

    #[test]
    fn a_receipt_is_sent_only_where_it_was_asked_for() {
        let asked = |registered_delivery, number| {
            let submit = Submit { registered_delivery, ..submit() };
            fate(Policy::new(1).decide(&submit, number, 1, 0, &Faults::default()))
        };
        assert_eq!(asked(0, 2_348_031_234_567), None);
        assert_eq!(asked(2, 2_348_031_234_567), None);
        assert_eq!(asked(2, 2_348_031_239_002), Some(Fate::Undelivered));
        assert_eq!(asked(0x11, 2_348_031_234_567), Some(Fate::Delivered));
    }

    #[test]
    fn faults_happen_when_they_are_asked_for() {
        let all = Chance::ALWAYS;
        assert_eq!(decide(1, &Faults { drop_submits: all, ..Faults::default() }), Decision::Drop);
        let lost = decide(1, &Faults { lose_answers: all, lose_receipts: all, ..Faults::default() });
        assert!(matches!(
            lost,
            Decision::Accept { answer: false, receipt: Some(ReceiptPlan { lost: true, .. }) }
        ));
        let odd = Faults {
            early_receipts: all,
            duplicate_receipts: all,
            reorder_receipts: all,
            ..Faults::default()
        };
        let Decision::Accept { receipt: Some(plan), .. } = decide(1, &odd) else { panic!() };
        assert!(plan.early && plan.twice && plan.delay_ms > 0);
    }

    #[test]
    fn after_an_outage_all_receipts_are_due_at_once() {
        let policy = Policy::new(1);
        let faults = Faults { receipt_outage_ms: 3_000, receipt_delay_ms: 5, ..Faults::default() };
        let due =
            |ordinal, now_ms: u64| match policy.decide(&submit(), 1, ordinal, now_ms * 1_000_000, &faults) {
                Decision::Accept { receipt: Some(plan), .. } => now_ms + plan.delay_ms,
                other => panic!("{other:?}"),
            };
        assert_eq!([due(1, 1_000), due(2, 2_500), due(3, 3_994)], [4_000; 3]);
        assert_eq!(due(4, 4_100), 4_105);
    }

    #[test]
    fn beyond_the_rate_submissions_are_throttled() {
        let policy = Policy::new(1);
        let faults = Faults { rate_max: 100, ..Faults::default() };
        let accepted = |now| {
            let decide = |ordinal| policy.decide(&submit(), 1, ordinal, now, &faults);
            (0..100).filter(|ordinal| decide(*ordinal) != Decision::Refuse(THROTTLED)).count()
        };
        assert_eq!(accepted(0), 11);
        assert_eq!(accepted(NANOS / 2), 11, "half a second idle fills the bucket, and no further");
    }
}
