//! The audit trail, for administrators.

mod list;

use utoipa_axum::router::OpenApiRouter;

use crate::http::routes::routes;
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list::list_audit))
}
