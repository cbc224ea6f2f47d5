//! `POST /api/password/forgot`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::account::CodeSent;
use utoipa::ToSchema;

use crate::api::register::told;
use crate::http::{Answer, CodeAttempt, Form};
use crate::state::AppState;

/// Whose password is forgotten.
#[derive(Deserialize, ToSchema)]
pub(super) struct ForgotPassword {
    /// The account's e-mail address.
    #[serde(default)]
    email: String,
}

/// Send a code for a new password to an e-mail address, if it has an account; the answer does not say whether.
#[utoipa::path(
    post, path = "/api/password/forgot", tag = "password", security(()),
    request_body = ForgotPassword,
    responses((status = 200, body = CodeSent)),
)]
pub(super) async fn forgot_password(
    State(app): State<AppState>,
    CodeAttempt(origin): CodeAttempt,
    Form { data, .. }: Form<ForgotPassword>,
) -> Answer<CodeSent> {
    let asked = app.identity.forgot_password(&data.email, &origin).await?;
    Ok(Json(told(asked, "If this address has an account, a code was sent to it", &app)?))
}
