//! `DELETE /api/webhooks/{id}`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::account::Message;
use talkdrum_core::store::Lane;
use talkdrum_core::webhook::endpoint;

use crate::http::{Answer, Caller, Path};
use crate::state::AppState;

/// Delete a webhook with its log. What it was still to hear is not told any more.
#[utoipa::path(
    delete, path = "/api/webhooks/{id}", tag = "webhook",
    params(("id" = i64, Path)),
    responses((status = 200, body = Message)),
)]
pub(super) async fn delete_webhook(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<i64>,
) -> Answer<Message> {
    let piece = || {
        app.store.write(Lane::Interactive, (caller.user_id, id), |tx, (user_id, id)| {
            Box::pin(endpoint::delete(tx, *user_id, *id))
        })
    };
    while !piece().await? {}
    Ok(Json(Message { message: "The webhook is deleted".into() }))
}
