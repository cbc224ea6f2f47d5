//! Whether the daemon lives, is ready, and how it fares: open, for supervisors and collectors.

mod healthz;
mod metrics;
mod readyz;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(healthz::healthz))
        .routes(routes!(readyz::readyz))
        .routes(routes!(metrics::metrics))
}
