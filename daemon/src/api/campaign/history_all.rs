//! `GET /admin/get-all-camapaign-history`.

use axum::Json;
use axum::extract::{Query as Parameters, State};
use talkdrum_core::api::campaign::Campaigns;
use talkdrum_core::campaign::history;
use talkdrum_core::campaign::report::Scope;

use super::history::Which;
use crate::api::reading::window;
use crate::http::{AdminCaller, Answer, Page};
use crate::state::AppState;

/// Everybody's campaigns, newest first; `q` searches sender ids, texts and user names.
#[utoipa::path(
    get, path = "/admin/get-all-camapaign-history", tag = "campaign",
    params(("status" = Option<String>, Query), ("q" = Option<String>, Query),
           ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = Campaigns)),
)]
pub(super) async fn list_all_campaigns(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Parameters(which): Parameters<Which>,
    page: Page,
) -> Answer<Campaigns> {
    let query = which.within(Scope::All, &page)?;
    Ok(Json(history::list(&mut app.store.read().await?, &query, window(&page)).await?))
}
