//! `GET /admin/get-annoucement`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::setting::Announcements;
use talkdrum_core::store::db::listing::like_pattern;
use talkdrum_core::store::platform::announcement;

use super::shown;
use crate::http::{AdminCaller, Answer, Page, Search};
use crate::state::AppState;

/// All announcements, newest first.
#[utoipa::path(
    get, path = "/admin/get-annoucement", tag = "announcement",
    params(Search, Page),
    responses((status = 200, body = Announcements)),
)]
pub(super) async fn list_announcements(
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
