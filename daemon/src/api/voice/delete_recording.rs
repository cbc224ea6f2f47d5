//! `DELETE /api/recordings/{id}`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::account::Message;
use talkdrum_core::store::Lane;
use talkdrum_core::store::operations::idempotency::once;
use talkdrum_core::voice::library;

use crate::http::{Answer, Caller, IdempotencyKey, Path};
use crate::state::AppState;

/// Delete a recording. Its address plays nothing any more.
#[utoipa::path(
    delete, path = "/api/recordings/{id}", tag = "voice",
    params(("id" = i64, Path, description = "The recording's id")),
    responses((status = 200, body = Message)),
)]
pub(super) async fn delete_recording(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Path(id): Path<i64>,
) -> Answer<Message> {
    let input = (key.claim_on(&caller, "recording.delete", id), caller.user_id, id, app.clock.now());
    let delete = app.store.write(Lane::Interactive, input, |tx, (claim, user, id, now)| {
        Box::pin(async move {
            once(tx, claim.as_ref(), *now, async |tx| {
                library::delete(tx, *user, *id, *now).await.map(|()| *id)
            })
            .await
        })
    });
    delete.await?;
    Ok(Json(Message { message: "Recording deleted".into() }))
}
