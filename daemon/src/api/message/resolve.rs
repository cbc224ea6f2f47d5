//! `POST /admin/messages/resolve`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::campaign::Quote;
use talkdrum_api::message::{Resolve, Resolved};
use talkdrum_core::campaign::control::resolve_unknown::{self, RESOLVE_MAX, Resolution};
use talkdrum_core::model::message::id::MessageId;
use talkdrum_core::model::platform::audit::AuditAction;
use talkdrum_core::platform::audit::{self, Entry};
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::store::{Lane, Tx, chunk};
use talkdrum_core::time::Time;
use talkdrum_core::{Error, Result};

use crate::http::{AdminCaller, Answer, Form, IdempotencyKey};
use crate::state::AppState;

/// Unknown messages of a campaign that are settled in one transaction: a few hundred milliseconds of the writer.
const TOGETHER_MAX: usize = 10 * RESOLVE_MAX;

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
    let scope = ResolveScope::of(&data)?;
    let origin = if outcome == Resolution::Resend { Some(origin(&app, &scope).await?) } else { None };
    let deciding = Deciding {
        claim: key.claim(&caller, "message.resolve", digest),
        scope,
        outcome,
        by: caller.user_id,
        now: app.clock.now(),
    };
    let done = app.store.write(Lane::Interactive, deciding, |tx, it| Box::pin(decide(tx, it))).await?;
    let done = match done {
        Done::Now(messages) => messages,
        Done::Before(count) => {
            let message = format!("{} before; nothing was changed now", settled(count, outcome));
            return Ok(Json(Resolved { resolved: count, message, quote: None }));
        }
    };
    let resolved = i64::try_from(done.len()).unwrap_or(i64::MAX);
    tracing::info!(resolved, outcome = data.outcome, admin_id = caller.user_id, "message.resolve");
    let (quote, note) = match origin.filter(|_| !done.is_empty()) {
        Some(origin) => quote_again(&app, origin, done).await,
        None => (None, String::new()),
    };
    let message = format!("{}{note}", settled(resolved, outcome));
    Ok(Json(Resolved { resolved, message, quote }))
}

fn settled(count: i64, outcome: Resolution) -> String {
    let plural = if count == 1 { " was" } else { "s were" };
    match outcome {
        Resolution::Sent => format!("{count} message{plural} settled as sent"),
        Resolution::Refunded | Resolution::Resend => {
            format!("{count} message{plural} settled as not sent and refunded")
        }
    }
}

/// Which messages are meant.
#[derive(Clone, Debug)]
enum ResolveScope {
    These(Vec<MessageId>),
    Campaign(i64),
}

impl ResolveScope {
    fn of(form: &Resolve) -> Result<Self> {
        if form.messages.len() > RESOLVE_MAX {
            return Err(Error::field(
                "messages",
                "too_many_messages",
                format!("At most {RESOLVE_MAX} messages can be named at once; name fewer, or a campaign"),
            ));
        }
        match form.campaign_id {
            _ if !form.messages.is_empty() => {
                Ok(Self::These(form.messages.iter().copied().map(MessageId).collect()))
            }
            Some(campaign) => Ok(Self::Campaign(campaign)),
            None => {
                Err(Error::field("messages", "messages_required", "Messages are required, or a campaign_id"))
            }
        }
    }
}

/// The campaign that is to be sent again, and whose it is.
#[derive(Clone, Copy, Debug)]
struct Origin {
    campaign: i64,
    owner: i64,
}

/// The one campaign of the messages: a quote has one text, one sender and one payer.
async fn origin(app: &AppState, scope: &ResolveScope) -> Result<Origin> {
    let mut tx = app.store.read().await?;
    let campaign = match scope {
        ResolveScope::Campaign(campaign) => *campaign,
        ResolveScope::These(messages) => {
            let mut chunks: Vec<i64> = messages.iter().map(|message| message.chunk()).collect();
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
            tracing::warn!(code = error.code(), %error, campaign = origin.campaign, "nothing was quoted");
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
    scope: ResolveScope,
    outcome: Resolution,
    by: i64,
    now: Time,
}

enum Done {
    Now(Vec<MessageId>),
    Before(i64),
}

async fn decide(tx: &mut Tx, it: &Deciding) -> Result<Done> {
    let mut done = None;
    let count = once(tx, it.claim.as_ref(), it.now, async |tx| {
        let messages = resolve(tx, it).await?;
        let count = i64::try_from(messages.len()).unwrap_or(i64::MAX);
        done = Some(messages);
        Ok(count)
    })
    .await?;
    Ok(done.map_or(Done::Before(count), Done::Now))
}

async fn resolve(tx: &mut Tx, it: &Deciding) -> Result<Vec<MessageId>> {
    let done = match &it.scope {
        ResolveScope::These(messages) => resolve_unknown::resolve(tx, messages, it.outcome, it.now).await?,
        ResolveScope::Campaign(campaign) => {
            let mut done = Vec::new();
            while done.len() < TOGETHER_MAX {
                let unknown = resolve_unknown::unknown_of(tx, *campaign).await?;
                if unknown.is_empty() {
                    break;
                }
                let settled = resolve_unknown::resolve(tx, &unknown, it.outcome, it.now).await?;
                if settled.is_empty() {
                    break;
                }
                done.extend(settled);
            }
            done
        }
    };
    if !done.is_empty() {
        let subject = match &it.scope {
            ResolveScope::Campaign(campaign) => format!("campaign {campaign}"),
            ResolveScope::These(messages) => match messages.as_slice() {
                [message] => format!("message {}", message.0),
                several => format!("{} messages from {} on", several.len(), several[0].0),
            },
        };
        let entry = Entry::new(it.by, AuditAction::MessageResolve, subject);
        let after = settled(i64::try_from(done.len()).unwrap_or(i64::MAX), it.outcome);
        audit::record(tx, &entry.before(Some("unknown")).after(Some(after)), it.now).await?;
    }
    Ok(done)
}
