//! Carriers, for administrators.

mod hold;
mod list;
mod margins;
mod reload;
mod reroute;
mod test;
#[cfg(test)]
mod tests;
mod trace;

pub(crate) use list::all;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::list_carriers))
        .routes(routes!(hold::pause_carrier))
        .routes(routes!(hold::resume_carrier))
        .routes(routes!(hold::drain_carrier))
        .routes(routes!(hold::hang_up_carrier))
        .routes(routes!(reload::reload_carriers))
        .routes(routes!(reroute::reroute_carrier))
        .routes(routes!(test::test_carrier))
        .routes(routes!(test::show_carrier_test))
        .routes(routes!(trace::trace_carrier, trace::show_carrier_trace))
        .routes(routes!(margins::list_margins))
}
