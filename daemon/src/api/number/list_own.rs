//! `GET /api/get-own-number`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::sender::OwnNumbers;
use talkdrum_core::sender;

use super::OWN_STATUSES;
use crate::api::list_query::{StatusFilter, listing};
use crate::http::{Answer, Caller, Page, Query};
use crate::state::AppState;

/// The caller's own numbers. They are verified by a call, so there are none before voice is there.
#[utoipa::path(
    get, path = "/api/get-own-number", tag = "number",
    params(("status" = Option<String>, Query), ("q" = Option<String>, Query),
           ("sort" = Option<String>, Query), ("order" = Option<String>, Query),
           ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = OwnNumbers)),
)]
pub(super) async fn list_own_numbers(
    State(app): State<AppState>,
    caller: Caller,
    Query(filter): Query<StatusFilter>,
    page: Page,
) -> Answer<OwnNumbers> {
    let listing =
        listing(&page, filter.among(&OWN_STATUSES)?, &["id", "created_at", "phone_number", "status"])?;
    let (own_numbers, total) =
        sender::list_own_numbers(&mut app.store.snapshot().await?, caller.user_id, &listing).await?;
    Ok(Json(OwnNumbers { own_numbers, total }))
}
