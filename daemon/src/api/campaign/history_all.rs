//! `GET /admin/get-all-camapaign-history`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::campaign::Campaigns;
use talkdrum_core::campaign::report::campaign_list;
use talkdrum_core::model::page::Scope;

use super::history::{AllColumns, CampaignFilter};
use crate::api::list_query::{Numbers, Period, UserFilter, window};
use crate::http::{AdminCaller, Answer, Query as Parameters, SortedPage};
use crate::state::AppState;

/// Everybody's campaigns, newest first; `q` searches sender ids, texts and user names.
#[utoipa::path(
    get, path = "/admin/get-all-camapaign-history", tag = "campaign",
    params(CampaignFilter, Period, UserFilter, Numbers, SortedPage<AllColumns>),
    responses((status = 200, body = Campaigns)),
)]
pub(super) async fn list_all_campaigns(
    State(app): State<AppState>,
    caller: AdminCaller,
    Parameters(filter): Parameters<CampaignFilter>,
    Parameters(period): Parameters<Period>,
    Parameters(of): Parameters<UserFilter>,
    Parameters(numbers): Parameters<Numbers>,
    page: SortedPage<AllColumns>,
) -> Answer<Campaigns> {
    let (store, admin, is_search) = (app.store.clone(), caller.user_id, !page.q.is_empty());
    let read = async move {
        let mut tx = store.snapshot().await?;
        let scope = of.user(&mut tx).await?.map_or(Scope::All, Scope::Own);
        let selection = filter.selection(&mut tx, (&caller, scope), &period, &page).await?;
        campaign_list::list(&mut tx, &selection, window(&page.page), numbers.asked()?).await
    };
    Ok(Json(app.scans.read(is_search, admin, read).await?))
}
