//! Imports of contacts, and how far they are.
//!
//! Nothing here writes contacts; the importer of the domain does, also when the client goes away.

mod events;
mod into_group;
mod list;
mod new_group;
mod rejects;
pub(super) mod request;
mod show;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(super) fn brief() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list::list_imports)).routes(routes!(show::show_import))
}

pub(super) fn lengthy() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(into_group::import_into_group))
        .routes(routes!(new_group::import_into_new_group))
        .routes(routes!(rejects::list_import_rejects))
        .routes(routes!(events::watch_import))
}

#[cfg(test)]
mod tests;
