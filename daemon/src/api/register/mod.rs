//! Registration: details first, then the code that was sent to the phone number.

mod start;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use talkdrum_api::account::{CodeSent, Registered};
use talkdrum_core::account::CodeAsked;
use utoipa::ToSchema;

use crate::api::user::response;
use crate::http::routes::{Operations, routes};
use crate::http::{Answer, ApiError, CodeAttempt, Form};
use crate::state::AppState;

pub(super) fn router() -> Operations {
    Operations::new()
        .routes(routes!(start::start_registration))
        .routes(routes!(resend_registration_code))
        .routes(routes!(verify_registration))
}

/// The answer to a request for a code: the same whether a code was sent or not.
pub(super) fn told(asked: CodeAsked, message: &str, app: &AppState) -> Result<CodeSent, ApiError> {
    match asked {
        CodeAsked::Sent => Ok(CodeSent {
            message: message.to_owned(),
            resend_after_s: app.identity.limits.cooldown.as_secs(),
            valid_for_s: talkdrum_core::account::CODE_VALID_FOR.as_secs(),
        }),
        CodeAsked::Wait(span) => Err(ApiError::too_many(span.as_secs() + 1)),
    }
}

/// Whose code did not come.
#[derive(Debug, Deserialize, ToSchema)]
struct ResendCode {
    /// The phone number of the registration.
    #[serde(default)]
    phone_number: String,
}

/// Send another code to a registration; the one before is void then.
#[utoipa::path(
    post, path = "/api/register/resend", tag = "register", security(()),
    request_body = ResendCode,
    responses((status = 200, body = CodeSent)),
)]
async fn resend_registration_code(
    State(app): State<AppState>,
    CodeAttempt(origin): CodeAttempt,
    Form { data, .. }: Form<ResendCode>,
) -> Answer<CodeSent> {
    let asked = app.identity.resend_registration(&data.phone_number, &origin).await?;
    Ok(Json(told(asked, "Code sent", &app)?))
}

/// The code that came.
#[derive(Deserialize, ToSchema)]
struct VerifyRegistration {
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
async fn verify_registration(
    State(app): State<AppState>,
    _attempt: CodeAttempt,
    Form { data, .. }: Form<VerifyRegistration>,
) -> Result<(StatusCode, Json<Registered>), ApiError> {
    let user =
        app.identity.verify_registration(&data.phone_number, &data.code, data.username.as_deref()).await?;
    tracing::info!(user_id = user.id.0, "registered");
    let user = response::user(&mut app.store.read().await?, &user).await?;
    let message = "Your phone number is verified: you can sign in now".to_owned();
    Ok((StatusCode::CREATED, Json(Registered { user, message })))
}
