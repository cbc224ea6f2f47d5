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
    list(&app, caller.user_id, Scope::User(caller.user_id), page).await
}

/// Numbers that get no messages of anybody; `q` searches number and note.
#[utoipa::path(
    get, path = "/admin/optouts", tag = "optout",
    params(("q" = Option<String>, Query), ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = OptOuts)),
)]
pub(super) async fn list_platform_optouts(
    State(app): State<AppState>,
    caller: AdminCaller,
    page: Page,
) -> Answer<OptOuts> {
    list(&app, caller.user_id, Scope::Platform, page).await
}

async fn list(app: &AppState, user: i64, scope: Scope, page: Page) -> Answer<OptOuts> {
    let (store, is_scan) = (app.store.clone(), suppression::is_scan(&page.q));
    let read = async move {
        let mut tx = store.snapshot().await?;
        suppression::list(&mut tx, scope, &page.q, page.offset, page.limit).await
    };
    Ok(Json(app.scans.read(is_scan, user, read).await?))
}
