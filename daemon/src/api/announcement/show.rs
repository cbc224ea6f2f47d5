//! `GET /admin/announcements/{id}`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::setting::AnnouncementShown;
use talkdrum_core::Error;
use talkdrum_core::store::platform::announcement;

use super::shown;
use crate::http::{AdminCaller, Answer, Path};
use crate::state::AppState;

/// One announcement.
#[utoipa::path(
    get, path = "/admin/announcements/{id}", tag = "announcement",
    params(("id" = i64, Path, description = "The announcement's id")),
    responses((status = 200, body = AnnouncementShown)),
)]
pub(super) async fn show_announcement(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Path(id): Path<i64>,
) -> Answer<AnnouncementShown> {
    let found = announcement::find(&mut app.store.read().await?, id).await?;
    let announcement = shown(found.ok_or(Error::NotFound("announcement"))?);
    Ok(Json(AnnouncementShown { announcement }))
}
