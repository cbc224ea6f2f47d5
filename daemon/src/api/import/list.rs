//! `GET /api/imports`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::contact::Imports;
use talkdrum_core::contact::import;

use crate::http::{Answer, Caller, Page};
use crate::state::AppState;

/// The caller's imports, newest first. They are kept for 30 days.
#[utoipa::path(
    get, path = "/api/imports", tag = "import",
    params(Page),
    responses((status = 200, body = Imports)),
)]
pub(super) async fn list_imports(State(app): State<AppState>, caller: Caller, page: Page) -> Answer<Imports> {
    let mut tx = app.store.snapshot().await?;
    Ok(Json(import::list(&mut tx, caller.user_id, page.offset, page.limit).await?))
}
