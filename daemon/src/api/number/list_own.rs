//! `GET /api/get-own-number`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::sender::OwnNumbers;
use talkdrum_core::sender;

use super::{OWN_STATUSES, OwnFilter};
use crate::api::list_query::{listing, status_asked};
use crate::http::{Answer, Caller, Columns, Query, SortedPage};
use crate::state::AppState;

/// What the list can be sorted by.
pub(super) enum ListColumns {}

impl Columns for ListColumns {
    const NAMES: &'static [&'static str] = &["id", "created_at", "phone_number", "status"];
}

/// The caller's own numbers, which calls verified: see `POST /api/voice-call`.
#[utoipa::path(
    get, path = "/api/get-own-number", tag = "number",
    params(OwnFilter, SortedPage<ListColumns>),
    responses((status = 200, body = OwnNumbers)),
)]
pub(super) async fn list_own_numbers(
    State(app): State<AppState>,
    caller: Caller,
    Query(filter): Query<OwnFilter>,
    page: SortedPage<ListColumns>,
) -> Answer<OwnNumbers> {
    let status = status_asked(filter.status.as_deref(), &OWN_STATUSES)?;
    let listing = listing(&page, status);
    let (own_numbers, total) =
        sender::list_own_numbers(&mut app.store.snapshot().await?, caller.user_id, &listing).await?;
    Ok(Json(OwnNumbers { own_numbers, total }))
}
