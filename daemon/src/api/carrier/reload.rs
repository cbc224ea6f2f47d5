//! `POST /admin/carriers/reload`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::carrier::CarriersReloaded;

use crate::http::{AdminCaller, Answer, IdempotencyKey};
use crate::lifecycle::{self, Order};
use crate::state::AppState;

/// Have every daemon on the database read its configuration file again. Carriers and routes become those of the file:
/// unchanged carriers go on untouched, changed ones drain and start anew, removed ones drain and end. An error in the file
/// of the daemon that is asked changes nothing anywhere; one elsewhere changes nothing there, and the answer says so. Waits
/// some seconds for the others.
#[utoipa::path(
    post, path = "/admin/carriers/reload", tag = "carrier",
    responses((status = 200, body = CarriersReloaded)),
)]
pub(super) async fn reload_carriers(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
) -> Answer<CarriersReloaded> {
    caller.require_active()?;
    let order = Order { by: caller.user_id, claim: key.claim(&caller, "carriers.reload", [0; 32]) };
    Ok(Json(lifecycle::reload_all(&app, order).await?))
}
