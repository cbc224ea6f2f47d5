//! Tokens of the form that KingsChat's have, and `GET /sandbox/kingschat/token`, which gives one away.

use axum::Json;
use axum::extract::{Query, State};
use serde::Deserialize;
use talkdrum_core::Error;
use talkdrum_core::entropy::Entropy;
use talkdrum_core::time::Time;

use super::people::{ACCESS_MS, Grant, Pair};
use super::{Person, people};
use crate::http::{Answer, ApiError};
use crate::state::AppState;

/// The longest id, name or address.
const LONGEST: usize = 200;

/// Who to be.
#[derive(Debug, Deserialize)]
pub(super) struct Wanted {
    id: Option<String>,
    username: Option<String>,
    name: Option<String>,
    email: Option<String>,
    /// `0` for an address that KingsChat did not prove.
    verified: Option<String>,
    /// Another application than ours.
    application: Option<String>,
    /// The token's life in ms; below zero it is over.
    life_ms: Option<i64>,
}

/// Makes an account, or changes it, and gives a token of it.
pub(super) async fn give(State(app): State<AppState>, Query(wanted): Query<Wanted>) -> Answer<Pair> {
    let person = person(&wanted)?;
    let application = wanted.application.clone().unwrap_or_else(|| app.kingschat.config().client_id.clone());
    let mut people = people(&app).ok_or_else(|| ApiError::not_found("There is no sandbox"))?;
    let id = person.id.clone();
    people.people.put(id.clone(), person);
    let life = (app.clock.now(), wanted.life_ms.unwrap_or(ACCESS_MS));
    Ok(Json(people.pair(app.entropy.as_ref(), &id, &application, life)))
}

fn person(wanted: &Wanted) -> Result<Person, ApiError> {
    let given = |field: &Option<String>| {
        field
            .as_deref()
            .map(str::trim)
            .filter(|text| !text.is_empty())
            .map(|text| text.chars().filter(|sign| !sign.is_control()).take(LONGEST).collect::<String>())
    };
    let id = given(&wanted.id).or_else(|| given(&wanted.username));
    let id = id.ok_or_else(|| Error::field("id", "id_required", "Id is required"))?;
    let username = given(&wanted.username).unwrap_or_else(|| id.clone());
    Ok(Person {
        name: given(&wanted.name).unwrap_or_else(|| username.clone()),
        email: given(&wanted.email),
        email_verified: wanted.verified.as_deref() != Some("0"),
        username,
        id,
    })
}

/// A token with claims as KingsChat's were seen to have: expiry in ms, the application as `acid`, scopes as `aud`. It is
/// known by its whole text, so its signature is only chance.
pub(super) fn shaped(entropy: &dyn Entropy, grant: &Grant, now: Time) -> String {
    let claims = serde_json::json!({
        "sub": grant.person, "iss": "kingschat", "iat": now.millis(), "exp": grant.expires_at.millis(),
        "aud": ["send_chat_message"], "acid": grant.application,
    });
    let header = serde_json::json!({ "alg": "RS256", "typ": "JWT" });
    let part = |value: &serde_json::Value| base64(value.to_string().as_bytes());
    format!("{}.{}.{}", part(&header), part(&claims), random(entropy))
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes)
}

/// 192 random bits.
pub(super) fn random(entropy: &dyn Entropy) -> String {
    let mut bytes = [0; 24];
    entropy.fill(&mut bytes);
    base64(&bytes)
}
