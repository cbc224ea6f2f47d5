//! `[[carriers]]`: a name, a kind, the settings of that kind, and what is agreed with the carrier whatever it speaks.
//!
//! A section that was read here can be started without another check.

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use talkdrum_api::kind::Kind;
use talkdrum_core::carrier::http::voice::HttpVoiceConfig;
use talkdrum_core::carrier::http::{self, HttpConfig};
use talkdrum_core::carrier::policy::{CarrierPolicy, UnknownThen};
use talkdrum_core::carrier::sip::SipConfig;
use talkdrum_core::carrier::smpp::{BindMode, SmppConfig};
use talkdrum_core::routing::RouteCarrier;

use super::secret_key::is_secret;

/// The kind of carriers that place calls over a SIP trunk.
pub const SIP: &str = "sip";
/// The kind of carriers that place calls by a provider's HTTP API.
pub const HTTP_VOICE: &str = "http-voice";

/// What is agreed with a carrier of calls, too.
const POLICY_OF_CALLS: [&str; 3] = ["cost", "unknown_after_s", "unknown_then"];

/// How the secrets of the example begin.
const EXAMPLE_SECRET: &str = "change-me";

/// Whether carriers of a kind place calls, and carry no text messages.
pub fn places_calls(kind: &str) -> bool {
    matches!(kind, SIP | HTTP_VOICE)
}

/// A carrier: its name and kind, and the options that its kind reads.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CarrierSection {
    /// The label of metrics and reports, unique.
    pub name: String,
    /// `smpp`, one of those over HTTP, `sip` or `http-voice`.
    pub kind: String,
    /// Everything else, read and checked by the kind.
    #[serde(flatten)]
    pub options: toml::Table,
}

/// How a carrier is spoken to.
#[derive(Clone, Debug)]
pub enum Line {
    /// SMPP 3.4.
    Smpp(Box<SmppConfig>),
    /// One of the HTTP kinds.
    Http(HttpConfig),
    /// Calls over a SIP trunk.
    Sip(Box<SipConfig>),
    /// Calls by a provider's HTTP API.
    HttpVoice(Box<HttpVoiceConfig>),
}

/// A carrier as the configuration describes it, checked.
#[derive(Clone, Debug)]
pub struct CarrierPlan {
    /// Its name.
    pub name: String,
    /// How it is spoken to.
    pub line: Line,
    /// What is agreed with it.
    pub policy: CarrierPolicy,
}

impl CarrierSection {
    /// The section, read and checked.
    ///
    /// # Errors
    /// A sentence that names the carrier and what is wrong.
    pub fn plan(&self) -> anyhow::Result<CarrierPlan> {
        let cannot = || format!("carrier '{}' cannot be used", self.name);
        if places_calls(&self.kind) {
            self.refuse_what_calls_have_not()?;
        }
        // The parser would show the value that it does not take.
        let is_no_text = |value: &toml::Value| value.is_integer() || value.is_float() || value.is_datetime();
        if let Some((key, _)) = self.options.iter().find(|(key, value)| is_secret(key) && is_no_text(value)) {
            anyhow::bail!("carrier '{}': `{key}` must be text: put it in quotes", self.name);
        }
        let mut options = self.options.clone();
        let agreed: toml::Table =
            CarrierPolicy::NAMES.iter().filter_map(|name| options.remove_entry(*name)).collect();
        let policy: CarrierPolicy = agreed.try_into().with_context(cannot)?;
        anyhow::ensure!(
            !places_calls(&self.kind) || policy.unknown_then != UnknownThen::Capture,
            "carrier '{}': `unknown_then` must be keep or release: a call that may not have been answered is not charged, \
             and its length is not known",
            self.name
        );
        let line = match self.kind.as_str() {
            "smpp" => {
                options.insert("name".into(), self.name.clone().into());
                let config: SmppConfig = options.try_into().with_context(cannot)?;
                config.validate()?;
                Line::Smpp(Box::new(config))
            }
            SIP => {
                options.insert("name".into(), self.name.clone().into());
                let config: SipConfig = options.try_into().with_context(cannot)?;
                config.validate()?;
                Line::Sip(Box::new(config))
            }
            kind if kind == HTTP_VOICE || http::KINDS.contains(&kind) => {
                let serde_json::Value::Object(options) =
                    serde_json::to_value(options).with_context(cannot)?
                else {
                    anyhow::bail!(cannot());
                };
                match kind {
                    HTTP_VOICE => Line::HttpVoice(Box::new(HttpVoiceConfig::read(&self.name, options)?)),
                    _ => Line::Http(HttpConfig::read(&self.name, kind, options)?),
                }
            }
            other => anyhow::bail!(
                "carrier '{}': the kind '{other}' is not known: use smpp, {SIP}, {HTTP_VOICE}, {}",
                self.name,
                http::KINDS.join(", ")
            ),
        };
        let plan = CarrierPlan { name: self.name.clone(), line, policy };
        anyhow::ensure!(
            !plan.route_carrier().kinds.is_empty(),
            "carrier '{}': `kinds` names none that it can carry",
            self.name
        );
        if let Some(breaker) = &plan.policy.breaker {
            if let Some(fault) = breaker.fault() {
                anyhow::bail!("carrier '{}': {fault}", self.name);
            }
            anyhow::ensure!(
                !plan.route_carrier().no_receipts,
                "carrier '{}': `breaker` judges by receipts, and this carrier brings none: leave it out, or ask for \
                 receipts",
                self.name
            );
        }
        Ok(plan)
    }

    fn refuse_what_calls_have_not(&self) -> anyhow::Result<()> {
        for name in CarrierPolicy::NAMES.into_iter().filter(|name| !POLICY_OF_CALLS.contains(name)) {
            anyhow::ensure!(
                !self.options.contains_key(name),
                "carrier '{}': `{name}` is about text messages, which a trunk does not carry: leave it out",
                self.name
            );
        }
        Ok(())
    }

    /// Refuses the secrets of the example: everyone knows them.
    ///
    /// # Errors
    /// A sentence that names the carrier and the setting.
    pub fn check_secrets(&self) -> anyhow::Result<()> {
        let is_known =
            |value: &toml::Value| value.as_str().is_some_and(|text| text.starts_with(EXAMPLE_SECRET));
        match self.options.iter().find(|(_, value)| is_known(value)) {
            Some((name, _)) => anyhow::bail!(
                "carrier '{}': `{name}` is that of the example, which everyone knows: set one of your own",
                self.name
            ),
            None => Ok(()),
        }
    }
}

/// Checks that what a trunk fails to place goes to other trunks.
///
/// # Errors
/// A sentence that names the trunk and what is wrong.
pub(super) fn check_failover(plan: &CarrierPlan, plans: &[CarrierPlan]) -> anyhow::Result<()> {
    let me = &plan.name;
    for (index, to) in plan.failover().iter().enumerate() {
        anyhow::ensure!(to != me, "carrier '{me}': `failover` names the carrier itself");
        let other = plans.iter().find(|other| other.name == *to).map(CarrierPlan::route_carrier);
        let Some(other) = other.filter(|other| other.kinds.contains(&Kind::Voice)) else {
            anyhow::bail!("carrier '{me}': `failover` names '{to}', which is no carrier of calls");
        };
        // A quote promises what its own carrier can do.
        let own = plan.route_carrier();
        anyhow::ensure!(
            other.keys || !own.keys,
            "carrier '{me}': `failover` names '{to}', which does not tell pressed keys as '{me}' does: set \
             `call.digits` there, or leave it out"
        );
        anyhow::ensure!(
            other.repeats || !own.repeats,
            "carrier '{me}': `failover` names '{to}', which does not play a question again as '{me}' does: let its \
             request have {{plays}}, or leave it out"
        );
        let is_twice = plan.failover()[..index].contains(to);
        anyhow::ensure!(!is_twice, "carrier '{me}': `failover` names '{to}' twice");
    }
    Ok(())
}

impl CarrierPlan {
    /// Reads the files that it names, as starting would.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn check_files(&self) -> talkdrum_core::Result<()> {
        match &self.line {
            Line::Smpp(config) => config.check_files(),
            Line::Http(config) => config.check_files(),
            Line::Sip(config) => config.check_files(),
            Line::HttpVoice(config) => config.check_files(),
        }
    }

    /// The carriers that place the calls that this one fails to.
    pub fn failover(&self) -> &[String] {
        match &self.line {
            Line::Sip(config) => &config.failover,
            Line::HttpVoice(config) => config.failover(),
            Line::Smpp(_) | Line::Http(_) => &[],
        }
    }

    /// What routing knows of it.
    pub fn route_carrier(&self) -> RouteCarrier {
        let (kinds, rate) = match &self.line {
            Line::Smpp(config) => (Kind::SMS.to_vec(), config.rate),
            Line::Http(config) => {
                let capabilities = config.capabilities();
                (capabilities.kinds, capabilities.rate)
            }
            Line::Sip(config) => (vec![Kind::Voice], config.rate.get()),
            Line::HttpVoice(config) => (vec![Kind::Voice], config.rate()),
        };
        let channels = match &self.line {
            Line::Sip(config) => config.channels.get(),
            Line::HttpVoice(config) => config.channels(),
            Line::Smpp(_) | Line::Http(_) => 0,
        };
        let (keys, repeats) = match &self.line {
            Line::Sip(_) => (true, true),
            Line::HttpVoice(config) => (config.tells_keys(), config.repeats()),
            Line::Smpp(_) | Line::Http(_) => (false, false),
        };
        let no_receipts = match &self.line {
            Line::Smpp(config) => config.bind == BindMode::Transmitter || !config.asks_for_receipts(),
            Line::Http(config) => !config.brings_receipts(),
            Line::Sip(_) | Line::HttpVoice(_) => false,
        };
        let wanted = |kind: &Kind| self.policy.kinds.as_ref().is_none_or(|some| some.contains(kind));
        RouteCarrier {
            name: self.name.as_str().into(),
            kinds: kinds.into_iter().filter(wanted).collect(),
            rate,
            channels,
            keys,
            repeats,
            max_parts: self.policy.max_parts,
            numeric_senders_only: self.policy.numeric_senders_only,
            no_receipts,
            refund_undelivered: self.policy.refund_undelivered,
        }
    }
}
