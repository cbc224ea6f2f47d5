//! `GET /api/messages`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::campaign::Messages;
use talkdrum_core::campaign::report::number_search;
use talkdrum_core::{Error, phone};

use crate::api::list_query::{scope, window};
use crate::http::{Answer, Caller, Page, Query};
use crate::state::AppState;

/// Which number.
#[derive(Debug, Deserialize)]
pub(super) struct Wanted {
    #[serde(default)]
    number: String,
    campaign_id: Option<i64>,
}

/// Every message to a number over all campaigns, newest first: the caller's, for administrators everybody's.
#[utoipa::path(
    get, path = "/api/messages", tag = "message",
    params(("number" = String, Query, description = "The number, in any form"),
           ("campaign_id" = Option<i64>, Query, description = "Only those of this campaign"),
           ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = Messages)),
)]
pub(super) async fn find_messages(
    State(app): State<AppState>,
    caller: Caller,
    Query(wanted): Query<Wanted>,
    page: Page,
) -> Answer<Messages> {
    let text = wanted.number.trim();
    if text.is_empty() {
        return Err(Error::field("number", "number_required", "Number is required").into());
    }
    let number = phone::parse(text)
        .map_err(|reason| Error::field("number", "bad_number", format!("'{text}' is no number: {reason}")))?;
    let mut tx = app.store.snapshot().await?;
    let (campaign, window) = (wanted.campaign_id, window(&page));
    let found =
        number_search::number(&mut tx, scope(&caller), number, campaign, window, &app.desk.networks).await?;
    Ok(Json(found))
}
