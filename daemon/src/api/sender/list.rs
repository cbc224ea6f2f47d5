//! `GET /api/get-sender-id`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::sender::SenderIds;
use talkdrum_core::model::sender::Status;
use talkdrum_core::sender;
use utoipa::IntoParams;

use super::list_all::status_of;
use crate::api::list_query::listing;
use crate::http::{Answer, Caller, Columns, Query, SortedPage};
use crate::state::AppState;

/// Which of them.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct OwnSenderFilter {
    /// `approved` unless given; `all`, `pending`, `disapproved`.
    status: Option<String>,
}

/// What a user's sender ids can be sorted by.
pub(super) enum OwnSenderColumns {}

impl Columns for OwnSenderColumns {
    const NAMES: &'static [&'static str] = &["id", "created_at", "sender_id", "status"];
}

/// The caller's sender ids: what messages may be sent from, `WEBSMS` first. With `status` also those that wait or were
/// disapproved.
#[utoipa::path(
    get, path = "/api/get-sender-id", tag = "sender",
    params(OwnSenderFilter, SortedPage<OwnSenderColumns>),
    responses((status = 200, body = SenderIds)),
)]
pub(super) async fn list_sender_ids(
    State(app): State<AppState>,
    caller: Caller,
    Query(filter): Query<OwnSenderFilter>,
    page: SortedPage<OwnSenderColumns>,
) -> Answer<SenderIds> {
    let asked = filter.status.as_deref().filter(|status| !status.trim().is_empty());
    let listing = listing(&page, status_of(asked.or(Some(Status::Approved.code())))?);
    Ok(Json(sender::list_sender_ids(&mut app.store.snapshot().await?, caller.user_id, &listing).await?))
}
