//! `GET /admin/unknown-messages`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::campaign::Messages;
use talkdrum_core::campaign::report::{self, Among};
use utoipa::IntoParams;

use crate::api::list_query::{UserFilter, window};
use crate::http::{AdminCaller, Answer, Page, Query};
use crate::state::AppState;

/// Which of them.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct UnknownFilter {
    /// Only those of this campaign.
    campaign_id: Option<i64>,
    /// A carrier's name.
    #[serde(default)]
    carrier: String,
}

/// Everybody's messages of which nobody knows whether they were sent, oldest first.
#[utoipa::path(
    get, path = "/admin/unknown-messages", tag = "message",
    params(UnknownFilter, UserFilter, Page),
    responses((status = 200, body = Messages)),
)]
pub(super) async fn list_unknown_messages(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Query(filter): Query<UnknownFilter>,
    Query(of): Query<UserFilter>,
    page: Page,
) -> Answer<Messages> {
    let mut tx = app.store.snapshot().await?;
    let among = Among {
        campaign: filter.campaign_id.unwrap_or_default(),
        user: of.user(&mut tx).await?.unwrap_or_default(),
        carrier: filter.carrier.trim().to_owned(),
    };
    Ok(Json(report::unknown(&mut tx, &among, window(&page), &app.desk.networks).await?))
}
