//! The Do-Not-Disturb list, for administrators.

mod import;

use axum::Json;
use axum::extract::State;
use talkdrum_api::dnd::DndNumbers;
use talkdrum_core::routing::dnd;

use crate::http::routes::{Operations, routes};
use crate::http::{AdminCaller, Answer, Page};
use crate::state::AppState;

pub(super) fn router() -> Operations {
    Operations::new().routes(routes!(list_dnd, import::import_dnd))
}

/// The numbers on the Do-Not-Disturb list, in order.
#[utoipa::path(
    get, path = "/admin/dnd", tag = "carrier",
    params(Page),
    responses((status = 200, body = DndNumbers)),
)]
async fn list_dnd(State(app): State<AppState>, _caller: AdminCaller, page: Page) -> Answer<DndNumbers> {
    let (numbers, total) = dnd::list(&app.store, page.offset, page.limit).await?;
    Ok(Json(DndNumbers { numbers: numbers.iter().map(ToString::to_string).collect(), total }))
}
