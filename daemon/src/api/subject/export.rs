//! `GET /admin/subjects/{number}/export`.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse;
use futures::TryStreamExt as _;
use talkdrum_core::model::platform::audit::AuditAction;
use talkdrum_core::operate::subject;

use crate::http::{AdminCaller, ApiError, Path};
use crate::state::AppState;

/// Everything that is held about a number over all users, as JSON lines, streamed: first the number, then a line for each
/// row with `table`, `class` and `row`; messages come last, each with its text, history and ledger entries, and then
/// `{"complete": true}`. It is in the audit trail, which names the last digits alone.
#[utoipa::path(
    get, path = "/admin/subjects/{number}/export", tag = "subject",
    params(("number" = String, Path, description = "The number, in any usual form")),
    responses((status = 200, content_type = "application/jsonl", body = String)),
)]
pub(super) async fn export_subject(
    State(app): State<AppState>,
    caller: AdminCaller,
    Path(number): Path<String>,
) -> Result<impl IntoResponse, ApiError> {
    let number = super::number_of(&number)?;
    let (seat, now) = (app.exports.take(caller.user_id)?, app.clock.now());
    subject::note(&app.store, caller.user_id, AuditAction::SubjectExport, number, now).await?;
    let networks = Arc::clone(&app.campaigns.networks);
    let pieces = subject::export(&app.store, &app.campaigns.dnd, number, networks, now);
    // The answer has begun: all that is left is to break it off, so that the client cannot take it for complete.
    let pieces =
        pieces.inspect_err(|error| tracing::error!(code = error.code(), %error, "an export broke off"));
    let headers = [
        (CONTENT_TYPE, "application/jsonl; charset=utf-8"),
        (CONTENT_DISPOSITION, "attachment; filename=\"subject.jsonl\""),
    ];
    Ok((headers, Body::from_stream(seat.hold(pieces))))
}
