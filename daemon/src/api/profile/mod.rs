//! The caller's own account.

mod edit;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderValue, Response};
use serde::Deserialize;
use talkdrum_api::account::{EditedProfile, Profile};
use talkdrum_core::Error;
use talkdrum_core::account::Credential;
use talkdrum_core::store::account::{profile, user};
use utoipa::ToSchema;

use crate::api::user::response;
use crate::http::routes::{Operations, routes};
use crate::http::{Answer, ApiError, Caller, Form, Path, SessionCaller};
use crate::state::AppState;

pub(super) fn router() -> Operations {
    Operations::new()
        .routes(routes!(show_profile))
        .routes(routes!(edit::edit_profile))
        .routes(routes!(confirm_email))
        .routes(routes!(confirm_phone))
        .routes(routes!(show_avatar))
}

/// Who is signed in, with balances.
#[utoipa::path(get, path = "/api/user-profile", tag = "profile", responses((status = 200, body = Profile)))]
async fn show_profile(State(app): State<AppState>, caller: Caller) -> Answer<Profile> {
    let mut tx = app.store.snapshot().await?;
    let user = user::by_id(&mut tx, caller.user_id).await?.ok_or(Error::NotFound("user"))?;
    let (signed_in_with, scopes) = match caller.credential {
        Credential::Session { .. } => ("session", Vec::new()),
        Credential::ApiKey { scopes, .. } => ("api_key", scopes.codes()),
    };
    Ok(Json(Profile {
        user: response::user(&mut tx, &user).await?,
        signed_in_with: signed_in_with.into(),
        scopes: scopes.into_iter().map(str::to_owned).collect(),
    }))
}

/// The code that came to the new address.
#[derive(Deserialize, ToSchema)]
struct ConfirmEmail {
    /// Six digits.
    #[serde(default)]
    code: String,
}

/// Confirm a new e-mail address by the code that was sent to it.
#[utoipa::path(
    post, path = "/api/confirm-email", tag = "profile",
    request_body = ConfirmEmail,
    responses((status = 200, body = EditedProfile)),
)]
async fn confirm_email(
    State(app): State<AppState>,
    caller: SessionCaller,
    Form { data, .. }: Form<ConfirmEmail>,
) -> Answer<EditedProfile> {
    app.proof_rate.check(caller.user_id)?;
    app.identity.confirm_email(caller.user_id, &data.code).await?;
    let user = response::by_id(&mut app.store.read().await?, caller.user_id).await?;
    let message = "Your e-mail address is changed".to_owned();
    let (requires_email_verification, requires_phone_verification) = (false, false);
    Ok(Json(EditedProfile { user, requires_email_verification, requires_phone_verification, message }))
}

/// The code that came to the new number.
#[derive(Deserialize, ToSchema)]
struct ConfirmPhone {
    /// Six digits.
    #[serde(default)]
    code: String,
}

/// Confirm a new phone number by the code that was sent to it.
#[utoipa::path(
    post, path = "/api/confirm-phone", tag = "profile",
    request_body = ConfirmPhone,
    responses((status = 200, body = EditedProfile)),
)]
async fn confirm_phone(
    State(app): State<AppState>,
    caller: SessionCaller,
    Form { data, .. }: Form<ConfirmPhone>,
) -> Answer<EditedProfile> {
    app.proof_rate.check(caller.user_id)?;
    app.identity.confirm_phone(caller.user_id, &data.code).await?;
    let user = response::by_id(&mut app.store.read().await?, caller.user_id).await?;
    let message = "Your phone number is changed".to_owned();
    let (requires_email_verification, requires_phone_verification) = (false, false);
    Ok(Json(EditedProfile { user, requires_email_verification, requires_phone_verification, message }))
}

/// A user's picture, at the address that the profile shows: a browser asks for it without a token, so the address
/// itself cannot be guessed, and a new picture has a new one.
#[utoipa::path(
    get, path = "/api/avatars/{token}", tag = "profile", security(()),
    params(("token" = String, Path, description = "What the profile shows")),
    responses((status = 200, content_type = "image/*", description = "The picture")),
)]
async fn show_avatar(
    State(app): State<AppState>,
    Path(token): Path<String>,
) -> Result<Response<Body>, ApiError> {
    let found = profile::avatar(&mut app.store.read().await?, &token).await?;
    let (media_type, data) = found.ok_or(Error::NotFound("picture"))?;
    let mut response = Response::new(Body::from(data));
    let headers = response.headers_mut();
    let media_type = HeaderValue::from_str(&media_type)
        .map_err(|_| Error::Corrupt("a picture's media type cannot be read".into()))?;
    headers.insert(CONTENT_TYPE, media_type);
    headers.insert(CONTENT_DISPOSITION, HeaderValue::from_static("inline"));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; sandbox"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, max-age=86400, immutable"));
    Ok(response)
}
