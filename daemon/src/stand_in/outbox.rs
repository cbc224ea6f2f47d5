//! `GET /sandbox/outbox`: what the platform itself sent, `[{to, channel, subject, text, at}]`, newest last. See
//! [`crate::sandbox::outbox`].

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};

use crate::sandbox::outbox::Sent;
use crate::state::AppState;

/// `/sandbox/outbox`.
pub(super) fn router() -> Router<AppState> {
    Router::new().route("/outbox", get(read))
}

async fn read(State(app): State<AppState>) -> Json<Vec<Sent>> {
    Json(app.sandbox.as_ref().map(|sandbox| sandbox.outbox.read()).unwrap_or_default())
}
