//! `GET /api/optouts` and `GET /admin/optouts`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::contact::OptOuts;
use talkdrum_core::contact::suppression::{self, Scope};

use crate::http::{AdminCaller, Answer, Caller, Page};
use crate::state::AppState;

/// Numbers that get no messages of the caller; `q` searches number and note.
#[utoipa::path(
    get, path = "/api/optouts", tag = "optout",
    params(("q" = Option<String>, Query), ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = OptOuts)),
)]
pub(super) async fn list_optouts(State(app): State<AppState>, caller: Caller, page: Page) -> Answer<OptOuts> {
    let mut tx = app.store.snapshot().await?;
    let scope = Scope::User(caller.user_id);
    Ok(Json(suppression::list(&mut tx, scope, &page.q, page.offset, page.limit).await?))
}

/// Numbers that get no messages of anybody; `q` searches number and note.
#[utoipa::path(
    get, path = "/admin/optouts", tag = "optout",
    params(("q" = Option<String>, Query), ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = OptOuts)),
)]
pub(super) async fn list_platform_optouts(
    State(app): State<AppState>,
    _caller: AdminCaller,
    page: Page,
) -> Answer<OptOuts> {
    let mut tx = app.store.snapshot().await?;
    Ok(Json(suppression::list(&mut tx, Scope::Platform, &page.q, page.offset, page.limit).await?))
}
