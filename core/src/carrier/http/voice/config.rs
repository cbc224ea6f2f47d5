//! The settings of a carrier of calls over HTTP, as they stand under `[[carriers]]` with `kind = "http-voice"`.
//!
//! Invariant: a configuration that was read needs no further check, but that it has an address of ours
//! ([`HttpVoiceConfig::check_reach`]).

use std::fmt;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Map, Value};

use super::fields::CallFields;
use super::settings::{CancelSettings, Poll, Settings, bad, number};
use super::signature::Signature;
use crate::carrier::CallPolicy;
use crate::carrier::ConfigSecret;
use crate::carrier::http::link::{Link, bad_carrier, settings};
use crate::carrier::http::outgoing::escaped;
use crate::carrier::http::request_template::RequestTemplate;
use crate::carrier::http::template::AnswerPatterns;
use crate::error::{Error, Result};
use crate::phone::Msisdn;

/// The settings that carriers over HTTP share, as far as they mean something for calls.
const SHARED: [&str; 10] = [
    "url",
    "api_key",
    "password",
    "api_key_file",
    "password_file",
    "timeout_ms",
    "pause_ms",
    "pause_max_ms",
    "public_url",
    "hook_secret",
];

/// A carrier of calls over HTTP, read and checked.
#[derive(Clone)]
pub struct HttpVoiceConfig {
    /// The label of reports and metrics.
    pub name: String,
    pub(super) link: Link,
    pub(super) submit: RequestTemplate,
    pub(super) patterns: AnswerPatterns,
    pub(super) number_prefix: String,
    pub(super) id_pointer: String,
    pub(super) caller_id: Msisdn,
    pub(super) channels: NonZeroU32,
    pub(super) rate: NonZeroU32,
    pub(super) policy: CallPolicy,
    pub(super) call_timeout: Duration,
    pub(super) call: CallFields,
    pub(super) poll: Option<Poll>,
    pub(super) cancel: Option<RequestTemplate>,
    pub(super) signature: Option<Signature>,
    signature_secret_file: Option<PathBuf>,
}

impl fmt::Debug for HttpVoiceConfig {
    /// Without addresses, headers and bodies: keys may stand in them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpVoiceConfig").field("name", &self.name).finish_non_exhaustive()
    }
}

impl HttpVoiceConfig {
    /// Reads the options of a `[[carriers]]` entry.
    ///
    /// # Errors
    /// `bad_carrier`: a sentence that names carrier and setting.
    pub fn read(name: &str, mut options: Map<String, Value>) -> Result<Self> {
        let shared: Map<String, Value> = SHARED.iter().filter_map(|key| options.remove_entry(*key)).collect();
        let link: Link = settings(name, shared)?;
        let own: Settings = settings(name, options)?;
        let made = Self::made(name, link, own);
        made.map_err(|error| bad_carrier(name, &error.to_string()))
    }

    fn made(name: &str, link: Link, own: Settings) -> Result<Self> {
        link.check().map_err(bad)?;
        link.check_key().map_err(bad)?;
        let timing = own.timing()?;
        own.call.check()?;
        let submit = own.submit(&link)?;
        let poll = own.poll.as_ref().map(|poll| poll.made(&own.call)).transpose()?;
        let cancel = own.cancel.as_ref().map(CancelSettings::made).transpose()?;
        let signature = own.signature()?;
        let config = Self {
            name: name.to_owned(),
            submit,
            patterns: AnswerPatterns::new(&own.success, &own.temporary, &own.permanent)?,
            number_prefix: own.number_prefix,
            caller_id: number(&own.caller_id).ok_or_else(|| {
                bad("`caller_id` must be a number that you may call from, as in 2342012345678")
            })?,
            id_pointer: own.id_pointer,
            channels: own.channels,
            rate: own.rate,
            policy: timing.policy,
            call_timeout: timing.call_timeout,
            call: own.call,
            poll,
            cancel,
            signature,
            signature_secret_file: own.signature_secret_file,
            link,
        };
        config.check_ways()?;
        Ok(config)
    }

    /// Whether the end of a call, and a key, can come.
    fn check_ways(&self) -> Result<()> {
        let has_webhook = !self.link.hook_secret.reveal().is_empty() || self.signature.is_some();
        if has_webhook && self.call.id.is_empty() && self.call.ours.is_empty() {
            let says =
                "`call.id` or `call.ref` must name the field by which a webhook says which call it is about";
            return Err(bad(says));
        }
        if !has_webhook && self.submit.uses("callback_url") {
            return Err(bad(
                "{callback_url} stands in the request and `hook_secret` is not set: webhooks need both",
            ));
        }
        if !has_webhook && self.poll.is_none() {
            return Err(bad(
                "how calls end would never be heard: set `hook_secret` and have the provider call {callback_url}, or \
                 describe how to ask in [carriers.poll]",
            ));
        }
        let polls = self.poll.iter().map(|poll| &poll.request);
        let mut requests = polls.chain(&self.cancel).chain([&self.submit]);
        let has_key = self.link.api_key_file.is_some() || !self.link.api_key.reveal().is_empty();
        if !has_key && requests.any(|request| request.uses("key")) {
            return Err(bad("{key} stands in a request and neither `api_key` nor `api_key_file` is set"));
        }
        Ok(())
    }

    /// The same, where its own settings do not say how the provider reaches this daemon.
    #[must_use]
    pub fn reached_at(mut self, public_url: &str) -> Self {
        if self.link.public_url.is_empty() {
            public_url.clone_into(&mut self.link.public_url);
        }
        self
    }

    /// Whether the provider can reach this daemon, which is at `public_url` where its own settings do not say.
    ///
    /// # Errors
    /// What to set.
    pub fn check_reach(&self, public_url: Option<&str>) -> Result<()> {
        if !self.link.public_url.is_empty() || public_url.is_some() {
            return Ok(());
        }
        let says = "`server.public_url` is not set: the provider fetches from there what it plays. Set it, or \
                    `public_url` of the carrier, to the address at which the provider reaches this daemon";
        Err(bad_carrier(&self.name, says))
    }

    /// Other carriers of calls, in the order in which they place what this one fails to.
    pub fn failover(&self) -> &[String] {
        &self.policy.failover
    }

    /// Calls at the same time.
    pub const fn channels(&self) -> u32 {
        self.channels.get()
    }

    /// New calls a second.
    pub const fn rate(&self) -> u32 {
        self.rate.get()
    }

    /// Reads the files that it names, as starting would.
    ///
    /// # Errors
    /// When one cannot be read, or is empty.
    pub fn check_files(&self) -> Result<()> {
        self.clone().with_secrets().map(drop)
    }

    /// The same with the secrets of its files read.
    ///
    /// # Errors
    /// When one cannot be read, or is empty.
    pub fn with_secrets(mut self) -> Result<Self> {
        self.link.api_key = self.link.key(&self.name)?.unwrap_or_default();
        let uses_key = self.submit.uses("key");
        if uses_key && self.link.api_key.reveal().is_empty() {
            return Err(bad_carrier(
                &self.name,
                "the first line of `api_key_file` is empty: write the key there",
            ));
        }
        if let (Some(file), Some(signature)) = (&self.signature_secret_file, &mut self.signature) {
            let text = std::fs::read_to_string(file).map_err(|source| {
                let what =
                    format!("Carrier `{}`: reading signature_secret_file {}", self.name, file.display());
                Error::io(what, source)
            })?;
            signature.secret = ConfigSecret::new(text.lines().next().unwrap_or_default().trim());
            if signature.secret.reveal().is_empty() {
                return Err(bad_carrier(&self.name, "the first line of `signature_secret_file` is empty"));
            }
        }
        Ok(self)
    }

    /// Where webhooks go; `None` where none are expected.
    pub(super) fn callback_url(&self) -> Option<String> {
        let signed = || self.signature.is_some().then(|| self.hooks_url());
        self.link.callback_url(&self.name).or_else(signed)
    }

    /// Where the provider fetches a clip by its file name.
    pub(super) fn clip_url(&self, file: &str) -> String {
        format!("{}/clips/{file}", self.hooks_url())
    }

    fn hooks_url(&self) -> String {
        let public = self.link.public_url.trim_end_matches('/');
        format!("{public}/hooks/carriers/{}", escaped(&self.name))
    }

    /// Whether a call whose submit was not answered can be told of at all: by our reference.
    pub(super) fn is_told_by_reference(&self) -> bool {
        let by_webhook = self.callback_url().is_some() && !self.call.ours.is_empty();
        let ours_is_theirs = self.id_pointer.is_empty();
        let by_poll = |poll: &Poll| ours_is_theirs || !poll.request.uses("id");
        by_webhook
            || (ours_is_theirs && self.callback_url().is_some())
            || self.poll.as_ref().is_some_and(by_poll)
    }
}
