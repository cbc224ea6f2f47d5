//! `POST /api/api-keys`.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use talkdrum_api::account::NewApiKey;
use talkdrum_core::account::auth::api_key;
use talkdrum_core::account::{Identity, KeyScope, NewKey, Scopes};
use talkdrum_core::campaign::quote::read_purpose;
use talkdrum_core::store::account::api_key::ApiKeyRow;
use talkdrum_core::store::account::user;
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;
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
    /// When it ends by itself: a day, which counts whole, or a time, local ones in your zone. Never when left out.
    expires_at: Option<String>,
    /// What messages are for that are sent with it and do not say so: `promotional`, `transactional` or `otp`.
    purpose: Option<String>,
}

/// Make an API key. Its secret is shown this once, and an e-mail reports the key to its owner. Needs a sign-in or
/// `POST /api/sessions/reauthenticate` within the last ten minutes.
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
    caller.require_recent(&app).await?;
    let scopes = Scopes::parse(&data.scopes)?;
    if scopes.allow(KeyScope::Admin) && !caller.sees_all() {
        return Err(ApiError::forbidden(
            "admin_only",
            "Only administrators may make keys with the scope 'admin'",
        ));
    }
    let now = app.clock.now();
    let mut new = NewKey::new(caller.user_id, &data.name, scopes, app.entropy.as_ref())?;
    if let Some(end) = data.expires_at {
        let user = user::by_id(&mut app.store.read().await?, caller.user_id).await?;
        new = new.ending(&end, &user.ok_or(Error::NotFound("user"))?.zone, now)?;
    }
    new.purpose = read_purpose(data.purpose.as_deref())?;
    let secret = new.secret.clone();
    let claim = key.claim(&caller, "api_key.create", digest);
    let making = Making { claim, new, identity: app.identity.clone(), now };
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
    identity: Identity,
    now: Time,
}

async fn make(tx: &mut Tx, making: &Making) -> Result<ApiKeyRow> {
    let mut made = None;
    once(tx, making.claim.as_ref(), making.now, async |tx| {
        let row = api_key::create(tx, &making.new, making.now).await?;
        making.identity.tell_of_key(tx, making.new.user_id, &row, making.now).await?;
        let id = row.id;
        made = Some(row);
        Ok(id)
    })
    .await?;
    made.ok_or_else(|| Error::conflict(
            "already_made",
            "This key was made by an earlier request and its secret cannot be shown again: revoke it and make another",
        ))
}

#[cfg(test)]
mod tests;
