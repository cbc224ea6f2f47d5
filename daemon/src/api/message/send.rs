//! `POST /api/messages`.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use futures::future::join_all;
use serde::Deserialize;
use talkdrum_api::campaign::MessageSent;
use talkdrum_api::kind::Kind;
use talkdrum_api::money::Amount;
use talkdrum_core::campaign::single::{Sent, Single};
use talkdrum_core::campaign::spending_limit::IN_REVIEW;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::{Error, Result};
use tracing::Instrument as _;
use utoipa::ToSchema;

use crate::api::campaign::tell_administrators;
use crate::api::content::ContentForm;
use crate::http::{Answer, Caller, Form, IdempotencyKey};
use crate::problem::{ApiError, request_id, within};
use crate::state::AppState;

/// A message to one number.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct SingleForm {
    /// `text`, which is meant when it is left out, `flash`, `unicode`, `wap-push` or `vcard`.
    sms_type: Option<String>,
    /// The sender id: `WEBSMS`, or an approved one.
    senderid: Option<String>,
    /// `espees` or `paystack` (alias `naira`).
    payment_method: Option<String>,
    /// What it is for: `promotional`, `transactional` or `otp`. Left out: the default of the API key, else of the sender ID,
    /// else of the account, else `transactional`.
    purpose: Option<String>,
    /// The number, in any form.
    #[serde(default)]
    contacts: String,
    /// What it says, word for word.
    #[serde(flatten)]
    content: ContentForm,
    /// Refused: `schedule-{kind}-sms` takes a time.
    #[serde(default)]
    time: Vec<String>,
    /// Refused: `send-{kind}-sms` takes groups.
    #[serde(default)]
    groups: Vec<String>,
    /// Refused, as `groups`.
    #[serde(default)]
    group_ids: Vec<String>,
    /// The most it may cost, in the currency it is paid in: a message that costs more is not sent.
    max_charge: Option<Amount>,
}

/// Send a message to one number, at once: quoted and confirmed in one call.
///
/// With an `Idempotency-Key` it may be repeated after a fault on the way: the answer is then the message that was sent.
/// What becomes of it tell `GET /api/messages/{id}` and webhooks. Messages that a user sends at the same time may share a
/// campaign, which is paused and cancelled as a whole.
#[utoipa::path(
    post, path = "/api/messages", tag = "message",
    request_body = SingleForm,
    responses((status = 200, body = MessageSent)),
)]
pub(super) async fn send_message(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Form { data, digest }: Form<SingleForm>,
) -> Answer<MessageSent> {
    caller.require_active()?;
    refuse_more(&data)?;
    let claim = key.claim(&caller, "message.send", digest);
    let kind = kind(data.sms_type.as_deref())?;
    let single = Single {
        user_id: caller.user_id,
        kind,
        content: data.content.content(kind),
        sender: data.senderid,
        payment_method: data.payment_method,
        purpose: caller.purpose_or_default(data.purpose.as_deref()),
        contact: data.contacts,
        max_charge: data.max_charge,
        start: None,
        callback: None,
        claim,
    };
    let mut outcomes = send_all(&app, caller.user_id, vec![single]).await?;
    let unanswered = || Error::Corrupt("a message was neither sent nor refused".to_owned());
    let sent = outcomes.pop().ok_or_else(unanswered)??;
    let message = sentence(&sent);
    let Sent { message: details, text, balance, delayed_start, is_in_review: _, was_sent } = sent;
    Ok(Json(MessageSent { details, text, balance, delayed_start, was_sent, message }))
}

/// Sends messages of a user, each of them or none of it, and says what became of each. A client that goes away meanwhile
/// changes nothing of it.
///
/// # Errors
/// 500 when the daemon ends meanwhile: what was sent by then is not known here.
pub(in crate::api) async fn send_all(
    app: &AppState,
    user: UserId,
    singles: Vec<Single>,
) -> std::result::Result<Vec<Result<Sent>>, ApiError> {
    let app = app.clone();
    let sending = async move {
        let outcomes = join_all(singles.into_iter().map(|single| send_one(&app, single))).await;
        tell_of_review(&app, user, outcomes.iter().flatten()).await;
        outcomes
    };
    match tokio::spawn(within(request_id(), sending).in_current_span()).await {
        Ok(outcomes) => Ok(outcomes),
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => Err(ApiError::internal("shutting_down")),
        },
    }
}

async fn send_one(app: &AppState, single: Single) -> Result<Sent> {
    let sent = app.campaigns.send_single(single).await?;
    if let Some(workers) = app.workers.as_ref().filter(|_| !sent.was_sent) {
        workers.wake();
    }
    Ok(sent)
}

/// Tells administrators of the campaigns that wait for them, with how many of these messages each has.
async fn tell_of_review<'s>(app: &AppState, user: UserId, sent: impl IntoIterator<Item = &'s Sent>) {
    let mut waiting: BTreeMap<i64, (i64, String)> = BTreeMap::new();
    for sent in sent.into_iter().filter(|sent| sent.is_in_review) {
        let sender = || (0, sent.message.senderid.clone());
        waiting.entry(sent.message.campaign_id).or_insert_with(sender).0 += 1;
    }
    let waiting: Vec<_> =
        waiting.into_iter().map(|(campaign, (size, sender))| (campaign, size, sender)).collect();
    if !waiting.is_empty() {
        tell_administrators(app, user, &waiting).await;
    }
}

fn sentence(sent: &Sent) -> String {
    if sent.is_in_review {
        return IN_REVIEW.to_owned();
    }
    if sent.was_sent {
        return format!("Sent before, nothing was charged now; the message is {}", sent.message.status);
    }
    match &sent.delayed_start {
        Some(start) => format!("SMS waits for the end of the quiet hours, {start}"),
        None => "SMS Sent".to_owned(),
    }
}

/// Nothing may be dropped that the caller relies on: a time that is not kept is a message too early.
fn refuse_more(form: &SingleForm) -> Result<()> {
    let given = |texts: &[String]| texts.iter().any(|text| !text.trim().is_empty());
    let refusal = match form {
        form if given(&form.time) => ("time", "This call sends at once; schedule-{kind}-sms takes a time"),
        form if given(&form.groups) || given(&form.group_ids) => {
            ("groups", "This call sends to one number; send-{kind}-sms takes groups")
        }
        _ => return Ok(()),
    };
    Err(Error::field(refusal.0, "one_message_now", refusal.1))
}

fn kind(name: Option<&str>) -> Result<Kind> {
    let name = name.map(str::trim).filter(|name| !name.is_empty());
    let Some(name) = name else { return Ok(Kind::Text) };
    Kind::from_code(name).ok_or_else(|| {
        let kinds = Kind::SMS.map(Kind::code).join(", ");
        Error::field("sms_type", "unknown_kind", format!("'{name}' is no kind of message: use {kinds}"))
    })
}
