//! Histories of transactions.

mod list;
mod list_all;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::list_transactions))
        .routes(routes!(list_all::list_all_transactions))
}
