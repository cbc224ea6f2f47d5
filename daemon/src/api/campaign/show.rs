//! `GET /api/campaigns/{id}`.

use axum::Json;
use axum::extract::State;
use talkdrum_core::api::campaign::CampaignAnswer;
use talkdrum_core::campaign::history;

use crate::api::reading::scope;
use crate::http::{Answer, Caller, Path};
use crate::state::AppState;

/// A campaign: its counts, its money, and the first of its numbers.
#[utoipa::path(
    get, path = "/api/campaigns/{id}", tag = "campaign",
    params(("id" = i64, Path, description = "The campaign's id")),
    responses((status = 200, body = CampaignAnswer)),
)]
pub(super) async fn show_campaign(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<i64>,
) -> Answer<CampaignAnswer> {
    let campaign = history::campaign(&mut app.store.read().await?, scope(&caller), id).await?;
    Ok(Json(CampaignAnswer { campaign }))
}
