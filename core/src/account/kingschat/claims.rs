//! What a token says about itself, before KingsChat is asked about it.
//!
//! The signature is not checked here: KingsChat checks it when it is shown the token. A claim can only
//! refuse a token or, once KingsChat took the same token, tell for which application it was made.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Map, Value};

use super::ChatError;
use crate::time::Time;

/// Expiry above this is in milliseconds, as KingsChat was seen to write it; below, in seconds, as RFC 7519 has it.
const SECONDS_MOST: i64 = 100_000_000_000;
/// How far our clock and theirs may differ, in ms.
const LEEWAY_MS: i64 = 60_000;
/// Claims that name the application a token was made for.
const APPLICATION: [&str; 4] = ["acid", "azp", "client_id", "clientId"];

/// Whether a token names our application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenBinding {
    /// It was made for us.
    Ours,
    /// It does not say.
    Unbound,
}

/// Reads what the token says of itself.
///
/// # Errors
/// When it is over, or was made for another application.
pub(super) fn examine(token: &str, client_id: &str, now: Time) -> Result<TokenBinding, ChatError> {
    let Some(claims) = payload(token) else { return Ok(TokenBinding::Unbound) };
    let refused = |why: &str| Err(ChatError::Refused(why.to_owned()));
    match claims.get("exp").map(Value::as_i64) {
        None => {}
        Some(Some(at)) => {
            let at = if at > SECONDS_MOST { at } else { at.saturating_mul(1_000) };
            if now.millis() >= at.saturating_add(LEEWAY_MS) {
                return refused("the token has expired");
            }
        }
        Some(None) => return refused("the token's expiry cannot be read"),
    }
    let mut ours = false;
    for name in APPLICATION {
        match claims.get(name) {
            None | Some(Value::Null) => {}
            Some(Value::String(id)) if id == client_id => ours = true,
            Some(Value::Number(id)) if id.to_string() == client_id => ours = true,
            Some(_) => return refused("the token was made for another application"),
        }
    }
    // A list holds scopes, as far as was seen; a single text can only be an audience.
    match claims.get("aud") {
        Some(Value::String(audience)) if audience == client_id => ours = true,
        Some(Value::String(_)) if !ours => return refused("the token was made for another audience"),
        Some(Value::Array(entries)) => ours |= entries.iter().any(|entry| entry == client_id),
        _ => {}
    }
    Ok(if ours { TokenBinding::Ours } else { TokenBinding::Unbound })
}

/// The claims of a token that has the form of a JWT.
fn payload(token: &str) -> Option<Map<String, Value>> {
    let mut parts = token.split('.');
    let (_, claims, _) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    let bytes = URL_SAFE_NO_PAD.decode(claims.trim_end_matches('=')).ok()?;
    serde_json::from_slice(&bytes).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const NOW: Time = Time(1_700_000_000_000);

    fn token(claims: &Value) -> String {
        format!("e30.{}.c2ln", URL_SAFE_NO_PAD.encode(claims.to_string()))
    }

    fn examined(claims: &Value) -> Result<TokenBinding, ChatError> {
        examine(&token(claims), "talkdrum", NOW)
    }

    #[test]
    fn a_token_for_us_is_told_from_one_that_does_not_say() {
        assert_eq!(
            examined(&json!({ "acid": "talkdrum", "aud": ["send_chat_message"] })),
            Ok(TokenBinding::Ours)
        );
        assert_eq!(examined(&json!({ "aud": ["talkdrum"] })), Ok(TokenBinding::Ours));
        assert_eq!(examined(&json!({ "aud": "talkdrum" })), Ok(TokenBinding::Ours));
        assert_eq!(examined(&json!({ "aud": ["send_chat_message"] })), Ok(TokenBinding::Unbound));
        for opaque in ["", "opaque", "a.b", "a.b.c", "a.b.c.d"] {
            assert_eq!(examine(opaque, "talkdrum", NOW), Ok(TokenBinding::Unbound), "{opaque}");
        }
    }

    #[test]
    fn a_token_of_another_application_is_refused_wherever_it_says_so() {
        for claims in [
            json!({ "acid": "other" }),
            json!({ "acid": "other", "aud": ["talkdrum"] }),
            json!({ "acid": "talkdrum", "azp": "other" }),
            json!({ "acid": ["talkdrum"] }),
            json!({ "aud": "other" }),
        ] {
            assert!(matches!(examined(&claims), Err(ChatError::Refused(_))), "{claims}");
        }
    }

    #[test]
    fn expiry_is_understood_in_seconds_and_in_milliseconds() {
        let ends = |exp: Value| examined(&json!({ "acid": "talkdrum", "exp": exp })).is_ok();
        assert!(ends(json!(NOW.0 + 1)) && ends(json!(NOW.0 / 1_000 + 1)));
        assert!(ends(json!(NOW.0 - 59_000)), "clocks differ");
        assert!(!ends(json!(NOW.0 - 60_000)) && !ends(json!(NOW.0 / 1_000 - 60)));
        assert!(!ends(json!("tomorrow")) && !ends(json!(1.5)));
    }
}
