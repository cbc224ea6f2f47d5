//! `GET /api/get/announcement`.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use talkdrum_api::setting::Announcement;
use talkdrum_core::store::platform::announcement;
use utoipa::ToSchema;

use super::shown;
use crate::http::{Answer, Caller};
use crate::state::AppState;

/// What is announced.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ActiveAnnouncements {
    /// Where the specification's client looks.
    data: AnnouncementList,
    /// The same beside it.
    #[serde(rename = "Announcement")]
    announcements: Vec<Announcement>,
    /// How many there are.
    total: i64,
}

/// A list of announcements.
#[derive(Debug, Serialize, ToSchema)]
struct AnnouncementList {
    /// Oldest first.
    #[serde(rename = "Announcement")]
    announcements: Vec<Announcement>,
}

/// The announcements that are shown now, oldest first.
#[utoipa::path(
    get, path = "/api/get/announcement", tag = "announcement",
    responses((status = 200, body = ActiveAnnouncements)),
)]
pub(super) async fn list_active_announcements(
    State(app): State<AppState>,
    _caller: Caller,
) -> Answer<ActiveAnnouncements> {
    let rows = announcement::active(&mut app.store.read().await?).await?;
    let announcements: Vec<Announcement> = rows.into_iter().map(shown).collect();
    let total = i64::try_from(announcements.len()).unwrap_or(i64::MAX);
    let data = AnnouncementList { announcements: announcements.clone() };
    Ok(Json(ActiveAnnouncements { data, announcements, total }))
}
