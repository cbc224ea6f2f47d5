//! `GET /api/campaigns/{id}/export`.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse;
use futures::TryStreamExt as _;
use futures::stream::BoxStream;
use talkdrum_core::Result as CoreResult;
use talkdrum_core::campaign::report::export;

use crate::api::list_query::scope;
use crate::http::{ApiError, Caller, Path};
use crate::state::AppState;

/// The delivery report of a campaign as CSV, streamed: one line a message, in order of sending.
#[utoipa::path(
    get, path = "/api/campaigns/{id}/export", tag = "campaign",
    params(("id" = i64, Path, description = "The campaign's id")),
    responses((status = 200, content_type = "text/csv", body = String)),
)]
pub(super) async fn export_campaign(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<i64>,
) -> Result<impl IntoResponse, ApiError> {
    let networks = Arc::clone(&app.desk.networks);
    let pieces = export::csv(&app.store, scope(&caller), id, networks).await?;
    Ok(answer(pieces, Some(id)))
}

/// The pieces of a report as an answer.
pub(super) fn answer(
    pieces: BoxStream<'static, CoreResult<Vec<u8>>>,
    campaign: Option<i64>,
) -> impl IntoResponse + use<> {
    // The answer has begun: all that is left is to break it off, so that the client cannot take it for complete.
    let pieces = pieces.inspect_err(
        move |error| tracing::error!(code = error.code(), %error, campaign, "an export broke off"),
    );
    let headers = [
        (CONTENT_TYPE, "text/csv; charset=utf-8"),
        (CONTENT_DISPOSITION, "attachment; filename=\"delivery_reports.csv\""),
    ];
    (headers, Body::from_stream(pieces))
}
