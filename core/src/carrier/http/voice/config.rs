//! The settings of a carrier of calls over HTTP, as they stand under `[[carriers]]` with `kind = "http-voice"`.
//!
//! Invariant: a configuration that was read needs no further check, but that it has an address of ours
//! ([`HttpVoiceConfig::check_reach`]).

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::str::FromStr as _;
use std::time::Duration;

use reqwest::Method;
use reqwest::header::HeaderName;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::fields::{CallFields, Elsewhere};
use super::signature::{Algorithm, Signature};
use crate::carrier::CallPolicy;
use crate::carrier::http::link::{Link, address, bad_carrier, settings};
use crate::carrier::http::outgoing::escaped;
use crate::carrier::http::request_template::{BodyType, RequestTemplate, Written};
use crate::carrier::http::template::AnswerPatterns;
use crate::carrier::smpp::Secret;
use crate::error::{Error, Result};
use crate::phone::Msisdn;

/// What may stand between braces in the request that places a call.
const SUBMIT_NAMES: [&str; 9] =
    ["to", "from", "audio_url", "ref", "callback_url", "max_seconds", "plays", "digits", "key"];
/// The same of a request about a call.
const CALL_NAMES: [&str; 3] = ["id", "ref", "key"];

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

/// The shortest and the longest time until a call is given up, in seconds.
const CALL_TIMEOUT_MIN: u32 = 30;
const CALL_TIMEOUT_MAX: u32 = 7_200;
/// The longest pause between two polls of a call, in seconds.
const EVERY_MAX: u32 = 300;
/// The most calls of a campaign to one number, and the longest wait before it is called again, as for a SIP trunk.
const ATTEMPTS_MAX: u32 = 10;
const RETRY_AFTER_MAX: u32 = 86_400;
/// The most calls at the same time, each of which has a task and a request here.
const CHANNELS_MAX: u32 = 10_000;

/// The settings of its own.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Settings {
    /// `POST`, `GET` or `PUT`.
    method: String,
    headers: BTreeMap<String, String>,
    body: String,
    body_type: BodyType,
    /// Before each number: `+`, or nothing.
    number_prefix: String,
    /// Patterns of the answer, tried in this order: temporary, permanent, success.
    success: String,
    temporary: String,
    permanent: String,
    /// Where the answer has the call's id (RFC 6901); without it the id is ours (`{ref}`).
    id_pointer: String,
    /// The number that calls are from where the customer chose no number of their own.
    caller_id: String,
    /// Calls at the same time.
    channels: NonZeroU32,
    /// New calls a second.
    rate: NonZeroU32,
    attempts: u32,
    retry_after_s: u32,
    /// How long after its submit the end of a call is waited for.
    call_timeout_s: u32,
    /// What webhooks and polled answers say.
    call: CallFields,
    poll: Option<PollSettings>,
    cancel: Option<CancelSettings>,
    /// The header with the signature of a webhook; none where only the secret address is asked for.
    signature_header: String,
    signature_algorithm: Algorithm,
    signature_secret: Secret,
    signature_secret_file: Option<PathBuf>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            method: "POST".into(),
            headers: BTreeMap::new(),
            body: String::new(),
            body_type: BodyType::Json,
            number_prefix: String::new(),
            success: String::new(),
            temporary: String::new(),
            permanent: String::new(),
            id_pointer: String::new(),
            caller_id: String::new(),
            channels: NonZeroU32::MIN,
            rate: NonZeroU32::MIN,
            attempts: 2,
            retry_after_s: 300,
            call_timeout_s: 600,
            call: CallFields::default(),
            poll: None,
            cancel: None,
            signature_header: String::new(),
            signature_algorithm: Algorithm::default(),
            signature_secret: Secret::default(),
            signature_secret_file: None,
        }
    }
}

/// The settings `[carriers.poll]`.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct PollSettings {
    url: String,
    method: String,
    headers: BTreeMap<String, String>,
    body: String,
    body_type: BodyType,
    /// The pause between two, in seconds.
    every_s: u32,
    /// Fields of its answer that are elsewhere than in a webhook.
    status: String,
    seconds: String,
    digits: String,
}

impl Default for PollSettings {
    fn default() -> Self {
        Self {
            url: String::new(),
            method: "GET".into(),
            headers: BTreeMap::new(),
            body: String::new(),
            body_type: BodyType::Json,
            every_s: 5,
            status: String::new(),
            seconds: String::new(),
            digits: String::new(),
        }
    }
}

/// The settings `[carriers.cancel]`.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct CancelSettings {
    url: String,
    method: String,
    headers: BTreeMap<String, String>,
    body: String,
    body_type: BodyType,
}

impl Default for CancelSettings {
    fn default() -> Self {
        Self {
            url: String::new(),
            method: "POST".into(),
            headers: BTreeMap::new(),
            body: String::new(),
            body_type: BodyType::Json,
        }
    }
}

/// How a call is asked about.
#[derive(Clone)]
pub(super) struct Poll {
    pub(super) request: RequestTemplate,
    pub(super) every: Duration,
    pub(super) fields: CallFields,
}

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
            signature.secret = Secret::new(text.lines().next().unwrap_or_default().trim());
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

struct Timing {
    policy: CallPolicy,
    call_timeout: Duration,
}

impl Settings {
    fn timing(&self) -> Result<Timing> {
        if !(1..=ATTEMPTS_MAX).contains(&self.attempts) {
            return Err(bad("`attempts` must be from 1, which is no second call, to 10"));
        }
        if !(1..=RETRY_AFTER_MAX).contains(&self.retry_after_s) {
            return Err(bad("`retry_after_s` must be from 1 to 86400, a day"));
        }
        if !(CALL_TIMEOUT_MIN..=CALL_TIMEOUT_MAX).contains(&self.call_timeout_s) {
            return Err(bad("`call_timeout_s` must be from 30 to 7200: longer than any call takes"));
        }
        if self.channels.get() > CHANNELS_MAX {
            return Err(bad("`channels` must be at most 10000"));
        }
        let seconds = |seconds: u32| Duration::from_secs(seconds.into());
        let policy = CallPolicy { attempts: self.attempts, retry_after: seconds(self.retry_after_s) };
        Ok(Timing { policy, call_timeout: seconds(self.call_timeout_s) })
    }

    fn submit(&self, link: &Link) -> Result<RequestTemplate> {
        let written = Written {
            url: link.url.clone(),
            method: self.method.clone(),
            headers: self.headers.clone(),
            body: self.body.clone(),
            body_type: self.body_type,
        };
        let methods = [Method::POST, Method::GET, Method::PUT];
        let request = request("url", written, &methods, &SUBMIT_NAMES)?;
        for (name, what) in [("to", "whom to call"), ("audio_url", "what to play")] {
            if !request.uses(name) {
                return Err(bad(format!(
                    "{{{name}}} stands nowhere in `url`, `headers` and `body`: the provider would not know {what}"
                )));
            }
        }
        Ok(request)
    }

    fn signature(&self) -> Result<Option<Signature>> {
        let (header, secret) = (&self.signature_header, &self.signature_secret);
        let has_secret = !secret.reveal().is_empty();
        if has_secret && self.signature_secret_file.is_some() {
            return Err(bad("`signature_secret` and `signature_secret_file` are both set: keep one"));
        }
        let is_secret = has_secret || self.signature_secret_file.is_some();
        match (header.is_empty(), is_secret) {
            (true, false) => Ok(None),
            (true, true) => Err(bad("`signature_header` is missing beside the secret of the signature")),
            (false, false) => {
                Err(bad("`signature_header` needs a `signature_secret`, or a `signature_secret_file`"))
            }
            (false, true) => {
                let header = HeaderName::from_str(header)
                    .map_err(|_| bad("`signature_header` cannot be the name of a header"))?;
                let algorithm = self.signature_algorithm;
                Ok(Some(Signature { header, algorithm, secret: secret.clone() }))
            }
        }
    }
}

impl PollSettings {
    fn made(&self, call: &CallFields) -> Result<Poll> {
        if !(1..=EVERY_MAX).contains(&self.every_s) {
            return Err(bad("`poll.every_s` must be from 1 to 300"));
        }
        let written = Written {
            url: self.url.clone(),
            method: self.method.clone(),
            headers: self.headers.clone(),
            body: self.body.clone(),
            body_type: self.body_type,
        };
        let request = request("poll.url", written, &[Method::GET, Method::POST], &CALL_NAMES)?;
        if !request.uses("id") && !request.uses("ref") {
            return Err(bad("`poll.url` must hold {id} or {ref}, to say which call is asked about"));
        }
        let elsewhere = Elsewhere {
            status: self.status.clone(),
            seconds: self.seconds.clone(),
            digits: self.digits.clone(),
        };
        Ok(Poll {
            request,
            every: Duration::from_secs(self.every_s.into()),
            fields: call.or_else(&elsewhere),
        })
    }
}

impl CancelSettings {
    fn made(&self) -> Result<RequestTemplate> {
        let written = Written {
            url: self.url.clone(),
            method: self.method.clone(),
            headers: self.headers.clone(),
            body: self.body.clone(),
            body_type: self.body_type,
        };
        let methods = [Method::POST, Method::DELETE, Method::PUT, Method::GET];
        let request = request("cancel.url", written, &methods, &CALL_NAMES)?;
        if !request.uses("id") && !request.uses("ref") {
            return Err(bad("`cancel.url` must hold {id} or {ref}, to say which call is ended"));
        }
        Ok(request)
    }
}

fn request(setting: &str, written: Written, methods: &[Method], names: &[&str]) -> Result<RequestTemplate> {
    // Placeholders may stand in it; filled with nothing it must be an address.
    if address(&written.url.replace(['{', '}'], "")).is_none() {
        return Err(bad(format!("`{setting}` must be an address with http:// or https://")));
    }
    RequestTemplate::new(written, methods, names)
}

/// A number with its country code: also one that is no phone of a person, such as a landline of the operator's.
fn number(text: &str) -> Option<Msisdn> {
    let digits = text.trim().trim_start_matches('+');
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok().and_then(Msisdn::from_digits))?
}

/// What is wrong, for [`HttpVoiceConfig::read`] to name the carrier.
fn bad(what: impl AsRef<str>) -> Error {
    Error::rule("bad_carrier", what.as_ref().to_owned())
}
