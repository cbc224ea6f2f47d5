//! `POST /admin/carriers/reload`.

use axum::Json;
use axum::extract::State;
use talkdrum_core::api::carrier::CarriersReloaded;

use crate::http::{AdminCaller, Answer};
use crate::lifecycle;
use crate::state::AppState;

/// Read the configuration file of this daemon again. Carriers and routes become those of the file: unchanged carriers go
/// on untouched, changed ones drain and start anew, removed ones drain and end. A file with an error changes nothing.
/// Asking twice does no more than asking once.
#[utoipa::path(
    post, path = "/admin/carriers/reload", tag = "carrier",
    responses((status = 200, body = CarriersReloaded)),
)]
pub(super) async fn reload_carriers(
    State(app): State<AppState>,
    caller: AdminCaller,
) -> Answer<CarriersReloaded> {
    caller.require_active()?;
    Ok(Json(lifecycle::reload(&app, Some(caller.user_id)).await?))
}
