//! Single messages: sending one, finding them by number, explaining one, lists of failed and of unknown ones, and
//! resolving unknown ones.

mod failed;
mod find;
mod inbound;
mod resolve;
mod send;
mod unknown;
mod why;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(failed::list_failed_messages))
        .routes(routes!(find::find_messages, send::send_message))
        .routes(routes!(inbound::list_inbound_messages))
        .routes(routes!(why::explain_message))
        .routes(routes!(unknown::list_unknown_messages))
        .routes(routes!(resolve::resolve_messages))
}
