//! `GET /api/drafts/{id}/files/{file}`.

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use futures::TryStreamExt as _;
use talkdrum_core::campaign::draft;

use crate::http::{ApiError, Caller, Path};
use crate::state::AppState;

/// A file of a draft, as it was added.
#[utoipa::path(
    get, path = "/api/drafts/{id}/files/{file}", tag = "draft",
    params(
        ("id" = i64, Path, description = "The draft's id"),
        ("file" = i64, Path, description = "The file's id"),
    ),
    responses((status = 200, content_type = "application/octet-stream", description = "The file")),
)]
pub(super) async fn read_draft_file(
    State(app): State<AppState>,
    caller: Caller,
    Path((id, file)): Path<(i64, i64)>,
) -> Result<Response, ApiError> {
    let (file, content) = draft::content(&app.store, (caller.user_id, id, file)).await?;
    let seat = app.exports.take(caller.user_id)?;
    // The answer has begun: all that is left is to break it off, so that the client cannot take it for complete.
    let content = content.inspect_err(
        |error| tracing::warn!(code = error.code(), %error, "a file of a draft was not read to its end"),
    );
    let headers = [
        (CONTENT_TYPE, "application/octet-stream".to_owned()),
        // The name is in the draft.
        (CONTENT_DISPOSITION, "attachment".to_owned()),
        (CACHE_CONTROL, "private, no-store".to_owned()),
        (CONTENT_LENGTH, file.bytes.to_string()),
    ];
    Ok((headers, Body::from_stream(seat.hold(content))).into_response())
}
