//! `GET /api/campaigns/{id}`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::campaign::CampaignAnswer;
use talkdrum_core::campaign::report::campaign_list;

use crate::api::list_query::{numbers_asked, scope};
use crate::http::{Answer, Caller, Path, Query};
use crate::state::AppState;

/// How much of it.
#[derive(Debug, Deserialize)]
pub(super) struct HowMuch {
    numbers: Option<String>,
}

/// A campaign: its counts, its money, the first of its numbers, and how many of its messages can be sent again.
#[utoipa::path(
    get, path = "/api/campaigns/{id}", tag = "campaign",
    params(("id" = i64, Path, description = "The campaign's id"),
           ("numbers" = Option<i64>, Query, description = "0 leaves `contacts` and `failed_contacts` empty, for who asks often")),
    responses((status = 200, body = CampaignAnswer)),
)]
pub(super) async fn show_campaign(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<i64>,
    Query(how_much): Query<HowMuch>,
) -> Answer<CampaignAnswer> {
    let numbers = numbers_asked(how_much.numbers.as_deref())?;
    let campaign =
        campaign_list::campaign(&mut app.store.snapshot().await?, scope(&caller), id, numbers).await?;
    Ok(Json(CampaignAnswer { campaign }))
}
