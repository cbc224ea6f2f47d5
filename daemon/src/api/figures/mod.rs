//! The platform's figures, for administrators.

mod show;
mod watch;

use utoipa_axum::router::OpenApiRouter;

use crate::http::routes::routes;
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(show::show_figures))
}

pub(super) fn lengthy() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(watch::watch_figures))
}
