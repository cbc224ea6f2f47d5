//! `DELETE /api/api-keys/{id}`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::account::Message;
use talkdrum_core::account::auth::api_key;
use talkdrum_core::store::Lane;
use talkdrum_core::store::operations::idempotency::{begin_if_any, finish_if_any};

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
                if begin_if_any(tx, claim.as_ref(), *now).await?.is_none() {
                    api_key::revoke(tx, *user_id, *id, *now).await?;
                    finish_if_any(tx, claim.as_ref(), &id.to_string()).await?;
                }
                Ok(())
            })
        })
        .await?;
    app.callers.forget_key(id);
    Ok(Json(Message { message: "The key is revoked".into() }))
}
