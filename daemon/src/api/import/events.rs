//! `GET /api/imports/{id}/events`.
//!
//! A stream ends by itself: when the import does, when the daemon stops, when its session or key no longer stands, or
//! after [`LONGEST`].

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures::{Stream, stream};
use talkdrum_api::contact::Import;
use talkdrum_core::contact::import;
use tokio::time::Instant;

use crate::api::campaign::Seat;
use crate::api::document::ServerSentEvent;
use crate::http::{ApiError, Path, Standing};
use crate::state::AppState;

/// Between two looks.
const EVERY: Duration = Duration::from_millis(300);
/// A comment keeps a quiet connection open.
const KEEP_ALIVE: Duration = Duration::from_secs(10);
/// A stream ends after this long, and its client connects again.
const LONGEST: Duration = Duration::from_secs(3_600);

/// Follow an import by server-sent events: `progress` whenever something changed, and `end`, both with an `Import`.
#[utoipa::path(
    get, path = "/api/imports/{id}/events", tag = "import",
    params(("id" = i64, Path, description = "The import's id")),
    responses((status = 200, content_type = "text/event-stream", body = ServerSentEvent)),
)]
pub(super) async fn watch_import(
    State(app): State<AppState>,
    standing: Standing,
    Path(id): Path<i64>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let user = standing.caller.user_id;
    import::show(&mut app.store.read().await?, user, id).await?;
    let seat = app.seats.take(user)?;
    let until = Instant::now() + LONGEST;
    let watch = Watch { app, _seat: seat, standing, id, told: None, is_over: false, until };
    let events = stream::unfold(watch, |mut watch| async move {
        let event = watch.next().await?;
        Some((Ok(event), watch))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)))
}

/// One client that watches one import.
struct Watch {
    app: AppState,
    _seat: Seat,
    standing: Standing,
    id: i64,
    told: Option<Import>,
    is_over: bool,
    until: Instant,
}

impl Watch {
    /// The next event; `None` ends the stream.
    async fn next(&mut self) -> Option<Event> {
        while !self.is_over && (self.told.is_none() || self.waited().await) {
            let mut tx = self.app.store.read().await.ok()?;
            let import = import::show(&mut tx, self.standing.caller.user_id, self.id).await.ok()?;
            drop(tx);
            self.is_over = import.status != "running";
            if self.is_over || self.told.as_ref() != Some(&import) {
                let name = if self.is_over { "end" } else { "progress" };
                let data = serde_json::to_string(&import).ok()?;
                self.told = Some(import);
                return Some(Event::default().event(name).data(data));
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
}
