//! `GET /api/webhooks/{id}/deliveries/{delivery}`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::webhook::WebhookDeliveryDetails;
use talkdrum_core::Error;
use talkdrum_core::model::webhook_event::body;
use talkdrum_core::store::webhook::delivery;
use talkdrum_core::webhook::endpoint;

use super::shown_delivery;
use crate::api::list_query::scope;
use crate::http::{Answer, Caller, Path};
use crate::state::AppState;

/// Show a delivery with the body that was sent.
#[utoipa::path(
    get, path = "/api/webhooks/{id}/deliveries/{delivery}", tag = "webhook",
    params(("id" = i64, Path), ("delivery" = i64, Path)),
    responses((status = 200, body = WebhookDeliveryDetails)),
)]
pub(super) async fn show_webhook_delivery(
    State(app): State<AppState>,
    caller: Caller,
    Path((id, delivery)): Path<(i64, i64)>,
) -> Answer<WebhookDeliveryDetails> {
    let mut tx = app.store.snapshot().await?;
    endpoint::find(&mut tx, scope(&caller), id).await?;
    let (row, stored) = delivery::find(&mut tx, id, delivery).await?.ok_or(Error::NotFound("delivery"))?;
    Ok(Json(WebhookDeliveryDetails { delivery: shown_delivery(row), body: body(&stored)? }))
}
