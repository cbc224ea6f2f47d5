//! `GET /api/api-keys`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::account::ApiKeys;
use talkdrum_core::store::account::api_key;

use super::shown;
use crate::http::{Answer, Caller, Page};
use crate::state::AppState;

/// List your API keys in use, newest first, without their secrets.
#[utoipa::path(
    get, path = "/api/api-keys", tag = "api_key",
    params(Page),
    responses((status = 200, body = ApiKeys)),
)]
pub(super) async fn list_api_keys(
    State(app): State<AppState>,
    caller: Caller,
    page: Page,
) -> Answer<ApiKeys> {
    let mut tx = app.store.snapshot().await?;
    let (rows, total) = api_key::page(&mut tx, caller.user_id, page.offset, page.limit).await?;
    Ok(Json(ApiKeys { api_keys: rows.into_iter().map(shown).collect(), total }))
}
