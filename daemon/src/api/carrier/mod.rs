//! Carriers, for administrators.

mod breaker;
mod hold;
mod list;
mod margins;
mod reroute;
mod test_message;
mod trace;

use axum::Json;
use axum::extract::State;
use talkdrum_api::carrier::CarriersReloaded;

pub(crate) use list::all;

use crate::carriers::{self, ReloadOrder};
use crate::http::routes::{Operations, routes};
use crate::http::{AdminCaller, Answer, IdempotencyKey};
use crate::state::AppState;

pub(super) fn router() -> Operations {
    Operations::new()
        .routes(routes!(list::list_carriers))
        .routes(routes!(hold::pause_carrier))
        .routes(routes!(hold::resume_carrier))
        .routes(routes!(hold::drain_carrier))
        .routes(routes!(hold::hang_up_carrier))
        .routes(routes!(breaker::order_breaker))
        .routes(routes!(reload_carriers))
        .routes(routes!(reroute::reroute_carrier))
        .routes(routes!(test_message::test_carrier))
        .routes(routes!(test_message::show_carrier_test))
        .routes(routes!(trace::trace_carrier, trace::show_carrier_trace))
        .routes(routes!(margins::list_margins))
}

/// Have every daemon on the database read its configuration file again. Carriers and routes become those of the file:
/// unchanged carriers go on untouched, changed ones drain and restart, removed ones drain and end. An error in the file
/// of the daemon that is asked changes nothing anywhere; one elsewhere changes nothing there, and the answer says so. Waits
/// some seconds for the others.
#[utoipa::path(
    post, path = "/admin/carriers/reload", tag = "carrier",
    responses((status = 200, body = CarriersReloaded)),
)]
async fn reload_carriers(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
) -> Answer<CarriersReloaded> {
    caller.require_active()?;
    let order = ReloadOrder { by: caller.user_id, claim: key.claim(&caller, "carriers.reload", [0; 32]) };
    Ok(Json(carriers::reload_all(&app, order).await?))
}

#[cfg(test)]
mod tests;
