//! `POST /api/api-keys`.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use talkdrum_core::account::{NewKey, Scope, Scopes, api_key};
use talkdrum_core::api::account::NewApiKey;
use talkdrum_core::clock::Time;
use talkdrum_core::store::api_key::ApiKeyRow;
use talkdrum_core::store::idempotency::{Claim, begin_if_any, finish_if_any};
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::{Error, Result};
use utoipa::ToSchema;

use super::shown;
use crate::http::{ApiError, Form, IdempotencyKey, SessionCaller};
use crate::state::AppState;

/// The key to be made.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct CreateApiKey {
    /// What you call it.
    #[serde(default)]
    name: String,
    /// `read`, `send`, `admin`: repeated, or in one text with commas.
    #[serde(default)]
    scopes: Vec<String>,
}

/// Make an API key. Its secret is shown this once.
#[utoipa::path(
    post, path = "/api/api-keys", tag = "api_key",
    request_body = CreateApiKey,
    responses((status = 201, body = NewApiKey)),
)]
pub(super) async fn create_api_key(
    State(app): State<AppState>,
    caller: SessionCaller,
    key: IdempotencyKey,
    Form { data, digest }: Form<CreateApiKey>,
) -> Result<(StatusCode, Json<NewApiKey>), ApiError> {
    let scopes = Scopes::parse(&data.scopes)?;
    if scopes.allow(Scope::Admin) && !caller.is_admin() {
        return Err(ApiError::forbidden(
            "admin_only",
            "Only administrators may make keys with the scope 'admin'",
        ));
    }
    let new = NewKey::new(caller.user_id, &data.name, scopes, app.entropy.as_ref())?;
    let secret = new.secret.clone();
    let making = Making { claim: key.claim(&caller, "api_key.create", digest), new, now: app.clock.now() };
    let row = app.store.write(Lane::Interactive, making, |tx, making| Box::pin(make(tx, making))).await?;
    let answer = NewApiKey {
        key: secret.reveal().to_owned(),
        api_key: shown(row),
        message: "Keep this key now: it is not shown again".into(),
    };
    Ok((StatusCode::CREATED, Json(answer)))
}

struct Making {
    claim: Option<Claim>,
    new: NewKey,
    now: Time,
}

async fn make(tx: &mut Tx, making: &Making) -> Result<ApiKeyRow> {
    let claim = making.claim.as_ref();
    if begin_if_any(tx, claim, making.now).await?.is_some() {
        return Err(Error::conflict(
            "already_made",
            "This key was made by an earlier request and its secret cannot be shown again: revoke it and make another",
        ));
    }
    let row = api_key::create(tx, &making.new, making.now).await?;
    finish_if_any(tx, claim, &row.id.to_string()).await?;
    Ok(row)
}
