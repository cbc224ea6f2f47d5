//! `GET /api/campaigns/{id}/messages`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::campaign::Messages;
use talkdrum_core::campaign::report::{self, Filter};
use talkdrum_core::model::status::MessageStatus;
use talkdrum_core::{Error, Result};
use utoipa::IntoParams;

use crate::api::list_query::{scope, window};
use crate::http::{Answer, Caller, Page, Path, Query};
use crate::state::AppState;

/// Which messages.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct StatusFilter {
    /// Only messages in this status, or `failed`.
    status: Option<String>,
}

/// The messages that `status` asks for.
pub(super) fn filter(status: Option<&str>) -> Result<Filter> {
    match status.map(str::trim).unwrap_or_default() {
        "" => Ok(Filter::All),
        "failed" => Ok(Filter::Failed),
        name => MessageStatus::from_name(name).map(Filter::Status).ok_or_else(|| {
            let names = MessageStatus::ALL.map(MessageStatus::as_str).join(", ");
            Error::field(
                "status",
                "bad_status",
                format!("'{name}' is no status of a message: use failed, {names}"),
            )
        }),
    }
}

/// The messages of a campaign in order of sending; of one `status`, or of all that `failed`.
#[utoipa::path(
    get, path = "/api/campaigns/{id}/messages", tag = "campaign",
    params(("id" = i64, Path, description = "The campaign's id"), StatusFilter, Page),
    responses((status = 200, body = Messages)),
)]
pub(super) async fn list_campaign_messages(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<i64>,
    Query(of): Query<StatusFilter>,
    page: Page,
) -> Answer<Messages> {
    let filter = filter(of.status.as_deref())?;
    let mut tx = app.store.snapshot().await?;
    Ok(Json(report::page(&mut tx, scope(&caller), id, filter, window(&page), &app.desk.networks).await?))
}
