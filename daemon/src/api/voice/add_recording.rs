//! `POST /api/recordings`.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use talkdrum_api::voice::RecordingAdded;
use talkdrum_core::voice::library;
use talkdrum_core::voice::recording::Recording;
use utoipa::ToSchema;

use super::link::url_of;
use super::mp3_file::Mp3File;
use crate::http::{ApiError, Caller, IdempotencyKey, Upload};
use crate::state::AppState;

/// A recording that is to be kept.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct RecordingForm {
    /// An MP3 of at most `voice.recording_mib` (25) MiB and `voice.recording_minutes` (10) minutes.
    #[serde(rename = "audioFile")]
    #[schema(format = Binary)]
    #[expect(dead_code, reason = "goes to the decoder; here for the document")]
    audio_file: Option<String>,
    /// What it is called, in at most 100 characters; the name of its file when it is left out.
    name: Option<String>,
}

/// Keep a recording to call with. It is decoded at once, and refused where it is no MP3 (`invalid_mp3`), damaged, too
/// short, too long or too quiet to be understood over a telephone, or where the account keeps as much as it may
/// (`recordings_quota`). The same sound is kept once: uploading it again answers the recording that is there.
#[utoipa::path(
    post, path = "/api/recordings", tag = "voice",
    request_body(content = RecordingForm, content_type = "multipart/form-data"),
    responses((status = 201, body = RecordingAdded)),
)]
pub(super) async fn add_recording(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    upload: Upload,
) -> Result<(StatusCode, Json<RecordingAdded>), ApiError> {
    caller.require_active()?;
    app.disk.check()?;
    let (limits, quotas, user) = (app.recording_limits, app.quotas, caller.user_id);
    let mut file = Mp3File::new(app.spool_dir.clone(), app.disk.clone(), limits);
    let form = upload.read::<RecordingForm>(&["audioFile"], &mut file).await?;
    let (mp3, file_name) = file.into_file()?;
    let name = library::name_of(form.data.name.as_deref(), file_name.as_deref())?;
    let claim = key.claim(&caller, "recording.add", form.digest);
    let (store, clock) = (app.store.clone(), Arc::clone(&app.clock));
    let add = async move {
        let recording = Recording::decode_in_background(mp3, limits).await?;
        library::add(&store, &*clock, (user, name), &recording, quotas, claim).await
    };
    let added = app.decodings.read(true, user, add).await?;
    let url = |row: &_| url_of(&app.public_url, &app.vault, row, app.clock.now());
    let recording = library::show(&mut app.store.read().await?, user, added.id, url).await?;
    let message = if added.is_new { "Recording added" } else { "You have this recording already" };
    Ok((StatusCode::CREATED, Json(RecordingAdded { message: message.to_owned(), recording })))
}
