//! `POST /api/webhooks/{id}/rotate`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::webhook::WebhookWithSecret;
use talkdrum_core::Error;
use talkdrum_core::account::WebhookChange;
use talkdrum_core::store::Lane;
use talkdrum_core::webhook::endpoint::{self, NewSecret};

use super::shown;
use crate::http::{Answer, Path, SessionCaller};
use crate::state::AppState;

/// Give a webhook a new secret. For 24 hours requests are signed with both, so that nothing is missed meanwhile.
/// Needs a session with a sign-in or `POST /api/sessions/reauthenticate` within the last ten minutes; an e-mail reports it to
/// the owner.
#[utoipa::path(
    post, path = "/api/webhooks/{id}/rotate", tag = "webhook",
    params(("id" = i64, Path)),
    responses((status = 200, body = WebhookWithSecret)),
)]
pub(super) async fn rotate_webhook_secret(
    State(app): State<AppState>,
    caller: SessionCaller,
    Path(id): Path<i64>,
) -> Answer<WebhookWithSecret> {
    caller.require_recent(&app).await?;
    let made = NewSecret::new(&app.vault, app.entropy.as_ref())?;
    let row = app
        .store
        .write(
            Lane::Interactive,
            (caller.user_id, id, made.sealed, app.identity.clone(), app.clock.now()),
            |tx, (user_id, id, sealed, identity, now)| {
                Box::pin(async move {
                    let row = endpoint::rotate(tx, *user_id, *id, sealed, *now).await?;
                    identity.tell_of_webhook(tx, &row, WebhookChange::Rotated, *now).await?;
                    Ok::<_, Error>(row)
                })
            },
        )
        .await?;
    Ok(Json(WebhookWithSecret {
        webhook: shown(row),
        secret: made.secret.to_secret().expose().to_owned(),
        message: "Keep this secret now: it is not shown again. The old one signs beside it for 24 hours"
            .into(),
    }))
}
