//! `DELETE /api/kingschat/link`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::account::Message;
use talkdrum_core::account::kingschat::login;
use talkdrum_core::store::Lane;
use talkdrum_core::store::operations::idempotency::once;

use crate::http::{Answer, IdempotencyKey, SessionCaller};
use crate::state::AppState;

/// End the link to a KingsChat account. Refused for an account without a password: nobody could sign in to it.
#[utoipa::path(
    delete, path = "/api/kingschat/link", tag = "kingschat",
    responses((status = 200, body = Message)),
)]
pub(super) async fn unlink_kingschat(
    State(app): State<AppState>,
    caller: SessionCaller,
    key: IdempotencyKey,
) -> Answer<Message> {
    let user_id = caller.user_id;
    let input = (key.claim_on(&caller, "kingschat.unlink", user_id), user_id, app.clock.now());
    app.store
        .write(Lane::Interactive, input, |tx, (claim, user_id, now)| {
            Box::pin(async move {
                once(tx, claim.as_ref(), *now, async |tx| {
                    login::unlink(tx, *user_id).await?;
                    Ok(*user_id)
                })
                .await
            })
        })
        .await?;
    tracing::info!(user_id, "a KingsChat account was unlinked");
    Ok(Json(Message { message: "Your KingsChat account is not linked any more".into() }))
}
