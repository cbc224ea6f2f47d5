//! Whether the daemon lives, is ready, and how it fares: open, for supervisors and collectors.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use serde::Serialize;
use talkdrum_core::store::operations::generation;
use utoipa::ToSchema;

use crate::http::routes::{Operations, routes};
use crate::state::AppState;

pub(super) fn router() -> Operations {
    Operations::new().routes(routes!(healthz)).routes(routes!(readyz)).routes(routes!(metrics))
}

/// The process lives.
#[utoipa::path(get, path = "/healthz", tag = "health", security(()), responses((status = 200, body = String)))]
async fn healthz() -> &'static str {
    "ok\n"
}

/// Whether the daemon takes work, and what it lacks.
#[derive(Debug, Serialize, ToSchema)]
struct Ready {
    /// Whether requests should be sent here.
    ready: bool,
    /// What is wrong, in words. Some of it, such as a hold, leaves the daemon ready.
    notes: Vec<String>,
    /// Whether stand-ins surround the daemon.
    sandbox: bool,
}

/// Whether the daemon takes work: 503 while it stops or cannot reach its database.
#[utoipa::path(
    get, path = "/readyz", tag = "health", security(()),
    responses((status = 200, body = Ready), (status = 503, body = Ready)),
)]
async fn readyz(State(app): State<AppState>) -> (StatusCode, Json<Ready>) {
    let mut notes = Vec::new();
    let mut ready = true;
    if app.readiness.is_stopping() {
        ready = false;
        notes.push("the daemon is shutting down".to_owned());
    }
    match hold(&app).await {
        Ok(Some(reason)) => notes.push(format!("dispatch is held: {reason}; see 'talkdrumd release-hold'")),
        Ok(None) => {}
        Err(error) => {
            tracing::warn!(code = error.code(), %error, "not ready");
            ready = false;
            notes.push("the database cannot be read".to_owned());
        }
    }
    if let Err(error) = app.disk.check() {
        notes.push(error.to_string());
    }
    let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(Ready { ready, notes, sandbox: app.sandbox.is_some() }))
}

async fn hold(app: &AppState) -> talkdrum_core::Result<Option<String>> {
    Ok(generation::held(&mut app.store.read().await?).await?.map(|hold| hold.reason))
}

/// Metrics in Prometheus' text format.
#[utoipa::path(
    get, path = "/metrics", tag = "health", security(()),
    responses((status = 200, body = String, content_type = "text/plain")),
)]
async fn metrics(State(app): State<AppState>) -> impl IntoResponse {
    ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], app.metrics.render())
}
