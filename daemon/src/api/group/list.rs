//! `GET /api/get/group`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::contact::Groups;
use talkdrum_core::contact;

use crate::http::{Answer, Caller, Page, Query};
use crate::state::AppState;

/// Which groups.
#[derive(Debug, Deserialize)]
pub(super) struct Which {
    group_name: Option<String>,
}

/// The caller's groups; `q` searches name and description, `group_name` finds the one of that name.
#[utoipa::path(
    get, path = "/api/get/group", tag = "group",
    params(("group_name" = Option<String>, Query), ("q" = Option<String>, Query),
           ("sort" = Option<String>, Query, description = "`created_at`, `group_name` or `contacts_count`"),
           ("order" = Option<String>, Query),
           ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = Groups)),
)]
pub(super) async fn list_groups(
    State(app): State<AppState>,
    caller: Caller,
    Query(which): Query<Which>,
    page: Page,
) -> Answer<Groups> {
    let sort = page.sort_among(&["created_at", "group_name", "contacts_count"])?;
    let name = which.group_name.as_deref().map(str::trim).filter(|name| !name.is_empty());
    let mut tx = app.store.snapshot().await?;
    let order = (sort, page.descending);
    let range = (page.offset, page.limit);
    Ok(Json(contact::list_groups(&mut tx, caller.user_id, (&page.q, name), order, range).await?))
}
