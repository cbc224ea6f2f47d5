//! Where the providers are, how long they may take, how much may be paid, and when a payment expires.

use std::time::Duration;

use talkdrum_api::money::{Amount, Currency, Money};

use super::Provider;
use crate::error::{Error, Result};
use crate::time::Time;
use crate::time::backoff::doubled;

/// The longest narration and product label, in characters.
pub(super) const TEXT_MAX: usize = 200;

/// What payments are made by.
#[derive(Clone, Debug)]
pub struct PaymentConfig {
    /// Paystack's API, without a slash at its end.
    pub paystack_url: String,
    /// ESPEES' API, without a slash at its end.
    pub espees_url: String,
    /// The path of ESPEES' confirmation: some documents end it with a slash, some do not.
    pub espees_confirm_path: String,
    /// ESPEES' payment page; the payment reference follows a slash.
    pub espees_pay_url: String,
    /// Our own address as payers' browsers see it, without a slash at its end.
    pub public_url: String,
    /// How long one call to a provider may take.
    pub timeout: Duration,
    /// The smallest and the largest payment in Naira.
    pub naira: (Amount, Amount),
    /// The smallest and the largest payment in ESPEES.
    pub espees: (Amount, Amount),
    /// Payments of one user that may wait for their payer at once.
    pub open_max: u32,
    /// When a payment is first checked if the customer did not come back from the provider's page.
    pub first_check: Duration,
    /// The longest pause between two looks while a payment is open.
    pub longest_pause: Duration,
    /// After this long without success a payment is expired.
    pub expires_after: Duration,
    /// For this long after it began a payment that expired or failed is still looked after, at long intervals.
    pub late_for: Duration,
    /// Keys that stand-ins take, for the sandbox; outside it there are none.
    pub sandbox_keys: bool,
}

impl Default for PaymentConfig {
    fn default() -> Self {
        Self {
            paystack_url: "https://api.paystack.co".into(),
            espees_url: "https://api.espees.org".into(),
            espees_confirm_path: "/v2/payment/confirm/".into(),
            espees_pay_url: "https://payment.espees.org/pay".into(),
            public_url: "http://127.0.0.1:8080".into(),
            timeout: Duration::from_secs(12),
            naira: (Amount(50_000_000), Amount(10_000_000_000_000)),
            espees: (Amount(10_000), Amount(1_000_000_000_000)),
            open_max: 50,
            first_check: Duration::from_secs(60),
            longest_pause: Duration::from_secs(3_600),
            expires_after: Duration::from_secs(24 * 3_600),
            late_for: Duration::from_secs(7 * 24 * 3_600),
            sandbox_keys: false,
        }
    }
}

/// The pause between two looks at a payment that expired or failed.
pub(super) const LATE_PAUSE: Duration = Duration::from_secs(6 * 3_600);

/// A payment is given up after this many times [`PaymentConfig::late_for`], even if its provider never answered a query.
const ABANDONED_AFTER: u32 = 8;

impl PaymentConfig {
    /// The amount as it can be paid by a provider: within the limits, and exact in the provider's unit.
    ///
    /// # Errors
    /// A rule on `field`.
    pub(super) fn check(&self, provider: Provider, amount: Amount, field: &'static str) -> Result<Money> {
        let currency = provider.currency();
        let (least, most) = match currency {
            Currency::Naira => self.naira,
            Currency::Espees => self.espees,
        };
        let label = currency.label();
        if amount <= Amount::ZERO {
            return Err(Error::field(field, "amount_not_positive", "The amount must be more than zero"));
        }
        if provider == Provider::Paystack && super::kobo::to_kobo(amount).is_none() {
            return Err(Error::field(
                field,
                "amount_inexact",
                "An amount in Naira has at most two decimals: a kobo is the smallest part",
            ));
        }
        if amount < least || amount > most {
            return Err(Error::field(
                field,
                "amount_out_of_limits",
                format!("The amount must be from {least} to {most} {label}"),
            ));
        }
        Ok(Money { amount, currency })
    }

    /// Whether a payment that no look was answered for is given up.
    pub(super) fn is_abandoned(&self, created_at: Time, now: Time) -> bool {
        now >= created_at + self.late_for * ABANDONED_AFTER
    }

    /// When a payment is looked after next, having been looked after `checks` times; `None` when never again.
    pub(super) fn next_check(&self, created_at: Time, checks: i64, now: Time) -> Option<Time> {
        if now >= created_at + self.late_for {
            return None;
        }
        if now >= created_at + self.expires_after {
            return Some(now + LATE_PAUSE);
        }
        let pause = doubled(self.first_check, checks, self.longest_pause);
        // One look at the moment of expiry, so that a payment does not stay open longer than was said.
        Some((now + pause).min(created_at + self.expires_after))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_within_limits_and_exact_in_the_provider_s_unit() {
        let config = PaymentConfig::default();
        let code = |provider, text: &str| {
            config.check(provider, text.parse().unwrap(), "amount").map_err(|error| error.code()).err()
        };
        assert_eq!(code(Provider::Paystack, "50.01"), None);
        assert_eq!(code(Provider::Paystack, "50.001"), Some("amount_inexact"));
        assert_eq!(code(Provider::Paystack, "49.99"), Some("amount_out_of_limits"));
        assert_eq!(code(Provider::Paystack, "10000000.01"), Some("amount_out_of_limits"));
        assert_eq!(code(Provider::Espees, "0.010001"), None);
        assert_eq!(code(Provider::Espees, "0"), Some("amount_not_positive"));
        assert_eq!(code(Provider::Espees, "-1"), Some("amount_not_positive"));
    }

    #[test]
    fn looks_become_rarer_and_end() {
        let config = PaymentConfig::default();
        let (born, minute) = (Time(1_000_000), 60_000);
        let next = |checks, now: i64| config.next_check(born, checks, Time(now)).map(|time| time.0 - now);
        assert_eq!(next(0, born.0), Some(minute));
        assert_eq!(next(1, born.0 + minute), Some(2 * minute));
        assert_eq!(next(30, born.0 + minute), Some(60 * minute));
        let day = 24 * 60 * minute;
        assert_eq!(next(30, born.0 + day - minute), Some(minute));
        assert_eq!(next(30, born.0 + day), Some(6 * 60 * minute));
        assert_eq!(next(99, born.0 + 7 * day), None);
    }
}
