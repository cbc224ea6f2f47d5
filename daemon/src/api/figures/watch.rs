//! `GET /admin/figures/events`.

use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use talkdrum_api::figures::Figures;
use talkdrum_api::query::FiguresQuery;

use super::show::{hours, read};
use crate::api::document::ServerSentEvent;
use crate::http::{AdminStreamCaller, ApiError, Query, Watched, sse};
use crate::state::AppState;

/// Follow the figures of `/admin/figures` by server-sent events: `figures` at once and whenever something changed, with
/// `Figures`.
#[utoipa::path(
    get, path = "/admin/figures/events", tag = "figures",
    params(FiguresQuery),
    responses((status = 200, content_type = "text/event-stream", body = ServerSentEvent)),
)]
pub(super) async fn watch_figures(
    State(app): State<AppState>,
    AdminStreamCaller(watcher): AdminStreamCaller,
    Query(window): Query<FiguresQuery>,
) -> Result<Response, ApiError> {
    let hours = hours(window.hours.as_deref())?;
    sse(app, watcher, WatchedFigures { hours })
}

/// The figures of the last hours, which an administrator watches.
struct WatchedFigures {
    hours: u16,
}

impl Watched for WatchedFigures {
    type State = Figures;
    const EVENT: &'static str = "figures";
    const EVERY: Duration = Duration::from_secs(3);
    /// They are gathered from all campaigns of their hours: about a twentieth of the time goes into it at most.
    const REST: u32 = 20;

    async fn look(&mut self, app: &AppState) -> Option<Figures> {
        let figures = read(app, self.hours).await.inspect_err(|error| {
            tracing::warn!(code = error.code(), %error, "the figures cannot be followed");
        });
        figures.ok()
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
