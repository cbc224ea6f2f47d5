//! `POST /api/voice-preview`.

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderValue, Response};
use serde::Deserialize;
use talkdrum_core::voice::speech::SpeechText;
use utoipa::ToSchema;

use crate::http::{ApiError, Form, ReadingCaller};
use crate::state::AppState;

/// A text that is to be heard.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct VoicePreviewForm {
    /// The text, of at most `voice.text_chars` (1,600) characters. Amounts, dates and numbers are said in words.
    #[serde(rename = "ttsMsg")]
    tts_msg: Option<String>,
    /// `uk-female`, which it is when it is left out, `us-female`, `uk-male` or `us-male`.
    #[serde(rename = "ttsVoice")]
    tts_voice: Option<String>,
}

/// A text as a call will say it: a WAV of 8 kHz, mono, 16 bit. Nothing is charged. Clips are kept, so that the same text
/// is there at once. 503 `speech_unavailable` where the server has no speech engine.
#[utoipa::path(
    post, path = "/api/voice-preview", tag = "voice",
    request_body = VoicePreviewForm,
    responses((status = 200, content_type = "audio/wav", description = "The WAV")),
)]
pub(super) async fn preview_voice(
    State(app): State<AppState>,
    caller: ReadingCaller,
    form: Form<VoicePreviewForm>,
) -> Result<Response<Body>, ApiError> {
    caller.require_active()?;
    let form = form.data;
    let text =
        SpeechText::parse(form.tts_msg.as_deref(), form.tts_voice.as_deref(), app.speech_characters_max)?;
    app.preview_rate.check(caller.user_id)?;
    let speech = app.speech.clone();
    let clip = app.previews.read(true, caller.user_id, async move { speech.say(text).await }).await?;
    let mut response = Response::new(Body::from(Bytes::from_owner(clip)));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("audio/wav"));
    headers.insert(CONTENT_DISPOSITION, HeaderValue::from_static("inline; filename=\"preview.wav\""));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, max-age=3600"));
    Ok(response)
}

#[cfg(test)]
mod tests {
    use reqwest::Method;
    use talkdrum_core::model::account::user::Role;

    use crate::limit::PREVIEWS_PER_MINUTE;
    use crate::testing::{Reply, TestDaemon};

    const PATH: &str = "/api/voice-preview";

    /// Channels, samples a second and bits, and the samples, of a WAV with the shortest header.
    fn wav(bytes: &[u8]) -> ((u8, u32, u8), Vec<i16>) {
        assert_eq!((&bytes[..4], &bytes[8..16]), (&b"RIFF"[..], &b"WAVEfmt "[..]));
        let rate = u32::from_le_bytes(bytes[24..28].try_into().unwrap());
        let samples = bytes[44..].chunks(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
        ((bytes[22], rate, bytes[34]), samples)
    }

    async fn heard(daemon: &TestDaemon, token: &str, form: &[(&str, &str)]) -> Vec<u8> {
        let reply = daemon.request(Method::POST, PATH, token).form(form).send().await.unwrap();
        let header = |name: &str| reply.headers()[name].to_str().unwrap().to_owned();
        assert_eq!(reply.status(), 200);
        assert_eq!(header("content-type"), "audio/wav");
        assert_eq!(header("cache-control"), "private, max-age=3600");
        reply.bytes().await.unwrap().to_vec()
    }

    async fn refused(daemon: &TestDaemon, token: &str, form: &[(&str, &str)]) -> (u16, String, Reply) {
        let reply = daemon.post(PATH, token, form).await;
        (reply.status, reply.code(), reply)
    }

    /// Needs espeak-ng, which `.ci/prepare test` installs.
    #[tokio::test]
    async fn a_text_is_heard_in_the_voice_that_was_asked_for() {
        let daemon = TestDaemon::start().await;
        let ada = daemon.signed_in("ada", Role::User).await;
        let text = ("ttsMsg", "Dear Ada, pay ₦25,000 by 12/03/2026.");
        let first = heard(&daemon, &ada, &[text]).await;
        let (format, samples) = wav(&first);
        assert_eq!(format, (1, 8_000, 16));
        assert!((3..=10).contains(&(samples.len() / 8_000)), "{} samples", samples.len());
        assert!(samples.iter().any(|sample| sample.unsigned_abs() > 3_000));
        assert_eq!(heard(&daemon, &ada, &[text, ("ttsVoice", "uk-female")]).await, first);
        assert_ne!(heard(&daemon, &ada, &[text, ("ttsVoice", "us-male")]).await, first);
        let made = daemon.post("/api/api-keys", &ada, &[("name", "cron"), ("scopes", "read")]).await;
        let key = made.json()["key"].as_str().unwrap().to_owned();
        assert_eq!(heard(&daemon, &key, &[text]).await, first);
    }

    #[tokio::test]
    async fn what_cannot_be_said_is_refused_in_order_and_names_its_field() {
        let daemon =
            TestDaemon::start_with(|settings| settings.voice.text_chars = 5.try_into().unwrap()).await;
        let ada = daemon.signed_in("ada", Role::User).await;
        for (form, code, field, said) in [
            (&[][..], "voice_message_required", "ttsMsg", "Voice Message is required"),
            (&[("ttsMsg", " "), ("ttsVoice", "x")], "voice_message_required", "ttsMsg", "is required"),
            (
                &[("ttsMsg", "too long"), ("ttsVoice", "x")],
                "unknown_voice",
                "ttsVoice",
                "uk-female, us-female",
            ),
            (&[("ttsMsg", "too long")], "voice_message_too_long", "ttsMsg", "may have 5"),
            (&[("ttsMsg", "...")], "nothing_to_say", "ttsMsg", "write some words"),
        ] {
            let (status, found, reply) = refused(&daemon, &ada, form).await;
            assert_eq!((status, &*found), (400, code), "{}", reply.text);
            let problem = reply.json();
            assert_eq!(problem["errors"][0]["field"], field);
            assert!(problem["message"].as_str().unwrap().contains(said), "{}", reply.text);
        }
    }

    #[tokio::test]
    async fn without_an_engine_the_daemon_serves_and_says_what_to_install() {
        let daemon = TestDaemon::start_with(|settings| {
            settings.voice.engine = ["/nowhere/engine", "{voice}"].map(str::to_owned).to_vec();
        })
        .await;
        let ada = daemon.signed_in("ada", Role::User).await;
        let (status, code, reply) = refused(&daemon, &ada, &[("ttsMsg", "Hello")]).await;
        assert_eq!((status, &*code), (503, "speech_unavailable"));
        assert!(reply.text.contains("'/nowhere/engine' is not installed"), "{}", reply.text);
    }

    #[tokio::test]
    async fn a_user_s_previews_are_bounded_at_once_and_by_the_minute() {
        let daemon = TestDaemon::start_with(|settings| {
            settings.voice.engine = ["/bin/sh", "-c", "exit 1", "{voice}"].map(str::to_owned).to_vec();
        })
        .await;
        let id = daemon.user("ada", Role::User).await;
        let ada = daemon.login("ada").await;
        let eve = daemon.signed_in("eve", Role::User).await;
        let turn = daemon.app().previews.take(id).await.unwrap();
        let (status, code, _) = refused(&daemon, &ada, &[("ttsMsg", "Hello")]).await;
        assert_eq!((status, &*code), (429, "too_many_previews"));
        assert_eq!(refused(&daemon, &eve, &[("ttsMsg", "Hello")]).await.1, "speech_failed");
        drop(turn);
        for _ in 1..PREVIEWS_PER_MINUTE.get() {
            // The bucket refills slowly; what it gave back by now may be used as well.
            let _ = daemon.app().preview_rate.check(id);
        }
        let (status, code, reply) = loop {
            let refused = refused(&daemon, &ada, &[("ttsMsg", "Hello")]).await;
            if refused.0 != 503 {
                break refused;
            }
        };
        assert_eq!((status, &*code), (429, "too_many_requests"));
        assert!(reply.headers.contains_key("retry-after"));
    }
}
