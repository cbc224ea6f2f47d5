//! `GET /api/get-last-sent-message`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::campaign::LastSentMessage;
use talkdrum_core::campaign::report::campaign_list;

use crate::http::{Answer, Caller};
use crate::state::AppState;

/// When the caller's newest campaign started to send.
#[utoipa::path(
    get, path = "/api/get-last-sent-message", tag = "campaign",
    responses((status = 200, body = LastSentMessage)),
)]
pub(super) async fn show_last_sent_message(
    State(app): State<AppState>,
    caller: Caller,
) -> Answer<LastSentMessage> {
    Ok(Json(campaign_list::last_sent_message(&mut app.store.read().await?, caller.user_id).await?))
}
