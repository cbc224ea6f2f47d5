//! Virtual numbers, assigned by administrators, and own numbers.

mod assign_virtual;
mod delete_virtual;
mod list_all_own;
mod list_all_virtual;
mod list_own;
mod list_virtual;
mod request_virtual;

use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

/// Which virtual numbers.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct VirtualFilter {
    /// `all`, `pending` or `approved`.
    status: Option<String>,
}

/// Which own numbers.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct OwnFilter {
    /// `all`, `pending` or `verified`.
    status: Option<String>,
}

/// What virtual numbers can be.
const VIRTUAL_STATUSES: [&str; 2] = ["pending", "approved"];
/// What own numbers can be.
const OWN_STATUSES: [&str; 2] = ["pending", "verified"];

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(request_virtual::request_virtual_number))
        .routes(routes!(list_virtual::list_virtual_numbers))
        .routes(routes!(list_all_virtual::list_all_virtual_numbers))
        .routes(routes!(assign_virtual::assign_virtual_number))
        .routes(routes!(delete_virtual::delete_virtual_number))
        .routes(routes!(list_own::list_own_numbers))
        .routes(routes!(list_all_own::list_all_own_numbers))
}
