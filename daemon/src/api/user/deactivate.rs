//! `POST /admin/deactivate-user/{id}`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::account::Message;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::operate::user as operated;
use talkdrum_core::store::Lane;
use talkdrum_core::store::operations::idempotency::once;

use crate::api::user::response;
use crate::http::{AdminCaller, Answer, IdempotencyKey, Path};
use crate::state::AppState;

/// Stop a user from sending and paying, and end the user's sessions and API keys. The user can sign in again and read; an
/// administrator then reads the own account only.
#[utoipa::path(
    post, path = "/admin/deactivate-user/{id}", tag = "user",
    params(("id" = i64, Path, description = "The user's id")),
    responses((status = 200, body = Message)),
)]
pub(super) async fn deactivate_user(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Path(id): Path<UserId>,
) -> Answer<Message> {
    let input = (key.claim_on(&caller, "user.deactivate", id.0), id, caller.user_id, app.clock.now());
    let user = app
        .store
        .write(Lane::Interactive, input, |tx, (claim, id, by, now)| {
            Box::pin(async move {
                once(tx, claim.as_ref(), *now, async |tx| {
                    operated::deactivate_user(tx, *id, *by, *now).await?;
                    Ok(*id)
                })
                .await?;
                response::by_id(tx, *id).await
            })
        })
        .await?;
    app.callers.forget_user(id);
    tracing::info!(user_id = id.0, admin_id = caller.user_id.0, "user.deactivate");
    Ok(Json(Message { message: format!("{} is inactive now", user.username) }))
}
