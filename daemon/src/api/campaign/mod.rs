//! Campaigns: quoted, confirmed, watched, steered and reported.
//!
//! The invariant: nothing here decides a price or who may be charged; the desk of the domain does.

mod confirm;
mod form;
mod kinds;
mod quote;
mod show;
mod spool;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(super) use quote::offer;

pub(super) fn brief() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(show::show_campaign))
}

pub(super) fn lengthy() -> OpenApiRouter<AppState> {
    kinds::router()
}
