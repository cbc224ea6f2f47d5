//! `POST /api/password/reset`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_core::api::account::Message;
use utoipa::ToSchema;

use crate::http::{Answer, CodeAttempt, Form};
use crate::state::AppState;

/// The code that came, and the new password.
#[derive(Deserialize, ToSchema)]
pub(super) struct ResetPassword {
    /// The account's e-mail address.
    #[serde(default)]
    email: String,
    /// Six digits.
    #[serde(default)]
    code: String,
    /// The new password, at least 8 characters.
    #[serde(default)]
    password: String,
    /// The new password again.
    #[serde(default)]
    password_confirmation: String,
}

/// Set a new password by the code that was sent for it. All sessions end.
#[utoipa::path(
    post, path = "/api/password/reset", tag = "password", security(()),
    request_body = ResetPassword,
    responses((status = 200, body = Message)),
)]
pub(super) async fn reset_password(
    State(app): State<AppState>,
    CodeAttempt(origin): CodeAttempt,
    Form { data, .. }: Form<ResetPassword>,
) -> Answer<Message> {
    app.account_rate.check(&data.email, origin.address)?;
    let new = (data.password.as_str(), data.password_confirmation.as_str());
    let user_id = app.identity.reset_password(&data.email, &data.code, new).await?;
    app.callers.forget_user(user_id);
    tracing::info!(user_id, "a password was reset");
    Ok(Json(Message { message: "Your password is changed: sign in with the new one".into() }))
}
