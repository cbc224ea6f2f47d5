//! The fields of what a provider tells, in a query, a form or a JSON body: by their names, or by a JSON pointer.

use serde_json::Value;

use super::outgoing::pairs;
use super::provider::{Callback, word};

/// What a callback says, in its query, its form or its JSON.
pub(super) struct Fields {
    json: Value,
    pairs: Vec<(String, String)>,
}

impl Fields {
    pub(super) fn of(callback: &Callback<'_>) -> Self {
        let body = String::from_utf8_lossy(callback.body);
        let json: Value = serde_json::from_str(&body).unwrap_or_default();
        let mut found = pairs(callback.query);
        if json.is_null() {
            found.extend(pairs(&body));
        }
        Self { json, pairs: found }
    }

    /// The field of a name, or of a JSON pointer; none of an empty one.
    pub(super) fn get(&self, name: &str) -> Option<String> {
        if name.is_empty() {
            return None;
        }
        let in_json = if name.starts_with('/') { self.json.pointer(name) } else { self.json.get(name) };
        in_json.and_then(word).or_else(|| {
            self.pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.trim().to_owned())
        })
    }
}
