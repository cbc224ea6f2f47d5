//! Amounts as Paystack takes them.

use talkdrum_api::money::Amount;

/// Micro-units in a kobo.
const KOBO: i64 = 10_000;

/// The amount in kobo; `None` when it is not a whole number of them.
pub(super) fn to_kobo(amount: Amount) -> Option<i64> {
    (amount.0 % KOBO == 0).then_some(amount.0 / KOBO)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kobo_are_exact_or_refused() {
        assert_eq!(to_kobo(Amount(300_500_000)), Some(30_050));
        assert_eq!(to_kobo(Amount(300_505_000)), None);
    }
}
