//! Voice: previews of texts that are spoken, recordings that are kept, calls that try either on its author, calls to many
//! and lists of them.

mod add_recording;
mod call;
mod link;
mod mp3_file;
mod preview;
mod test_call;
mod trunks;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Response, StatusCode};
use link::Proof;
use talkdrum_api::account::Message;
use talkdrum_api::sender::OwnNumberCall;
use talkdrum_api::voice::{VoiceRecords, VoiceReports};
use talkdrum_core::campaign::report::voice_reports::voice_reports;
use talkdrum_core::model::page::RecordScope;
use talkdrum_core::model::sender::id::OwnCallId;
use talkdrum_core::model::voice::id::RecordingId;
use talkdrum_core::sender::own_number;
use talkdrum_core::store::Lane;
use talkdrum_core::store::operations::idempotency::once;
use talkdrum_core::time::Time;
use talkdrum_core::voice::library;

pub(super) use link::url_of;

use crate::api::list_query::window;
use crate::http::routes::{Operations, routes};
use crate::http::{AdminCaller, Answer, ApiError, Caller, IdempotencyKey, Page, Path, Query, wav};
use crate::state::AppState;

pub(super) fn brief() -> Operations {
    Operations::new()
        .routes(routes!(preview::preview_voice))
        .routes(routes!(list_voice_records))
        .routes(routes!(delete_recording))
        .routes(routes!(test_call::test_voice))
        .routes(routes!(test_call::show_voice_test))
        .routes(routes!(show_own_number_call))
        .routes(routes!(list_sent_voice))
        .routes(routes!(list_all_sent_voice))
}

pub(super) fn lengthy() -> Operations {
    Operations::new()
        .routes(routes!(add_recording::add_recording))
        .routes(routes!(call::call_many))
        .routes(routes!(play_recording))
}

/// The caller's calls to many, newest first.
#[utoipa::path(
    get, path = "/api/get-sent-voice-sms", tag = "voice",
    params(Page),
    responses((status = 200, body = VoiceReports)),
)]
async fn list_sent_voice(State(app): State<AppState>, caller: Caller, page: Page) -> Answer<VoiceReports> {
    let mut tx = app.store.snapshot().await?;
    let url = |row: &_| url_of(&app.public_url, &app.vault, row, app.clock.now());
    Ok(Json(voice_reports(&mut tx, RecordScope::Own(caller.user_id), window(&page), url).await?))
}

/// All users' calls to many, newest first.
#[utoipa::path(
    get, path = "/admin/get-all-sent-voice-sms", tag = "voice",
    params(Page),
    responses((status = 200, body = VoiceReports)),
)]
async fn list_all_sent_voice(
    State(app): State<AppState>,
    _caller: AdminCaller,
    page: Page,
) -> Answer<VoiceReports> {
    let mut tx = app.store.snapshot().await?;
    let url = |row: &_| url_of(&app.public_url, &app.vault, row, app.clock.now());
    Ok(Json(voice_reports(&mut tx, RecordScope::All, window(&page), url).await?))
}

/// The caller's recordings, newest first, each with an address at which it can be heard for an hour at least.
#[utoipa::path(
    get, path = "/api/get-voice-records", tag = "voice",
    params(Page),
    responses((status = 200, body = VoiceRecords)),
)]
async fn list_voice_records(State(app): State<AppState>, caller: Caller, page: Page) -> Answer<VoiceRecords> {
    let mut tx = app.store.snapshot().await?;
    let url = |row: &_| url_of(&app.public_url, &app.vault, row, app.clock.now());
    let (audio_urls, total) = library::page(&mut tx, caller.user_id, window(&page), url).await?;
    Ok(Json(VoiceRecords { audio_urls, total }))
}

/// Delete a recording. Its address plays nothing any more.
#[utoipa::path(
    delete, path = "/api/recordings/{id}", tag = "voice",
    params(("id" = i64, Path, description = "The recording's id")),
    responses((status = 200, body = Message)),
)]
async fn delete_recording(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Path(id): Path<RecordingId>,
) -> Answer<Message> {
    let input = (key.claim_on(&caller, "recording.delete", id.0), caller.user_id, id, app.clock.now());
    let delete = app.store.write(Lane::Interactive, input, |tx, (claim, user, id, now)| {
        Box::pin(async move {
            once(tx, claim.as_ref(), *now, async |tx| {
                library::delete(tx, *user, *id, *now).await.map(|()| *id)
            })
            .await
        })
    });
    delete.await?;
    Ok(Json(Message { message: "Recording deleted".into() }))
}

/// How a call goes that speaks a code to an own number, and what of it is charged. It is kept for 30 days.
#[utoipa::path(
    get, path = "/api/own-number-calls/{id}", tag = "voice",
    params(("id" = i64, Path, description = "The call's id")),
    responses((status = 200, body = OwnNumberCall)),
)]
async fn show_own_number_call(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<OwnCallId>,
) -> Answer<OwnNumberCall> {
    Ok(Json(own_number::show_call(&mut app.store.read().await?, caller.user_id, id).await?))
}

/// A recording as it is called with: a WAV of 8 kHz, mono, 16 bit. The address is `audioFileUrl` of the list, is good for
/// an hour at least, and needs no session. One range of bytes may be asked for, as players do.
#[utoipa::path(
    get, path = "/api/recordings/{id}/audio", tag = "voice",
    params(("id" = i64, Path, description = "The recording's id"), Proof),
    responses(
        (status = 200, content_type = "audio/wav", description = "The WAV"),
        (status = 206, content_type = "audio/wav", description = "A range of it"),
    ),
    security(()),
)]
async fn play_recording(
    State(app): State<AppState>,
    Path(id): Path<RecordingId>,
    Query(proof): Query<Proof>,
    headers: HeaderMap,
) -> Result<Response<Body>, ApiError> {
    if !proof.is_valid(&app.vault, id, app.clock.now()) {
        return Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "link_expired",
            "This address is not valid, or has expired: take the new one from the list of recordings",
        ));
    }
    let (pcm_bytes, owner) = library::pcm_bytes(&mut app.store.read().await?, id, Time(proof.made)).await?;
    let seat = app.players.take(owner)?;
    let name = "recording.wav";
    Ok(wav::answer(&headers, (name, pcm_bytes), seat, |samples| library::pcm(app.store.clone(), id, samples)))
}

#[cfg(test)]
mod tests;
