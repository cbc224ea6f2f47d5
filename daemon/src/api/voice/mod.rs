//! Voice, as far as it goes: previews of texts that are spoken, and lists of recordings and calls to many.

mod list_all_sent;
mod list_records;
mod list_sent;
mod preview;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(preview::preview_voice))
        .routes(routes!(list_records::list_voice_records))
        .routes(routes!(list_sent::list_sent_voice))
        .routes(routes!(list_all_sent::list_all_sent_voice))
}
