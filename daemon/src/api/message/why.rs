//! `GET /api/messages/{id}`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::campaign::Why;
use talkdrum_core::campaign::report::explain;
use talkdrum_core::model::message_id::MessageId;

use crate::api::list_query::scope;
use crate::http::{Answer, Caller, Path};
use crate::state::AppState;

/// Why a message is where it is and what it cost: its statuses, and the ledger entries that carry its money.
#[utoipa::path(
    get, path = "/api/messages/{id}", tag = "message",
    params(("id" = i64, Path, description = "The message's id")),
    responses((status = 200, body = Why)),
)]
pub(super) async fn explain_message(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<i64>,
) -> Answer<Why> {
    let mut tx = app.store.snapshot().await?;
    Ok(Json(explain::message(&mut tx, scope(&caller), MessageId(id), &app.desk.networks).await?))
}
