//! A request as an operator writes it: an address, headers and a body with placeholders, each escaped for where it stands.
//!
//! A template that passed [`RequestTemplate::new`] names no placeholder that is not known.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::str::FromStr as _;

use reqwest::header::{HeaderName, HeaderValue};
use reqwest::{Method, Url};
use serde::Deserialize;
use serde_json::Value;

use super::outgoing::{Outgoing, escaped};
use crate::error::{Error, Result};

/// The one placeholder whose value is JSON itself, not a string in it.
const RAW: &str = "to_json";

/// How the body is escaped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum BodyType {
    /// `application/json`.
    #[default]
    Json,
    /// `application/x-www-form-urlencoded`.
    Form,
    /// `text/plain`, nothing escaped.
    Text,
}

/// A request in the operator's words.
#[derive(Clone, Default)]
pub(super) struct Written {
    pub(super) url: String,
    pub(super) method: String,
    pub(super) headers: BTreeMap<String, String>,
    pub(super) body: String,
    pub(super) body_type: BodyType,
}

/// A request that wants its values. It has no `Debug`: keys may stand in it.
#[derive(Clone)]
pub(super) struct RequestTemplate {
    written: Written,
    method: Method,
    /// An address that does not answer, for a request that has none: it is then certainly not sent.
    nowhere: Url,
}

#[derive(Clone, Copy)]
enum Place {
    Query,
    Json,
    Plain,
}

impl RequestTemplate {
    /// # Errors
    /// What is wrong with it, under the setting's name.
    pub(super) fn new(written: Written, methods: &[Method], names: &[&str]) -> Result<Self> {
        let bad = |what: String| Error::rule("bad_carrier", what);
        let method = Method::from_str(&written.method.to_uppercase())
            .ok()
            .filter(|method| methods.contains(method))
            .ok_or_else(|| bad(format!("`method` {} is none of {}", written.method, listed(methods))))?;
        let texts = written.headers.values().chain([&written.url, &written.body]);
        for text in texts {
            if let Some(name) = placeholders(text).find(|name| !names.contains(name)) {
                return Err(bad(format!("{{{name}}} is no placeholder: use {}", names.join(", "))));
            }
        }
        if placeholders(authority(&written.url)).next().is_some() {
            return Err(bad(
                "no placeholder may stand before the path of an address: it would say which host is asked"
                    .into(),
            ));
        }
        for (name, value) in &written.headers {
            let fits = HeaderName::from_str(name).is_ok() && HeaderValue::from_str(value).is_ok();
            if !fits {
                return Err(bad(format!("`headers`: {name} cannot be a header")));
            }
        }
        let nowhere = Url::parse("http://127.0.0.1:1/").map_err(|error| bad(error.to_string()))?;
        Ok(Self { written, method, nowhere })
    }

    /// Whether a placeholder stands anywhere in it.
    pub(super) fn uses(&self, name: &str) -> bool {
        let texts = self.written.headers.values().chain([&self.written.url, &self.written.body]);
        texts.into_iter().any(|text| placeholders(text).any(|known| known == name))
    }

    /// The request with a value for each placeholder.
    pub(super) fn fill<'v>(&self, value: impl Fn(&str) -> Cow<'v, str>) -> Outgoing {
        let address = fill(&self.written.url, Place::Query, &value);
        // Checked with the placeholders empty when it was read; escaped values cannot break it.
        let url = Url::parse(&address).unwrap_or_else(|_| self.nowhere.clone());
        let (kind, place) = match self.written.body_type {
            BodyType::Json => ("application/json", Place::Json),
            BodyType::Form => ("application/x-www-form-urlencoded", Place::Query),
            BodyType::Text => ("text/plain; charset=utf-8", Place::Plain),
        };
        let body = (!self.written.body.is_empty())
            .then(|| (kind, fill(&self.written.body, place, &value).into_bytes()));
        let mut request = Outgoing::new(self.method.clone(), url, body);
        for (name, text) in &self.written.headers {
            if let Ok(name) = HeaderName::from_str(name) {
                request = request.header(name, &fill(text, Place::Plain, &value));
            }
        }
        request
    }
}

/// What stands before the path of an address: its scheme, name, password, host and port.
fn authority(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    let path = url[host..].find(['/', '\\', '?', '#']).map_or(url.len(), |at| host + at);
    &url[..path]
}

fn fill<'v>(text: &str, place: Place, value: &impl Fn(&str) -> Cow<'v, str>) -> String {
    let mut filled = String::with_capacity(text.len() + 200);
    let mut rest = text;
    while let Some((before, name, after)) = next_placeholder(rest) {
        filled.push_str(before);
        let value = value(name);
        match place {
            // A list of its own, not a string in one.
            _ if name == RAW => filled.push_str(&value),
            Place::Query => filled.push_str(&escaped(&value)),
            Place::Json => filled.push_str(json_inner(&Value::String(value.into_owned()).to_string())),
            Place::Plain => filled.push_str(&value),
        }
        rest = after;
    }
    filled.push_str(rest);
    filled
}

/// `GET, POST and PUT`.
fn listed(methods: &[Method]) -> String {
    let names: Vec<&str> = methods.iter().map(Method::as_str).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
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
