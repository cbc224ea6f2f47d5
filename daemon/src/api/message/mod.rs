//! Single messages: sending one, finding them by number, explaining one, lists of failed and of unknown ones, and
//! resolving unknown ones.

mod inbound;
mod resolve;
mod send;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::campaign::Messages;
use talkdrum_api::message::Why;
use talkdrum_core::campaign::report::{self, Among, explain, number_search};
use talkdrum_core::model::message_id::MessageId;
use talkdrum_core::model::page::RecordScope;
use talkdrum_core::{Error, phone};
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::list_query::{UserFilter, scope, window};
use crate::http::{AdminCaller, Answer, Caller, Page, Path, Query};
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list_failed_messages))
        .routes(routes!(find_messages, send::send_message))
        .routes(routes!(inbound::list_inbound_messages))
        .routes(routes!(explain_message))
        .routes(routes!(list_unknown_messages))
        .routes(routes!(resolve::resolve_messages))
}

/// Where to go on.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct After {
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
async fn list_failed_messages(
    State(app): State<AppState>,
    caller: Caller,
    Query(after): Query<After>,
    page: Page,
) -> Answer<Messages> {
    let (own, before) = (RecordScope::Own(caller.user_id), after.before.map(MessageId));
    let mut tx = app.store.snapshot().await?;
    Ok(Json(report::failed(&mut tx, own, before, window(&page), &app.campaigns.networks).await?))
}

/// Which number.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct NumberFilter {
    /// The number, in any form.
    #[param(required)]
    #[serde(default)]
    number: String,
    /// Only those of this campaign.
    campaign_id: Option<i64>,
}

/// Every message to a number over all campaigns, newest first: the caller's, for administrators all users'.
#[utoipa::path(
    get, path = "/api/messages", tag = "message",
    params(NumberFilter, Page),
    responses((status = 200, body = Messages)),
)]
async fn find_messages(
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
        number_search::number(&mut tx, scope(&caller), number, campaign, window, &app.campaigns.networks)
            .await?;
    Ok(Json(found))
}

/// Why a message is where it is and what it cost: its statuses, and the ledger entries that carry its money.
#[utoipa::path(
    get, path = "/api/messages/{id}", tag = "message",
    params(("id" = i64, Path, description = "The message's id")),
    responses((status = 200, body = Why)),
)]
async fn explain_message(State(app): State<AppState>, caller: Caller, Path(id): Path<i64>) -> Answer<Why> {
    let mut tx = app.store.snapshot().await?;
    Ok(Json(explain::message(&mut tx, scope(&caller), MessageId(id), &app.campaigns.networks).await?))
}

/// Which of them.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct UnknownFilter {
    /// Only those of this campaign.
    campaign_id: Option<i64>,
    /// A carrier's name.
    #[serde(default)]
    carrier: String,
}

/// Messages of all users that may or may not have been sent, oldest first.
#[utoipa::path(
    get, path = "/admin/unknown-messages", tag = "message",
    params(UnknownFilter, UserFilter, Page),
    responses((status = 200, body = Messages)),
)]
async fn list_unknown_messages(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Query(filter): Query<UnknownFilter>,
    Query(of): Query<UserFilter>,
    page: Page,
) -> Answer<Messages> {
    let mut tx = app.store.snapshot().await?;
    let among = Among {
        campaign: filter.campaign_id.unwrap_or_default(),
        user: of.user(&mut tx).await?.unwrap_or_default(),
        carrier: filter.carrier.trim().to_owned(),
    };
    Ok(Json(report::unknown(&mut tx, &among, window(&page), &app.campaigns.networks).await?))
}
