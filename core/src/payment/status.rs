//! What a provider's word does to the status of a payment; the statuses: [`PaymentStatus`].

use super::provider::Verdict;
use crate::model::money::payment::PaymentStatus;

impl PaymentStatus {
    /// The status and its words after what the provider said, if anything changes; `settled` is not entered here.
    pub(super) fn after(self, verdict: &Verdict, is_over: bool) -> Option<(Self, String)> {
        let (next, note) = match (self, verdict) {
            (Self::Settled, _) | (_, Verdict::Paid) => return None,
            (_, Verdict::Mismatch(note)) => (Self::Mismatch, note.clone()),
            // The amount paid differs: a person decides, and later answers change nothing.
            (Self::Mismatch, _) => return None,
            (_, Verdict::Failed(note)) => (Self::Failed, note.clone()),
            (Self::Expired, Verdict::Waiting(_) | Verdict::Absent(_)) => return None,
            // What was refused at the beginning is not waited for.
            (Self::Failed, Verdict::Absent(_)) => return None,
            (_, Verdict::Waiting(_) | Verdict::Absent(_)) if is_over => {
                (Self::Expired, "It was not paid in time".to_owned())
            }
            (Self::Failed, Verdict::Waiting(note)) => (Self::Pending, note.clone()),
            (_, Verdict::Waiting(note) | Verdict::Absent(note)) => (self, note.clone()),
        };
        Some((next, note))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(status: PaymentStatus, verdict: &Verdict, is_over: bool) -> Option<PaymentStatus> {
        status.after(verdict, is_over).map(|(status, _)| status)
    }

    #[test]
    fn settled_is_final_and_is_entered_with_its_money_only() {
        for verdict in [Verdict::Paid, Verdict::Failed("x".into()), Verdict::Mismatch("x".into())] {
            assert_eq!(after(PaymentStatus::Settled, &verdict, true), None);
        }
        for status in PaymentStatus::ALL.iter().copied() {
            assert_eq!(after(status, &Verdict::Paid, false), None);
        }
    }

    #[test]
    fn a_payer_may_try_again_until_the_time_is_over() {
        let waiting = Verdict::Waiting("ongoing".into());
        assert_eq!(after(PaymentStatus::Failed, &waiting, false), Some(PaymentStatus::Pending));
        assert_eq!(after(PaymentStatus::Failed, &waiting, true), Some(PaymentStatus::Expired));
        assert_eq!(after(PaymentStatus::Pending, &waiting, true), Some(PaymentStatus::Expired));
        assert_eq!(after(PaymentStatus::Expired, &waiting, true), None);
        let absent = Verdict::Absent("never begun".into());
        assert_eq!(after(PaymentStatus::Failed, &absent, false), None);
        assert_eq!(after(PaymentStatus::Initiated, &absent, true), Some(PaymentStatus::Expired));
        assert_eq!(
            after(PaymentStatus::Expired, &Verdict::Failed("x".into()), true),
            Some(PaymentStatus::Failed)
        );
    }

    #[test]
    fn a_mismatch_waits_for_a_person() {
        assert_eq!(after(PaymentStatus::Mismatch, &Verdict::Failed("x".into()), false), None);
        assert_eq!(after(PaymentStatus::Mismatch, &Verdict::Waiting("x".into()), true), None);
        assert_eq!(
            after(PaymentStatus::Pending, &Verdict::Mismatch("x".into()), false),
            Some(PaymentStatus::Mismatch)
        );
    }
}
