//! `GET /api/get-sent-voice-sms`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::voice::VoiceReports;
use talkdrum_core::campaign::report::voice_reports::voice_reports;
use talkdrum_core::model::page::Scope;

use super::link::url_of;
use crate::api::list_query::window;
use crate::http::{Answer, Caller, Page};
use crate::state::AppState;

/// The caller's calls to many, newest first.
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
    let url = |row: &_| url_of(&app.public_url, &app.vault, row, app.clock.now());
    Ok(Json(voice_reports(&mut tx, Scope::Own(caller.user_id), window(&page), url).await?))
}
