//! `GET /hooks/carriers/{name}/clips/{clip}`: what a carrier of calls over HTTP plays, fetched by its provider.
//!
//! The addresses are signed under the daemon's secret key and expire. The daemon that places the calls has their clips, and
//! only while a call plays them.

use std::ops::Range;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Response, StatusCode};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use futures::{Stream, stream};
use serde::Deserialize;
use subtle::ConstantTimeEq as _;
use talkdrum_core::carrier::http::voice::ClipAddresses;
use talkdrum_core::carrier::voice::CallClip;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::settings::Vault;
use talkdrum_core::time::Time;
use talkdrum_core::{Error, Result};
use utoipa::IntoParams;

use crate::http::{ApiError, Path, Query, wav};
use crate::state::AppState;

/// Addresses end at full hours, so that those of a campaign are one address, which a provider may fetch once. In
/// milliseconds.
const STEP_MS: i64 = 3_600_000;
/// How many bytes of an answer are made at once.
const PIECE_BYTES: u64 = 64 << 10;

/// The addresses of clips, signed with the daemon's secret key.
#[derive(Clone, Debug)]
pub(crate) struct ClipLinks(pub(crate) Vault);

impl ClipLinks {
    fn signature(&self, carrier: &str, clip: u64, expires: i64) -> String {
        let what = format!("{carrier}\n{clip:016x}.{expires}");
        URL_SAFE_NO_PAD.encode(self.0.hmac("call-clip", what.as_bytes()))
    }
}

impl ClipAddresses for ClipLinks {
    fn file(&self, carrier: &str, clip: u64, until: Time) -> String {
        let expires = (until.0.div_euclid(STEP_MS) + 1) * STEP_MS;
        let signature = self.signature(carrier, clip, expires);
        format!("{clip:016x}.wav?expires={expires}&signature={signature}")
    }
}

/// What proves that an address was made by this service.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Proof {
    /// When the address ends, in milliseconds.
    #[serde(default)]
    expires: i64,
    /// The signature of the rest.
    #[serde(default)]
    signature: String,
}

/// What calls over HTTP play: a WAV of 8 kHz, mono, 16 bit. A carrier of the kind `http-voice` gives its provider the
/// address, which needs no session, is good for as long as a call may take, and for an hour more at most. It may be fetched
/// several times, and one range of bytes may be asked for. 404 once no call plays it any more.
#[utoipa::path(
    get, path = "/hooks/carriers/{name}/clips/{clip}", tag = "voice",
    params(
        ("name" = String, Path, description = "The carrier's name"),
        ("clip" = String, Path, description = "The clip's file name"),
        Proof,
    ),
    responses(
        (status = 200, content_type = "audio/wav", description = "The WAV"),
        (status = 206, content_type = "audio/wav", description = "A range of it"),
    ),
    security(()),
)]
pub(super) async fn fetch_clip(
    State(app): State<AppState>,
    Path((name, file)): Path<(String, String)>,
    Query(proof): Query<Proof>,
    headers: HeaderMap,
) -> Result<Response<Body>, ApiError> {
    let id = file.strip_suffix(".wav").and_then(|id| u64::from_str_radix(id, 16).ok());
    let id = id.filter(|id| {
        let expected = ClipLinks(app.vault.clone()).signature(&name, *id, proof.expires);
        bool::from(expected.as_bytes().ct_eq(proof.signature.as_bytes())) && app.clock.now().0 < proof.expires
    });
    let Some(id) = id else {
        let says = "This address is not valid, or has expired: each call has an address of its own";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "link_expired", says));
    };
    let fleet = app.fleet.now();
    let hook = fleet.call_hooks.iter().find(|hook| hook.name() == name);
    let clip = hook.and_then(|hook| hook.inbox().shelf().clip(id));
    let clip =
        clip.ok_or(Error::NotFound("clip; it is there while a call plays it, at the daemon that calls"))?;
    // All clips share the seats of no user.
    let seat = app.clips.take(UserId::NONE)?;
    let pcm_bytes = 2 * clip.samples().len() as u64;
    Ok(wav::answer(&headers, ("clip.wav", pcm_bytes), seat, |range| pieces(clip, range)))
}

/// A range of the samples' bytes, piece by piece.
fn pieces(clip: CallClip, range: Range<u64>) -> impl Stream<Item = Result<Vec<u8>>> + Send + 'static {
    let Range { start: mut at, end } = range;
    stream::iter(std::iter::from_fn(move || {
        (at < end).then(|| {
            let to = end.min(at + PIECE_BYTES);
            let samples = clip.samples().get((at / 2) as usize..to.div_ceil(2) as usize).unwrap_or_default();
            let bytes = samples.iter().flat_map(|sample| sample.to_le_bytes());
            let piece = bytes.skip((at % 2) as usize).take((to - at) as usize).collect();
            at = to;
            Ok(piece)
        })
    }))
}

#[cfg(test)]
mod tests {
    use futures::TryStreamExt as _;

    use super::*;

    #[tokio::test]
    async fn any_range_of_bytes_is_that_of_the_samples() {
        let samples: Vec<i16> = (0..70_000).map(|n| (n % 30_011) as i16).collect();
        let bytes: Vec<u8> = samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
        let clip = CallClip::new(samples);
        for range in [0..140_000, 0..0, 1..2, 65_535..65_537, 3..131_075, 139_999..140_000] {
            let read: Vec<Vec<u8>> = pieces(clip.clone(), range.clone()).try_collect().await.unwrap();
            assert!(read.iter().all(|piece| piece.len() as u64 <= PIECE_BYTES));
            assert!(read.concat() == bytes[range.start as usize..range.end as usize], "{range:?}");
        }
    }
}
