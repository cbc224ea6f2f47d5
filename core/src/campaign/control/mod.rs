//! Pausing, resuming and cancelling a campaign.
//!
//! Each is one transaction that the dispatcher's next intent sees: messages claimed before it go out and are settled,
//! none is claimed after it. A pause never splits a message.

pub mod canary;
pub mod resolve_unknown;
pub mod steer;

use std::collections::BTreeSet;

use talkdrum_api::money::{Amount, Money};

use super::settlement;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::campaign::audience_chunk::Chunk;
use crate::model::campaign::id::CampaignId;
use crate::model::campaign::pause::{PausedBy, ReviewCause};
use crate::model::message::id::MessageId;
use crate::model::message::outcome::MessageOutcome;
use crate::model::message::reason::PlatformReason;
use crate::model::message::status::{CampaignStatus, MessageStatus};
use crate::model::money::ledger::{Code, Transfer};
use crate::store::campaign::{ChunkToCancel, ControlledCampaign, spending};
use crate::store::{Tx, campaign as table, chunk};
use crate::time::Time;
use crate::{ledger, sender};

/// Who may act on a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Authority {
    /// Its owner: other users' campaigns do not exist for them.
    Owner(UserId),
    /// An administrator.
    Admin,
}

async fn find(tx: &mut Tx, campaign: CampaignId, by: Authority) -> Result<ControlledCampaign> {
    let controlled = table::lock(tx, campaign).await?.ok_or(Error::NotFound("campaign"))?;
    if let Authority::Owner(user) = by
        && user != controlled.user_id
    {
        return Err(Error::NotFound("campaign"));
    }
    Ok(controlled)
}

fn over(ControlledCampaign { id, status, .. }: &ControlledCampaign, what: &str) -> Error {
    Error::conflict("campaign_over", format!("Campaign {id} is {status}; it cannot be {what} any more"))
}

/// Pauses a campaign. A campaign that the deactivation of its owner's account paused stays paused when the account is
/// activated, and its owner cannot resume what an administrator paused; pausing any other paused campaign changes nothing.
pub async fn pause(tx: &mut Tx, campaign: CampaignId, by: Authority, reason: &str) -> Result<()> {
    let controlled = find(tx, campaign, by).await?;
    let cause = match by {
        Authority::Owner(_) => (PausedBy::Owner, reason),
        Authority::Admin => (PausedBy::Admin, reason),
    };
    match controlled.status {
        CampaignStatus::Paused => {
            if controlled.paused_by == Some(PausedBy::Account) {
                table::pause(tx, campaign, controlled.paused_from, cause).await?;
            }
        }
        CampaignStatus::Sending | CampaignStatus::Scheduled => {
            table::pause(tx, campaign, Some(controlled.status), cause).await?;
        }
        _ => return Err(over(&controlled, "paused")),
    }
    if by == Authority::Admin && controlled.held.is_none() {
        spending::set_review(tx, campaign, Some(ReviewCause::Admin)).await?;
    }
    Ok(())
}

/// Lets a paused campaign go on: sending, or waiting for its time. One whose canary failed is sent to the rest as well.
/// Where an administrator's pause came on top of that, an administrator lifts the pause, and the campaign is paused as its
/// canary left it, for its owner. Resuming one that runs changes nothing. Returns its status now.
///
/// # Errors
/// `campaign_held` when only an administrator may; `canary_failed` when only its owner may; `campaign_over`; `account_inactive`; `codes_not_allowed`; the rules on the sender.
pub async fn resume(tx: &mut Tx, campaign: CampaignId, by: Authority, now: Time) -> Result<CampaignStatus> {
    // The owner and the sender are locked before the campaign, as by a deactivation and a withdrawal, which then pause
    // campaigns.
    let (is_owner_active, allowed) = match table::sender_of(tx, campaign).await? {
        Some((owner, sender, purpose)) => {
            let active = table::confirm::lock_active(tx, [owner].into()).await?;
            let owner_row = active.get(&owner);
            let codes = owner_row.map_or(Ok(()), |it| it.require_right_to(purpose));
            let sender = sender::check_and_lock(tx, owner, &sender).await.map(|_| ());
            (owner_row.is_some(), codes.and(sender))
        }
        None => (false, Ok(())),
    };
    let controlled = find(tx, campaign, by).await?;
    match controlled.status {
        running @ (CampaignStatus::Sending | CampaignStatus::Scheduled) => return Ok(running),
        CampaignStatus::Paused => {}
        _ => return Err(over(&controlled, "resumed")),
    }
    if let (Authority::Owner(_), Some(_)) = (by, controlled.held) {
        // Of a failed canary the reason says that the owner may resume it.
        let reason = controlled.status_reason.as_deref().filter(|_| !controlled.canary_failed);
        let reason = reason.unwrap_or("Paused by an administrator");
        return Err(Error::conflict(
            "campaign_held",
            format!("Only an administrator can let campaign {campaign} go on. {reason}"),
        ));
    }
    if by == Authority::Admin && controlled.canary_failed {
        if controlled.held.is_none() {
            return Err(Error::conflict(
                "canary_failed",
                format!(
                    "The canary of campaign {campaign} failed: its owner resumes it to send the rest, or cancels it"
                ),
            ));
        }
        spending::set_review(tx, campaign, None).await?;
        return Ok(CampaignStatus::Paused);
    }
    if !is_owner_active {
        return Err(Error::inactive());
    }
    allowed?;
    let waits = controlled.paused_from == Some(CampaignStatus::Scheduled)
        && controlled.scheduled_at.is_some_and(|start| start > now);
    let next = if waits { CampaignStatus::Scheduled } else { CampaignStatus::Sending };
    table::set_status(tx, campaign, next).await?;
    if controlled.canary_failed {
        table::canary::pass(tx, campaign, now).await?;
    }
    if controlled.held.is_some() {
        spending::set_review(tx, campaign, None).await?;
    }
    Ok(next)
}

/// What a cancel gave up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cancelled {
    /// Messages that will not be sent.
    pub messages: i64,
    /// Refunded to the wallet.
    pub refunded: Money,
}

/// Cancels a campaign: refunds what was not claimed yet, and what waited to be tried again. Messages in flight are
/// settled by their answers. Cancelling a cancelled one changes nothing.
pub async fn cancel(tx: &mut Tx, campaign: CampaignId, by: Authority, now: Time) -> Result<Cancelled> {
    let controlled = find(tx, campaign, by).await?;
    let currency = controlled.currency;
    let nothing = Cancelled { messages: 0, refunded: Money { amount: Amount::ZERO, currency } };
    match controlled.status {
        CampaignStatus::Cancelled => return Ok(nothing),
        CampaignStatus::Completed | CampaignStatus::Failed => {
            return Err(over(&controlled, "cancelled"));
        }
        _ => {}
    }
    table::set_status(tx, campaign, CampaignStatus::Cancelled).await?;
    let open = table::open_chunks(tx, campaign).await?;
    // What waits to be tried again is settled behind the wallet.
    chunk::lock_all(tx, open.iter().map(|part| part.id).collect()).await?;
    let tail = cancel_tails(tx, &open).await?;
    if tail > Amount::ZERO {
        let transfer = Transfer {
            debit: controlled.reserve_account_id,
            credit: controlled.wallet_account_id,
            money: Money { amount: tail, currency },
            code: Code::Release,
            reference: format!("cancel:{campaign}"),
            narration: format!("Campaign {campaign}: cancelled before it was sent"),
            campaign: Some(campaign),
        };
        ledger::post(tx, &transfer, now).await?;
    }
    table::close_chunks(tx, campaign, now).await?;
    let (waiting, released) = cancel_retries(tx, &open, now).await?;
    Ok(Cancelled {
        messages: open.iter().map(|chunk| chunk.size - chunk.cursor).sum::<i64>() + waiting,
        refunded: Money { amount: tail.plus(released)?, currency },
    })
}

/// Gives up the unclaimed positions; returns their price.
async fn cancel_tails(tx: &mut Tx, open: &[ChunkToCancel]) -> Result<Amount> {
    let mut total = Amount::ZERO;
    for part in open {
        let price = if part.cursor == 0 {
            part.charge
        } else if part.cursor == part.size {
            Amount::ZERO
        } else {
            let recipients =
                Chunk::decode_without_fields(&chunk::audience_data(tx, part.audience_chunk_id).await?)?;
            let from = usize::try_from(part.cursor).unwrap_or(usize::MAX);
            part.unit_price.times(recipients.pages_between(from, recipients.len()))?
        };
        table::cancel_tail(tx, part.id, price).await?;
        total = total.plus(price)?;
    }
    Ok(total)
}

/// Gives up what waited to be tried again; returns how many messages and their price.
async fn cancel_retries(tx: &mut Tx, open: &[ChunkToCancel], now: Time) -> Result<(i64, Amount)> {
    let mut outcomes = Vec::new();
    let mut price = Amount::ZERO;
    for part in open {
        // The delete returns only retries that no dispatcher has claimed to send them again.
        let retries = chunk::retry::take_of(tx, part.id).await?;
        if retries.is_empty() {
            continue;
        }
        let recipients =
            Chunk::decode_without_fields(&chunk::audience_data(tx, part.audience_chunk_id).await?)?;
        for message in retries {
            let pages = u64::from(recipients.pages(usize::from(message.place())));
            price = price.plus(part.unit_price.times(pages)?)?;
            let error = Some(PlatformReason::Cancelled.into());
            let (reference, submitted_at, done_at) = (None, None, Some(now));
            outcomes.push(MessageOutcome {
                message,
                status: MessageStatus::Cancelled,
                reference,
                submitted_at,
                done_at,
                error,
                units: None,
            });
        }
    }
    settlement::settle(tx, &outcomes, now).await?;
    let chunks: BTreeSet<MessageId> = outcomes.iter().map(|outcome| outcome.message).collect();
    Ok((i64::try_from(chunks.len()).unwrap_or(i64::MAX), price))
}
