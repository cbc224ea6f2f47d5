//! `GET /sandbox/kingschat/token`, which gives a token away.

use axum::Json;
use axum::extract::{Query, State};
use serde::Deserialize;
use talkdrum_core::Error;

use super::people;
use crate::http::{Answer, ApiError};
use crate::sandbox::kingschat::{ACCESS_MS, Pair, Person};
use crate::state::AppState;

/// The longest id, name or address.
const LONGEST: usize = 200;

/// Who to be.
#[derive(Debug, Deserialize)]
pub(super) struct TokenQuery {
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
pub(super) async fn give(State(app): State<AppState>, Query(query): Query<TokenQuery>) -> Answer<Pair> {
    let person = person(&query)?;
    let application = query.application.clone().unwrap_or_else(|| app.kingschat.config().client_id.clone());
    let mut people = people(&app).ok_or_else(|| ApiError::not_found("There is no sandbox"))?;
    let id = person.id.clone();
    people.people.put(id.clone(), person);
    let life = (app.clock.now(), query.life_ms.unwrap_or(ACCESS_MS));
    Ok(Json(people.pair(app.entropy.as_ref(), &id, &application, life)))
}

fn person(query: &TokenQuery) -> Result<Person, ApiError> {
    let given = |field: &Option<String>| {
        field
            .as_deref()
            .map(str::trim)
            .filter(|text| !text.is_empty())
            .map(|text| text.chars().filter(|sign| !sign.is_control()).take(LONGEST).collect::<String>())
    };
    let id = given(&query.id).or_else(|| given(&query.username));
    let id = id.ok_or_else(|| Error::field("id", "id_required", "Id is required"))?;
    let username = given(&query.username).unwrap_or_else(|| id.clone());
    Ok(Person {
        name: given(&query.name).unwrap_or_else(|| username.clone()),
        email: given(&query.email),
        email_verified: query.verified.as_deref() != Some("0"),
        username,
        id,
    })
}
