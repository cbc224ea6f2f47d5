//! Quotes that were made: what they promise, and which entries they left out.

mod rejects;
mod show;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(show::show_quote)).routes(routes!(rejects::list_quote_rejects))
}
