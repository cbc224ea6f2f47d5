//! What an operator agrees with a carrier, whatever it speaks: refunds, unknown messages, limits, and its price.
//!
//! These settings stand beside those of its kind in a `[[carriers]]` entry. A policy that was read has
//! exact amounts and no setting that means nothing.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;
use talkdrum_api::kind::Kind;
use talkdrum_api::money::{Amount, Currency};

use crate::model::carrier::breaker::BreakerTerms;

/// The policy of one carrier.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CarrierPolicy {
    /// Whether accepted messages that are not delivered are refunded; the platform's default when left out.
    pub refund_undelivered: Option<bool>,
    /// After so many seconds the money of an unknown message is settled by `unknown_then`; 0 is never.
    pub unknown_after_s: u32,
    /// What becomes of that money.
    pub unknown_then: UnknownThen,
    /// Short messages of one message, at most; 0 is no limit.
    pub max_parts: u8,
    /// It takes no sender ids with letters.
    pub numeric_senders_only: bool,
    /// The kinds it carries, where they are fewer than its kind of carrier could.
    pub kinds: Option<Vec<Kind>>,
    /// What it charges for a short message, or for a pulse of a call.
    pub cost: Option<Cost>,
    /// When promotional messages wait for a network that it does not deliver to; never when left out.
    pub breaker: Option<BreakerTerms>,
}

impl CarrierPolicy {
    /// The settings' names in the configuration.
    pub const NAMES: [&str; 8] = [
        "refund_undelivered",
        "unknown_after_s",
        "unknown_then",
        "max_parts",
        "numeric_senders_only",
        "kinds",
        "cost",
        "breaker",
    ];

    /// When and how unknown messages are settled; `None` is never.
    pub fn unknown(&self) -> Option<(Duration, UnknownThen)> {
        let after = Duration::from_secs(self.unknown_after_s.into());
        (self.unknown_after_s > 0 && self.unknown_then != UnknownThen::Keep)
            .then_some((after, self.unknown_then))
    }
}

/// What becomes of the money of a message that stays unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UnknownThen {
    /// It stays reserved until a person or a receipt decides.
    #[default]
    Keep,
    /// It is charged, as if the carrier had taken the message.
    Capture,
    /// It goes back to the customer, as if the carrier had not.
    Release,
}

/// The price of a short message at a carrier, or of a pulse of a call that was answered.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// `NGN` or `ESP`, or their names.
    #[serde(deserialize_with = "currency")]
    pub currency: Currency,
    /// Of every network that is not named.
    #[serde(alias = "pulse")]
    pub segment: Amount,
    /// By network.
    #[serde(default)]
    pub networks: BTreeMap<String, Amount>,
}

impl Cost {
    /// What a short message, or a pulse, to `network` costs.
    pub fn of(&self, network: &str) -> Amount {
        self.networks.get(network).copied().unwrap_or(self.segment)
    }
}

fn currency<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Currency, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_is_read_and_a_network_has_its_own_price() {
        let policy: CarrierPolicy = serde_json::from_value(serde_json::json!({
            "refund_undelivered": true, "unknown_after_s": 3600, "unknown_then": "release", "max_parts": 4,
            "cost": { "currency": "naira", "segment": "2.2", "networks": { "mtn": "2.5" } },
        }))
        .unwrap();
        let cost = policy.cost.clone().unwrap();
        assert_eq!((cost.of("mtn"), cost.of("glo")), (Amount(2_500_000), Amount(2_200_000)));
        assert_eq!(policy.unknown(), Some((Duration::from_secs(3600), UnknownThen::Release)));
        assert_eq!(CarrierPolicy::default().unknown(), None);
        for name in CarrierPolicy::NAMES {
            let error =
                serde_json::from_value::<CarrierPolicy>(serde_json::json!({ name: [[]] })).unwrap_err();
            assert!(!error.to_string().contains("unknown field"), "{name}: {error}");
        }
    }
}
