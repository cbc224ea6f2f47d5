//! `GET /api/own-number-calls/{id}`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::sender::OwnNumberCall;
use talkdrum_core::sender::own_number;

use crate::http::{Answer, Caller, Path};
use crate::state::AppState;

/// How a call goes that speaks a code to an own number, and what of it is charged. It is kept for 30 days.
#[utoipa::path(
    get, path = "/api/own-number-calls/{id}", tag = "voice",
    params(("id" = i64, Path, description = "The call's id")),
    responses((status = 200, body = OwnNumberCall)),
)]
pub(super) async fn show_own_number_call(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<i64>,
) -> Answer<OwnNumberCall> {
    Ok(Json(own_number::show_call(&mut app.store.read().await?, caller.user_id, id).await?))
}
