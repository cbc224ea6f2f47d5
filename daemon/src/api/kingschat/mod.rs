//! Signing in by KingsChat, and linking it to an account.
//!
//! Signing in and linking need a browser: `POST /api/kingschat-login`, `/api/kingschat/start`, `/finish`, `/callback`,
//! `/options` and `/api/kingschat/link` have no command at the terminal. What a stranger is told of a
//! failed sign-in is that it failed; why is in the log.

mod callback;
mod finish;
mod link;
mod login;
mod options;
mod show_link;
mod start;
mod start_link;
mod unlink;

use axum::http::{HeaderMap, StatusCode, header};
use serde::{Deserialize, Serialize};
use talkdrum_api::account::{Authorization, SignedIn};
use talkdrum_core::account::kingschat::{ChatError, ChatProfile};
use talkdrum_core::model::user::User;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::user::response;
use crate::http::ApiError;
use crate::state::AppState;

/// The cookie that ties what comes back from KingsChat to the browser that began.
const COOKIE: &str = "talkdrum_chat";

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(login::kingschat_login))
        .routes(routes!(options::show_kingschat_options))
        .routes(routes!(start::start_kingschat))
        .routes(routes!(callback::take_kingschat_code, callback::take_kingschat_form))
        .routes(routes!(finish::finish_kingschat))
        .routes(routes!(show_link::show_kingschat_link, link::link_kingschat, unlink::unlink_kingschat))
        .routes(routes!(start_link::start_kingschat_link))
}

/// What a browser brings: the older flow's token, or the newer one's code. The profile beside it proves nothing and is
/// not read.
#[derive(Deserialize, ToSchema)]
pub(super) struct Brought {
    /// The access token that KingsChat gave the page; `accessToken` is taken as well.
    #[serde(default, alias = "accessToken")]
    access_token: String,
    /// The code of the newer flow.
    #[serde(default)]
    code: String,
    /// The nonce that came back with the code.
    #[serde(default)]
    origin: String,
    /// What `POST /api/kingschat/start` gave this browser.
    #[serde(default)]
    state: String,
}

impl std::fmt::Debug for Brought {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Brought").finish_non_exhaustive()
    }
}

/// The answer to a sign-in by KingsChat: that of every sign-in, with the token where this call's clients look.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ChatSignedIn {
    /// The bearer token.
    access_token: String,
    /// The same.
    data: ChatToken,
    /// As every sign-in answers.
    #[serde(flatten)]
    signed_in: SignedIn,
}

/// A bearer token.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ChatToken {
    /// The token.
    access_token: String,
}

/// Refuses when no application is configured.
fn require_on(app: &AppState) -> Result<(), ApiError> {
    if app.kingschat.is_on() {
        return Ok(());
    }
    Err(ApiError::new(StatusCode::NOT_FOUND, "kingschat_off", "KingsChat is not set up on this platform"))
}

/// A failed sign-in, in the specification's words; the cause goes to the log.
fn failed(error: &ChatError) -> ApiError {
    tracing::info!(%error, "a sign-in by KingsChat failed");
    match error {
        ChatError::Refused(_) => {
            ApiError::new(StatusCode::UNAUTHORIZED, "chat_login_failed", "Login failed. Please try again.")
        }
        ChatError::Unreachable(_) | ChatError::Unclear(_) => ApiError::unavailable(
            "kingschat_unavailable",
            "KingsChat cannot be reached: try again in a moment",
        ),
    }
}

/// Whose token was brought.
async fn profile(app: &AppState, token: &str) -> Result<ChatProfile, ApiError> {
    app.kingschat.profile(token.trim(), app.clock.now()).await.map_err(|error| failed(&error))
}

/// The answer that a session began.
async fn entered(app: &AppState, token: String, user: &User) -> Result<ChatSignedIn, ApiError> {
    tracing::info!(user_id = user.id, "signed in by KingsChat");
    Ok(ChatSignedIn {
        access_token: token.clone(),
        data: ChatToken { access_token: token.clone() },
        signed_in: SignedIn {
            authorization: Authorization { token: token.clone(), kind: "bearer".into() },
            token,
            user: response::user(&mut app.store.read().await?, user).await?,
            message: "Logged in Successfully".into(),
        },
    })
}

/// The secret of the browser that sends these headers.
fn cookie(headers: &HeaderMap) -> Option<&str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(name, value)| (name == COOKIE).then_some(value))
}

#[cfg(test)]
mod tests;
