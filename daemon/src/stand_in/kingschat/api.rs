//! What programs ask KingsChat, in both generations.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use serde::Deserialize;
use serde_json::{Value, json};

use super::people;
use crate::sandbox::kingschat::{ACCESS_MS, Pair, People, Person};
use crate::state::AppState;

/// The longest text of a message, in bytes.
const LONGEST_TEXT: usize = 16 << 10;

/// An answer in JSON with its status.
type Reply = (StatusCode, Json<Value>);

fn refused(status: StatusCode, error: &str) -> Reply {
    (status, Json(json!({ "error": error })))
}

fn pair(pair: &Pair) -> Reply {
    (StatusCode::OK, Json(json!(pair)))
}

fn bearer(headers: &HeaderMap) -> &str {
    let value = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.strip_prefix("Bearer ").unwrap_or_default()
}

/// Whether the request shows our application's key.
fn has_key(app: &AppState, headers: &HeaderMap) -> bool {
    let key = app.kingschat.config().api_key.as_deref();
    headers.get("api-key").and_then(|key| key.to_str().ok()) == key && key.is_some()
}

/// A request for tokens.
#[derive(Deserialize)]
pub(super) struct Exchange {
    #[serde(default)]
    grant_type: String,
    #[serde(default)]
    client_id: Option<String>,
    #[serde(default)]
    code: String,
    #[serde(default)]
    refresh_token: String,
}

pub(super) async fn sdk_token(State(app): State<AppState>, Json(asked): Json<Exchange>) -> Reply {
    let Some(client) = asked.client_id.as_deref().filter(|_| asked.grant_type == "refresh_token") else {
        return refused(StatusCode::UNPROCESSABLE_ENTITY, "invalid_request");
    };
    renewed(&app, &asked.refresh_token, Some(client))
}

pub(super) async fn platform_token(State(app): State<AppState>, Json(asked): Json<Exchange>) -> Reply {
    match asked.grant_type.as_str() {
        "refresh_token" => renewed(&app, &asked.refresh_token, asked.client_id.as_deref()),
        "code" => {
            let now = app.clock.now();
            let Some(mut people) = people(&app) else { return refused(StatusCode::NOT_FOUND, "not_found") };
            let client = asked.client_id.unwrap_or_default();
            let Some(grant) = people.redeem(&asked.code, &client, now) else {
                return refused(StatusCode::BAD_REQUEST, "invalid_code");
            };
            pair(&people.pair(app.entropy.as_ref(), &grant.person, &client, (now, ACCESS_MS)))
        }
        _ => refused(StatusCode::UNPROCESSABLE_ENTITY, "invalid_grant_type"),
    }
}

fn renewed(app: &AppState, token: &str, client: Option<&str>) -> Reply {
    let now = app.clock.now();
    let Some(mut people) = people(app) else { return refused(StatusCode::NOT_FOUND, "not_found") };
    match people.renew(token, client, now) {
        Some(grant) => {
            let life = (now, ACCESS_MS);
            pair(&people.pair(app.entropy.as_ref(), &grant.person, &grant.application, life))
        }
        None => refused(StatusCode::UNAUTHORIZED, "invalid_refresh_token"),
    }
}

/// The profile behind the token, in the shape of a generation. The older interface takes any application's token; the
/// newer only ours, with our key.
fn profile(app: &AppState, headers: &HeaderMap, ours_only: bool, shape: fn(&Person) -> Value) -> Reply {
    let Some(people) = people(app) else { return refused(StatusCode::NOT_FOUND, "not_found") };
    let Some((grant, person)) = people.bearer(bearer(headers), app.clock.now()) else {
        return refused(StatusCode::UNAUTHORIZED, "expired");
    };
    if ours_only && grant.application != app.kingschat.config().client_id {
        return refused(StatusCode::FORBIDDEN, "user_not_authorized");
    }
    (StatusCode::OK, Json(json!({ "profile": shape(person) })))
}

pub(super) async fn sdk_profile(State(app): State<AppState>, headers: HeaderMap) -> Reply {
    profile(&app, &headers, false, |person| {
        json!({
            "user": { "user_id": person.id, "name": person.name, "username": person.username, "avatar_url": null },
            "email": { "address": person.email, "verified": person.email.is_some() && person.email_verified },
        })
    })
}

pub(super) async fn flat_profile(State(app): State<AppState>, headers: HeaderMap) -> Reply {
    profile(
        &app,
        &headers,
        false,
        |person| json!({ "id": person.id, "username": person.username, "name": person.name, "email": person.email }),
    )
}

pub(super) async fn platform_profile(State(app): State<AppState>, headers: HeaderMap) -> Reply {
    if !has_key(&app, &headers) {
        return refused(StatusCode::UNAUTHORIZED, "invalid_api_key");
    }
    profile(&app, &headers, true, |person| {
        json!({
            "id": person.id, "name": person.name, "username": person.username, "email": person.email,
            "phone_number": null, "gender": null, "birth_date_millis": null, "avatar": null,
            "is_email_verified": person.email.is_some() && person.email_verified,
        })
    })
}

fn text_of(body: &Value) -> Option<&str> {
    let text = body.pointer("/message/body/text/body")?.as_str()?;
    (!text.is_empty() && text.len() <= LONGEST_TEXT).then_some(text)
}

pub(super) async fn sdk_message(
    State(app): State<AppState>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Reply {
    let now = app.clock.now();
    let Some(mut people) = people(&app) else { return refused(StatusCode::NOT_FOUND, "not_found") };
    if people.bearer(bearer(&headers), now).is_none() {
        return refused(StatusCode::UNAUTHORIZED, "expired");
    }
    deliver(&mut people, &id, &body, now)
}

pub(super) async fn platform_message(
    State(app): State<AppState>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Reply {
    if !has_key(&app, &headers) {
        return refused(StatusCode::UNAUTHORIZED, "invalid_api_key");
    }
    let Some(mut people) = people(&app) else { return refused(StatusCode::NOT_FOUND, "not_found") };
    let id = body.get("recipient_id").and_then(Value::as_str).unwrap_or_default();
    deliver(&mut people, id, &body, app.clock.now())
}

fn deliver(people: &mut People, id: &str, body: &Value, now: talkdrum_core::Time) -> Reply {
    if people.people.get(id).is_none() {
        return refused(StatusCode::NOT_FOUND, "user_not_found");
    }
    let Some(text) = text_of(body) else {
        return refused(StatusCode::UNPROCESSABLE_ENTITY, "invalid_message");
    };
    people.sent(id, text, now);
    (StatusCode::OK, Json(json!({ "status": "ok" })))
}

/// What was sent through the stand-in, newest last: `GET /sandbox/kingschat/messages`.
pub(super) async fn messages(State(app): State<AppState>) -> Json<Value> {
    Json(people(&app).map_or(Value::Null, |people| json!(people.messages)))
}
