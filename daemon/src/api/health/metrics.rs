//! `GET /metrics`.

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;

use crate::state::AppState;

/// Metrics in Prometheus' text format.
#[utoipa::path(
    get, path = "/metrics", tag = "health", security(()),
    responses((status = 200, body = String, content_type = "text/plain")),
)]
pub(super) async fn metrics(State(app): State<AppState>) -> impl IntoResponse {
    ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], app.metrics.render())
}
