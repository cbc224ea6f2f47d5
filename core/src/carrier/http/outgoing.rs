//! A request on its way out, and the exchange that comes of it.
//!
//! `NotSent` is said only where no octet of the request can have reached the provider.

use std::time::Duration;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use reqwest::header::{CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Method, Url};

use crate::error::{Error, Result};

/// An answer is read up to here; what is longer is no answer to us.
const ANSWER_BYTES_MAX: usize = 1 << 20;
/// Connections are refused or made within this.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// What may stand unescaped in a query (RFC 3986, 2.3).
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A request, ready to be sent.
#[derive(Clone)]
pub(super) struct Outgoing {
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
    pub(super) body: Option<(&'static str, Vec<u8>)>,
    /// Its answer is read up to so many bytes.
    answer_max: usize,
}

/// What came of a request.
#[derive(Debug)]
pub(super) enum Exchange {
    /// The provider answered.
    Answered { status: u16, body: Vec<u8>, retry_after: Option<Duration> },
    /// It was never written.
    NotSent(String),
    /// It was, or may have been, written; the answer is lost.
    Lost(String),
}

/// The client of all carriers: no redirects and no retries behind our back, since a message repeated is a message sent
/// twice.
///
/// # Errors
/// When the system's certificates cannot be used.
pub(super) fn client() -> Result<Client> {
    // Already installed in the daemon: the error says just that.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .connect_timeout(CONNECT_TIMEOUT)
        .pool_idle_timeout(Duration::from_secs(20))
        .user_agent(concat!("talkdrum/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(|error| Error::io("the HTTP client cannot be made", std::io::Error::other(error)))
}

impl Outgoing {
    pub(super) fn get(url: Url) -> Self {
        Self::new(Method::GET, url, None)
    }

    pub(super) const fn new(method: Method, url: Url, body: Option<(&'static str, Vec<u8>)>) -> Self {
        Self { method, url, headers: Vec::new(), body, answer_max: ANSWER_BYTES_MAX }
    }

    /// The same where its answer has a few fields: what is longer than this is no answer.
    pub(super) fn answered_within(self, bytes: usize) -> Self {
        Self { answer_max: bytes, ..self }
    }

    pub(super) fn post_json(url: Url, body: &serde_json::Value) -> Self {
        let body = Some(("application/json", body.to_string().into_bytes()));
        Self::new(Method::POST, url, body)
    }

    pub(super) fn post_form(url: Url, pairs: &[(&str, &str)]) -> Self {
        let mut body = String::new();
        for (name, value) in pairs {
            push_pair(&mut body, name, value.as_bytes());
        }
        let body = Some(("application/x-www-form-urlencoded", body.into_bytes()));
        Self::new(Method::POST, url, body)
    }

    /// Adds a header; a value that cannot be one is refused by the provider then, never guessed at.
    pub(super) fn header(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok(mut value) = HeaderValue::from_str(value) {
            value.set_sensitive(true);
            self.headers.push((name, value));
        }
        self
    }

    /// Sends it and reads the answer. Nothing of it is logged: addresses carry passwords and numbers.
    pub(super) async fn exchange(self, client: &Client, limit: Duration) -> Exchange {
        let mut request = client.request(self.method, self.url).timeout(limit);
        for (name, value) in self.headers {
            request = request.header(name, value);
        }
        if let Some((kind, body)) = self.body {
            request = request.header(CONTENT_TYPE, kind).body(body);
        }
        let response = match request.send().await {
            Ok(response) => response,
            Err(error) if error.is_builder() || error.is_connect() => {
                return Exchange::NotSent(reason(&error.without_url()));
            }
            Err(error) => return Exchange::Lost(reason(&error.without_url())),
        };
        let status = response.status().as_u16();
        let seconds = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
        let retry_after = seconds.map(Duration::from_secs);
        match read(response, self.answer_max).await {
            Ok(body) => Exchange::Answered { status, body, retry_after },
            // A refusal is one without its words, too.
            Err(_) if (400..500).contains(&status) => {
                Exchange::Answered { status, body: Vec::new(), retry_after }
            }
            Err(error) => Exchange::Lost(error),
        }
    }
}

async fn read(mut response: reqwest::Response, most: usize) -> Result<Vec<u8>, String> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| reason(&error.without_url()))? {
        if body.len() + chunk.len() > most {
            return Err(format!("the answer is longer than {} KiB", most >> 10));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// An error with what is behind it, without the address.
fn reason(error: &reqwest::Error) -> String {
    let mut words = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(deeper) = cause {
        words = format!("{words}: {deeper}");
        cause = deeper.source();
    }
    words.truncate(words.char_indices().nth(200).map_or(words.len(), |(at, _)| at));
    words
}

/// Adds `name=value` to a query or a form.
pub(super) fn push_pair(to: &mut String, name: &str, value: &[u8]) {
    if !to.is_empty() {
        to.push('&');
    }
    to.extend(percent_encode(name.as_bytes(), PLAIN));
    to.push('=');
    to.extend(percent_encode(value, PLAIN));
}

/// A value for a query or a form.
pub(super) fn escaped(value: &str) -> String {
    percent_encode(value.as_bytes(), PLAIN).to_string()
}

/// The pairs of a query or a form.
pub(super) fn pairs(text: &str) -> Vec<(String, String)> {
    let readable = |value: Vec<u8>| String::from_utf8_lossy(&value).into_owned();
    octet_pairs(text).into_iter().map(|(name, value)| (name, readable(value))).collect()
}

/// The pairs of a query or a form whose values need not be text.
pub(super) fn octet_pairs(text: &str) -> Vec<(String, Vec<u8>)> {
    let plain = |text: &str| -> Vec<u8> {
        let spaced = text.replace('+', " ");
        percent_encoding::percent_decode_str(&spaced).collect()
    };
    let split = |pair: &str| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (String::from_utf8_lossy(&plain(name)).into_owned(), plain(value))
    };
    text.split('&').filter(|pair| !pair.is_empty()).take(200).map(split).collect()
}
