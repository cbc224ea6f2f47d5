//! `POST /api/webhooks/{id}/redeliver-failed`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::webhook::Redelivered;
use talkdrum_core::store::Lane;
use talkdrum_core::webhook::endpoint;

use crate::api::list_query::scope;
use crate::http::{Answer, Caller, Path};
use crate::state::AppState;

/// Deliver everything again that was given up, up to 1,000 deliveries, oldest first: after the receiver was mended.
/// Administrators, anybody's.
#[utoipa::path(
    post, path = "/api/webhooks/{id}/redeliver-failed", tag = "webhook",
    params(("id" = i64, Path)),
    responses((status = 200, body = Redelivered)),
)]
pub(super) async fn redeliver_failed_webhooks(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<i64>,
) -> Answer<Redelivered> {
    app.trial_rate.check(caller.user_id)?;
    let count = app
        .store
        .write(
            Lane::Interactive,
            (scope(&caller), caller.user_id, id, app.clock.now()),
            |tx, (scope, by, id, now)| Box::pin(endpoint::redeliver_failed(tx, (*scope, *by), *id, *now)),
        )
        .await?;
    let redelivered = i64::try_from(count).unwrap_or(i64::MAX);
    Ok(Json(Redelivered { redelivered, message: format!("{redelivered} deliveries are made again now") }))
}
