//! Streams of server-sent events: something is looked at again and again, and sent whenever it changed.
//!
//! A stream ends when what is watched does, when the daemon stops, when its session or key is not valid any more, or after
//! [`LONGEST`].

use std::convert::Infallible;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures::stream;
use serde::Serialize;
use tokio::time::Instant;

use super::stream_caller::StreamCaller;
use crate::limit::seats::Seat;
use crate::problem::ApiError;
use crate::state::AppState;

/// A comment keeps a quiet connection open.
const KEEP_ALIVE: Duration = Duration::from_secs(10);
/// A stream ends after this long, and its client connects again with a token that is still good.
const LONGEST: Duration = Duration::from_secs(3_600);

/// What clients may watch.
pub(crate) trait Watched: Send + 'static {
    /// What they are sent, as JSON.
    type State: Serialize;
    /// The name of its events. The one after which nothing changes is named `end`.
    const EVENT: &'static str;
    /// The shortest rest between two looks.
    const EVERY: Duration;
    /// The rest between two looks is at least this many times as long as the last look took.
    const REST: u32 = 0;

    /// How it is now; `None` ends the stream.
    fn look(&mut self, app: &AppState) -> impl Future<Output = Option<Self::State>> + Send;

    /// Whether it does not change any more.
    fn is_over(&self, _: &Self::State) -> bool {
        false
    }
}

/// Sends a caller how something is, at once and whenever it changed.
///
/// # Errors
/// 429 when the caller watches as much as one may, or too much is watched in all.
pub(crate) fn sse(app: AppState, watcher: StreamCaller, watched: impl Watched) -> Result<Response, ApiError> {
    let seat = app.seats.take(watcher.caller.user_id)?;
    let watch = Watch {
        app,
        _seat: seat,
        watcher,
        watched,
        told: None,
        took: Duration::ZERO,
        is_over: false,
        until: Instant::now() + LONGEST,
    };
    let events = stream::unfold(watch, |mut watch| async move {
        let event = watch.next().await?;
        Some((Ok::<_, Infallible>(event), watch))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response())
}

/// One client that watches something.
struct Watch<W> {
    app: AppState,
    _seat: Seat,
    watcher: StreamCaller,
    watched: W,
    /// The state last sent to the client.
    told: Option<String>,
    /// How long the last look took.
    took: Duration,
    is_over: bool,
    until: Instant,
}

impl<W: Watched> Watch<W> {
    /// The next event; `None` ends the stream.
    async fn next(&mut self) -> Option<Event> {
        while !self.is_over && (self.told.is_none() || self.waited().await) {
            let began = Instant::now();
            let state = self.watched.look(&self.app).await?;
            self.took = began.elapsed();
            self.is_over = self.watched.is_over(&state);
            let data = serde_json::to_string(&state).ok()?;
            if self.is_over || self.told.as_ref() != Some(&data) {
                let name = if self.is_over { "end" } else { W::EVENT };
                self.told = Some(data.clone());
                return Some(Event::default().event(name).data(data));
            }
        }
        None
    }

    /// Waits for the next look; false when there is none.
    async fn waited(&mut self) -> bool {
        tokio::select! {
            () = self.app.readiness.stopping() => false,
            () = tokio::time::sleep(W::EVERY.max(self.took * W::REST)) => {
                Instant::now() < self.until && self.watcher.is_good(&self.app).await
            }
        }
    }
}
