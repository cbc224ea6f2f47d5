//! `GET /api/get-failed-messages`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::campaign::Messages;
use talkdrum_core::campaign::report;
use talkdrum_core::model::message_id::MessageId;
use talkdrum_core::model::page::Scope;
use utoipa::IntoParams;

use crate::api::list_query::window;
use crate::http::{Answer, Caller, Page, Query};
use crate::state::AppState;

/// Where to go on.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct After {
    /// A message's id: only older campaigns.
    before: Option<i64>,
}

/// The caller's messages that are undelivered, rejected or expired, newest campaign first. The newest 10,000
/// campaigns are looked at; `before`, the id of a message, goes on with those older than its campaign.
#[utoipa::path(
    get, path = "/api/get-failed-messages", tag = "message",
    params(After, Page),
    responses((status = 200, body = Messages)),
)]
pub(super) async fn list_failed_messages(
    State(app): State<AppState>,
    caller: Caller,
    Query(after): Query<After>,
    page: Page,
) -> Answer<Messages> {
    let (own, before) = (Scope::Own(caller.user_id), after.before.map(MessageId));
    let mut tx = app.store.snapshot().await?;
    Ok(Json(report::failed(&mut tx, own, before, window(&page), &app.desk.networks).await?))
}
