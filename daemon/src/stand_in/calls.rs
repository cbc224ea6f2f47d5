//! The stand-in for everybody's phone for calls: who was called, and what was heard.
//!
//! `GET /sandbox/calls` answers `[{to, from, status, answered_at, ended_at, seconds, rtp_packets, rms, digits, ended_by,
//! wav}]` of the newest 1,000 calls, newest last, in memory only. `wav` is where the first two minutes of what was heard
//! are, for the newest 16 calls that were answered. What a number does is told by its last four digits
//! ([`talkdrum_sip::callee`]).

use std::time::{SystemTime, UNIX_EPOCH};

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;
use talkdrum_core::Error;
use talkdrum_core::time::Time;
use talkdrum_core::voice::clip;
use talkdrum_sip::EndedBy;
use talkdrum_sip::callee::CalleeCall;

use crate::http::{ApiError, Path};
use crate::state::AppState;

/// One call.
#[derive(Debug, Serialize)]
struct Heard {
    to: String,
    from: String,
    status: &'static str,
    answered_at: Option<String>,
    ended_at: Option<String>,
    seconds: f64,
    rtp_packets: u64,
    rms: u16,
    digits: String,
    ended_by: Option<&'static str>,
    wav: Option<String>,
}

/// `/sandbox/calls`.
pub(super) fn router() -> Router<AppState> {
    Router::new().route("/calls", get(list)).route("/calls/{file}", get(listen))
}

async fn list(State(app): State<AppState>) -> Json<Vec<Heard>> {
    let Some(sandbox) = &app.sandbox else { return Json(Vec::new()) };
    let callee = &sandbox.callee;
    let wav = |id| callee.audio(id).map(|_| format!("/sandbox/calls/{id}.wav"));
    Json(callee.calls().into_iter().map(|call| Heard { wav: wav(call.id), ..Heard::of(call) }).collect())
}

impl Heard {
    fn of(call: CalleeCall) -> Self {
        let up = call.duration();
        Self {
            // To the millisecond, as it is written: a sum of floats shows more digits than there are.
            seconds: format!("{}.{:03}", up.as_secs(), up.subsec_millis()).parse().unwrap_or_default(),
            status: call.status.name(),
            answered_at: call.answered_at.map(shown),
            ended_at: call.ended_at.map(shown),
            rtp_packets: call.rtp_packets,
            rms: call.rms,
            digits: call.digits,
            ended_by: call.ended_by.map(|by| match by {
                EndedBy::Caller => "caller",
                EndedBy::Callee => "callee",
                EndedBy::Trunk => "trunk",
            }),
            to: call.to,
            from: call.from,
            wav: None,
        }
    }
}

fn shown(at: SystemTime) -> String {
    (Time(0) + at.duration_since(UNIX_EPOCH).unwrap_or_default()).to_rfc3339()
}

/// What was heard of a call, as a WAV.
async fn listen(State(app): State<AppState>, Path(file): Path<String>) -> Result<Response<Body>, ApiError> {
    let id = file.strip_suffix(".wav").and_then(|id| id.parse().ok());
    let samples = id.and_then(|id| app.sandbox.as_ref()?.callee.audio(id)).ok_or(Error::NotFound("call"))?;
    let write = move || {
        let header = clip::header(u32::try_from(2 * samples.len()).unwrap_or(u32::MAX));
        let samples = samples.iter().flat_map(|sample| sample.to_le_bytes());
        header.into_iter().chain(samples).collect::<Vec<u8>>()
    };
    let wav = tokio::task::spawn_blocking(write).await.map_err(|_| ApiError::internal("cut_off"))?;
    let mut response = Response::new(Body::from(Bytes::from(wav)));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("audio/wav"));
    Ok(response)
}
