//! `GET /api/campaigns/{id}/events`.
//!
//! The campaign is read twice a second, and an event is sent when something changed. A stream ends when the campaign does,
//! when the daemon stops, when its session or key is not valid any more, or after [`LONGEST`].

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures::{Stream, stream};
use serde::Deserialize;
use talkdrum_api::campaign::{Campaign, Progress};
use talkdrum_core::Result;
use talkdrum_core::campaign::report::progress::{self, Rate};
use talkdrum_core::campaign::standstill;
use talkdrum_core::model::message::status::CampaignStatus;
use talkdrum_core::model::page::RecordScope;
use tokio::time::Instant;
use utoipa::IntoParams;

use crate::api::document::ServerSentEvent;
use crate::api::list_query::scope;
use crate::http::{ApiError, Path, Query, Standing};
use crate::limit::seats::Seat;
use crate::state::AppState;

/// Between two looks.
const EVERY: Duration = Duration::from_millis(500);
/// For how long a reason why messages wait is not looked for anew.
const REASON_HOLDS: Duration = Duration::from_secs(5);
/// A comment keeps a quiet connection open.
const KEEP_ALIVE: Duration = Duration::from_secs(10);
/// A stream ends after this long, and its client connects again with a token that is still good.
const LONGEST: Duration = Duration::from_secs(3_600);

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
    standing: Standing,
    Path(id): Path<i64>,
    Query(until): Query<Until>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let scope = scope(&standing.caller);
    progress::view(&mut app.store.read().await?, scope, id).await?;
    let watch = Watch {
        _seat: app.seats.take(standing.caller.user_id)?,
        standing,
        scope,
        campaign: id,
        receipts: matches!(until.receipts.trim(), "1" | "true" | "yes"),
        rate: Rate::default(),
        reason: None,
        told: None,
        is_over: false,
        until: Instant::now() + LONGEST,
        app,
    };
    let events = stream::unfold(watch, |mut watch| async move {
        let event = watch.next().await?;
        Some((Ok(event), watch))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)))
}

/// One client that watches one campaign.
struct Watch {
    app: AppState,
    _seat: Seat,
    standing: Standing,
    scope: RecordScope,
    campaign: i64,
    receipts: bool,
    rate: Rate,
    /// Why messages waited when that was looked for last.
    reason: Option<(Instant, Option<String>)>,
    /// The state last sent to the client.
    told: Option<String>,
    is_over: bool,
    until: Instant,
}

impl Watch {
    /// The next event; `None` ends the stream.
    async fn next(&mut self) -> Option<Event> {
        while !self.is_over && (self.told.is_none() || self.waited().await) {
            let progress = match self.look().await {
                Ok(progress) => progress,
                Err(error) => {
                    let campaign = self.campaign;
                    tracing::warn!(code = error.code(), %error, campaign, "a campaign cannot be followed");
                    return None;
                }
            };
            self.is_over = self.has_ended(&progress.campaign);
            let data = serde_json::to_string(&progress).ok()?;
            if self.is_over {
                return Some(Event::default().event("end").data(data));
            }
            if self.told.as_ref() != Some(&data) {
                self.told = Some(data.clone());
                return Some(Event::default().event("progress").data(data));
            }
        }
        None
    }

    /// Waits for the next look; false when there is none.
    async fn waited(&mut self) -> bool {
        tokio::select! {
            () = self.app.readiness.stopping() => false,
            () = tokio::time::sleep(EVERY) => {
                Instant::now() < self.until && self.standing.is_good(&self.app).await
            }
        }
    }

    async fn look(&mut self) -> Result<Progress> {
        let mut tx = self.app.store.read().await?;
        let mut campaign = progress::view(&mut tx, self.scope, self.campaign).await?;
        match &self.reason {
            // A campaign that was paused or ended meanwhile says so itself.
            Some((at, reason)) if at.elapsed() < REASON_HOLDS => {
                if campaign.status == CampaignStatus::Sending.code() && campaign.counts.queued > 0 {
                    campaign.status_reason.clone_from(reason);
                }
            }
            _ => {
                let around = self.app.around();
                standstill::explain(&mut tx, std::slice::from_mut(&mut campaign), self.scope, &around)
                    .await?;
                let is_sending = campaign.status == CampaignStatus::Sending.code();
                self.reason = is_sending.then(|| (Instant::now(), campaign.status_reason.clone()));
            }
        }
        Ok(self.rate.observe(campaign, self.app.clock.now()))
    }

    fn has_ended(&self, campaign: &Campaign) -> bool {
        let is_over = CampaignStatus::from_code(&campaign.status).is_some_and(CampaignStatus::is_over);
        is_over && !(self.receipts && campaign.counts.submitted > 0)
    }
}
