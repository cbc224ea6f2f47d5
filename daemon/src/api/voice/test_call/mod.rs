//! `POST /api/voice-test` and `GET /api/voice-test/{id}`.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use futures::TryStreamExt as _;
use serde::Deserialize;
use talkdrum_api::voice::VoiceTest;
use talkdrum_core::carrier::voice::CallClip;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::voice::id::{RecordingId, TestCallId};
use talkdrum_core::phone::{self, Msisdn};
use talkdrum_core::store::account::profile;
use talkdrum_core::voice::clip;
use talkdrum_core::voice::library;
use talkdrum_core::voice::speech::SpeechText;
use talkdrum_core::voice::test_call::{NotAdmitted, Played, SECONDS_MAX};
use talkdrum_core::{Error, Result};
use utoipa::ToSchema;

use super::link::id_of;
use super::trunks::{AsOfNow, trunks};
use crate::http::{Answer, ApiError, Caller, Form, Path};
use crate::state::AppState;

/// Bytes of the samples of a recording that a test call plays.
const BYTES_MAX: u64 = 2 * clip::RATE as u64 * SECONDS_MAX as u64;

/// What the caller wants to hear.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct VoiceTestForm {
    /// A text, of at most `voice.text_chars` (1,600) characters.
    #[serde(rename = "ttsMsg")]
    tts_msg: Option<String>,
    /// `uk-female`, which it is when it is left out, `us-female`, `uk-male` or `us-male`.
    #[serde(rename = "ttsVoice")]
    tts_voice: Option<String>,
    /// A recording of the caller's instead: its `audioFileUrl`, or its id.
    #[serde(rename = "audioUrl")]
    audio_url: Option<String>,
}

/// What is played.
enum TestSource {
    Text(SpeechText),
    Recording(RecordingId),
}

impl VoiceTestForm {
    fn source(&self, characters_max: usize) -> Result<TestSource> {
        let given = |field: &Option<String>| field.as_deref().is_some_and(|text| !text.trim().is_empty());
        let Some(url) = self.audio_url.as_deref().filter(|_| given(&self.audio_url)) else {
            let (message, voice) = (self.tts_msg.as_deref(), self.tts_voice.as_deref());
            return Ok(TestSource::Text(SpeechText::parse(message, voice, characters_max)?));
        };
        if given(&self.tts_msg) {
            return Err(Error::field(
                "audioUrl",
                "text_and_recording",
                "A call plays a text or a recording: leave out ttsMsg or audioUrl",
            ));
        }
        id_of(url).map(TestSource::Recording).ok_or_else(|| {
            let says = "This is no recording of yours: take audioFileUrl from the list of recordings";
            Error::field("audioUrl", "bad_audio_url", says)
        })
    }
}

/// Have your own verified phone called, and hear what a call will say: a text or a recording, of which the first two
/// minutes are played. Nothing is charged. The answer comes when the call is begun; `GET /api/voice-test/{id}` tells how it
/// goes. Another trunk is tried only where the first one fails. At most 5 an hour and 15 a day
/// (`limits.test_calls_per_day`), fewer until the account is funded, one at a time; 403 where there are none at all. 503
/// where no trunk takes calls now.
#[utoipa::path(
    post, path = "/api/voice-test", tag = "voice",
    request_body = VoiceTestForm,
    responses((status = 200, body = VoiceTest)),
)]
pub(super) async fn test_voice(
    State(app): State<AppState>,
    caller: Caller,
    form: Form<VoiceTestForm>,
) -> Answer<VoiceTest> {
    caller.require_active()?;
    let user = caller.user_id;
    let source = form.data.source(app.speech_characters_max)?;
    let to = own_phone(&app, user).await?;
    app.prefixes.check(to)?;
    if matches!(source, TestSource::Text(_)) {
        app.preview_rate.check(user)?;
    }
    trunks(&app).await?;
    let admission = app.test_calls.admit(user, to).await?.map_err(refusal)?;
    let played = match source {
        TestSource::Text(text) => {
            let speech = app.speech.clone();
            let clip = app.previews.read(true, user, async move { speech.say(text).await }).await?;
            Played { clip: samples(move || clip.samples(SECONDS_MAX)).await?, recording: None }
        }
        TestSource::Recording(id) => Played { clip: recorded(&app, user, id).await?, recording: Some(id) },
    };
    // A trunk may have been paused while the text was spoken.
    let (trunks, permit) = (trunks(&app).await?, AsOfNow::of(&app));
    let id = admission.begin(trunks, Arc::new(permit), played).await?.map_err(refusal)?;
    tracing::info!(test = id.0, user_id = user.0, "voice.test");
    Ok(Json(app.test_calls.show(user, id)?))
}

/// How a test call goes. The daemon that places it remembers it, for a day and until it restarts.
#[utoipa::path(
    get, path = "/api/voice-test/{id}", tag = "voice",
    params(("id" = i64, Path, description = "The test call's id")),
    responses((status = 200, body = VoiceTest)),
)]
pub(super) async fn show_voice_test(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<TestCallId>,
) -> Answer<VoiceTest> {
    Ok(Json(app.test_calls.show(caller.user_id, id)?))
}

/// The phone that the user proved to have.
async fn own_phone(app: &AppState, user: UserId) -> Result<Msisdn> {
    let number = profile::verified_phone(&mut app.store.read().await?, user).await?;
    number.and_then(|number| phone::parse(&number).ok()).ok_or_else(|| {
        Error::rule(
            "phone_unverified",
            "A test call goes to your own phone: give its number in your profile and verify it first",
        )
    })
}

/// The beginning of a recording of the user's. It is read piece by piece.
async fn recorded(app: &AppState, user: UserId, id: RecordingId) -> Result<CallClip, ApiError> {
    let record = library::show(&mut app.store.read().await?, user, id, |_| String::new()).await?;
    let bytes = u64::try_from(record.bytes).unwrap_or_default().min(BYTES_MAX);
    let pieces: Vec<Vec<u8>> = library::pcm(app.store.clone(), id, 0..bytes).try_collect().await?;
    samples(move || clip::samples_of(&pieces.concat(), SECONDS_MAX)).await
}

/// Reads samples where no other request waits for it.
async fn samples(read: impl FnOnce() -> Vec<i16> + Send + 'static) -> Result<CallClip, ApiError> {
    let samples = tokio::task::spawn_blocking(read).await;
    samples.map(CallClip::new).map_err(|_| {
        ApiError::unavailable("shutting_down", "The daemon is shutting down; try again in a moment")
    })
}

fn refusal(why: NotAdmitted) -> ApiError {
    let says = why.to_string();
    match why {
        NotAdmitted::UnderWay(_) => ApiError::new(StatusCode::CONFLICT, "test_under_way", says),
        NotAdmitted::TooMany { wait, .. } => {
            ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_tests", says).after(wait.as_secs() + 1)
        }
        NotAdmitted::Busy => ApiError::unavailable("tests_busy", says),
        NotAdmitted::DayFull(wait) => ApiError::unavailable("tests_used_up", says).after(wait.as_secs() + 1),
        NotAdmitted::Unfunded => ApiError::new(StatusCode::FORBIDDEN, "tests_unfunded", says),
        NotAdmitted::TurnedOff => ApiError::new(StatusCode::FORBIDDEN, "tests_off", says),
    }
}

#[cfg(test)]
mod tests;
