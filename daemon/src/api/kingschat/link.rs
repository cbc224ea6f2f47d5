//! `POST /api/kingschat/link`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::account::Message;
use talkdrum_core::Error;
use talkdrum_core::account::kingschat::login;
use talkdrum_core::store::Lane;

use super::{Brought, profile, require_on};
use crate::http::{Answer, LooseForm, SessionCaller, SignInAttempt};
use crate::state::AppState;

/// Link the KingsChat account of an access token to whoever is signed in. Linking the same again changes nothing. The
/// newer flow begins at `/api/kingschat/link/start`.
#[utoipa::path(
    post, path = "/api/kingschat/link", tag = "kingschat",
    request_body = Brought,
    responses((status = 200, body = Message)),
)]
pub(super) async fn link_kingschat(
    State(app): State<AppState>,
    caller: SessionCaller,
    _attempt: SignInAttempt,
    LooseForm(brought): LooseForm<Brought>,
) -> Answer<Message> {
    require_on(&app)?;
    caller.require_recent(&app).await?;
    if brought.access_token.trim().is_empty() {
        return Err(Error::field(
            "access_token",
            "token_required",
            "Token not found in authentication response.",
        )
        .into());
    }
    let input =
        (app.identity.clone(), caller.user_id, profile(&app, &brought.access_token).await?, app.clock.now());
    app.store
        .write(Lane::Interactive, input, |tx, (identity, user_id, profile, now)| {
            Box::pin(login::link(tx, identity, *user_id, profile, *now))
        })
        .await?;
    tracing::info!(user_id = caller.user_id, "a KingsChat account was linked");
    Ok(Json(Message { message: "Your KingsChat account is linked".into() }))
}
