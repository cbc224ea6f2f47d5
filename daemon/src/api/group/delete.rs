//! `DELETE /api/delete/group/{id}`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::account::Message;
use talkdrum_core::contact;
use talkdrum_core::store::Lane;
use talkdrum_core::store::operations::idempotency::once;

use crate::http::{Answer, Caller, IdempotencyKey, Path};
use crate::state::AppState;

/// Delete a group with all its contacts.
#[utoipa::path(
    delete, path = "/api/delete/group/{id}", tag = "group",
    params(("id" = i64, Path, description = "The group's id")),
    responses((status = 200, body = Message)),
)]
pub(super) async fn delete_group(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Path(id): Path<i64>,
) -> Answer<Message> {
    let input = (key.claim_on(&caller, "group.delete", id), caller.user_id, id, app.clock.now());
    app.store
        .write(Lane::Interactive, input, |tx, (claim, user, id, now)| {
            Box::pin(async move {
                once(tx, claim.as_ref(), *now, async |tx| {
                    contact::delete_group(tx, *user, *id, *now).await.map(|()| *id)
                })
                .await
            })
        })
        .await?;
    Ok(Json(Message { message: "Group deleted successfully".into() }))
}
