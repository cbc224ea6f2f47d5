//! Maintenance mode: switched by administrators, asked by all.

mod status;
mod switch;

use talkdrum_api::setting::MaintenanceStatus;
use talkdrum_core::platform::maintenance::Maintenance;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(switch::enable_maintenance))
        .routes(routes!(switch::disable_maintenance))
        .routes(routes!(status::show_maintenance))
        .routes(routes!(status::show_maintenance_to_visitors))
}

/// The wire form of the state.
fn shown(state: &Maintenance) -> MaintenanceStatus {
    MaintenanceStatus {
        maintenance_mode: if state.is_on { "1" } else { "0" }.to_owned(),
        message: state.message.clone(),
        updated_at: state.updated_at.map(talkdrum_core::Time::to_rfc3339),
    }
}
