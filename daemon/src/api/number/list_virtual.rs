//! `GET /api/get-virtual-number`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::sender::VirtualNumbers;
use talkdrum_core::sender;

use super::VIRTUAL_STATUSES;
use crate::api::list_query::{StatusFilter, listing};
use crate::http::{Answer, Caller, Page, Query};
use crate::state::AppState;

/// The caller's virtual numbers, and the request that waits for one.
#[utoipa::path(
    get, path = "/api/get-virtual-number", tag = "number",
    params(("status" = Option<String>, Query), ("q" = Option<String>, Query),
           ("sort" = Option<String>, Query), ("order" = Option<String>, Query),
           ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = VirtualNumbers)),
)]
pub(super) async fn list_virtual_numbers(
    State(app): State<AppState>,
    caller: Caller,
    Query(filter): Query<StatusFilter>,
    page: Page,
) -> Answer<VirtualNumbers> {
    let listing =
        listing(&page, filter.among(&VIRTUAL_STATUSES)?, &["id", "created_at", "virtual_num", "status"])?;
    let (virtual_numbers, total) =
        sender::list_virtual_numbers(&mut app.store.snapshot().await?, caller.user_id, &listing).await?;
    Ok(Json(VirtualNumbers { virtual_numbers, total }))
}
