//! `POST /api/kingschat/start`.

use axum::Json;
use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, HeaderValue};
use serde::Serialize;
use talkdrum_core::account::kingschat::flow;
use utoipa::ToSchema;

use super::{COOKIE, failed, require_on};
use crate::http::ApiError;
use crate::http::rate::ClientAddress;
use crate::state::AppState;

/// A sign-in that was begun.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ChatStarted {
    /// Where to send the person.
    url: String,
    /// What this browser shows to get its session: `POST /api/kingschat/finish`. It goes nowhere else.
    state: String,
    /// When both are worth nothing any more.
    expires_at: String,
}

/// Begin to sign in by KingsChat's newer flow. The answer's cookie ties what comes back to this browser.
#[utoipa::path(
    post, path = "/api/kingschat/start", tag = "kingschat", security(()),
    responses((status = 200, body = ChatStarted)),
)]
pub(super) async fn start_kingschat(
    State(app): State<AppState>,
    ClientAddress(address): ClientAddress,
) -> Result<(HeaderMap, Json<ChatStarted>), ApiError> {
    require_on(&app)?;
    app.login_rate.check(address)?;
    begun(&app, None, app.login_rate.knows(address)).await
}

/// Begins a sign-in, or a link of a user in one of the user's sessions.
pub(super) async fn begun(
    app: &AppState,
    link_to: Option<(i64, i64)>,
    is_known: bool,
) -> Result<(HeaderMap, Json<ChatStarted>), ApiError> {
    let now = app.clock.now();
    let started = flow::start(&app.store, app.entropy.as_ref(), link_to, is_known, now).await?;
    let url = app.kingschat.login_page(started.origin.reveal()).map_err(|error| failed(&error))?;
    let state = started.state.reveal().to_owned();
    // KingsChat comes back by a form from its own site, which only a cookie for all sites survives; browsers take such
    // a one only where it is secure.
    let reach = if app.public_url.starts_with("https://") { "SameSite=None; Secure" } else { "SameSite=Lax" };
    let life = flow::LIVES_FOR.as_secs();
    let cookie = format!("{COOKIE}={state}; Path=/api/kingschat; Max-Age={life}; HttpOnly; {reach}");
    let mut headers = HeaderMap::new();
    headers.insert(SET_COOKIE, HeaderValue::from_str(&cookie).map_err(|_| ApiError::internal("cookie"))?);
    let expires_at = started.expires_at.to_rfc3339();
    Ok((headers, Json(ChatStarted { url: url.into(), state, expires_at })))
}
