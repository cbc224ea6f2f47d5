//! Pausing, resuming and cancelling as a person asks for it: once for its key, noted where the campaign is another user's,
//! and told in a sentence.

use talkdrum_api::campaign::{Campaign, CampaignChanged};

use super::{Authority, cancel, pause, resume};
use crate::campaign::report::{canary, progress};
use crate::campaign::spending_limit;
use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::campaign::id::CampaignId;
use crate::model::message::status::CampaignStatus;
use crate::model::page::RecordScope;
use crate::model::platform::audit::AuditAction;
use crate::platform::audit::{self, Entry};
use crate::store::Tx;
use crate::store::operations::idempotency::{Claim, once};
use crate::time::Time;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CampaignStep {
    /// Nothing more is claimed.
    Pause,
    /// It goes on.
    Resume,
    /// It is given up.
    Cancel,
}

impl CampaignStep {
    /// Its name: of its idempotency keys, in the log, and in the audit trail for another user's campaign.
    pub const fn action(self) -> AuditAction {
        match self {
            Self::Pause => AuditAction::CampaignPause,
            Self::Resume => AuditAction::CampaignResume,
            Self::Cancel => AuditAction::CampaignCancel,
        }
    }
}

/// A step that is asked for.
#[derive(Debug)]
pub struct StepRequest {
    /// Which one.
    pub step: CampaignStep,
    /// With which campaign.
    pub campaign: CampaignId,
    /// As whom.
    pub by: Authority,
    /// Who asks.
    pub user: UserId,
    /// The key, if there was one.
    pub claim: Option<Claim>,
    /// When.
    pub now: Time,
}

/// Takes a step, and tells how the campaign stands now.
///
/// # Errors
/// Those of [`pause`], [`resume`] and [`cancel`]; 404 where the campaign is none of the caller's.
pub async fn steer(tx: &mut Tx, order: &StepRequest) -> Result<CampaignChanged> {
    let scope = match order.by {
        Authority::Owner(user) => RecordScope::Own(user),
        Authority::Admin => RecordScope::All,
    };
    let mut message = "This was done before; nothing was changed now".to_owned();
    once(tx, order.claim.as_ref(), order.now, async |tx| {
        let before = progress::view(tx, scope, order.campaign).await?;
        message = take(tx, order, &before).await?;
        if before.user_id != order.user.0 {
            let entry = Entry::new(order.user, order.step.action(), format!("campaign {}", order.campaign));
            audit::record(tx, &entry.before(Some(before.status)).after(Some(message.as_str())), order.now)
                .await?;
        }
        Ok(order.campaign)
    })
    .await?;
    Ok(CampaignChanged { campaign: progress::view(tx, scope, order.campaign).await?, message })
}

async fn take(tx: &mut Tx, order: &StepRequest, before: &Campaign) -> Result<String> {
    let &StepRequest { campaign, by, now, .. } = order;
    match order.step {
        CampaignStep::Pause => {
            let reason = match by {
                Authority::Owner(_) => "Paused by its owner",
                Authority::Admin => "Paused by an administrator",
            };
            pause(tx, campaign, by, reason).await?;
            Ok("Paused: what was handed to the carrier before still goes out".to_owned())
        }
        CampaignStep::Resume => {
            if by == Authority::Admin {
                spending_limit::prove_by_resume(tx, campaign, order.user, now).await?;
            }
            // An administrator's own campaign.
            let is_own = before.user_id == order.user.0 && before.held.as_deref() == Some(canary::HELD);
            let by = if is_own { Authority::Owner(order.user) } else { by };
            let sentence = match resume(tx, campaign, by, now).await? {
                CampaignStatus::Paused => {
                    "The administrators' pause is over. Its canary had failed before: its owner resumes or cancels it"
                }
                _ => "Resumed",
            };
            Ok(sentence.to_owned())
        }
        CampaignStep::Cancel => {
            let cancelled = cancel(tx, campaign, by, now).await?;
            let plural = if cancelled.messages == 1 { "" } else { "s" };
            Ok(format!(
                "Cancelled: {} message{plural} will not be sent, {} went back to the wallet",
                cancelled.messages, cancelled.refunded
            ))
        }
    }
}
