//! Recipients before there is a message for them.

mod check;

use utoipa_axum::router::OpenApiRouter;

use crate::http::routes::routes;
use crate::state::AppState;

pub(super) fn lengthy() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(check::check_recipients))
}
