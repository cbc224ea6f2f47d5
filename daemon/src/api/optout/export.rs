//! `GET /api/optouts/export` and `GET /admin/optouts/export`.

use axum::extract::State;
use axum::response::Response;
use talkdrum_core::contact::export;
use talkdrum_core::contact::suppression::Scope;

use crate::api::contact::download;
use crate::http::{AdminCaller, Caller};
use crate::state::AppState;

/// The caller's opt-outs as CSV, streamed, oldest first: phone, source, note, created_at.
#[utoipa::path(
    get, path = "/api/optouts/export", tag = "optout",
    responses((status = 200, content_type = "text/csv", body = String)),
)]
pub(super) async fn export_optouts(State(app): State<AppState>, caller: Caller) -> Response {
    download(export::optouts(&app.store, Scope::User(caller.user_id)), "optouts.csv")
}

/// The platform's opt-outs as CSV, streamed, oldest first: phone, source, note, created_at.
#[utoipa::path(
    get, path = "/admin/optouts/export", tag = "optout",
    responses((status = 200, content_type = "text/csv", body = String)),
)]
pub(super) async fn export_platform_optouts(State(app): State<AppState>, _caller: AdminCaller) -> Response {
    download(export::optouts(&app.store, Scope::Platform), "optouts.csv")
}
