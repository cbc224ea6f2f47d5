//! Single messages: sending one, finding them by number, explaining one, lists of failed and of unknown ones, and
//! resolving unknown ones.

mod inbound;
mod resolve;
mod send;

pub(super) use send::send_all;

use axum::Json;
use axum::extract::State;
use talkdrum_api::campaign::Messages;
use talkdrum_api::code;
use talkdrum_api::message::Why;
use talkdrum_api::query::{FailedQuery, NumberQuery, UnknownQuery, UserQuery};
use talkdrum_core::campaign::report::{self, Among, explain, number_search};
use talkdrum_core::model::campaign::id::CampaignId;
use talkdrum_core::model::message::id::MessageId;
use talkdrum_core::model::page::RecordScope;
use talkdrum_core::{Error, phone};

use crate::api::list_query::{scope, user_asked, window};
use crate::http::routes::{Operations, routes};
use crate::http::{AdminCaller, Answer, Caller, Page, Path, Query};
use crate::state::AppState;

pub(super) fn router() -> Operations {
    Operations::new()
        .routes(routes!(list_failed_messages))
        .routes(routes!(find_messages, send::send_message))
        .routes(routes!(inbound::list_inbound_messages))
        .routes(routes!(explain_message))
        .routes(routes!(list_unknown_messages))
        .routes(routes!(resolve::resolve_messages))
}

/// The caller's messages that are undelivered, rejected or expired, newest campaign first. The newest 10,000
/// campaigns are looked at; `before`, the id of a message, goes on with those older than its campaign.
#[utoipa::path(
    get, path = "/api/get-failed-messages", tag = "message",
    params(FailedQuery, Page),
    responses((status = 200, body = Messages)),
)]
async fn list_failed_messages(
    State(app): State<AppState>,
    caller: Caller,
    Query(after): Query<FailedQuery>,
    page: Page,
) -> Answer<Messages> {
    let (own, before) = (RecordScope::Own(caller.user_id), after.before.map(MessageId));
    let mut tx = app.store.snapshot().await?;
    Ok(Json(report::failed(&mut tx, own, before, window(&page), &app.campaigns.networks).await?))
}

/// Every message to a number over all campaigns, newest first: the caller's, for administrators all users'.
#[utoipa::path(
    get, path = "/api/messages", tag = "message",
    params(NumberQuery, Page),
    responses((status = 200, body = Messages)),
)]
async fn find_messages(
    State(app): State<AppState>,
    caller: Caller,
    Query(filter): Query<NumberQuery>,
    page: Page,
) -> Answer<Messages> {
    let text = filter.number.trim();
    if text.is_empty() {
        return Err(Error::field("number", "number_required", "Number is required").into());
    }
    let number = phone::parse(text).map_err(|reason| {
        Error::field("number", code::BAD_NUMBER, format!("'{text}' is no number: {reason}"))
    })?;
    let mut tx = app.store.snapshot().await?;
    let (campaign, window) = (filter.campaign_id.map(CampaignId), window(&page));
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
async fn explain_message(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<MessageId>,
) -> Answer<Why> {
    let mut tx = app.store.snapshot().await?;
    Ok(Json(explain::message(&mut tx, scope(&caller), id, &app.campaigns.networks).await?))
}

/// Messages of all users that may or may not have been sent, oldest first.
#[utoipa::path(
    get, path = "/admin/unknown-messages", tag = "message",
    params(UnknownQuery, UserQuery, Page),
    responses((status = 200, body = Messages)),
)]
async fn list_unknown_messages(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Query(filter): Query<UnknownQuery>,
    Query(of): Query<UserQuery>,
    page: Page,
) -> Answer<Messages> {
    let mut tx = app.store.snapshot().await?;
    let among = Among {
        campaign: filter.campaign_id.map(CampaignId),
        user: user_asked(&of, &mut tx).await?,
        carrier: filter.carrier.trim().to_owned(),
    };
    Ok(Json(report::unknown(&mut tx, &among, window(&page), &app.campaigns.networks).await?))
}
