//! What pausing, resuming and cancelling have in common: the campaign is changed and shown in one transaction.

use axum::Json;
use talkdrum_api::campaign::CampaignChanged;
use talkdrum_core::campaign::confirm::spending_limit;
use talkdrum_core::campaign::control::{self, Authority};
use talkdrum_core::campaign::report::progress;
use talkdrum_core::model::page::Scope;
use talkdrum_core::platform::audit::{self, Entry};
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;
use talkdrum_core::{Result, account};

use crate::http::{Answer, Caller, IdempotencyKey};
use crate::state::AppState;

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Pause,
    Resume,
    Cancel,
}

impl Step {
    /// Its name: of its idempotency keys, in the log, and in the audit trail for another user's campaign.
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
struct Order {
    step: Step,
    campaign: i64,
    by: Authority,
    /// Who asks.
    user: i64,
    claim: Option<Claim>,
    now: Time,
}

/// What a caller may steer: every campaign, or the own ones. See [`account::Caller::sees_all`].
fn authority(caller: &account::Caller) -> Authority {
    if caller.sees_all() { Authority::Admin } else { Authority::Owner(caller.user_id) }
}

/// Takes a step with a campaign, once for its key.
pub(super) async fn take(
    app: &AppState,
    caller: &Caller,
    key: IdempotencyKey,
    (step, campaign): (Step, i64),
) -> Answer<CampaignChanged> {
    let order = Order {
        step,
        campaign,
        by: authority(caller),
        user: caller.user_id,
        claim: key.claim_on(caller, step.action(), campaign),
        now: app.clock.now(),
    };
    let changed = app.store.write(Lane::Interactive, order, |tx, order| Box::pin(apply(tx, order))).await?;
    tracing::info!(campaign, user_id = caller.user_id, "{}", step.action());
    Ok(Json(changed))
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
