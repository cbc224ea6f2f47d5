//! `GET /admin/get-virtual-numbers`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::sender::VirtualNumbers;
use talkdrum_core::sender;

use super::VIRTUAL_STATUSES;
use crate::api::list_query::{StatusFilter, listing};
use crate::http::{AdminCaller, Answer, Page, Query};
use crate::state::AppState;

/// Everybody's virtual numbers and requests for one; `q` searches numbers and user names.
#[utoipa::path(
    get, path = "/admin/get-virtual-numbers", tag = "number",
    params(("status" = Option<String>, Query), ("q" = Option<String>, Query),
           ("sort" = Option<String>, Query), ("order" = Option<String>, Query),
           ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = VirtualNumbers)),
)]
pub(super) async fn list_all_virtual_numbers(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Query(filter): Query<StatusFilter>,
    page: Page,
) -> Answer<VirtualNumbers> {
    let listing = listing(
        &page,
        filter.among(&VIRTUAL_STATUSES)?,
        &["id", "created_at", "virtual_num", "username", "status"],
    )?;
    let (virtual_numbers, total) =
        sender::list_all_virtual_numbers(&mut app.store.snapshot().await?, &listing).await?;
    Ok(Json(VirtualNumbers { virtual_numbers, total }))
}
