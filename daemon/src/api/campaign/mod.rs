//! Campaigns: quoted, confirmed, watched, steered and reported.
//!
//! Nothing here decides a price or who may be charged; the campaign service of core does.

mod breakdown;
mod cancel;
mod confirm;
mod control;
mod events;
mod export;
mod export_period;
mod form;
mod history;
mod history_all;
mod last_sent;
mod messages;
mod pause;
mod quote;
mod resend;
mod resume;
mod routes;
mod sent;
mod show;
mod spool;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(super) use crate::http::stream_limit::Seat;
pub(super) use confirm::tell_administrators;
pub(super) use form::{BIG, sources};
pub(super) use quote::offer;
pub(super) use spool::Spool;

pub(super) fn brief() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(show::show_campaign))
        .routes(routes!(history::list_campaigns))
        .routes(routes!(history_all::list_all_campaigns))
        .routes(routes!(sent::list_sent_messages))
        .routes(routes!(last_sent::show_last_sent_message))
        .routes(routes!(messages::list_campaign_messages))
        .routes(routes!(pause::pause_campaign))
        .routes(routes!(resume::resume_campaign))
        .routes(routes!(cancel::cancel_campaign))
}

pub(super) fn lengthy() -> OpenApiRouter<AppState> {
    routes::router()
        .routes(routes!(resend::resend_campaign))
        .routes(routes!(breakdown::break_down_campaign))
        .routes(routes!(export::export_campaign))
        .routes(routes!(export_period::export_delivery_reports))
        .routes(routes!(events::watch_campaign))
}
