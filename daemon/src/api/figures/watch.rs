//! `GET /admin/figures/events`.
//!
//! The figures are read every few seconds and told when something changed. A stream ends by itself: when the daemon stops,
//! when its session or key no longer stands, or after [`LONGEST`].

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures::{Stream, stream};
use talkdrum_api::query::FiguresQuery;
use tokio::time::Instant;

use super::show::{hours, read};
use crate::api::document::ServerSentEvent;
use crate::http::{AdminStanding, ApiError, Query, Standing};
use crate::limit::seats::Seat;
use crate::state::AppState;

/// Between two looks, at least.
const EVERY: Duration = Duration::from_secs(3);
/// The figures are gathered from all campaigns of their hours: no more than this part of the time goes into it.
const SHARE: u32 = 20;
/// A comment keeps a quiet connection open.
const KEEP_ALIVE: Duration = Duration::from_secs(10);
/// A stream ends after this long, and its client connects again with a token that is still good.
const LONGEST: Duration = Duration::from_secs(3_600);

/// Follow the figures of `/admin/figures` by server-sent events: `figures` at once and whenever something changed, with
/// `Figures`.
#[utoipa::path(
    get, path = "/admin/figures/events", tag = "figures",
    params(FiguresQuery),
    responses((status = 200, content_type = "text/event-stream", body = ServerSentEvent)),
)]
pub(super) async fn watch_figures(
    State(app): State<AppState>,
    AdminStanding(standing): AdminStanding,
    Query(window): Query<FiguresQuery>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let hours = hours(window.hours.as_deref())?;
    let seat = app.seats.take(standing.caller.user_id)?;
    let until = Instant::now() + LONGEST;
    let watch = Watch { app, _seat: seat, standing, hours, told: None, took: Duration::ZERO, until };
    let events = stream::unfold(watch, |mut watch| async move {
        let event = watch.next().await?;
        Some((Ok(event), watch))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)))
}

/// One administrator who watches the figures.
struct Watch {
    app: AppState,
    _seat: Seat,
    standing: Standing,
    hours: u16,
    /// The state last sent to the client.
    told: Option<String>,
    /// How long the last look took.
    took: Duration,
    until: Instant,
}

impl Watch {
    /// The next event; `None` ends the stream.
    async fn next(&mut self) -> Option<Event> {
        while self.told.is_none() || self.waited().await {
            let began = Instant::now();
            let figures = match read(&self.app, self.hours).await {
                Ok(figures) => figures,
                Err(error) => {
                    tracing::warn!(code = error.code(), %error, "the figures cannot be followed");
                    return None;
                }
            };
            self.took = began.elapsed();
            let data = serde_json::to_string(&figures).ok()?;
            if self.told.as_ref() != Some(&data) {
                self.told = Some(data.clone());
                return Some(Event::default().event("figures").data(data));
            }
        }
        None
    }

    /// Waits for the next look; false when there is none.
    async fn waited(&mut self) -> bool {
        tokio::select! {
            () = self.app.readiness.stopping() => false,
            () = tokio::time::sleep(EVERY.max(self.took * SHARE)) => {
                Instant::now() < self.until && self.standing.is_good(&self.app).await
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use reqwest::Method;
    use talkdrum_core::model::account::user::Role;
    use talkdrum_core::model::message::status::MessageStatus as S;
    use talkdrum_core::testing::builder::{Spot, build};

    use crate::testing::TestDaemon;

    /// The next event of a stream.
    async fn next(response: &mut reqwest::Response) -> String {
        let mut text = String::new();
        while !text.contains("\n\n") || text.trim_start().starts_with(':') {
            let more =
                tokio::time::timeout(Duration::from_secs(30), response.chunk()).await.unwrap().unwrap();
            let more = String::from_utf8(more.unwrap().to_vec()).unwrap();
            if !more.trim_start().starts_with(':') {
                text.push_str(&more);
            }
        }
        text
    }

    #[tokio::test]
    async fn the_figures_come_at_once_and_again_when_they_change() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let refused = daemon.get("/admin/figures/events?hours=x", &admin).await;
        assert_eq!(refused.code(), "bad_hours");
        let ask = daemon.request(Method::GET, "/admin/figures/events?hours=1", &admin);
        let mut response = ask.send().await.unwrap();
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        let first = next(&mut response).await;
        assert!(first.contains("event: figures") && first.contains("\"sending\":0"), "{first}");
        build(daemon.store(), "ada")
            .sender("ACME")
            .chunk(&[Spot::Answered(S::Delivered), Spot::Tail])
            .store()
            .await;
        let second = next(&mut response).await;
        assert!(second.contains("\"sending\":1"), "{second}");
        drop(response);
        daemon.stop().await;
    }
}
