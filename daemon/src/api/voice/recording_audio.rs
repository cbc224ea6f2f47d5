//! `GET /api/recordings/{id}/audio`.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Response, StatusCode};
use talkdrum_core::time::Time;
use talkdrum_core::voice::library;

use super::link::Proof;
use crate::http::{ApiError, Path, Query, wav};
use crate::state::AppState;

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
pub(super) async fn play_recording(
    State(app): State<AppState>,
    Path(id): Path<i64>,
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
