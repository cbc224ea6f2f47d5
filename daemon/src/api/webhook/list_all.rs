//! `GET /admin/webhooks`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::webhook::Webhooks;
use talkdrum_core::store::db::listing::like_pattern;
use talkdrum_core::store::webhook;

use super::shown;
use crate::http::{AdminCaller, Answer, Page, Search};
use crate::state::AppState;

/// List every user's webhooks, newest first; `q` searches addresses, descriptions and user names.
#[utoipa::path(
    get, path = "/admin/webhooks", tag = "webhook",
    params(Search, Page),
    responses((status = 200, body = Webhooks)),
)]
pub(super) async fn list_all_webhooks(
    State(app): State<AppState>,
    _caller: AdminCaller,
    search: Search,
    page: Page,
) -> Answer<Webhooks> {
    let mut tx = app.store.snapshot().await?;
    let pattern = like_pattern(&search.q.to_lowercase());
    let rows = webhook::page(&mut tx, &pattern, page.limit, page.offset).await?;
    let total = webhook::total(&mut tx, &pattern).await?;
    Ok(Json(Webhooks { webhooks: rows.into_iter().map(shown).collect(), total }))
}
