//! The carrier of a template: any provider with one request for a message, as an operator describes it.
//!
//! Placeholders stand in address, headers and body and are escaped for where they stand. The answer is read by patterns
//! or by a JSON pointer. A template that passed [`Template::new`] names no placeholder that is not known.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write as _;
use std::str::FromStr as _;

use regex::Regex;
use reqwest::header::{HeaderName, HeaderValue};
use reqwest::{Method, Url};
use serde::Deserialize;
use serde_json::Value;
use talkdrum_api::kind::Kind;

use super::outgoing::{Outgoing, escaped};
use super::provider::reference as own_reference;
use super::provider::{
    Callback, Context, Item, Outcome, Provider, Reading, Report, Said, by_status, refusal, shared_reference,
    word,
};
use super::template_callback::{Inbound, Receipts};
use crate::error::{Error, Result};

/// What may stand between braces.
const NAMES: [&str; 10] =
    ["to", "to_list", "to_json", "text", "text_hex_ucs2", "sender", "ref", "dlr_url", "type", "key"];

/// How the body is escaped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum BodyType {
    /// `application/json`.
    #[default]
    Json,
    /// `application/x-www-form-urlencoded`.
    Form,
    /// `text/plain`, nothing escaped.
    Text,
}

/// The settings of a template. `Debug` shows neither headers nor body: keys stand in them.
#[derive(Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Settings {
    /// `GET` or `POST`.
    method: String,
    headers: BTreeMap<String, String>,
    body: String,
    body_type: BodyType,
    /// Between the numbers of `{to_list}`.
    separator: String,
    /// Before each number: `+`, or nothing.
    number_prefix: String,
    /// Messages in one request that takes a list.
    batch_max: u32,
    /// The kinds it carries; text alone when left out.
    carries: Vec<Kind>,
    /// Patterns of the answer, tried in this order.
    success: String,
    temporary: String,
    permanent: String,
    /// Where the answer has the message's id (RFC 6901); without it the reference is ours (`{ref}`).
    id_pointer: String,
    /// How callbacks with receipts are read.
    receipts: Receipts,
    /// How callbacks with messages from handsets are read.
    inbound: Inbound,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings").field("method", &self.method).finish_non_exhaustive()
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            method: "POST".into(),
            headers: BTreeMap::new(),
            body: String::new(),
            body_type: BodyType::Json,
            separator: ",".into(),
            number_prefix: String::new(),
            batch_max: 1,
            carries: vec![Kind::Text],
            success: String::new(),
            temporary: String::new(),
            permanent: String::new(),
            id_pointer: String::new(),
            receipts: Receipts::default(),
            inbound: Inbound::default(),
        }
    }
}

/// `Debug` does not show the address: a key may stand in it.
pub(super) struct Template {
    url: String,
    method: Method,
    success: Option<Regex>,
    temporary: Option<Regex>,
    permanent: Option<Regex>,
    settings: Settings,
    /// An address that does not answer, for a request that has none: it is then certainly not sent.
    nowhere: Url,
}

impl fmt::Debug for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Template").field("settings", &self.settings).finish_non_exhaustive()
    }
}

#[derive(Clone, Copy)]
enum Place {
    Query,
    Json,
    Plain,
}

impl Template {
    /// # Errors
    /// What is wrong with it, under the setting's name.
    pub(super) fn new(url: String, settings: Settings) -> Result<Self> {
        let bad = |what: String| Error::rule("bad_carrier", what);
        let method = Method::from_str(&settings.method.to_uppercase())
            .ok()
            .filter(|method| [Method::GET, Method::POST, Method::PUT].contains(method))
            .ok_or_else(|| bad(format!("`method` {} is none of GET, POST and PUT", settings.method)))?;
        let pattern = |name: &str, text: &str| {
            let read =
                |text| Regex::new(text).map_err(|error| bad(format!("`{name}` is no pattern: {error}")));
            if text.is_empty() { Ok(None) } else { read(text).map(Some) }
        };
        let texts = settings.headers.values().chain([&url, &settings.body]);
        for text in texts {
            if let Some(name) = placeholders(text).find(|name| !NAMES.contains(name)) {
                return Err(bad(format!("{{{name}}} is no placeholder: use {}", NAMES.join(", "))));
            }
        }
        for (name, value) in &settings.headers {
            let fits = HeaderName::from_str(name).is_ok() && HeaderValue::from_str(value).is_ok();
            if !fits {
                return Err(bad(format!("`headers`: {name} cannot be a header")));
            }
        }
        if settings.carries.is_empty() || settings.carries.iter().any(|kind| !is_text(*kind)) {
            return Err(bad("`carries` must name some of text, flash and unicode".into()));
        }
        if !(1..=1_000).contains(&settings.batch_max) {
            return Err(bad("`batch_max` must be 1 to 1000".into()));
        }
        settings.receipts.check()?;
        Ok(Self {
            success: pattern("success", &settings.success)?,
            temporary: pattern("temporary", &settings.temporary)?,
            permanent: pattern("permanent", &settings.permanent)?,
            nowhere: Url::parse("http://127.0.0.1:1/").map_err(|error| bad(error.to_string()))?,
            url,
            method,
            settings,
        })
    }

    fn fill(&self, text: &str, place: Place, items: &[Item], context: &Context<'_>) -> String {
        let mut filled = String::with_capacity(text.len() + 200);
        let mut rest = text;
        while let Some((before, name, after)) = next_placeholder(rest) {
            filled.push_str(before);
            let value = self.value(name, items, context);
            match place {
                // A list of its own, not a string in one.
                _ if name == "to_json" => filled.push_str(&value),
                Place::Query => filled.push_str(&escaped(&value)),
                Place::Json => filled.push_str(json_inner(&Value::String(value.into_owned()).to_string())),
                Place::Plain => filled.push_str(&value),
            }
            rest = after;
        }
        filled.push_str(rest);
        filled
    }

    fn value<'a>(&self, name: &str, items: &'a [Item], context: &Context<'a>) -> Cow<'a, str> {
        let Some(first) = items.first() else { return "".into() };
        let number = |item: &Item| format!("{}{}", self.settings.number_prefix, item.to);
        match name {
            "to" => number(first).into(),
            "to_list" => items.iter().map(number).collect::<Vec<_>>().join(&self.settings.separator).into(),
            "to_json" => Value::from(items.iter().map(number).collect::<Vec<_>>()).to_string().into(),
            "text" => first.text().into(),
            "text_hex_ucs2" => first
                .text()
                .encode_utf16()
                .fold(String::new(), |mut hex, unit| {
                    let _ = write!(hex, "{unit:04X}");
                    hex
                })
                .into(),
            "sender" => Cow::Borrowed(&*first.from),
            "ref" => Cow::Borrowed(&*first.ours),
            "dlr_url" => context.receipts_to.unwrap_or_default().into(),
            "type" => first.body.kind.code().into(),
            _ => context.key.into(),
        }
    }

    /// The references of what was accepted, in the order of the items.
    fn references(&self, items: &[Item], body: &[u8]) -> Vec<Outcome> {
        let id = if self.settings.id_pointer.is_empty() {
            items.first().map(|item| item.ours.to_string())
        } else {
            let answer = serde_json::from_slice::<Value>(body).unwrap_or_default();
            answer.pointer(&self.settings.id_pointer).and_then(word)
        };
        let of = |item: &Item| {
            let shared = self.settings.batch_max > 1;
            id.as_deref().map(|id| if shared { shared_reference(id, item.to) } else { own_reference(id) })
        };
        items.iter().map(|item| Outcome::Accepted(of(item))).collect()
    }
}

impl Provider for Template {
    fn kinds(&self) -> Vec<Kind> {
        self.settings.carries.clone()
    }

    fn batch_max(&self) -> u32 {
        self.settings.batch_max
    }

    fn needs_key(&self) -> bool {
        let texts = self.settings.headers.values().chain([&self.url, &self.settings.body]);
        texts.into_iter().any(|text| placeholders(text).any(|name| name == "key"))
    }

    fn takes_our_reference(&self) -> bool {
        self.settings.id_pointer.is_empty() && self.settings.batch_max == 1
    }

    fn request(&self, items: &[Item], context: &Context<'_>) -> Outgoing {
        let address = self.fill(&self.url, Place::Query, items, context);
        // Checked with the placeholders empty when it was read; escaped values cannot break it.
        let url = Url::parse(&address).unwrap_or_else(|_| self.nowhere.clone());
        let (kind, place) = match self.settings.body_type {
            BodyType::Json => ("application/json", Place::Json),
            BodyType::Form => ("application/x-www-form-urlencoded", Place::Query),
            BodyType::Text => ("text/plain; charset=utf-8", Place::Plain),
        };
        let body = (!self.settings.body.is_empty())
            .then(|| (kind, self.fill(&self.settings.body, place, items, context).into_bytes()));
        let mut request = Outgoing { method: self.method.clone(), url, headers: Vec::new(), body };
        for (name, value) in &self.settings.headers {
            if let Ok(name) = HeaderName::from_str(name) {
                request = request.header(name, &self.fill(value, Place::Plain, items, context));
            }
        }
        request
    }

    fn read(&self, items: &[Item], status: u16, body: &[u8]) -> Reading {
        let words = String::from_utf8_lossy(body);
        let says = |pattern: &Option<Regex>| pattern.as_ref().is_some_and(|pattern| pattern.is_match(&words));
        if says(&self.temporary) {
            return Reading::Whole(Outcome::Throttled(refusal(&words)));
        }
        if says(&self.permanent) {
            return Reading::Whole(Outcome::Refused(refusal(&words)));
        }
        let is_fine = self.success.is_none() || says(&self.success);
        match status {
            200..=299 if is_fine => Reading::Each(self.references(items, body)),
            400..=499 => Reading::Whole(by_status(status, &words)),
            _ => Reading::Unclear,
        }
    }

    fn receipts(&self, callback: &Callback<'_>) -> Option<Vec<Report>> {
        if self.settings.inbound.is_named(callback) {
            return Some(Vec::new());
        }
        self.settings.receipts.read(callback, self.settings.batch_max > 1)
    }

    fn messages(&self, callback: &Callback<'_>) -> Vec<Said> {
        let named = self.settings.inbound.is_named(callback);
        if !named && self.settings.receipts.read(callback, false).is_some() {
            return Vec::new();
        }
        self.settings.inbound.read(callback).into_iter().collect()
    }
}

const fn is_text(kind: Kind) -> bool {
    matches!(kind, Kind::Text | Kind::Flash | Kind::Unicode)
}

/// A JSON string without its quotes.
fn json_inner(quoted: &str) -> &str {
    quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(quoted)
}

/// What stands before the next placeholder, its name, and what comes after. Braces around anything but small letters
/// and underscores are none: JSON has its own.
fn next_placeholder(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    while let Some(open) = text[from..].find('{').map(|at| at + from) {
        let inner = &text[open + 1..];
        let length = inner
            .bytes()
            .take_while(|byte| byte.is_ascii_lowercase() || *byte == b'_' || *byte == b'2')
            .count();
        if length > 0 && inner.as_bytes().get(length) == Some(&b'}') {
            return Some((&text[..open], &inner[..length], &inner[length + 1..]));
        }
        from = open + 1;
    }
    None
}

fn placeholders(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (_, name, after) = next_placeholder(rest)?;
        rest = after;
        Some(name)
    })
}
