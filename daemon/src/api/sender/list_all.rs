//! `GET /admin/get-sender-ids`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::sender::AllSenderIds;
use talkdrum_core::model::sender::Status;
use talkdrum_core::{Result, sender};
use utoipa::IntoParams;

use crate::api::list_query::{asked, listing};
use crate::http::{AdminCaller, Answer, Columns, Query, SortedPage};
use crate::state::AppState;

/// Which of them.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct SenderFilter {
    /// `all`, `pending`, `approved`, `disapproved`.
    status: Option<String>,
}

/// What all sender ids can be sorted by.
pub(super) enum SenderColumns {}

impl Columns for SenderColumns {
    const NAMES: &'static [&'static str] = &["id", "created_at", "sender_id", "username", "status"];
}

/// The status of a query; empty for all.
pub(super) fn status_of(status: Option<&str>) -> Result<&'static str> {
    let status = asked(status).map(str::parse::<Status>).transpose()?;
    Ok(status.map(Status::code).unwrap_or_default())
}

/// Everybody's sender ids; `q` searches sender ids and user names.
#[utoipa::path(
    get, path = "/admin/get-sender-ids", tag = "sender",
    params(SenderFilter, SortedPage<SenderColumns>),
    responses((status = 200, body = AllSenderIds)),
)]
pub(super) async fn list_all_sender_ids(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Query(filter): Query<SenderFilter>,
    page: SortedPage<SenderColumns>,
) -> Answer<AllSenderIds> {
    let listing = listing(&page, status_of(filter.status.as_deref())?);
    let (senderids, total) = sender::list_all_sender_ids(&mut app.store.snapshot().await?, &listing).await?;
    Ok(Json(AllSenderIds { senderids, total }))
}
