//! `POST /api/kingschat-login`.

use axum::Json;
use axum::extract::State;
use talkdrum_core::Error;
use talkdrum_core::account::kingschat::flow::{self, Finished, Returned};
use talkdrum_core::account::kingschat::login;

use super::{Brought, ChatSignedIn, entered, profile, require_on};
use crate::http::{Answer, LooseForm, SignInAttempt};
use crate::state::AppState;

/// Sign in by KingsChat, with its access token beside the profile, or with the code of the newer flow.
#[utoipa::path(
    post, path = "/api/kingschat-login", tag = "kingschat", security(()),
    request_body = Brought,
    responses((status = 200, body = ChatSignedIn)),
)]
pub(super) async fn kingschat_login(
    State(app): State<AppState>,
    SignInAttempt(origin): SignInAttempt,
    LooseForm(brought): LooseForm<Brought>,
) -> Answer<ChatSignedIn> {
    require_on(&app)?;
    let now = app.clock.now();
    if !brought.access_token.trim().is_empty() {
        let profile = profile(&app, &brought.access_token).await?;
        let (token, user) = login::sign_in(&app.identity, &profile, (&origin, now)).await?;
        return Ok(Json(entered(&app, token.reveal().to_owned(), &user).await?));
    }
    if brought.code.is_empty() || brought.origin.is_empty() {
        return Err(Error::field(
            "access_token",
            "token_required",
            "Token not found in authentication response.",
        )
        .into());
    }
    let back = Returned {
        origin: &brought.origin,
        code: &brought.code,
        browser: Some(&brought.state),
        without_browser: false,
    };
    flow::returned(&app.identity, &app.kingschat, back, now).await?;
    let finished =
        flow::finish(&app.store, app.entropy.as_ref(), &app.sessions, &brought.state, (&origin, now)).await?;
    match finished {
        Finished::SignedIn(token, user) => Ok(Json(entered(&app, token.reveal().to_owned(), &user).await?)),
        // The nonce was not this browser's, or it was for a link.
        Finished::Waiting | Finished::Linked => {
            Err(Error::rule("chat_login_over", "This sign-in is over: begin again").into())
        }
    }
}
