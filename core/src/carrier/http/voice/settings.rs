//! The settings of a carrier of calls over HTTP as they are written, and the rules that each of them keeps.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::str::FromStr as _;
use std::time::Duration;

use reqwest::Method;
use reqwest::header::HeaderName;
use serde::Deserialize;

use super::fields::{CallFields, Elsewhere};
use super::signature::{Algorithm, Signature};
use crate::carrier::CallPolicy;
use crate::carrier::ConfigSecret;
use crate::carrier::http::link::{Link, address};
use crate::carrier::http::request_template::{BodyType, RequestTemplate, Written};
use crate::error::{Error, Result};
use crate::phone::Msisdn;

/// What may stand between braces in the request that places a call.
const SUBMIT_NAMES: [&str; 9] =
    ["to", "from", "audio_url", "ref", "callback_url", "max_seconds", "plays", "digits", "key"];
/// The same of a request about a call.
const CALL_NAMES: [&str; 3] = ["id", "ref", "key"];

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
pub(super) struct Settings {
    /// `POST`, `GET` or `PUT`.
    method: String,
    headers: BTreeMap<String, String>,
    body: String,
    body_type: BodyType,
    /// Before each number: `+`, or nothing.
    pub(super) number_prefix: String,
    /// Patterns of the answer, tried in this order: temporary, permanent, success.
    pub(super) success: String,
    pub(super) temporary: String,
    pub(super) permanent: String,
    /// Where the answer has the call's id (RFC 6901); without it the id is ours (`{ref}`).
    pub(super) id_pointer: String,
    /// The number that calls are from where the customer chose no number of their own.
    pub(super) caller_id: String,
    /// Calls at the same time.
    pub(super) channels: NonZeroU32,
    /// New calls a second.
    pub(super) rate: NonZeroU32,
    attempts: u32,
    retry_after_s: u32,
    /// Other carriers of calls, in the order in which they place what this one fails to.
    failover: Vec<String>,
    /// How long after its submit the end of a call is waited for.
    call_timeout_s: u32,
    /// What webhooks and polled answers say.
    pub(super) call: CallFields,
    pub(super) poll: Option<PollSettings>,
    pub(super) cancel: Option<CancelSettings>,
    /// The header with the signature of a webhook; none where only the secret address is asked for.
    signature_header: String,
    signature_algorithm: Algorithm,
    signature_secret: ConfigSecret,
    pub(super) signature_secret_file: Option<PathBuf>,
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
            failover: Vec::new(),
            call_timeout_s: 600,
            call: CallFields::default(),
            poll: None,
            cancel: None,
            signature_header: String::new(),
            signature_algorithm: Algorithm::default(),
            signature_secret: ConfigSecret::default(),
            signature_secret_file: None,
        }
    }
}

/// The settings `[carriers.poll]`.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct PollSettings {
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
pub(super) struct CancelSettings {
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

/// When calls are made again, and given up.
pub(super) struct Timing {
    pub(super) policy: CallPolicy,
    pub(super) call_timeout: Duration,
}

impl Settings {
    pub(super) fn timing(&self) -> Result<Timing> {
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
        let policy = CallPolicy {
            failover: self.failover.clone(),
            caller: number(&self.caller_id),
            ..CallPolicy::new(self.attempts, seconds(self.retry_after_s))
        };
        Ok(Timing { policy, call_timeout: seconds(self.call_timeout_s) })
    }

    pub(super) fn submit(&self, link: &Link) -> Result<RequestTemplate> {
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

    pub(super) fn signature(&self) -> Result<Option<Signature>> {
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
    pub(super) fn made(&self, call: &CallFields) -> Result<Poll> {
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
    pub(super) fn made(&self) -> Result<RequestTemplate> {
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
pub(super) fn number(text: &str) -> Option<Msisdn> {
    let digits = text.trim().trim_start_matches('+');
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok().and_then(Msisdn::from_digits))?
}

/// What is wrong, for [`HttpVoiceConfig::read`] to name the carrier.
pub(super) fn bad(what: impl AsRef<str>) -> Error {
    Error::rule("bad_carrier", what.as_ref().to_owned())
}
