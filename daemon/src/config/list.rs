//! Lists in settings.

use serde::{Deserialize, de};

/// A list that may also come as one text with commas, from configuration and forms.
pub(super) fn words<'de, D: de::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Text(String),
        List(Vec<String>),
    }
    let list = match Either::deserialize(deserializer)? {
        Either::Text(text) => text.split(',').map(|word| word.trim().to_owned()).collect(),
        Either::List(list) => list,
    };
    Ok(list.into_iter().filter(|word: &String| !word.is_empty()).collect())
}
