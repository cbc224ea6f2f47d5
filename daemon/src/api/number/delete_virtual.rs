//! `DELETE /admin/delete-virtual-number/{id}`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::account::Message;
use talkdrum_core::sender::delete_virtual_number as delete;
use talkdrum_core::store::Lane;
use talkdrum_core::store::operations::idempotency::once;

use crate::http::{AdminCaller, Answer, IdempotencyKey, Path};
use crate::state::AppState;

/// Take a virtual number, or a request for one, away: campaigns that are being sent from it pause.
#[utoipa::path(
    delete, path = "/admin/delete-virtual-number/{id}", tag = "number",
    params(("id" = i64, Path, description = "The virtual number's record")),
    responses((status = 200, body = Message)),
)]
pub(super) async fn delete_virtual_number(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Path(id): Path<i64>,
) -> Answer<Message> {
    let input = (key.claim_on(&caller, "virtual_number.delete", id), id, caller.user_id, app.clock.now());
    app.store
        .write(Lane::Interactive, input, |tx, (claim, id, by, now)| {
            Box::pin(async move {
                once(tx, claim.as_ref(), *now, async |tx| {
                    delete(tx, *id, *by, *now).await?;
                    Ok(*id)
                })
                .await
            })
        })
        .await?;
    tracing::info!(virtual_number = id, admin_id = caller.user_id, "virtual_number.delete");
    Ok(Json(Message { message: "Virtual Number deleted successfully".into() }))
}
