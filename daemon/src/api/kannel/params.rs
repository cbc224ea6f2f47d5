//! The parameters of a call as they came: bytes, as a text may be of any charset.

use std::fmt;

use axum::http::HeaderMap;
use sha2::{Digest as _, Sha256};

use super::reply::Reply;
use crate::http::each_field;
use crate::limit::FIELD_NAMES;
use crate::problem::ApiError;

/// What begins the headers that carry parameters beside a body that is the text.
const HEADER: &str = "x-kannel-";
/// Parameters that prove who calls: no part of what is sent.
const CREDENTIALS: [&str; 4] = ["username", "user", "password", "pass"];

/// The parameters in the order in which they came. Of one that came twice the first counts.
#[derive(Default)]
pub(super) struct Params(Vec<(String, Vec<u8>)>);

impl fmt::Debug for Params {
    /// Names only: values are secrets and messages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

impl Params {
    /// Adds those of a query or an urlencoded body.
    pub(super) fn read(&mut self, encoded: &[u8]) -> Result<(), ApiError> {
        each_field(encoded, |name, value| self.add(name, value))
    }

    /// Adds those of `X-Kannel-` headers.
    pub(super) fn read_headers(&mut self, headers: &HeaderMap) -> Result<(), ApiError> {
        let named =
            headers.iter().filter_map(|(name, value)| Some((name.as_str().strip_prefix(HEADER)?, value)));
        for (name, value) in named {
            self.add(name, value.as_bytes().to_vec())?;
        }
        Ok(())
    }

    /// Adds one.
    pub(super) fn add(&mut self, name: &str, value: Vec<u8>) -> Result<(), ApiError> {
        if self.0.len() == FIELD_NAMES {
            let detail = format!("A call has at most {FIELD_NAMES} parameters");
            return Err(ApiError::bad_request(None, "too_many_fields", detail));
        }
        self.0.push((name.to_owned(), value));
        Ok(())
    }

    /// The bytes of a parameter.
    pub(super) fn bytes(&self, name: &str) -> Option<&[u8]> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_slice())
    }

    /// A parameter that is text, under the first of its names that is there, without what surrounds it; empty where there is
    /// none. Bytes that are no UTF-8 are ISO-8859-1, as old clients send them.
    pub(super) fn text(&self, names: &[&str]) -> String {
        let bytes = names.iter().find_map(|name| self.bytes(name)).unwrap_or_default();
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => bytes.iter().copied().map(char::from).collect(),
        };
        text.trim().to_owned()
    }

    /// A parameter that is a number; `None` where there is none, it is empty or -1, which is how Kannel says undefined.
    ///
    /// # Errors
    /// 400 with Kannel's text, which begins with what Kannel calls the parameter.
    pub(super) fn number(
        &self,
        names: &[&str],
        called: &str,
        range: std::ops::RangeInclusive<i64>,
    ) -> Result<Option<i64>, Reply> {
        match self.text(names).as_str() {
            "" | "-1" => Ok(None),
            text => {
                let number = text.parse().ok().filter(|number| range.contains(number));
                number.map(Some).ok_or_else(|| Reply::refused(format!("{called} field misformed, rejected")))
            }
        }
    }

    /// SHA-256 over what is sent, whatever the order of the parameters.
    pub(super) fn digest(&self) -> [u8; 32] {
        let mut sorted: Vec<_> =
            self.0.iter().filter(|(name, _)| !CREDENTIALS.contains(&name.as_str())).collect();
        sorted.sort();
        let mut hash = Sha256::new();
        for (name, value) in sorted {
            for part in [name.as_bytes(), value] {
                hash.update((part.len() as u64).to_be_bytes());
                hash.update(part);
            }
        }
        hash.finalize().into()
    }
}
