//! `POST /api/password/forgot`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_core::api::account::CodeSent;
use utoipa::ToSchema;

use crate::api::register::told;
use crate::http::{Answer, Form, Origin};
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
    Origin(origin): Origin,
    Form { data, .. }: Form<ForgotPassword>,
) -> Answer<CodeSent> {
    app.code_rate.check(origin.address)?;
    let asked = app.identity.forgot_password(&data.email, &origin).await?;
    Ok(Json(told(asked, "If this address has an account, a code was sent to it", &app)?))
}
