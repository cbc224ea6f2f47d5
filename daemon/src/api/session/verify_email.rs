//! `POST /api/verify/email`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::account::SignedIn;
use talkdrum_core::account::SignIn;
use utoipa::ToSchema;

use super::login::signed_in;
use crate::http::{Answer, ApiError, CodeAttempt, Form};
use crate::state::AppState;

/// The code that came.
#[derive(Deserialize, ToSchema)]
pub(super) struct VerifyEmail {
    /// The user name or e-mail address that signs in; `email` is taken as well.
    #[serde(default, alias = "email")]
    username: String,
    /// Six digits.
    #[serde(default)]
    code: String,
}

/// Finish a first sign-in with the code that was sent to the e-mail address.
#[utoipa::path(
    post, path = "/api/verify/email", tag = "session", security(()),
    request_body = VerifyEmail,
    responses((status = 200, body = SignedIn)),
)]
pub(super) async fn verify_email(
    State(app): State<AppState>,
    CodeAttempt(origin): CodeAttempt,
    Form { data, .. }: Form<VerifyEmail>,
) -> Answer<SignedIn> {
    app.account_rate.check(&data.username, origin.address)?;
    match app.identity.verify_email(&data.username, &data.code, &origin).await? {
        SignIn::Accepted { token, user } => {
            app.account_rate.signed_in(&[&user.username, &user.email], origin.address);
            app.login_rate.signed_in(origin.address);
            Ok(Json(signed_in(&app, &token, &user).await?))
        }
        _ => Err(ApiError::unauthorized()),
    }
}
