//! `GET /api/messages`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::campaign::Messages;
use talkdrum_core::campaign::report::number_search;
use talkdrum_core::{Error, phone};
use utoipa::IntoParams;

use crate::api::list_query::{scope, window};
use crate::http::{Answer, Caller, Page, Query};
use crate::state::AppState;

/// Which number.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct NumberFilter {
    /// The number, in any form.
    #[param(required)]
    #[serde(default)]
    number: String,
    /// Only those of this campaign.
    campaign_id: Option<i64>,
}

/// Every message to a number over all campaigns, newest first: the caller's, for administrators everybody's.
#[utoipa::path(
    get, path = "/api/messages", tag = "message",
    params(NumberFilter, Page),
    responses((status = 200, body = Messages)),
)]
pub(super) async fn find_messages(
    State(app): State<AppState>,
    caller: Caller,
    Query(filter): Query<NumberFilter>,
    page: Page,
) -> Answer<Messages> {
    let text = filter.number.trim();
    if text.is_empty() {
        return Err(Error::field("number", "number_required", "Number is required").into());
    }
    let number = phone::parse(text)
        .map_err(|reason| Error::field("number", "bad_number", format!("'{text}' is no number: {reason}")))?;
    let mut tx = app.store.snapshot().await?;
    let (campaign, window) = (filter.campaign_id, window(&page));
    let found =
        number_search::number(&mut tx, scope(&caller), number, campaign, window, &app.desk.networks).await?;
    Ok(Json(found))
}
