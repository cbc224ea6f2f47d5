//! `GET /api/groups/{id}/export`.

use axum::extract::State;
use axum::response::Response;
use talkdrum_core::contact::export;

use crate::api::contact::download;
use crate::http::{ApiError, Caller, Path};
use crate::state::AppState;

/// The contacts of a group as CSV, streamed in order of numbers: phone, name, email and the merge fields.
#[utoipa::path(
    get, path = "/api/groups/{id}/export", tag = "group",
    params(("id" = i64, Path, description = "The group's id")),
    responses((status = 200, content_type = "text/csv", body = String)),
)]
pub(super) async fn export_group(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<i64>,
) -> Result<Response, ApiError> {
    Ok(download(export::group(&app.store, caller.user_id, id).await?, "contacts.csv"))
}
