//! What pausing, resuming and cancelling have in common.

use axum::Json;
use talkdrum_api::campaign::CampaignChanged;
use talkdrum_core::account;
use talkdrum_core::campaign::control::Authority;
pub(super) use talkdrum_core::campaign::control::steer::CampaignStep;
use talkdrum_core::campaign::control::steer::{StepRequest, steer};
use talkdrum_core::model::campaign::id::CampaignId;
use talkdrum_core::store::Lane;

use crate::http::{Answer, Caller, IdempotencyKey};
use crate::state::AppState;

/// What a caller may steer: every campaign, or the own ones. See [`account::Caller::sees_all`].
fn authority(caller: &account::Caller) -> Authority {
    if caller.sees_all() { Authority::Admin } else { Authority::Owner(caller.user_id) }
}

/// Takes a step with a campaign, once for its key.
pub(super) async fn take(
    app: &AppState,
    caller: &Caller,
    key: IdempotencyKey,
    (step, campaign): (CampaignStep, CampaignId),
) -> Answer<CampaignChanged> {
    let order = StepRequest {
        step,
        campaign,
        by: authority(caller),
        user: caller.user_id,
        claim: key.claim_on(caller, step.action().code(), campaign.0),
        now: app.clock.now(),
    };
    let changed = app.store.write(Lane::Interactive, order, |tx, order| Box::pin(steer(tx, order))).await?;
    tracing::info!(campaign = campaign.0, user_id = caller.user_id.0, "{}", step.action().code());
    Ok(Json(changed))
}
