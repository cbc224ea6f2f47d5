//! `GET /api/webhooks/{id}/deliveries`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::query::DeliveryQuery;
use talkdrum_api::webhook::WebhookDeliveries;
use talkdrum_core::Error;
use talkdrum_core::model::webhook::event::DeliveryStatus;
use talkdrum_core::model::webhook::id::WebhookId;
use talkdrum_core::store::webhook::delivery;
use talkdrum_core::webhook::endpoint;

use super::shown_delivery;
use crate::api::list_query::scope;
use crate::http::{Answer, Caller, Page, Path, Query};
use crate::state::AppState;

/// The log of a webhook, newest first: what was sent, what was answered, what is tried again. Kept for 30 days.
/// Administrators see all users'.
#[utoipa::path(
    get, path = "/api/webhooks/{id}/deliveries", tag = "webhook",
    params(("id" = i64, Path), DeliveryQuery, Page),
    responses((status = 200, body = WebhookDeliveries)),
)]
pub(super) async fn list_webhook_deliveries(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<WebhookId>,
    Query(filter): Query<DeliveryQuery>,
    page: Page,
) -> Answer<WebhookDeliveries> {
    let bad = || Error::field("status", "bad_status", "status must be pending, delivered or failed");
    let status = match &*filter.status {
        "" => None,
        status => Some(DeliveryStatus::from_code(status).ok_or_else(bad)?),
    };
    let mut tx = app.store.snapshot().await?;
    endpoint::find(&mut tx, scope(&caller), id).await?;
    let rows = delivery::page(&mut tx, id, status, page.limit, page.offset).await?;
    let total = delivery::count(&mut tx, id, status).await?;
    Ok(Json(WebhookDeliveries { deliveries: rows.into_iter().map(shown_delivery).collect(), total }))
}
