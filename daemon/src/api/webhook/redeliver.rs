//! `POST /api/webhooks/{id}/deliveries/{delivery}/redeliver`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::webhook::Redelivered;
use talkdrum_core::store::Lane;
use talkdrum_core::webhook::endpoint;

use crate::api::list_query::scope;
use crate::http::{Answer, Caller, Path};
use crate::state::AppState;

/// Deliver one event again, whatever became of it; administrators, anybody's.
#[utoipa::path(
    post, path = "/api/webhooks/{id}/deliveries/{delivery}/redeliver", tag = "webhook",
    params(("id" = i64, Path), ("delivery" = i64, Path)),
    responses((status = 200, body = Redelivered)),
)]
pub(super) async fn redeliver_webhook(
    State(app): State<AppState>,
    caller: Caller,
    Path((id, delivery)): Path<(i64, i64)>,
) -> Answer<Redelivered> {
    app.trial_rate.check(caller.user_id)?;
    app.store
        .write(
            Lane::Interactive,
            (scope(&caller), caller.user_id, id, delivery, app.clock.now()),
            |tx, (scope, by, id, delivery, now)| {
                Box::pin(endpoint::redeliver(tx, (*scope, *by), *id, *delivery, *now))
            },
        )
        .await?;
    Ok(Json(Redelivered { redelivered: 1, message: "It is delivered again now".into() }))
}
