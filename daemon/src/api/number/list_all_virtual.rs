//! `GET /admin/get-virtual-numbers`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::sender::VirtualNumbers;
use talkdrum_core::sender;

use super::{VIRTUAL_STATUSES, VirtualFilter};
use crate::api::list_query::{listing, status_asked};
use crate::http::{AdminCaller, Answer, Columns, Query, SortedPage};
use crate::state::AppState;

/// What the list can be sorted by.
pub(super) enum ListColumns {}

impl Columns for ListColumns {
    const NAMES: &'static [&'static str] = &["id", "created_at", "virtual_num", "username", "status"];
}

/// All users' virtual numbers and requests for one; `q` searches numbers and user names.
#[utoipa::path(
    get, path = "/admin/get-virtual-numbers", tag = "number",
    params(VirtualFilter, SortedPage<ListColumns>),
    responses((status = 200, body = VirtualNumbers)),
)]
pub(super) async fn list_all_virtual_numbers(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Query(filter): Query<VirtualFilter>,
    page: SortedPage<ListColumns>,
) -> Answer<VirtualNumbers> {
    let status = status_asked(filter.status.as_deref(), &VIRTUAL_STATUSES)?;
    let listing = listing(&page, status);
    let (virtual_numbers, total) =
        sender::list_all_virtual_numbers(&mut app.store.snapshot().await?, &listing).await?;
    Ok(Json(VirtualNumbers { virtual_numbers, total }))
}
