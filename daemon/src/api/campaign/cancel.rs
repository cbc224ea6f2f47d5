//! `POST /api/campaigns/{id}/cancel`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::campaign::CampaignChanged;

use super::control::{self, Order, Step};
use crate::http::{Answer, Caller, IdempotencyKey, Path};
use crate::state::AppState;

/// End a campaign: what was not sent is refunded, what is in flight settles itself.
#[utoipa::path(
    post, path = "/api/campaigns/{id}/cancel", tag = "campaign",
    params(("id" = i64, Path, description = "The campaign's id")),
    responses((status = 200, body = CampaignChanged)),
)]
pub(super) async fn cancel_campaign(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Path(id): Path<i64>,
) -> Answer<CampaignChanged> {
    let order = Order {
        step: Step::Cancel,
        campaign: id,
        by: control::authority(&caller),
        user: caller.user_id,
        claim: key.claim_on(&caller, "campaign.cancel", id),
        now: app.clock.now(),
    };
    let changed = control::take(&app, order).await?;
    tracing::info!(campaign = id, user_id = caller.user_id, "campaign.cancel");
    Ok(Json(changed))
}
