//! `GET /admin/get-maintenance-status` and `GET /api/get-maintenance-status`: both open, as pages of visitors ask.

use axum::Json;
use axum::extract::State;
use talkdrum_api::setting::MaintenanceStatus;
use talkdrum_core::platform::maintenance;

use super::shown;
use crate::http::Answer;
use crate::state::AppState;

/// Whether the platform is in maintenance; open, as pages of visitors ask.
#[utoipa::path(
    get, path = "/admin/get-maintenance-status", tag = "maintenance", security(()),
    responses((status = 200, body = MaintenanceStatus)),
)]
pub(super) async fn show_maintenance(State(app): State<AppState>) -> Answer<MaintenanceStatus> {
    Ok(Json(shown(&maintenance::status(&mut app.store.read().await?).await?)))
}

/// Whether the platform is in maintenance.
#[utoipa::path(
    get, path = "/api/get-maintenance-status", tag = "maintenance", security(()),
    responses((status = 200, body = MaintenanceStatus)),
)]
pub(super) async fn show_maintenance_to_visitors(state: State<AppState>) -> Answer<MaintenanceStatus> {
    show_maintenance(state).await
}
