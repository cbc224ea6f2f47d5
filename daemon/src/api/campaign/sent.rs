//! `GET /api/get-sent-messages`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::campaign::SentMessages;
use talkdrum_core::campaign::report::campaign_list;
use talkdrum_core::model::page::Scope;

use super::history::{CampaignFilter, OwnColumns};
use crate::api::list_query::{Numbers, Period, window};
use crate::http::{Answer, Caller, Query as Parameters, SortedPage};
use crate::state::AppState;

/// The caller's campaigns in the form of the specification's sent messages, one row each, newest first
/// unless sorted otherwise.
#[utoipa::path(
    get, path = "/api/get-sent-messages", tag = "campaign",
    params(CampaignFilter, Period, Numbers, SortedPage<OwnColumns>),
    responses((status = 200, body = SentMessages)),
)]
pub(super) async fn list_sent_messages(
    State(app): State<AppState>,
    caller: Caller,
    Parameters(filter): Parameters<CampaignFilter>,
    Parameters(period): Parameters<Period>,
    Parameters(numbers): Parameters<Numbers>,
    page: SortedPage<OwnColumns>,
) -> Answer<SentMessages> {
    let mut tx = app.store.snapshot().await?;
    let who = (&*caller, Scope::Own(caller.user_id));
    let selection = filter.selection(&mut tx, who, &period, &page).await?;
    Ok(Json(campaign_list::sent_messages(&mut tx, &selection, window(&page.page), numbers.asked()?).await?))
}
