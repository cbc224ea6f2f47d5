//! `POST /api/verify/email/resend`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::account::CodeSent;
use utoipa::ToSchema;

use crate::api::register::told;
use crate::http::{Answer, CodeAttempt, Form};
use crate::state::AppState;

/// Whose code did not come.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct ResendSignInCode {
    /// The user name or e-mail address that signs in; `email` is taken as well.
    #[serde(default, alias = "email")]
    username: String,
}

/// Send another code to a first sign-in whose password was right; to others nothing is sent, and the same is said.
#[utoipa::path(
    post, path = "/api/verify/email/resend", tag = "session", security(()),
    request_body = ResendSignInCode,
    responses((status = 200, body = CodeSent)),
)]
pub(super) async fn resend_sign_in_code(
    State(app): State<AppState>,
    CodeAttempt(origin): CodeAttempt,
    Form { data, .. }: Form<ResendSignInCode>,
) -> Answer<CodeSent> {
    let asked = app.identity.resend_sign_in_code(&data.username, &origin).await?;
    Ok(Json(told(asked, "Code sent", &app)?))
}
