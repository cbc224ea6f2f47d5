//! `GET /admin/get-own-numbers`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::sender::OwnNumbers;
use talkdrum_core::sender;

use super::OWN_STATUSES;
use crate::api::list_query::{StatusFilter, listing};
use crate::http::{AdminCaller, Answer, Page, Query};
use crate::state::AppState;

/// Everybody's own numbers; `q` searches numbers and user names. There are none before voice is there.
#[utoipa::path(
    get, path = "/admin/get-own-numbers", tag = "number",
    params(("status" = Option<String>, Query), ("q" = Option<String>, Query),
           ("sort" = Option<String>, Query), ("order" = Option<String>, Query),
           ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = OwnNumbers)),
)]
pub(super) async fn list_all_own_numbers(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Query(filter): Query<StatusFilter>,
    page: Page,
) -> Answer<OwnNumbers> {
    let listing = listing(
        &page,
        filter.among(&OWN_STATUSES)?,
        &["id", "created_at", "phone_number", "username", "status"],
    )?;
    let (own_numbers, total) =
        sender::list_all_own_numbers(&mut app.store.snapshot().await?, &listing).await?;
    Ok(Json(OwnNumbers { own_numbers, total }))
}
