//! `GET /api/avatars/{token}`.

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderValue, Response};
use talkdrum_core::Error;
use talkdrum_core::store::account::profile;

use crate::http::{ApiError, Path};
use crate::state::AppState;

/// A user's picture, at the address that the profile shows: a browser asks for it without a token, so the address
/// itself cannot be guessed, and a new picture has a new one.
#[utoipa::path(
    get, path = "/api/avatars/{token}", tag = "profile", security(()),
    params(("token" = String, Path, description = "What the profile shows")),
    responses((status = 200, content_type = "image/*", description = "The picture")),
)]
pub(super) async fn show_avatar(
    State(app): State<AppState>,
    Path(token): Path<String>,
) -> Result<Response<Body>, ApiError> {
    let found = profile::avatar(&mut app.store.read().await?, &token).await?;
    let (media_type, data) = found.ok_or(Error::NotFound("picture"))?;
    let mut response = Response::new(Body::from(data));
    let headers = response.headers_mut();
    let media_type = HeaderValue::from_str(&media_type)
        .map_err(|_| Error::Corrupt("a picture's media type cannot be read".into()))?;
    headers.insert(CONTENT_TYPE, media_type);
    headers.insert(CONTENT_DISPOSITION, HeaderValue::from_static("inline"));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; sandbox"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, max-age=86400, immutable"));
    Ok(response)
}
