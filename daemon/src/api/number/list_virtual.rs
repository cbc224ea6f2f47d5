//! `GET /api/get-virtual-number`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::sender::VirtualNumbers;
use talkdrum_core::sender;

use super::{VIRTUAL_STATUSES, VirtualFilter};
use crate::api::list_query::{listing, status_asked};
use crate::http::{Answer, Caller, Columns, Query, SortedPage};
use crate::state::AppState;

/// What the list can be sorted by.
pub(super) enum ListColumns {}

impl Columns for ListColumns {
    const NAMES: &'static [&'static str] = &["id", "created_at", "virtual_num", "status"];
}

/// The caller's virtual numbers, and the request that waits for one.
#[utoipa::path(
    get, path = "/api/get-virtual-number", tag = "number",
    params(VirtualFilter, SortedPage<ListColumns>),
    responses((status = 200, body = VirtualNumbers)),
)]
pub(super) async fn list_virtual_numbers(
    State(app): State<AppState>,
    caller: Caller,
    Query(filter): Query<VirtualFilter>,
    page: SortedPage<ListColumns>,
) -> Answer<VirtualNumbers> {
    let status = status_asked(filter.status.as_deref(), &VIRTUAL_STATUSES)?;
    let listing = listing(&page, status);
    let (virtual_numbers, total) =
        sender::list_virtual_numbers(&mut app.store.snapshot().await?, caller.user_id, &listing).await?;
    Ok(Json(VirtualNumbers { virtual_numbers, total }))
}
