//! New passwords: by the old one, or by a code sent to the account's address.

mod change;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::account::{CodeSent, PasswordReset};
use talkdrum_core::account::Reset;
use utoipa::ToSchema;

use crate::api::api_key::shown;
use crate::api::register::told;
use crate::http::routes::{Operations, routes};
use crate::http::{Answer, CodeAttempt, Form};
use crate::state::AppState;

pub(super) fn router() -> Operations {
    Operations::new()
        .routes(routes!(change::change_password))
        .routes(routes!(forgot_password))
        .routes(routes!(reset_password))
}

/// Whose password is forgotten.
#[derive(Deserialize, ToSchema)]
struct ForgotPassword {
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
async fn forgot_password(
    State(app): State<AppState>,
    CodeAttempt(origin): CodeAttempt,
    Form { data, .. }: Form<ForgotPassword>,
) -> Answer<CodeSent> {
    let asked = app.identity.forgot_password(&data.email, &origin).await?;
    Ok(Json(told(asked, "If this address has an account, a code was sent to it", &app)?))
}

/// The code that came, and the new password.
#[derive(Deserialize, ToSchema)]
struct ResetPassword {
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
    /// Also revoke all API keys.
    #[serde(default)]
    revoke_api_keys: bool,
}

/// Set a new password by the code that was sent for it. All sessions end; API keys go on unless they are revoked, too. The
/// answer and an e-mail list what still opens the account.
#[utoipa::path(
    post, path = "/api/password/reset", tag = "password", security(()),
    request_body = ResetPassword,
    responses((status = 200, body = PasswordReset)),
)]
async fn reset_password(
    State(app): State<AppState>,
    CodeAttempt(origin): CodeAttempt,
    Form { data, .. }: Form<ResetPassword>,
) -> Answer<PasswordReset> {
    app.account_rate.check(&data.email, origin.address)?;
    let reset = Reset {
        email: &data.email,
        code: &data.code,
        password: &data.password,
        confirmation: &data.password_confirmation,
        revoke_keys: data.revoke_api_keys,
    };
    let (user_id, remaining) = app.identity.reset_password(reset).await?;
    app.callers.forget_user(user_id);
    tracing::info!(user_id = user_id.0, "a password was reset");
    Ok(Json(PasswordReset {
        message: "Your password is changed: sign in with the new one".into(),
        total_api_keys: remaining.total_keys,
        api_keys: remaining.api_keys.into_iter().map(shown).collect(),
        kingschat_linked: remaining.is_kingschat_linked,
    }))
}
