//! `POST /api/campaigns/{id}/resume`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::campaign::CampaignChanged;

use super::control::{self, Order, Step};
use crate::http::{Answer, Caller, IdempotencyKey, Path};
use crate::state::AppState;

/// Let a paused campaign go on, or wait for its time again.
#[utoipa::path(
    post, path = "/api/campaigns/{id}/resume", tag = "campaign",
    params(("id" = i64, Path, description = "The campaign's id")),
    responses((status = 200, body = CampaignChanged)),
)]
pub(super) async fn resume_campaign(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Path(id): Path<i64>,
) -> Answer<CampaignChanged> {
    let order = Order {
        step: Step::Resume,
        campaign: id,
        by: control::authority(&caller),
        user: caller.user_id,
        claim: key.claim_on(&caller, "campaign.resume", id),
        now: app.clock.now(),
    };
    let changed = control::take(&app, order).await?;
    if let Some(workers) = &app.workers {
        workers.wake();
    }
    tracing::info!(campaign = id, user_id = caller.user_id, "campaign.resume");
    Ok(Json(changed))
}
