//! `GET /api/get-voice-records`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::voice::VoiceRecords;
use talkdrum_core::voice::library;

use super::link::url_of;
use crate::api::list_query::window;
use crate::http::{Answer, Caller, Page};
use crate::state::AppState;

/// The caller's recordings, newest first, each with an address at which it can be heard for an hour at least.
#[utoipa::path(
    get, path = "/api/get-voice-records", tag = "voice",
    params(Page),
    responses((status = 200, body = VoiceRecords)),
)]
pub(super) async fn list_voice_records(
    State(app): State<AppState>,
    caller: Caller,
    page: Page,
) -> Answer<VoiceRecords> {
    let mut tx = app.store.snapshot().await?;
    let url = |row: &_| url_of(&app.public_url, &app.vault, row, app.clock.now());
    let (audio_urls, total) = library::page(&mut tx, caller.user_id, window(&page), url).await?;
    Ok(Json(VoiceRecords { audio_urls, total }))
}
