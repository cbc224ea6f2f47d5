//! `GET /api/campaigns/{id}/events`.

use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use talkdrum_api::campaign::Progress;
use talkdrum_core::Result;
use talkdrum_core::campaign::report::progress::{self, Rate};
use talkdrum_core::campaign::standstill;
use talkdrum_core::model::campaign::id::CampaignId;
use talkdrum_core::model::message::status::CampaignStatus;
use talkdrum_core::model::page::RecordScope;
use tokio::time::Instant;
use utoipa::IntoParams;

use crate::api::document::ServerSentEvent;
use crate::api::list_query::scope;
use crate::http::{ApiError, Path, Query, StreamCaller, Watched, sse};
use crate::state::AppState;

/// For how long a reason why messages wait is not looked for again.
const REASON_HOLDS: Duration = Duration::from_secs(5);

/// What to wait for.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Until {
    /// `1` to wait for receipts too.
    #[serde(default)]
    receipts: String,
}

/// Follow a campaign by server-sent events: `progress` whenever something changed, and `end`, both with a `Progress`.
/// It ends when nothing is left to send; with `receipts=1` when no receipt is awaited either.
#[utoipa::path(
    get, path = "/api/campaigns/{id}/events", tag = "campaign",
    params(("id" = i64, Path, description = "The campaign's id"), Until),
    responses((status = 200, content_type = "text/event-stream", body = ServerSentEvent)),
)]
pub(super) async fn watch_campaign(
    State(app): State<AppState>,
    watcher: StreamCaller,
    Path(id): Path<CampaignId>,
    Query(until): Query<Until>,
) -> Result<Response, ApiError> {
    let scope = scope(&watcher.caller);
    progress::view(&mut app.store.read().await?, scope, id).await?;
    let receipts = matches!(until.receipts.trim(), "1" | "true" | "yes");
    sse(app, watcher, WatchedCampaign { scope, id, receipts, rate: Rate::default(), reason: None })
}

/// A campaign that a client watches.
struct WatchedCampaign {
    scope: RecordScope,
    id: CampaignId,
    receipts: bool,
    rate: Rate,
    /// Why messages waited when that was looked for last.
    reason: Option<(Instant, Option<String>)>,
}

impl Watched for WatchedCampaign {
    type State = Progress;
    const EVENT: &'static str = "progress";
    const EVERY: Duration = Duration::from_millis(500);

    async fn look(&mut self, app: &AppState) -> Option<Progress> {
        let progress = self.progress(app).await.inspect_err(|error| {
            tracing::warn!(code = error.code(), %error, campaign = self.id.0, "a campaign cannot be followed");
        });
        progress.ok()
    }

    fn is_over(&self, progress: &Progress) -> bool {
        let campaign = &progress.campaign;
        let is_over = CampaignStatus::from_code(&campaign.status).is_some_and(CampaignStatus::is_over);
        is_over && !(self.receipts && campaign.counts.awaited() > 0)
    }
}

impl WatchedCampaign {
    async fn progress(&mut self, app: &AppState) -> Result<Progress> {
        let mut tx = app.store.read().await?;
        let mut campaign = progress::view(&mut tx, self.scope, self.id).await?;
        match &self.reason {
            // A campaign that was paused or ended meanwhile says so itself.
            Some((at, reason)) if at.elapsed() < REASON_HOLDS => {
                if campaign.status == CampaignStatus::Sending.code() && campaign.counts.queued > 0 {
                    campaign.status_reason.clone_from(reason);
                }
            }
            _ => {
                let around = app.around();
                standstill::explain(&mut tx, std::slice::from_mut(&mut campaign), self.scope, &around)
                    .await?;
                let is_sending = campaign.status == CampaignStatus::Sending.code();
                self.reason = is_sending.then(|| (Instant::now(), campaign.status_reason.clone()));
            }
        }
        Ok(self.rate.observe(campaign, app.clock.now()))
    }
}
