//! `DELETE /api/api-keys/{id}`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::account::Message;
use talkdrum_core::account::auth::api_key;
use talkdrum_core::store::Lane;
use talkdrum_core::store::operations::idempotency::once;

use crate::http::{Answer, IdempotencyKey, LeavingCaller, Path};
use crate::state::AppState;

/// Revoke an API key: it stops working at once.
#[utoipa::path(
    delete, path = "/api/api-keys/{id}", tag = "api_key",
    params(("id" = i64, Path, description = "The key's id")),
    responses((status = 200, body = Message)),
)]
pub(super) async fn revoke_api_key(
    State(app): State<AppState>,
    caller: LeavingCaller,
    key: IdempotencyKey,
    Path(id): Path<i64>,
) -> Answer<Message> {
    let input = (key.claim_on(&caller, "api_key.revoke", id), caller.user_id, id, app.clock.now());
    app.store
        .write(Lane::Interactive, input, |tx, (claim, user_id, id, now)| {
            Box::pin(async move {
                once(tx, claim.as_ref(), *now, async |tx| {
                    api_key::revoke(tx, *user_id, *id, *now).await?;
                    Ok(*id)
                })
                .await
            })
        })
        .await?;
    app.callers.forget_key(id);
    Ok(Json(Message { message: "The key is revoked".into() }))
}
