//! `GET /api/get/group`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::contact::Groups;
use talkdrum_core::contact;
use utoipa::IntoParams;

use crate::http::{Answer, Caller, Columns, Query, SortedPage};
use crate::state::AppState;

/// Which groups.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct GroupFilter {
    /// The name of one group.
    group_name: Option<String>,
}

/// What groups can be sorted by.
pub(super) enum GroupColumns {}

impl Columns for GroupColumns {
    const NAMES: &'static [&'static str] = &["created_at", "group_name", "contacts_count"];
}

/// The caller's groups; `q` searches name and description, `group_name` finds the one of that name.
#[utoipa::path(
    get, path = "/api/get/group", tag = "group",
    params(GroupFilter, SortedPage<GroupColumns>),
    responses((status = 200, body = Groups)),
)]
pub(super) async fn list_groups(
    State(app): State<AppState>,
    caller: Caller,
    Query(filter): Query<GroupFilter>,
    page: SortedPage<GroupColumns>,
) -> Answer<Groups> {
    let name = filter.group_name.as_deref().map(str::trim).filter(|name| !name.is_empty());
    let mut tx = app.store.snapshot().await?;
    let order = (page.sort, page.descending);
    let range = (page.page.offset, page.page.limit);
    Ok(Json(contact::list_groups(&mut tx, caller.user_id, (&page.q, name), order, range).await?))
}
