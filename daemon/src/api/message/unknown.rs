//! `GET /admin/unknown-messages`.

use axum::Json;
use axum::extract::State;
use talkdrum_core::api::campaign::Messages;
use talkdrum_core::campaign::report;

use crate::api::reading::window;
use crate::http::{AdminCaller, Answer, Page};
use crate::state::AppState;

/// Everybody's messages of which nobody knows whether they were sent, oldest first.
#[utoipa::path(
    get, path = "/admin/unknown-messages", tag = "message",
    params(("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = Messages)),
)]
pub(super) async fn list_unknown_messages(
    State(app): State<AppState>,
    _caller: AdminCaller,
    page: Page,
) -> Answer<Messages> {
    let mut tx = app.store.read().await?;
    Ok(Json(report::unknown(&mut tx, window(&page), &app.desk.networks).await?))
}
