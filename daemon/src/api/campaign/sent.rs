//! `GET /api/get-sent-messages`.

use axum::Json;
use axum::extract::{Query as Parameters, State};
use talkdrum_core::api::campaign::SentMessages;
use talkdrum_core::campaign::history;
use talkdrum_core::campaign::report::Scope;

use super::history::Which;
use crate::api::reading::window;
use crate::http::{Answer, Caller, Page};
use crate::state::AppState;

/// The caller's campaigns in the form of the specification's sent messages, one row each, newest first.
#[utoipa::path(
    get, path = "/api/get-sent-messages", tag = "campaign",
    params(("status" = Option<String>, Query), ("q" = Option<String>, Query),
           ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = SentMessages)),
)]
pub(super) async fn list_sent_messages(
    State(app): State<AppState>,
    caller: Caller,
    Parameters(which): Parameters<Which>,
    page: Page,
) -> Answer<SentMessages> {
    let query = which.within(Scope::Own(caller.user_id), &page)?;
    Ok(Json(history::sent_messages(&mut app.store.read().await?, &query, window(&page)).await?))
}
