//! Sender ids: requested by users, decided by administrators.

mod purpose;
mod request;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::query::{OwnSenderQuery, SenderQuery};
use talkdrum_api::sender::{AllSenderIds, SenderIdDecided, SenderIds};
use talkdrum_core::Result;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::sender::SenderStatus;
use talkdrum_core::model::sender::id::SenderRecordId;
use talkdrum_core::notice::Notices;
use talkdrum_core::sender::{self, approve, check_reserved, one_sender_id, reject, tell_owner};
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;
use utoipa::ToSchema;

use crate::api::list_query::{asked, listing};
use crate::http::routes::{Operations, routes};
use crate::http::{AdminCaller, Answer, Caller, Columns, Form, IdempotencyKey, Path, Query, SortedPage};
use crate::state::AppState;

pub(super) fn router() -> Operations {
    Operations::new()
        .routes(routes!(request::request_sender_ids))
        .routes(routes!(list_sender_ids))
        .routes(routes!(list_all_sender_ids))
        .routes(routes!(approve_sender_id))
        .routes(routes!(disapprove_sender_id))
        .routes(routes!(purpose::set_sender_purpose))
}

/// What a user's sender ids can be sorted by.
enum OwnSenderColumns {}

impl Columns for OwnSenderColumns {
    const NAMES: &'static [&'static str] = &["id", "created_at", "sender_id", "status"];
}

/// The caller's sender ids: what messages may be sent from, `WEBSMS` first. With `status` also those that wait or were
/// disapproved.
#[utoipa::path(
    get, path = "/api/get-sender-id", tag = "sender",
    params(OwnSenderQuery, SortedPage<OwnSenderColumns>),
    responses((status = 200, body = SenderIds)),
)]
async fn list_sender_ids(
    State(app): State<AppState>,
    caller: Caller,
    Query(filter): Query<OwnSenderQuery>,
    page: SortedPage<OwnSenderColumns>,
) -> Answer<SenderIds> {
    let asked = filter.status.as_deref().filter(|status| !status.trim().is_empty());
    let listing = listing(&page, status_of(asked.or(Some(SenderStatus::Approved.code())))?);
    Ok(Json(sender::list_sender_ids(&mut app.store.snapshot().await?, caller.user_id, &listing).await?))
}

/// What all sender ids can be sorted by.
enum SenderColumns {}

impl Columns for SenderColumns {
    const NAMES: &'static [&'static str] = &["id", "created_at", "sender_id", "username", "status"];
}

/// The status of a query; empty for all.
fn status_of(status: Option<&str>) -> Result<&'static str> {
    let status = asked(status).map(str::parse::<SenderStatus>).transpose()?;
    Ok(status.map(SenderStatus::code).unwrap_or_default())
}

/// All users' sender ids; `q` searches sender ids and user names.
#[utoipa::path(
    get, path = "/admin/get-sender-ids", tag = "sender",
    params(SenderQuery, SortedPage<SenderColumns>),
    responses((status = 200, body = AllSenderIds)),
)]
async fn list_all_sender_ids(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Query(filter): Query<SenderQuery>,
    page: SortedPage<SenderColumns>,
) -> Answer<AllSenderIds> {
    let listing = listing(&page, status_of(filter.status.as_deref())?);
    let (senderids, total) = sender::list_all_sender_ids(&mut app.store.snapshot().await?, &listing).await?;
    Ok(Json(AllSenderIds { senderids, total }))
}

/// Let a user send from a sender id. Approving what is approved changes nothing.
#[utoipa::path(
    post, path = "/admin/approve-senderid/{id}", tag = "sender",
    params(("id" = i64, Path, description = "The sender id's record")),
    responses((status = 200, body = SenderIdDecided)),
)]
async fn approve_sender_id(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Path(id): Path<SenderRecordId>,
) -> Answer<SenderIdDecided> {
    let claim = key.claim_on(&caller, "sender.approve", id.0);
    let input = (claim, id, caller.user_id, app.clock.now(), app.notices.clone());
    let sender_id = app
        .store
        .write(Lane::Interactive, input, |tx, (claim, id, by, now, notices)| {
            Box::pin(async move {
                once(tx, claim.as_ref(), *now, async |tx| {
                    check_reserved(&one_sender_id(tx, *id).await?.sender_id, &notices.sender)?;
                    let decided = approve(tx, *id, *by, *now).await?;
                    tell_owner(tx, notices, &decided, *now).await?;
                    Ok(*id)
                })
                .await?;
                one_sender_id(tx, *id).await
            })
        })
        .await?;
    tracing::info!(sender_id = id.0, admin_id = caller.user_id.0, "sender.approve");
    let message = "Sender ID approved successfully!".to_owned();
    Ok(Json(SenderIdDecided { message, sender_id, campaigns_paused: 0 }))
}

/// Why it is refused.
#[derive(Deserialize, ToSchema)]
struct DisapproveSenderId {
    /// For the owner; at most 500 characters.
    #[serde(default)]
    reason: String,
}

/// Refuse a sender id, or take it back: campaigns that are being sent from it pause.
#[utoipa::path(
    post, path = "/admin/disapprove-senderid/{id}", tag = "sender",
    params(("id" = i64, Path, description = "The sender id's record")),
    request_body = DisapproveSenderId,
    responses((status = 200, body = SenderIdDecided)),
)]
async fn disapprove_sender_id(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Path(id): Path<SenderRecordId>,
    Form { data, digest }: Form<DisapproveSenderId>,
) -> Answer<SenderIdDecided> {
    let refusal = Refusal {
        claim: key.claim_with(&caller, "sender.disapprove", id.0, digest),
        id,
        reason: data.reason,
        by: caller.user_id,
        now: app.clock.now(),
        notices: app.notices.clone(),
    };
    let decided = app.store.write(Lane::Interactive, refusal, |tx, it| Box::pin(refuse(tx, it))).await?;
    let paused = decided.campaigns_paused;
    tracing::info!(sender_id = id.0, admin_id = caller.user_id.0, paused, "sender.disapprove");
    Ok(Json(decided))
}

struct Refusal {
    claim: Option<Claim>,
    id: SenderRecordId,
    reason: String,
    by: UserId,
    now: Time,
    notices: Notices,
}

async fn refuse(tx: &mut Tx, refusal: &Refusal) -> Result<SenderIdDecided> {
    let mut campaigns_paused = 0;
    once(tx, refusal.claim.as_ref(), refusal.now, async |tx| {
        let decided = reject(tx, refusal.id, &refusal.reason, refusal.by, refusal.now).await?;
        tell_owner(tx, &refusal.notices, &decided, refusal.now).await?;
        campaigns_paused = decided.paused;
        Ok(refusal.id)
    })
    .await?;
    let sender_id = one_sender_id(tx, refusal.id).await?;
    let message = "Sender ID rejected successfully!".to_owned();
    Ok(SenderIdDecided { message, sender_id, campaigns_paused })
}
