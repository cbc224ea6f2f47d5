//! `GET /api/webhooks/{id}`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::webhook::Webhook;
use talkdrum_core::webhook::endpoint;

use super::shown;
use crate::api::list_query::scope;
use crate::http::{Answer, Caller, Path};
use crate::state::AppState;

/// Show one of your webhooks; administrators, anybody's.
#[utoipa::path(
    get, path = "/api/webhooks/{id}", tag = "webhook",
    params(("id" = i64, Path)),
    responses((status = 200, body = Webhook)),
)]
pub(super) async fn show_webhook(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<i64>,
) -> Answer<Webhook> {
    let row = endpoint::find(&mut app.store.read().await?, scope(&caller), id).await?;
    Ok(Json(shown(row)))
}
