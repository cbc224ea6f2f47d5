//! `POST /api/webhooks/{id}/rotate`.

use axum::Json;
use axum::extract::State;
use talkdrum_core::api::webhook::WebhookWithSecret;
use talkdrum_core::store::Lane;
use talkdrum_core::webhook::endpoint::{self, NewSecret};

use super::shown;
use crate::http::{Answer, Caller, Path};
use crate::state::AppState;

/// Give a webhook a new secret. For 24 hours requests are signed with both, so that nothing is missed meanwhile.
#[utoipa::path(
    post, path = "/api/webhooks/{id}/rotate", tag = "webhook",
    params(("id" = i64, Path)),
    responses((status = 200, body = WebhookWithSecret)),
)]
pub(super) async fn rotate_webhook_secret(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<i64>,
) -> Answer<WebhookWithSecret> {
    let made = NewSecret::new(&app.vault, app.entropy.as_ref())?;
    let row = app
        .store
        .write(
            Lane::Interactive,
            (caller.user_id, id, made.sealed, app.clock.now()),
            |tx, (user_id, id, sealed, now)| Box::pin(endpoint::rotate(tx, *user_id, *id, sealed, *now)),
        )
        .await?;
    Ok(Json(WebhookWithSecret {
        webhook: shown(row),
        secret: made.secret.to_secret().expose().to_owned(),
        message: "Keep this secret now: it is not shown again. The old one signs beside it for 24 hours"
            .into(),
    }))
}
