//! `[payment]`: where the providers are, how long they may take, how much may be paid.

use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU32;
use std::time::Duration;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use talkdrum_api::money::Amount;
use talkdrum_core::payment::PaymentConfig;

use super::list::words;

/// Payments.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Payment {
    /// Paystack's API.
    pub paystack_url: String,
    /// Addresses that Paystack's webhooks may come from; any when empty, as the signature is what counts.
    #[serde(deserialize_with = "addresses")]
    pub paystack_webhook_ips: Vec<IpAddr>,
    /// ESPEES' API.
    pub espees_url: String,
    /// The path of ESPEES' confirmation: some of its documents end it with a slash, some do not.
    pub espees_confirm_path: String,
    /// ESPEES' payment page.
    pub espees_pay_url: String,
    /// How long one call to a provider may take.
    pub timeout_s: NonZeroU32,
    /// The smallest payment in Naira.
    pub naira_min: String,
    /// The largest payment in Naira.
    pub naira_max: String,
    /// The smallest payment in ESPEES.
    pub espees_min: String,
    /// The largest payment in ESPEES.
    pub espees_max: String,
    /// Payments of one user that may wait for their payer at once.
    pub open_max: NonZeroU32,
    /// Payments and transfers a user may begin in a minute.
    pub per_minute: NonZeroU32,
    /// How often it is looked for payments that are due.
    pub sweep_every_s: NonZeroU32,
    /// When a payment is first checked if the customer did not come back; the pauses then double.
    pub first_check_s: NonZeroU32,
    /// After this many hours without success a payment is expired.
    pub expires_hours: NonZeroU32,
    /// For this many days after it began, a late success is still looked for.
    pub late_days: NonZeroU32,
}

impl Default for Payment {
    fn default() -> Self {
        let core = PaymentConfig::default();
        let number = |value: u32| NonZeroU32::MIN.saturating_add(value - 1);
        Self {
            paystack_url: core.paystack_url,
            paystack_webhook_ips: Vec::new(),
            espees_url: core.espees_url,
            espees_confirm_path: core.espees_confirm_path,
            espees_pay_url: core.espees_pay_url,
            timeout_s: number(12),
            naira_min: core.naira.0.to_string(),
            naira_max: core.naira.1.to_string(),
            espees_min: core.espees.0.to_string(),
            espees_max: core.espees.1.to_string(),
            open_max: number(core.open_max),
            per_minute: number(20),
            sweep_every_s: number(15),
            first_check_s: number(60),
            expires_hours: number(24),
            late_days: number(7),
        }
    }
}

fn addresses<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<IpAddr>, D::Error> {
    let parse = |word: String| {
        word.parse().map_err(|_| serde::de::Error::custom(format!("'{word}' is not an IP address")))
    };
    words(deserializer)?.into_iter().map(parse).collect()
}

impl Payment {
    /// How often it is looked for payments that are due.
    pub fn sweep_every(&self) -> Duration {
        seconds(self.sweep_every_s)
    }

    /// What payments work with. With `sandbox`, the address this daemon listens on, the stand-ins there are the
    /// providers, whatever the file says.
    ///
    /// # Errors
    /// When a limit is no amount, or an address none of the web.
    pub fn config(&self, public_url: &str, sandbox: Option<SocketAddr>) -> anyhow::Result<PaymentConfig> {
        let amount = |name: &str, text: &str| -> anyhow::Result<Amount> {
            text.parse().with_context(|| format!("payment.{name} '{text}' is no amount"))
        };
        for (name, url) in [
            ("paystack_url", &self.paystack_url),
            ("espees_url", &self.espees_url),
            ("espees_pay_url", &self.espees_pay_url),
        ] {
            let is_web = reqwest::Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
            anyhow::ensure!(is_web, "payment.{name} '{url}' is no address of the web");
        }
        let plain = |url: &str| url.trim_end_matches('/').to_owned();
        let mut config = PaymentConfig {
            paystack_url: plain(&self.paystack_url),
            espees_url: plain(&self.espees_url),
            espees_confirm_path: self.espees_confirm_path.clone(),
            espees_pay_url: plain(&self.espees_pay_url),
            public_url: plain(public_url),
            timeout: seconds(self.timeout_s),
            naira: (amount("naira_min", &self.naira_min)?, amount("naira_max", &self.naira_max)?),
            espees: (amount("espees_min", &self.espees_min)?, amount("espees_max", &self.espees_max)?),
            open_max: self.open_max.get(),
            first_check: seconds(self.first_check_s),
            expires_after: seconds(self.expires_hours) * 3_600,
            late_for: seconds(self.late_days) * 24 * 3_600,
            ..PaymentConfig::default()
        };
        if let Some(address) = sandbox {
            config.paystack_url = format!("http://{address}/sandbox/paystack");
            config.espees_url = format!("http://{address}/sandbox/espees");
            config.espees_pay_url = format!("{}/sandbox/espees/pay", config.public_url);
            config.sandbox_keys = true;
        }
        Ok(config)
    }
}

fn seconds(count: NonZeroU32) -> Duration {
    Duration::from_secs(u64::from(count.get()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_those_of_life_and_the_sandbox_overrules_addresses() {
        let section = Payment::default();
        let life = section.config("https://sms.example.com/", None).unwrap();
        assert_eq!((life.paystack_url.as_str(), life.sandbox_keys), ("https://api.paystack.co", false));
        assert_eq!(life.public_url, "https://sms.example.com");
        let address = "127.0.0.1:8080".parse().unwrap();
        let sandbox = section.config("http://127.0.0.1:8080", Some(address)).unwrap();
        assert_eq!(sandbox.paystack_url, "http://127.0.0.1:8080/sandbox/paystack");
        assert!(sandbox.sandbox_keys);
    }

    #[test]
    fn what_makes_no_sense_is_refused_by_name() {
        let wrong = Payment { naira_min: "much".into(), ..Payment::default() };
        assert!(format!("{:#}", wrong.config("http://x", None).unwrap_err()).contains("naira_min"));
        let wrong = Payment { espees_url: "ftp://x".into(), ..Payment::default() };
        assert!(format!("{:#}", wrong.config("http://x", None).unwrap_err()).contains("espees_url"));
    }
}
