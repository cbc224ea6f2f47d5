//! Merge fields of contacts: their names, and the columns of a group.
//!
//! A name is one that a message can use (`{name}`: see `content::template`), and never `phone`, `name`
//! or `email`, which every contact has.

use std::collections::BTreeMap;

use crate::content::field_key;
use crate::error::{Error, Result};
use crate::store::contact::list::FIELDS_LISTED;

/// What every contact has.
pub(super) const OWN: [&str; 3] = ["phone", "name", "email"];
/// Merge fields of one group.
pub(super) const COLUMNS_MAX: usize = 60;
/// Characters of a value.
const VALUE_MAX: usize = 1_000;
/// Bytes of a contact's fields altogether, in their stored form: what a list shows of each.
pub(super) const BYTES_MAX: usize = 4_096;
const _: () = assert!(BYTES_MAX as i64 == FIELDS_LISTED);
/// The code of a contact whose fields are longer.
pub(super) const TOO_LONG: &str = "fields_too_long";
/// Characters of a name, as in messages.
const NAME_MAX: usize = 64;

/// A column's title as the name of a merge field, see [`field_key`].
pub(super) fn name_of(title: &str) -> Option<String> {
    let name: String = field_key(title).chars().take(NAME_MAX).collect();
    let name = name.trim_end_matches('_').to_owned();
    (!name.is_empty() && !OWN.contains(&name.as_str())).then_some(name)
}

/// A value as it is kept; `None` when there is nothing in it.
pub(super) fn value_of(text: &str) -> Option<String> {
    let text = text.trim();
    let kept: String = text.chars().filter(|sign| *sign != '\0').take(VALUE_MAX).collect();
    (!kept.is_empty()).then_some(kept)
}

/// Reads `name=value` texts. An empty value stands for the removal of the field.
pub(super) fn parse(texts: &[String]) -> Result<BTreeMap<String, String>> {
    let mut fields = BTreeMap::new();
    for text in texts.iter().filter(|text| !text.trim().is_empty()) {
        let (title, value) = text.split_once('=').ok_or_else(|| {
            Error::field("field", "bad_field", format!("'{text}' is no merge field: write it as city=Lagos"))
        })?;
        let name = name_of(title).ok_or_else(|| {
            Error::field(
                "field",
                "bad_field",
                format!("'{}' cannot name a merge field: use letters, digits, _ or -, and not phone, name or email", title.trim()),
            )
        })?;
        fields.insert(name, value_of(value).unwrap_or_default());
    }
    Ok(fields)
}

/// The stored form of merge fields.
pub(super) fn to_json(fields: &BTreeMap<String, String>) -> Result<Option<String>> {
    if fields.is_empty() {
        return Ok(None);
    }
    serde_json::to_string(fields)
        .map(Some)
        .map_err(|error| Error::Corrupt(format!("merge fields cannot be written: {error}")))
}

/// Whether merge fields in their stored form are more than a contact may have.
pub(super) fn is_too_long(json: &str) -> bool {
    json.len() > BYTES_MAX
}

/// Why a contact with more is refused.
pub(super) fn too_long() -> String {
    format!("Its merge fields have more than {BYTES_MAX} bytes together: leave some out")
}

/// Reads the stored form of merge fields.
pub(super) fn from_json(json: Option<&str>) -> Result<BTreeMap<String, String>> {
    let Some(json) = json else { return Ok(BTreeMap::new()) };
    serde_json::from_str(json)
        .map_err(|error| Error::Corrupt(format!("the merge fields of a contact cannot be read: {error}")))
}

/// Reads the columns of a group.
pub(super) fn columns(json: &str) -> Result<Vec<String>> {
    serde_json::from_str(json)
        .map_err(|error| Error::Corrupt(format!("the columns of a group cannot be read: {error}")))
}

/// The columns with new ones behind them; `None` when nothing is new.
///
/// # Errors
/// `too_many_columns` beyond [`COLUMNS_MAX`].
pub(super) fn with_columns<'n>(json: &str, names: impl Iterator<Item = &'n str>) -> Result<Option<String>> {
    let mut known = columns(json)?;
    let before = known.len();
    for name in names {
        if !known.iter().any(|known| known == name) {
            known.push(name.to_owned());
        }
    }
    if known.len() > COLUMNS_MAX {
        return Err(Error::field(
            "file",
            "too_many_columns",
            format!(
                "A group can have {COLUMNS_MAX} merge fields; these would be {}: leave some out",
                known.len()
            ),
        ));
    }
    Ok((known.len() > before).then(|| serde_json::Value::from(known).to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_becomes_a_name_that_messages_can_use() {
        assert_eq!(name_of(" First Name ").as_deref(), Some("first_name"));
        assert_eq!(name_of("Amount (NGN)").as_deref(), Some("amount_ngn"));
        assert_eq!(name_of("Ọjà-2").as_deref(), Some("ọjà-2"));
        for none in ["", " ?? ", "Phone", "NAME", "email"] {
            assert_eq!(name_of(none), None, "{none}");
        }
    }

    #[test]
    fn fields_are_written_as_name_and_value() {
        let fields = parse(&["City = Lagos".into(), "due=".into()]).unwrap();
        assert_eq!(fields["city"], "Lagos");
        assert_eq!(fields["due"], "");
        for bad in ["city", "=x", "email=a@b.c"] {
            assert_eq!(parse(&[bad.into()]).unwrap_err().code(), "bad_field", "{bad}");
        }
    }

    #[test]
    fn columns_grow_and_are_bounded() {
        assert_eq!(with_columns("[\"a\"]", ["a"].into_iter()).unwrap(), None);
        assert_eq!(
            with_columns("[\"a\"]", ["b", "a"].into_iter()).unwrap().as_deref(),
            Some("[\"a\",\"b\"]")
        );
        let many: Vec<String> = (0..61).map(|n| format!("c{n}")).collect();
        let refused = with_columns("[]", many.iter().map(String::as_str)).unwrap_err();
        assert_eq!(refused.code(), "too_many_columns");
    }
}
