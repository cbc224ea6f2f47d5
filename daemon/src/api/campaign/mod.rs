//! Campaigns: quoted, confirmed, watched, steered and reported.
//!
//! Nothing here decides a price or who may be charged; the campaign service of core does.

mod breakdown;
mod confirm;
mod control;
mod events;
mod export_period;
mod form;
mod history;
mod quote;
mod routes;
mod spool;

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse;
use futures::TryStreamExt as _;
use futures::stream::BoxStream;
use talkdrum_api::campaign::{
    CampaignAnswer, CampaignChanged, Campaigns, LastSentMessage, Messages, QuoteAnswer, SentMessages,
};
use talkdrum_api::filled_form::FilledForm;
use talkdrum_api::query::{CampaignQuery, MessageQuery, PeriodQuery, UserQuery};
use talkdrum_core::campaign::filled_form;
use talkdrum_core::campaign::report::by_reason::{self, Because};
use talkdrum_core::campaign::report::{self, Filter, campaign_list, export};
use talkdrum_core::campaign::standstill;
use talkdrum_core::model::campaign::id::CampaignId;
use talkdrum_core::model::message::status::MessageStatus;
use talkdrum_core::model::page::RecordScope;
use talkdrum_core::{Error, Result};

use self::control::CampaignStep;
use self::history::{AllColumns, OwnCampaignColumns, is_scan, selection};
use crate::api::list_query::{Numbers, asked, scope, user_asked, window};
use crate::http::routes::{Operations, routes};
use crate::http::{AdminCaller, Answer, ApiError, Caller, IdempotencyKey, Page, Path, Query, SortedPage};
use crate::limit::seats::Seat;
use crate::state::AppState;
pub(super) use confirm::{Payer, confirm_quote, payer, tell_administrators};
pub(super) use form::{BIG, sources};
pub(super) use quote::offer;
pub(super) use spool::Spool;

pub(super) fn brief() -> Operations {
    Operations::new()
        .routes(routes!(show_campaign))
        .routes(routes!(show_campaign_form))
        .routes(routes!(history::list_campaigns))
        .routes(routes!(list_all_campaigns))
        .routes(routes!(list_sent_messages))
        .routes(routes!(show_last_sent_message))
        .routes(routes!(list_campaign_messages))
        .routes(routes!(pause_campaign))
        .routes(routes!(resume_campaign))
        .routes(routes!(cancel_campaign))
}

pub(super) fn lengthy() -> Operations {
    routes::router()
        .routes(routes!(resend_campaign))
        .routes(routes!(breakdown::break_down_campaign))
        .routes(routes!(export_campaign))
        .routes(routes!(export_period::export_delivery_reports))
        .routes(routes!(events::watch_campaign))
}

/// A campaign: its counts, its money, the first of its numbers, and how many of its messages can be sent again.
#[utoipa::path(
    get, path = "/api/campaigns/{id}", tag = "campaign",
    params(("id" = i64, Path, description = "The campaign's id"), Numbers),
    responses((status = 200, body = CampaignAnswer)),
)]
async fn show_campaign(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<CampaignId>,
    Query(numbers): Query<Numbers>,
) -> Answer<CampaignAnswer> {
    let numbers = numbers.asked()?;
    let mut tx = app.store.snapshot().await?;
    let mut campaign = campaign_list::campaign(&mut tx, scope(&caller), id, numbers).await?;
    let around = app.around();
    standstill::explain(&mut tx, std::slice::from_mut(&mut campaign), scope(&caller), &around).await?;
    Ok(Json(CampaignAnswer { campaign }))
}

/// What the form of your campaign said, to be filled in again: its text, its sender, and its groups that are still there. All
/// other recipients are meant by `audience`, which forms take.
#[utoipa::path(
    get, path = "/api/campaigns/{id}/form", tag = "campaign",
    params(("id" = i64, Path, description = "The campaign's id")),
    responses((status = 200, body = FilledForm)),
)]
async fn show_campaign_form(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<CampaignId>,
) -> Answer<FilledForm> {
    Ok(Json(filled_form::of_campaign(&mut app.store.snapshot().await?, caller.user_id, id).await?))
}

/// All users' campaigns, newest first; `q` searches sender ids, texts and user names.
#[utoipa::path(
    get, path = "/admin/get-all-camapaign-history", tag = "campaign",
    params(CampaignQuery, PeriodQuery, UserQuery, Numbers, SortedPage<AllColumns>),
    responses((status = 200, body = Campaigns)),
)]
async fn list_all_campaigns(
    State(app): State<AppState>,
    caller: AdminCaller,
    Query(filter): Query<CampaignQuery>,
    Query(period): Query<PeriodQuery>,
    Query(of): Query<UserQuery>,
    Query(numbers): Query<Numbers>,
    page: SortedPage<AllColumns>,
) -> Answer<Campaigns> {
    let (store, admin, is_scan) = (app.store.clone(), caller.user_id, is_scan(&filter, &period, &page));
    let around = app.around();
    let read = async move {
        let mut tx = store.snapshot().await?;
        let scope = user_asked(&of, &mut tx).await?.map_or(RecordScope::All, RecordScope::Own);
        let selection = selection(&filter, &mut tx, (&caller, scope), &period, &page).await?;
        let mut list = campaign_list::list(&mut tx, &selection, window(&page.page), numbers.asked()?).await?;
        standstill::explain(&mut tx, &mut list.campaigns, RecordScope::All, &around).await?;
        Ok(list)
    };
    Ok(Json(app.scans.read(is_scan, admin, read).await?))
}

/// The caller's campaigns in the form of the specification's sent messages, one row each, newest first
/// unless sorted otherwise.
#[utoipa::path(
    get, path = "/api/get-sent-messages", tag = "campaign",
    params(CampaignQuery, PeriodQuery, Numbers, SortedPage<OwnCampaignColumns>),
    responses((status = 200, body = SentMessages)),
)]
async fn list_sent_messages(
    State(app): State<AppState>,
    caller: Caller,
    Query(filter): Query<CampaignQuery>,
    Query(period): Query<PeriodQuery>,
    Query(numbers): Query<Numbers>,
    page: SortedPage<OwnCampaignColumns>,
) -> Answer<SentMessages> {
    let (store, user, is_scan) = (app.store.clone(), caller.user_id, is_scan(&filter, &period, &page));
    let read = async move {
        let mut tx = store.snapshot().await?;
        let selection =
            selection(&filter, &mut tx, (&caller, RecordScope::Own(user)), &period, &page).await?;
        campaign_list::sent_messages(&mut tx, &selection, window(&page.page), numbers.asked()?).await
    };
    Ok(Json(app.scans.read(is_scan, user, read).await?))
}

/// When the caller's newest campaign started to send.
#[utoipa::path(
    get, path = "/api/get-last-sent-message", tag = "campaign",
    responses((status = 200, body = LastSentMessage)),
)]
async fn show_last_sent_message(State(app): State<AppState>, caller: Caller) -> Answer<LastSentMessage> {
    Ok(Json(campaign_list::last_sent_message(&mut app.store.read().await?, caller.user_id).await?))
}

/// Asks for messages of which nothing was said.
const NO_REASON: &str = "none";

/// The messages that `status` asks for.
fn filter(status: Option<&str>) -> Result<Filter> {
    match status.map(str::trim).unwrap_or_default() {
        "" => Ok(Filter::All),
        "failed" => Ok(Filter::Failed),
        name => MessageStatus::from_code(name).map(Filter::Status).ok_or_else(|| {
            let names: Vec<&str> = MessageStatus::ALL.iter().map(|status| status.code()).collect();
            Error::field(
                "status",
                "bad_status",
                format!("'{name}' is no status of a message: use failed, {}", names.join(", ")),
            )
        }),
    }
}

/// The messages of a campaign in order of sending; of one `status`, of one for a `reason`, or of all that `failed`.
#[utoipa::path(
    get, path = "/api/campaigns/{id}/messages", tag = "campaign",
    params(("id" = i64, Path, description = "The campaign's id"), MessageQuery, Page),
    responses((status = 200, body = Messages)),
)]
async fn list_campaign_messages(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<CampaignId>,
    Query(of): Query<MessageQuery>,
    page: Page,
) -> Answer<Messages> {
    let filter = filter(of.status.as_deref())?;
    if let Some(reason) = asked(of.reason.as_deref()) {
        let Filter::Status(status) = filter else {
            let says = "'reason' goes with the one 'status' that the breakdown shows beside it";
            return Err(Error::field("reason", "reason_without_status", says).into());
        };
        // Its statements are short, so it may end with the request.
        let _turn = app.scans.take(caller.user_id).await?;
        let because = Because::new(status, (reason != NO_REASON).then(|| reason.to_owned()))?;
        let networks = &app.campaigns.networks;
        let found = by_reason::page(&app.store, scope(&caller), id, &because, window(&page), networks);
        return Ok(Json(found.await?));
    }
    let mut tx = app.store.snapshot().await?;
    Ok(Json(report::page(&mut tx, scope(&caller), id, filter, window(&page), &app.campaigns.networks).await?))
}

/// Stop sending a campaign; what was handed to the carrier before still goes out.
#[utoipa::path(
    post, path = "/api/campaigns/{id}/pause", tag = "campaign",
    params(("id" = i64, Path, description = "The campaign's id")),
    responses((status = 200, body = CampaignChanged)),
)]
async fn pause_campaign(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Path(id): Path<CampaignId>,
) -> Answer<CampaignChanged> {
    control::take(&app, &caller, key, (CampaignStep::Pause, id)).await
}

/// Let a paused campaign go on, or wait for its time again.
#[utoipa::path(
    post, path = "/api/campaigns/{id}/resume", tag = "campaign",
    params(("id" = i64, Path, description = "The campaign's id")),
    responses((status = 200, body = CampaignChanged)),
)]
async fn resume_campaign(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Path(id): Path<CampaignId>,
) -> Answer<CampaignChanged> {
    let changed = control::take(&app, &caller, key, (CampaignStep::Resume, id)).await?;
    if let Some(workers) = &app.workers {
        workers.wake();
    }
    Ok(changed)
}

/// End a campaign: what was not sent is refunded, what is in flight settles itself.
#[utoipa::path(
    post, path = "/api/campaigns/{id}/cancel", tag = "campaign",
    params(("id" = i64, Path, description = "The campaign's id")),
    responses((status = 200, body = CampaignChanged)),
)]
async fn cancel_campaign(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Path(id): Path<CampaignId>,
) -> Answer<CampaignChanged> {
    control::take(&app, &caller, key, (CampaignStep::Cancel, id)).await
}

/// Quote what failed of the caller's campaign and was not sent again yet: undelivered, rejected, expired, or settled
/// as not sent. Nothing is charged before the quote is confirmed with `confirm-send-{kind}-sms`.
#[utoipa::path(
    post, path = "/api/campaigns/{id}/resend", tag = "campaign",
    params(("id" = i64, Path, description = "The campaign's id")),
    responses((status = 200, body = QuoteAnswer)),
)]
async fn resend_campaign(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Path(id): Path<CampaignId>,
) -> Answer<QuoteAnswer> {
    caller.require_active()?;
    let quote = app.campaigns.resend(caller.user_id, id, None, key.0).await?;
    Ok(Json(offer(&app, caller.user_id, quote).await))
}

/// The delivery report of a campaign as CSV, streamed: one line a message, in order of sending.
#[utoipa::path(
    get, path = "/api/campaigns/{id}/export", tag = "campaign",
    params(("id" = i64, Path, description = "The campaign's id")),
    responses((status = 200, content_type = "text/csv", body = String)),
)]
async fn export_campaign(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<CampaignId>,
) -> Result<impl IntoResponse, ApiError> {
    let networks = Arc::clone(&app.campaigns.networks);
    let pieces = export::csv(&app.store, scope(&caller), id, networks).await?;
    Ok(csv_answer(app.exports.take(caller.user_id)?, pieces, Some(id.0)))
}

/// The pieces of a report as an answer.
fn csv_answer(
    seat: Seat,
    pieces: BoxStream<'static, Result<Vec<u8>>>,
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
    (headers, Body::from_stream(seat.hold(pieces)))
}
