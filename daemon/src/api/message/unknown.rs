//! `GET /admin/unknown-messages`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::campaign::Messages;
use talkdrum_core::campaign::report::{self, Among};

use crate::api::list_query::{user_asked, window};
use crate::http::{AdminCaller, Answer, Page, Query};
use crate::state::AppState;

/// Which of them.
#[derive(Debug, Deserialize)]
pub(super) struct Which {
    campaign_id: Option<i64>,
    user_id: Option<String>,
    #[serde(default)]
    carrier: String,
}

/// Everybody's messages of which nobody knows whether they were sent, oldest first.
#[utoipa::path(
    get, path = "/admin/unknown-messages", tag = "message",
    params(("campaign_id" = Option<i64>, Query),
           ("user_id" = Option<String>, Query, description = "A user's id or user name"),
           ("carrier" = Option<String>, Query, description = "A carrier's name"), ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = Messages)),
)]
pub(super) async fn list_unknown_messages(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Query(which): Query<Which>,
    page: Page,
) -> Answer<Messages> {
    let mut tx = app.store.snapshot().await?;
    let among = Among {
        campaign: which.campaign_id.unwrap_or_default(),
        user: user_asked(&mut tx, which.user_id.as_deref()).await?.unwrap_or_default(),
        carrier: which.carrier.trim().to_owned(),
    };
    Ok(Json(report::unknown(&mut tx, &among, window(&page), &app.desk.networks).await?))
}
