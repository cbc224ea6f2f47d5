//! Maintenance mode: switched by administrators, asked by all.

mod switch;

use axum::Json;
use axum::extract::State;
use talkdrum_api::setting::MaintenanceStatus;
use talkdrum_core::platform::maintenance;
use talkdrum_core::platform::maintenance::Maintenance;

use crate::http::Answer;
use crate::http::routes::{Operations, routes};
use crate::state::AppState;

pub(super) fn router() -> Operations {
    Operations::new()
        .routes(routes!(switch::enable_maintenance))
        .routes(routes!(switch::disable_maintenance))
        .routes(routes!(show_maintenance))
        .routes(routes!(show_maintenance_to_visitors))
}

/// The wire form of the state.
fn shown(state: &Maintenance) -> MaintenanceStatus {
    MaintenanceStatus {
        maintenance_mode: if state.is_on { "1" } else { "0" }.to_owned(),
        message: state.message.clone(),
        updated_at: state.updated_at.map(talkdrum_core::Time::to_rfc3339),
    }
}

/// Whether the platform is in maintenance; open, as pages of visitors ask.
#[utoipa::path(
    get, path = "/admin/get-maintenance-status", tag = "maintenance", security(()),
    responses((status = 200, body = MaintenanceStatus)),
)]
async fn show_maintenance(State(app): State<AppState>) -> Answer<MaintenanceStatus> {
    Ok(Json(shown(&maintenance::status(&mut app.store.read().await?).await?)))
}

/// Whether the platform is in maintenance.
#[utoipa::path(
    get, path = "/api/get-maintenance-status", tag = "maintenance", security(()),
    responses((status = 200, body = MaintenanceStatus)),
)]
async fn show_maintenance_to_visitors(state: State<AppState>) -> Answer<MaintenanceStatus> {
    show_maintenance(state).await
}
