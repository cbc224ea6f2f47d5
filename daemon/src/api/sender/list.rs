//! `GET /api/get-sender-id`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::sender::SenderIds;
use talkdrum_core::model::sender::Status;
use talkdrum_core::sender;

use super::list_all::status_of;
use crate::api::list_query::{StatusFilter, listing};
use crate::http::{Answer, Caller, Page, Query};
use crate::state::AppState;

/// The caller's sender ids: what messages may be sent from, `WEBSMS` first. With `status` also those that wait or were
/// disapproved.
#[utoipa::path(
    get, path = "/api/get-sender-id", tag = "sender",
    params(("status" = Option<String>, Query, description = "`approved` unless given; `all`, `pending`, `disapproved`"),
           ("q" = Option<String>, Query), ("sort" = Option<String>, Query), ("order" = Option<String>, Query),
           ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = SenderIds)),
)]
pub(super) async fn list_sender_ids(
    State(app): State<AppState>,
    caller: Caller,
    Query(filter): Query<StatusFilter>,
    page: Page,
) -> Answer<SenderIds> {
    let status = if filter.asked().is_none() { Status::Approved.code() } else { status_of(&filter)? };
    let listing = listing(&page, status, &["id", "created_at", "sender_id", "status"])?;
    Ok(Json(sender::list_sender_ids(&mut app.store.snapshot().await?, caller.user_id, &listing).await?))
}
