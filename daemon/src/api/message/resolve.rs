//! `POST /admin/messages/resolve`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::campaign::Quote;
use talkdrum_api::message::{Resolve, Resolved};
use talkdrum_core::campaign::control::resolve_unknown::{
    RESOLVE_MAX, Resolution, UnknownMessages, resolve_by_admin,
};
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::campaign::id::{CampaignId, ChunkId};
use talkdrum_core::model::message::id::MessageId;
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::store::{Lane, Tx, chunk};
use talkdrum_core::time::Time;
use talkdrum_core::{Error, Result};

use crate::http::{AdminCaller, Answer, Form, IdempotencyKey};
use crate::state::AppState;

/// Settle messages of which it is not known whether they were sent. `resend` refunds them and answers a quote for sending
/// them again, which an administrator or their owner confirms; the owner's wallet pays.
#[utoipa::path(
    post, path = "/admin/messages/resolve", tag = "message",
    request_body = Resolve,
    responses((status = 200, body = Resolved)),
)]
pub(super) async fn resolve_messages(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Form { data, digest }: Form<Resolve>,
) -> Answer<Resolved> {
    caller.require_active()?;
    let outcome = Resolution::from_name(&data.outcome)?;
    let which = meant(&data)?;
    let origin = if outcome == Resolution::Resend { Some(origin(&app, &which).await?) } else { None };
    let deciding = Deciding {
        claim: key.claim(&caller, "message.resolve", digest),
        which,
        outcome,
        by: caller.user_id,
        now: app.clock.now(),
    };
    let done = app.store.write(Lane::Interactive, deciding, |tx, it| Box::pin(decide(tx, it))).await?;
    let done = match done {
        Done::Now(messages) => messages,
        Done::Before(count) => {
            let message = format!("{} before; nothing was changed now", outcome.in_words(count));
            return Ok(Json(Resolved { resolved: count, message, quote: None }));
        }
    };
    let resolved = i64::try_from(done.len()).unwrap_or(i64::MAX);
    tracing::info!(resolved, outcome = data.outcome, admin_id = caller.user_id.0, "message.resolve");
    let (quote, note) = match origin.filter(|_| !done.is_empty()) {
        Some(origin) => quote_again(&app, origin, done).await,
        None => (None, String::new()),
    };
    let message = format!("{}{note}", outcome.in_words(resolved));
    Ok(Json(Resolved { resolved, message, quote }))
}

/// Which messages are meant.
fn meant(form: &Resolve) -> Result<UnknownMessages> {
    if form.messages.len() > RESOLVE_MAX {
        return Err(Error::field(
            "messages",
            "too_many_messages",
            format!("At most {RESOLVE_MAX} messages can be named at once; name fewer, or a campaign"),
        ));
    }
    match form.campaign_id {
        _ if !form.messages.is_empty() => {
            Ok(UnknownMessages::These(form.messages.iter().copied().map(MessageId).collect()))
        }
        Some(campaign) => Ok(UnknownMessages::Campaign(CampaignId(campaign))),
        None => Err(Error::field("messages", "messages_required", "Messages are required, or a campaign_id")),
    }
}

/// The campaign that is to be sent again, and whose it is.
#[derive(Clone, Copy, Debug)]
struct Origin {
    campaign: CampaignId,
    owner: UserId,
}

/// The one campaign of the messages: a quote has one text, one sender and one payer.
async fn origin(app: &AppState, which: &UnknownMessages) -> Result<Origin> {
    let mut tx = app.store.read().await?;
    let campaign = match which {
        UnknownMessages::Campaign(campaign) => *campaign,
        UnknownMessages::These(messages) => {
            let mut chunks: Vec<ChunkId> = messages.iter().map(|message| message.chunk()).collect();
            chunks.sort_unstable();
            chunks.dedup();
            let mut campaign = None;
            for id in chunks {
                let Some(found) = chunk::find(&mut tx, id).await? else { continue };
                if campaign.is_some_and(|campaign| campaign != found.terms.campaign) {
                    return Err(Error::field(
                        "messages",
                        "several_campaigns",
                        "These messages are of several campaigns: resend them campaign by campaign",
                    ));
                }
                campaign = Some(found.terms.campaign);
            }
            campaign.ok_or(Error::NotFound("message"))?
        }
    };
    let owner = talkdrum_core::store::campaign::list::owner(&mut tx, campaign).await?;
    Ok(Origin { campaign, owner: owner.ok_or(Error::NotFound("campaign"))? })
}

/// Quotes what was refunded. That it was refunded stands even when it cannot be quoted.
async fn quote_again(app: &AppState, origin: Origin, messages: Vec<MessageId>) -> (Option<Quote>, String) {
    match app.campaigns.resend(origin.owner, origin.campaign, Some(messages), None).await {
        Ok(quote) => (Some(quote), String::new()),
        Err(error) => {
            tracing::warn!(code = error.code(), %error, campaign = origin.campaign.0, "nothing was quoted");
            let reason = match &error {
                Error::Rule { .. } | Error::Unavailable { .. } | Error::SpeechBusy => error.to_string(),
                _ => "the server failed to".to_owned(),
            };
            let note = format!(
                ", but not quoted again: {reason}. Their owner can send them again with campaigns resend {}",
                origin.campaign
            );
            (None, note)
        }
    }
}

struct Deciding {
    claim: Option<Claim>,
    which: UnknownMessages,
    outcome: Resolution,
    by: UserId,
    now: Time,
}

enum Done {
    Now(Vec<MessageId>),
    Before(i64),
}

async fn decide(tx: &mut Tx, it: &Deciding) -> Result<Done> {
    let mut done = None;
    let count = once(tx, it.claim.as_ref(), it.now, async |tx| {
        let messages = resolve_by_admin(tx, &it.which, it.outcome, it.by, it.now).await?;
        let count = i64::try_from(messages.len()).unwrap_or(i64::MAX);
        done = Some(messages);
        Ok(count)
    })
    .await?;
    Ok(done.map_or(Done::Before(count), Done::Now))
}
