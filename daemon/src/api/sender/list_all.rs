//! `GET /admin/get-sender-ids`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::sender::AllSenderIds;
use talkdrum_core::model::sender::Status;
use talkdrum_core::{Result, sender};

use crate::api::list_query::{StatusFilter, listing};
use crate::http::{AdminCaller, Answer, Page, Query};
use crate::state::AppState;

/// The status of a query; empty for all.
pub(super) fn status_of(filter: &StatusFilter) -> Result<&'static str> {
    match filter.asked() {
        None | Some("all") => Ok(""),
        Some(status) => Ok(status.parse::<Status>()?.code()),
    }
}

/// Everybody's sender ids; `q` searches sender ids and user names.
#[utoipa::path(
    get, path = "/admin/get-sender-ids", tag = "sender",
    params(("status" = Option<String>, Query, description = "`all`, `pending`, `approved`, `disapproved`"),
           ("q" = Option<String>, Query), ("sort" = Option<String>, Query), ("order" = Option<String>, Query),
           ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = AllSenderIds)),
)]
pub(super) async fn list_all_sender_ids(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Query(filter): Query<StatusFilter>,
    page: Page,
) -> Answer<AllSenderIds> {
    let columns = ["id", "created_at", "sender_id", "username", "status"];
    let listing = listing(&page, status_of(&filter)?, &columns)?;
    let (senderids, total) = sender::list_all_sender_ids(&mut app.store.snapshot().await?, &listing).await?;
    Ok(Json(AllSenderIds { senderids, total }))
}
