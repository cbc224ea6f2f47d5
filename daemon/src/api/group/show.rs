//! `GET /api/get/group/{id}`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::contact::GroupShown;
use talkdrum_core::contact::{find_group, shown_group};

use crate::http::{Answer, Caller, Path};
use crate::state::AppState;

/// One of the caller's groups.
#[utoipa::path(
    get, path = "/api/get/group/{id}", tag = "group",
    params(("id" = i64, Path, description = "The group's id")),
    responses((status = 200, body = GroupShown)),
)]
pub(super) async fn show_group(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<i64>,
) -> Answer<GroupShown> {
    let found = find_group(&mut app.store.read().await?, caller.user_id, id).await?;
    Ok(Json(GroupShown { group: shown_group(found)? }))
}
