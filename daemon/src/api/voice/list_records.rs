//! `GET /api/get-voice-records`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::voice::VoiceRecords;
use talkdrum_core::voice;

use crate::api::list_query::window;
use crate::http::{Answer, Caller, Page};
use crate::state::AppState;

/// Recordings the caller has called with, newest first. There are none before voice is there.
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
    let (audio_urls, total) = voice::recordings(&mut tx, caller.user_id, window(&page)).await?;
    Ok(Json(VoiceRecords { audio_urls, total }))
}
