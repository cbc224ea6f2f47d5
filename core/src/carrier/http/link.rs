//! What an operator sets for a carrier over HTTP: the settings that all kinds share, and those of its own kind.
//!
//! Invariant: a configuration that was read needs no further check.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use reqwest::header::HeaderMap;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::outgoing::escaped;
use super::provider::{Asked, Callback, Provider};
use super::template::Template;
use super::{africastalking, infobip, kannel, template, termii};
use crate::carrier::Capabilities;
use crate::carrier::ConfigSecret;
use crate::error::{Error, Result};

/// The kinds of carrier over HTTP, as the configuration names them.
pub const KINDS: [&str; 5] = ["kannel", "termii", "africastalking", "infobip", "template"];

/// The settings of [`Link`] under their names in the file.
const SHARED: [&str; 13] = [
    "url",
    "api_key",
    "password",
    "api_key_file",
    "password_file",
    "window",
    "batch",
    "rate",
    "timeout_ms",
    "pause_ms",
    "pause_max_ms",
    "public_url",
    "hook_secret",
];

/// The settings that all kinds share. `Debug` does not show the address: a template's may hold a key.
#[derive(Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Link {
    /// The provider's address; its public one where there is only one.
    pub(super) url: String,
    /// The key; without one the administrator's SMS API key is used.
    #[serde(alias = "password")]
    pub(super) api_key: ConfigSecret,
    #[serde(alias = "password_file")]
    pub(super) api_key_file: Option<PathBuf>,
    /// Requests under way at once.
    pub(super) window: u32,
    /// Messages in one request; 0 is as many as the provider takes.
    batch: u32,
    /// Messages a second; 0 is as fast as the provider answers.
    pub(super) rate: u32,
    timeout_ms: u32,
    pause_ms: u32,
    pause_max_ms: u32,
    /// Where the provider reaches this daemon, as in `https://sms.example.com`, for receipts.
    pub(super) public_url: String,
    /// The secret part of the address of callbacks.
    pub(super) hook_secret: ConfigSecret,
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Link").field("window", &self.window).field("rate", &self.rate).finish_non_exhaustive()
    }
}

impl Default for Link {
    fn default() -> Self {
        Self {
            url: String::new(),
            api_key: ConfigSecret::default(),
            api_key_file: None,
            window: 8,
            batch: 0,
            rate: 0,
            timeout_ms: 30_000,
            pause_ms: 1_000,
            pause_max_ms: 60_000,
            public_url: String::new(),
            hook_secret: ConfigSecret::default(),
        }
    }
}

/// A carrier over HTTP, read and checked.
#[derive(Clone, Debug)]
pub struct HttpConfig {
    /// The label of reports and metrics.
    pub name: String,
    pub(super) link: Link,
    pub(super) provider: Arc<dyn Provider>,
}

impl HttpConfig {
    /// Reads the options of a `[[carriers]]` entry of one of [`KINDS`].
    ///
    /// # Errors
    /// `bad_carrier`: a sentence that names carrier and setting.
    pub fn read(name: &str, kind: &str, mut options: Map<String, Value>) -> Result<Self> {
        let shared: Map<String, Value> = SHARED.iter().filter_map(|key| options.remove_entry(*key)).collect();
        let link: Link = settings(name, shared)?;
        let bad = |what: &str| bad_carrier(name, what);
        link.check().map_err(|what| bad(&what))?;
        link.check_receipts().map_err(bad)?;
        let at = |default: &str| {
            let url = if link.url.is_empty() { default } else { &link.url };
            if url.is_empty() {
                return Err(bad("`url` is missing: the provider gives every account an address of its own"));
            }
            address(url).ok_or_else(|| bad(&format!("`url` {url} is no address with http:// or https://")))
        };
        let provider: Arc<dyn Provider> = match kind {
            "kannel" => {
                let settings: kannel::Settings = settings(name, options)?;
                if settings.username.is_empty() {
                    return Err(bad("`username` is missing: the sendsms-user of Kannel"));
                }
                Arc::new(kannel::Kannel { url: at("http://127.0.0.1:13013/cgi-bin/sendsms")?, settings })
            }
            "termii" => Arc::new(termii::Termii { url: at("")?, settings: settings(name, options)? }),
            "africastalking" => {
                let settings: africastalking::Settings = settings(name, options)?;
                if settings.username.is_empty() {
                    return Err(bad("`username` is missing: the application's name at Africa's Talking"));
                }
                let usual = if settings.username == "sandbox" {
                    "https://api.sandbox.africastalking.com"
                } else {
                    "https://api.africastalking.com"
                };
                Arc::new(africastalking::AfricasTalking { url: at(usual)?, settings })
            }
            "infobip" => Arc::new(infobip::Infobip { url: at("")?, settings: settings(name, options)? }),
            "template" => {
                let settings: template::Settings = settings(name, options)?;
                // Placeholders may stand in it; filled with nothing it must be an address.
                let blank = link.url.replace(['{', '}'], "");
                address(&blank).ok_or_else(|| bad("`url` must be an address with http:// or https://"))?;
                let made = Template::new(link.url.clone(), settings);
                Arc::new(made.map_err(|error| bad(&error.to_string()))?)
            }
            other => return Err(bad(&format!("the kind '{other}' is not known"))),
        };
        link.check_key().map_err(bad)?;
        Ok(Self { name: name.to_owned(), link, provider })
    }

    /// The same, where its own settings do not say how the provider reaches this daemon.
    #[must_use]
    pub fn reached_at(mut self, public_url: &str) -> Self {
        if self.link.public_url.is_empty() {
            public_url.clone_into(&mut self.link.public_url);
        }
        self
    }

    /// What it can do.
    pub fn capabilities(&self) -> Capabilities {
        Capabilities {
            kinds: self.provider.kinds(),
            rate: self.link.rate,
            window: self.link.window.saturating_mul(self.batch()),
            calls: None,
        }
    }

    /// Reads the files that it names, as starting would.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn check_files(&self) -> Result<()> {
        self.link.key(&self.name).map(drop)
    }

    /// Messages in one request.
    pub(super) fn batch(&self) -> u32 {
        let most = self.provider.batch_max();
        if self.link.batch == 0 { most } else { most.min(self.link.batch) }
    }

    /// Where the provider is to send receipts, when it can reach us.
    pub(super) fn receipts_to(&self) -> Option<String> {
        self.link.callback_url(&self.name)
    }

    /// Whether receipts can come from it: at an address that ends in its secret, signed, or because they are asked for.
    pub fn brings_receipts(&self) -> bool {
        let unsigned = Callback { headers: &HeaderMap::new(), query: "", body: &[] };
        !self.link.hook_secret.reveal().is_empty()
            || self.provider.is_signed(&unsigned).is_some()
            || self.provider.poll_every(Asked::Reports).is_some()
    }

    pub(super) fn hook_secret(&self) -> &ConfigSecret {
        &self.link.hook_secret
    }
}

impl Link {
    pub(super) fn check(&self) -> std::result::Result<(), String> {
        let refuse = |what: &str| Err(what.to_owned());
        if !(1..=1_000).contains(&self.window) {
            return refuse("`window` must be 1 to 1000 requests");
        }
        if self.batch > 10_000 {
            return refuse("`batch` must be at most 10000 messages");
        }
        if !(100..=600_000).contains(&self.timeout_ms) {
            return refuse("`timeout_ms` must be 100 to 600000");
        }
        if self.pause_ms == 0 || self.pause_ms > self.pause_max_ms {
            return refuse("`pause_ms` must be above 0 and at most `pause_max_ms`");
        }
        if !self.public_url.is_empty() && address(&self.public_url).is_none() {
            return refuse("`public_url` is no address with http:// or https://");
        }
        let secret = self.hook_secret.reveal();
        let plain = secret.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
        if !secret.is_empty() && (secret.len() < 16 || secret.len() > 128 || !plain) {
            return refuse(
                "`hook_secret` must have 16 to 128 letters, digits, - and _: it is part of an address",
            );
        }
        Ok(())
    }

    /// Whether receipts can come, where they are to.
    fn check_receipts(&self) -> std::result::Result<(), &'static str> {
        let half = !self.public_url.is_empty() && self.hook_secret.reveal().is_empty();
        if half { Err("`public_url` is set and `hook_secret` is not: receipts need both") } else { Ok(()) }
    }

    pub(super) fn check_key(&self) -> std::result::Result<(), &'static str> {
        let both = self.api_key_file.is_some() && !self.api_key.reveal().is_empty();
        if both { Err("`api_key` and `api_key_file` are both set: keep one") } else { Ok(()) }
    }

    /// The carrier's own key, from its setting or its file.
    pub(super) fn key(&self, name: &str) -> Result<Option<ConfigSecret>> {
        if let Some(file) = &self.api_key_file {
            let text = std::fs::read_to_string(file).map_err(|source| {
                Error::io(format!("Carrier `{name}`: reading api_key_file {}", file.display()), source)
            })?;
            return Ok(Some(ConfigSecret::new(text.lines().next().unwrap_or_default().trim())));
        }
        Ok(Some(self.api_key.clone()).filter(|key| !key.reveal().is_empty()))
    }

    /// Where the provider is to call, when it can reach us and there is a secret for it to show.
    pub(super) fn callback_url(&self, name: &str) -> Option<String> {
        let (public, secret) = (&self.public_url, self.hook_secret.reveal());
        let known = !public.is_empty() && !secret.is_empty();
        known.then(|| format!("{}/hooks/carriers/{}/{secret}", public.trim_end_matches('/'), escaped(name)))
    }

    pub(super) fn timeout(&self) -> Duration {
        Duration::from_millis(self.timeout_ms.into())
    }

    pub(super) fn pauses(&self) -> (Duration, Duration) {
        (Duration::from_millis(self.pause_ms.into()), Duration::from_millis(self.pause_max_ms.into()))
    }
}

pub(super) fn settings<T: DeserializeOwned>(name: &str, options: Map<String, Value>) -> Result<T> {
    serde_json::from_value(Value::Object(options)).map_err(|error| bad_carrier(name, &error.to_string()))
}

pub(super) fn address(text: &str) -> Option<Url> {
    Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

pub(super) fn bad_carrier(name: &str, what: &str) -> Error {
    Error::rule("bad_carrier", format!("Carrier '{name}': {what}"))
}
