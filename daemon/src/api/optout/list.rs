//! `GET /api/optouts` and `GET /admin/optouts`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::contact::OptOuts;
use talkdrum_core::contact::suppression::{self, Scope};

use crate::http::{AdminCaller, Answer, Caller, Page, Search};
use crate::state::AppState;

/// Numbers that get no messages of the caller; `q` searches number and note.
#[utoipa::path(
    get, path = "/api/optouts", tag = "optout",
    params(Search, Page),
    responses((status = 200, body = OptOuts)),
)]
pub(super) async fn list_optouts(
    State(app): State<AppState>,
    caller: Caller,
    search: Search,
    page: Page,
) -> Answer<OptOuts> {
    list(&app, caller.user_id, Scope::User(caller.user_id), (search, page)).await
}

/// Numbers that get no messages of anybody; `q` searches number and note.
#[utoipa::path(
    get, path = "/admin/optouts", tag = "optout",
    params(Search, Page),
    responses((status = 200, body = OptOuts)),
)]
pub(super) async fn list_platform_optouts(
    State(app): State<AppState>,
    caller: AdminCaller,
    search: Search,
    page: Page,
) -> Answer<OptOuts> {
    list(&app, caller.user_id, Scope::Platform, (search, page)).await
}

async fn list(
    app: &AppState,
    user: i64,
    scope: Scope,
    (Search { q }, page): (Search, Page),
) -> Answer<OptOuts> {
    let (store, is_scan) = (app.store.clone(), suppression::is_scan(&q));
    let read = async move {
        let mut tx = store.snapshot().await?;
        suppression::list(&mut tx, scope, &q, page.offset, page.limit).await
    };
    Ok(Json(app.scans.read(is_scan, user, read).await?))
}
