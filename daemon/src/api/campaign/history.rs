//! `GET /api/get-campaign-history`, and what the lists of campaigns have in common.

use axum::Json;
use axum::extract::{Query as Parameters, State};
use serde::Deserialize;
use talkdrum_core::api::campaign::Campaigns;
use talkdrum_core::campaign::history::{self, Query};
use talkdrum_core::campaign::report::Scope;
use talkdrum_core::campaign::status::CampaignStatus;
use talkdrum_core::{Error, Result};

use crate::api::reading::window;
use crate::http::{Answer, Caller, Page};
use crate::state::AppState;

/// Which campaigns.
#[derive(Debug, Deserialize)]
pub(super) struct Which {
    status: Option<String>,
}

impl Which {
    /// The query for these campaigns in a scope.
    pub(super) fn within(&self, scope: Scope, page: &Page) -> Result<Query> {
        let name = self.status.as_deref().map(str::trim).filter(|name| !name.is_empty());
        let status = name
            .map(|name| {
                CampaignStatus::from_name(name).ok_or_else(|| {
                    Error::field(
                        "status",
                        "bad_status",
                        format!(
                            "'{name}' is no status of a campaign: use scheduled, sending, paused, completed, \
                             cancelled or failed"
                        ),
                    )
                })
            })
            .transpose()?;
        Ok(Query { scope, status, q: page.q.clone() })
    }
}

/// The caller's campaigns, newest first; `q` searches sender ids and texts.
#[utoipa::path(
    get, path = "/api/get-campaign-history", tag = "campaign",
    params(("status" = Option<String>, Query), ("q" = Option<String>, Query),
           ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = Campaigns)),
)]
pub(super) async fn list_campaigns(
    State(app): State<AppState>,
    caller: Caller,
    Parameters(which): Parameters<Which>,
    page: Page,
) -> Answer<Campaigns> {
    let query = which.within(Scope::Own(caller.user_id), &page)?;
    Ok(Json(history::list(&mut app.store.read().await?, &query, window(&page)).await?))
}
