//! The carrier of a template: any provider with one request for a message, as an operator describes it.
//!
//! Placeholders stand in address, headers and body and are escaped for where they stand. The answer is read by patterns
//! or by a JSON pointer. A template that passed [`Template::new`] names no placeholder that is not known.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write as _;

use regex::Regex;
use reqwest::Method;
use serde::Deserialize;
use serde_json::Value;
use talkdrum_api::kind::Kind;

use super::outgoing::Outgoing;
use super::provider::reference as own_reference;
use super::provider::{
    Callback, Context, Item, Outcome, Provider, Reading, Report, Said, by_status, refusal, shared_reference,
    word,
};
use super::request_template::{BodyType, RequestTemplate, Written};
use super::template_callback::{Inbound, Receipts};
use crate::error::{Error, Result};

/// What may stand between braces.
const NAMES: [&str; 10] =
    ["to", "to_list", "to_json", "text", "text_hex_ucs2", "sender", "ref", "dlr_url", "type", "key"];

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

pub(super) struct Template {
    request: RequestTemplate,
    patterns: AnswerPatterns,
    settings: Settings,
}

impl fmt::Debug for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Template").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// What an answer is told by, tried in this order.
#[derive(Clone, Debug)]
pub(super) struct AnswerPatterns {
    temporary: Option<Regex>,
    permanent: Option<Regex>,
    success: Option<Regex>,
}

impl AnswerPatterns {
    /// # Errors
    /// A pattern that is none, under the setting's name.
    pub(super) fn new(success: &str, temporary: &str, permanent: &str) -> Result<Self> {
        let pattern = |name: &str, text: &str| {
            let read = |text| {
                Regex::new(text)
                    .map_err(|error| Error::rule("bad_carrier", format!("`{name}` is no pattern: {error}")))
            };
            if text.is_empty() { Ok(None) } else { read(text).map(Some) }
        };
        Ok(Self {
            success: pattern("success", success)?,
            temporary: pattern("temporary", temporary)?,
            permanent: pattern("permanent", permanent)?,
        })
    }

    /// Why nothing was taken, or `None` where it was; [`Outcome::Unknown`] where that cannot be told.
    pub(super) fn refused(&self, status: u16, body: &[u8]) -> Option<Outcome> {
        let words = String::from_utf8_lossy(body);
        let says = |pattern: &Option<Regex>| pattern.as_ref().is_some_and(|pattern| pattern.is_match(&words));
        if says(&self.temporary) {
            return Some(Outcome::Throttled(refusal(&words)));
        }
        if says(&self.permanent) {
            return Some(Outcome::Refused(refusal(&words)));
        }
        let is_fine = self.success.is_none() || says(&self.success);
        match status {
            200..=299 if is_fine => None,
            400..=499 => Some(by_status(status, &words)),
            _ => Some(Outcome::Unknown),
        }
    }
}

impl Template {
    /// # Errors
    /// What is wrong with it, under the setting's name.
    pub(super) fn new(url: String, settings: Settings) -> Result<Self> {
        let bad = |what: String| Error::rule("bad_carrier", what);
        let written = Written {
            url,
            method: settings.method.clone(),
            headers: settings.headers.clone(),
            body: settings.body.clone(),
            body_type: settings.body_type,
        };
        let request = RequestTemplate::new(written, &[Method::GET, Method::POST, Method::PUT], &NAMES)?;
        if settings.carries.is_empty() || settings.carries.iter().any(|kind| !is_text(*kind)) {
            return Err(bad("`carries` must name some of text, flash and unicode".into()));
        }
        if !(1..=1_000).contains(&settings.batch_max) {
            return Err(bad("`batch_max` must be 1 to 1000".into()));
        }
        settings.receipts.check()?;
        let patterns = AnswerPatterns::new(&settings.success, &settings.temporary, &settings.permanent)?;
        Ok(Self { request, patterns, settings })
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
        self.request.uses("key")
    }

    fn takes_our_reference(&self) -> bool {
        self.settings.id_pointer.is_empty() && self.settings.batch_max == 1
    }

    fn request(&self, items: &[Item], context: &Context<'_>) -> Outgoing {
        self.request.fill(|name| self.value(name, items, context))
    }

    fn read(&self, items: &[Item], status: u16, body: &[u8]) -> Reading {
        match self.patterns.refused(status, body) {
            None => Reading::Each(self.references(items, body)),
            Some(Outcome::Unknown) => Reading::Unclear,
            Some(outcome) => Reading::Whole(outcome),
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
