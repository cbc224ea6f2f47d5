//! What pausing, resuming and cancelling have in common: the campaign is changed and shown in one transaction.

use talkdrum_api::campaign::CampaignChanged;
use talkdrum_core::Result;
use talkdrum_core::account::Caller;
use talkdrum_core::campaign::confirm::spending_limit;
use talkdrum_core::campaign::control::{self, Authority};
use talkdrum_core::campaign::report::progress;
use talkdrum_core::model::page::Scope;
use talkdrum_core::platform::audit::{self, Entry};
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;

use crate::state::AppState;

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Pause,
    Resume,
    Cancel,
}

impl Step {
    /// Its name in the audit trail, for actions on another user's campaign.
    const fn action(self) -> &'static str {
        match self {
            Self::Pause => "campaign.pause",
            Self::Resume => "campaign.resume",
            Self::Cancel => "campaign.cancel",
        }
    }
}

/// A requested action.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) step: Step,
    pub(super) campaign: i64,
    pub(super) by: Authority,
    /// Who asks.
    pub(super) user: i64,
    pub(super) claim: Option<Claim>,
    pub(super) now: Time,
}

/// What a caller may steer: every campaign, or the own ones. See [`Caller::sees_all`].
pub(super) fn authority(caller: &Caller) -> Authority {
    if caller.sees_all() { Authority::Admin } else { Authority::Owner(caller.user_id) }
}

/// Takes the step, once for its key.
pub(super) async fn take(app: &AppState, order: Order) -> Result<CampaignChanged> {
    app.store.write(Lane::Interactive, order, |tx, order| Box::pin(apply(tx, order))).await
}

async fn apply(tx: &mut Tx, order: &Order) -> Result<CampaignChanged> {
    let scope = match order.by {
        Authority::Owner(user) => Scope::Own(user),
        Authority::Admin => Scope::All,
    };
    let mut message = "This was done before; nothing was changed now".to_owned();
    once(tx, order.claim.as_ref(), order.now, async |tx| {
        let before = progress::view(tx, scope, order.campaign).await?;
        message = step(tx, order).await?;
        if before.user_id != order.user {
            let entry = Entry::new(order.user, order.step.action(), format!("campaign {}", order.campaign));
            audit::record(tx, &entry.before(Some(before.status)).after(Some(message.as_str())), order.now)
                .await?;
        }
        Ok(order.campaign)
    })
    .await?;
    Ok(CampaignChanged { campaign: progress::view(tx, scope, order.campaign).await?, message })
}

async fn step(tx: &mut Tx, order: &Order) -> Result<String> {
    let &Order { campaign, by, now, .. } = order;
    match order.step {
        Step::Pause => {
            let reason = match by {
                Authority::Owner(_) => "Paused by its owner",
                Authority::Admin => "Paused by an administrator",
            };
            control::pause(tx, campaign, by, reason).await?;
            Ok("Paused: what was handed to the carrier before still goes out".to_owned())
        }
        Step::Resume => {
            if by == Authority::Admin {
                spending_limit::prove_by_resume(tx, campaign, order.user, now).await?;
            }
            control::resume(tx, campaign, by, now).await?;
            Ok("Resumed".to_owned())
        }
        Step::Cancel => {
            let cancelled = control::cancel(tx, campaign, by, now).await?;
            let plural = if cancelled.messages == 1 { "" } else { "s" };
            Ok(format!(
                "Cancelled: {} message{plural} will not be sent, {} went back to the wallet",
                cancelled.messages, cancelled.refunded
            ))
        }
    }
}
