//! `GET /api/campaigns/{id}`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::campaign::CampaignAnswer;
use talkdrum_core::campaign::report::campaign_list;

use crate::api::list_query::{Numbers, scope};
use crate::http::{Answer, Caller, Path, Query};
use crate::state::AppState;

/// A campaign: its counts, its money, the first of its numbers, and how many of its messages can be sent again.
#[utoipa::path(
    get, path = "/api/campaigns/{id}", tag = "campaign",
    params(("id" = i64, Path, description = "The campaign's id"), Numbers),
    responses((status = 200, body = CampaignAnswer)),
)]
pub(super) async fn show_campaign(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<i64>,
    Query(numbers): Query<Numbers>,
) -> Answer<CampaignAnswer> {
    let numbers = numbers.asked()?;
    let campaign =
        campaign_list::campaign(&mut app.store.snapshot().await?, scope(&caller), id, numbers).await?;
    Ok(Json(CampaignAnswer { campaign }))
}
