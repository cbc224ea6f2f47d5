//! `POST /api/webhooks/{id}/test`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::webhook::WebhookDelivery;
use talkdrum_core::store::Lane;
use talkdrum_core::store::webhook::delivery;
use talkdrum_core::webhook::endpoint;
use talkdrum_core::{Error, Result};

use super::shown_delivery;
use crate::http::{Answer, Caller, Path};
use crate::state::AppState;

/// Send a trial, the event `webhook.test`, to a webhook. The log shows what came of it.
#[utoipa::path(
    post, path = "/api/webhooks/{id}/test", tag = "webhook",
    params(("id" = i64, Path)),
    responses((status = 200, body = WebhookDelivery)),
)]
pub(super) async fn test_webhook(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<i64>,
) -> Answer<WebhookDelivery> {
    app.trial_rate.check(caller.user_id)?;
    let row = app
        .store
        .write(Lane::Interactive, (caller.user_id, id, app.clock.now()), |tx, (user_id, id, now)| {
            Box::pin(async move {
                let delivery = endpoint::test(tx, *user_id, *id, *now).await?;
                let found = delivery::find(tx, *id, delivery).await?;
                Ok::<_, Error>(found.ok_or(Error::NotFound("delivery"))?.0)
            })
        })
        .await as Result<_>;
    Ok(Json(shown_delivery(row?)))
}
