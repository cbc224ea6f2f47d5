//! Announcements: managed by administrators, read by every user. The paths are spelt as the specification spells them.

mod manage;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use talkdrum_api::setting::{Announcement, AnnouncementShown, Announcements};
use talkdrum_core::Error;
use talkdrum_core::model::platform::id::AnnouncementId;
use talkdrum_core::store::db::listing::like_pattern;
use talkdrum_core::store::platform::announcement::{self, AnnouncementRow};
use utoipa::ToSchema;

use crate::http::routes::{Operations, routes};
use crate::http::{AdminCaller, Answer, Caller, Page, Path, Search};
use crate::state::AppState;

pub(super) fn router() -> Operations {
    Operations::new()
        .routes(routes!(manage::manage_announcement))
        .routes(routes!(list_announcements))
        .routes(routes!(show_announcement))
        .routes(routes!(list_active_announcements))
}

/// The wire form of an announcement.
fn shown(row: AnnouncementRow) -> Announcement {
    Announcement {
        id: row.id.0,
        announcement: row.text,
        is_active: u8::from(row.is_active),
        created_at: row.created_at.to_rfc3339(),
        updated_at: row.updated_at.to_rfc3339(),
    }
}

/// All announcements, newest first.
#[utoipa::path(
    get, path = "/admin/get-annoucement", tag = "announcement",
    params(Search, Page),
    responses((status = 200, body = Announcements)),
)]
async fn list_announcements(
    State(app): State<AppState>,
    _caller: AdminCaller,
    search: Search,
    page: Page,
) -> Answer<Announcements> {
    let pattern = like_pattern(&search.q.to_lowercase());
    let mut tx = app.store.snapshot().await?;
    let (rows, total) = announcement::page(&mut tx, &pattern, page.offset, page.limit).await?;
    Ok(Json(Announcements { announcements: rows.into_iter().map(shown).collect(), total }))
}

/// One announcement.
#[utoipa::path(
    get, path = "/admin/announcements/{id}", tag = "announcement",
    params(("id" = i64, Path, description = "The announcement's id")),
    responses((status = 200, body = AnnouncementShown)),
)]
async fn show_announcement(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Path(id): Path<AnnouncementId>,
) -> Answer<AnnouncementShown> {
    let found = announcement::find(&mut app.store.read().await?, id).await?;
    let announcement = shown(found.ok_or(Error::NotFound("announcement"))?);
    Ok(Json(AnnouncementShown { announcement }))
}

/// What is announced.
#[derive(Debug, Serialize, ToSchema)]
struct ActiveAnnouncements {
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
async fn list_active_announcements(
    State(app): State<AppState>,
    _caller: Caller,
) -> Answer<ActiveAnnouncements> {
    let rows = announcement::active(&mut app.store.read().await?).await?;
    let announcements: Vec<Announcement> = rows.into_iter().map(shown).collect();
    let total = i64::try_from(announcements.len()).unwrap_or(i64::MAX);
    let data = AnnouncementList { announcements: announcements.clone() };
    Ok(Json(ActiveAnnouncements { data, announcements, total }))
}
