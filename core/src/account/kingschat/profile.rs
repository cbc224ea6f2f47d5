//! The profile that KingsChat answers with, in each of the shapes that were seen.
//!
//! An address counts as verified only where the answer says so.

use serde_json::Value;

use super::ChatError;
use crate::model::account::user::Email;

/// The longest id we keep.
const LONGEST_ID: usize = 128;
/// The longest name we keep, in characters.
const LONGEST_NAME: usize = 100;
/// The longest address of a picture we keep.
const LONGEST_URL: usize = 1_024;

/// A user as KingsChat describes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatProfile {
    /// KingsChat's id of the person: what an account is keyed on.
    pub id: String,
    /// The user name there, if KingsChat gave one.
    pub username: Option<String>,
    /// The person's name.
    pub name: Option<String>,
    /// The e-mail address, if KingsChat gave one that has the form of an address.
    pub email: Option<Email>,
    /// Whether KingsChat says that it proved the address.
    pub email_verified: bool,
    /// An https address of a picture.
    pub avatar_url: Option<String>,
}

impl ChatProfile {
    /// Reads `{profile: {user: {user_id, ...}, email: {address, verified}}}`, `{profile: {id, ..., email,
    /// is_email_verified}}` and what lies between them.
    ///
    /// # Errors
    /// When there is no usable id in it.
    pub(super) fn read(answer: &Value) -> Result<Self, ChatError> {
        let root = answer.get("profile").unwrap_or(answer);
        let user = root.get("user").filter(|user| user.is_object()).unwrap_or(root);
        let either = |name: &str| user.get(name).or_else(|| root.get(name)).filter(|value| !value.is_null());
        let id = ["user_id", "id"]
            .into_iter()
            .find_map(either)
            .and_then(id)
            .ok_or_else(|| ChatError::Unclear("a profile without an id".to_owned()))?;
        let (email, email_verified) = match either("email") {
            Some(Value::Object(email)) => (email.get("address"), email.get("verified")),
            plain => (plain, ["is_email_verified", "email_verified"].into_iter().find_map(either)),
        };
        let email = email.and_then(Value::as_str).and_then(|text| text.parse().ok());
        Ok(Self {
            id,
            username: either("username").and_then(name),
            name: either("name").and_then(name),
            email_verified: email.is_some() && email_verified == Some(&Value::Bool(true)),
            email,
            avatar_url: ["avatar_url", "avatar"].into_iter().find_map(either).and_then(picture),
        })
    }
}

/// An id, if it can stand in an address and in a database as it is.
fn id(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    ((1..=LONGEST_ID).contains(&text.len()) && text.bytes().all(plain)).then_some(text)
}

/// A name without control characters, cut to what we keep.
fn name(value: &Value) -> Option<String> {
    let text: String = value.as_str()?.chars().filter(|sign| !sign.is_control()).take(LONGEST_NAME).collect();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn picture(value: &Value) -> Option<String> {
    let text = value.as_str()?.trim();
    let plain = text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"'<>\\".contains(&byte));
    (text.starts_with("https://") && text.len() <= LONGEST_URL && plain).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn both_generations_shapes_are_read() {
        let first = ChatProfile::read(&json!({ "profile": {
            "user": { "user_id": "5a1f", "name": "Ada Obi", "username": "ada", "avatar_url": "https://x.example/a.png" },
            "email": { "address": "Ada@Example.com", "verified": true },
        }}))
        .unwrap();
        let second = ChatProfile::read(&json!({ "profile": {
            "id": "5a1f", "name": "Ada Obi", "username": "ada", "email": "ada@example.com", "phone_number": null,
            "avatar": "https://x.example/a.png", "is_email_verified": true,
        }}))
        .unwrap();
        assert_eq!(first, second);
        assert_eq!((first.id.as_str(), first.email_verified), ("5a1f", true));
        assert_eq!(first.email.unwrap().as_str(), "ada@example.com");
    }

    #[test]
    fn an_address_is_verified_only_where_that_is_said() {
        let verified =
            |profile: Value| ChatProfile::read(&json!({ "profile": profile })).unwrap().email_verified;
        assert!(!verified(json!({ "id": "1", "email": "a@example.com" })));
        assert!(!verified(json!({ "id": "1", "email": "a@example.com", "is_email_verified": "true" })));
        assert!(!verified(json!({ "id": "1", "email": { "address": "a@example.com" } })));
        assert!(!verified(json!({ "id": "1", "email": null, "is_email_verified": true })));
        assert!(!verified(json!({ "id": "1", "email": "no address", "is_email_verified": true })));
        assert!(
            !verified(json!({ "id": "1", "email": { "address": "a@example.com" }, "email_verified": true })),
            "the flag beside belongs to nothing"
        );
    }

    #[test]
    fn an_id_is_needed_and_must_be_plain() {
        for profile in
            [json!({}), json!({ "id": "" }), json!({ "id": "../x" }), json!({ "id": {} }), json!([])]
        {
            assert!(ChatProfile::read(&json!({ "profile": profile })).is_err(), "{profile}");
        }
        assert_eq!(ChatProfile::read(&json!({ "user_id": 17 })).unwrap().id, "17");
    }

    #[test]
    fn names_and_pictures_are_bounded() {
        let read = ChatProfile::read(&json!({
            "id": "1", "name": format!("\u{7}{}", "é".repeat(500)), "username": "  ", "avatar": "javascript:x",
        }))
        .unwrap();
        assert_eq!(read.name.unwrap(), "é".repeat(100));
        assert_eq!((read.username, read.avatar_url), (None, None));
    }
}
