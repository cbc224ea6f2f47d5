//! Carriers, for administrators.

mod list;
mod margins;

pub(crate) use list::all;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list::list_carriers)).routes(routes!(margins::list_margins))
}
