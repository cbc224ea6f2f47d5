//! `POST /api/register/verify`.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use talkdrum_api::account::Registered;
use utoipa::ToSchema;

use crate::api::user::response;
use crate::http::{ApiError, CodeAttempt, Form};
use crate::state::AppState;

/// The code that came.
#[derive(Deserialize, ToSchema)]
pub(super) struct VerifyRegistration {
    /// Six digits.
    #[serde(default)]
    code: String,
    /// The number it came to.
    #[serde(default)]
    phone_number: String,
    /// Another user name, where the one that was registered is refused with `username_taken`; the code stays good.
    username: Option<String>,
}

/// Prove the phone number of a registration: the user exists from then on, and signs in.
#[utoipa::path(
    post, path = "/api/register/verify", tag = "register", security(()),
    request_body = VerifyRegistration,
    responses((status = 201, body = Registered)),
)]
pub(super) async fn verify_registration(
    State(app): State<AppState>,
    _attempt: CodeAttempt,
    Form { data, .. }: Form<VerifyRegistration>,
) -> Result<(StatusCode, Json<Registered>), ApiError> {
    let user =
        app.identity.verify_registration(&data.phone_number, &data.code, data.username.as_deref()).await?;
    tracing::info!(user_id = user.id, "registered");
    let user = response::user(&mut app.store.read().await?, &user).await?;
    let message = "Your phone number is verified: you can sign in now".to_owned();
    Ok((StatusCode::CREATED, Json(Registered { user, message })))
}
