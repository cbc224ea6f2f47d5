//! `GET /api/webhooks`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::webhook::Webhooks;
use talkdrum_core::store::webhook;

use super::shown;
use crate::http::{Answer, Caller};
use crate::state::AppState;

/// List your webhooks: at most 20, so there are no pages.
#[utoipa::path(get, path = "/api/webhooks", tag = "webhook", responses((status = 200, body = Webhooks)))]
pub(super) async fn list_webhooks(State(app): State<AppState>, caller: Caller) -> Answer<Webhooks> {
    let rows = webhook::of_user(&mut app.store.read().await?, caller.user_id).await?;
    let webhooks: Vec<_> = rows.into_iter().map(shown).collect();
    Ok(Json(Webhooks { total: i64::try_from(webhooks.len()).unwrap_or(i64::MAX), webhooks }))
}
