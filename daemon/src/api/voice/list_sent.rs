//! `GET /api/get-sent-voice-sms`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::voice::VoiceReports;
use talkdrum_core::model::page::Scope;
use talkdrum_core::voice;

use crate::api::list_query::window;
use crate::http::{Answer, Caller, Page};
use crate::state::AppState;

/// The caller's calls to many, newest first. There are none before voice is there.
#[utoipa::path(
    get, path = "/api/get-sent-voice-sms", tag = "voice",
    params(Page),
    responses((status = 200, body = VoiceReports)),
)]
pub(super) async fn list_sent_voice(
    State(app): State<AppState>,
    caller: Caller,
    page: Page,
) -> Answer<VoiceReports> {
    let mut tx = app.store.snapshot().await?;
    let (voice_sms, total) = voice::reports(&mut tx, Scope::Own(caller.user_id), window(&page)).await?;
    Ok(Json(VoiceReports { voice_sms, total }))
}
