//! Groups of contacts.

mod create;
mod delete;
mod export;
mod list;
mod show;
mod update;

use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(super) fn brief() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(create::create_group))
        .routes(routes!(list::list_groups))
        .routes(routes!(show::show_group))
        .routes(routes!(update::update_group))
        .routes(routes!(delete::delete_group))
}

pub(super) fn lengthy() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(export::export_group))
}

/// What a group is called.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct GroupForm {
    /// Its name, which no other group of the caller has.
    #[serde(default)]
    group_name: String,
    /// What it is for.
    #[serde(default)]
    description: String,
}

#[cfg(test)]
mod tests;
