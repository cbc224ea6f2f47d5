//! Sender ids: requested by users, decided by administrators.

mod approve;
mod disapprove;
mod list;
mod list_all;
mod request;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(request::request_sender_ids))
        .routes(routes!(list::list_sender_ids))
        .routes(routes!(list_all::list_all_sender_ids))
        .routes(routes!(approve::approve_sender_id))
        .routes(routes!(disapprove::disapprove_sender_id))
}
