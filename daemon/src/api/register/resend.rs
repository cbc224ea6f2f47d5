//! `POST /api/register/resend`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::account::CodeSent;
use utoipa::ToSchema;

use super::told;
use crate::http::{Answer, CodeAttempt, Form};
use crate::state::AppState;

/// Whose code did not come.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct ResendCode {
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
pub(super) async fn resend_registration_code(
    State(app): State<AppState>,
    CodeAttempt(origin): CodeAttempt,
    Form { data, .. }: Form<ResendCode>,
) -> Answer<CodeSent> {
    let asked = app.identity.resend_registration(&data.phone_number, &origin).await?;
    Ok(Json(told(asked, "Code sent", &app)?))
}
