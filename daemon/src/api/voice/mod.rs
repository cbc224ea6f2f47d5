//! Voice: previews of texts that are spoken, recordings that are kept, calls that try either on its author, calls to many
//! and lists of them.

mod add_recording;
mod call;
mod delete_recording;
mod link;
mod list_all_sent;
mod list_records;
mod list_sent;
mod mp3_file;
mod own_number_call;
mod preview;
mod recording_audio;
mod test_call;
mod trunks;

pub(super) use link::url_of;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(super) fn brief() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(preview::preview_voice))
        .routes(routes!(list_records::list_voice_records))
        .routes(routes!(delete_recording::delete_recording))
        .routes(routes!(test_call::test_voice))
        .routes(routes!(test_call::show_voice_test))
        .routes(routes!(own_number_call::show_own_number_call))
        .routes(routes!(list_sent::list_sent_voice))
        .routes(routes!(list_all_sent::list_all_sent_voice))
}

pub(super) fn lengthy() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(add_recording::add_recording))
        .routes(routes!(call::call_many))
        .routes(routes!(recording_audio::play_recording))
}

#[cfg(test)]
mod tests;
