//! What a dispatcher does when the database went back in time (see `worker/went_back.rs`).
//!
//! The invariant: what was claimed before that is not sent after it.

use std::time::Duration;

use super::{Dispatcher, Step};
use crate::error::Result;
use crate::store::Store;
use crate::time::Time;
use crate::worker::dispatch::open_chunks::OpenChunks;
use crate::worker::dispatch::small_chunks::Whole;
use crate::worker::jobs::recovery;

/// How long answers are waited for before what is in flight becomes unknown. A later one is written all the same.
const ANSWERS: Duration = Duration::from_mins(1);
/// Before it is looked again whether they have come.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// What a dispatcher knows of a database that went back.
#[derive(Debug)]
pub(super) struct Lost {
    /// The connections that the store had made when it was compared.
    compared: u64,
    /// The holds after which nothing is left in hand.
    heeded: u64,
    /// Since when what is in flight waits to become unknown.
    since: Option<Time>,
}

impl Lost {
    /// Nothing is lost before this.
    pub(super) fn since(store: &Store, book: &OpenChunks) -> Self {
        Self { compared: store.connections(), heeded: book.history.holds(), since: None }
    }
}

impl Dispatcher {
    /// While nothing may go out: looks whether the database went back in time, so that all is known when it may again.
    pub async fn stand_by(&mut self) -> Result<()> {
        let now = self.clock.now();
        let looked = match self.book.compare(&self.store, self.owner).await {
            Ok(()) => self.look_back(now, false).await.map(|_| ()),
            Err(error) => Err(error),
        };
        self.book.heed(looked, &self.store, self.owner, now).await
    }

    /// Before anything else of a step: after the database went back, what is in hand is dropped and what is in flight
    /// becomes unknown. Messages whose way was barred by an error go out, if they may. What the step comes to, when that is
    /// all.
    pub(super) async fn look_back(&mut self, now: Time, may_send: bool) -> Result<Option<Step>> {
        self.compare_on_new_connection().await?;
        if self.must_forget() {
            self.forget();
            self.lost.heeded = self.book.history.holds();
            self.lost.since = Some(now);
        }
        if let Some(since) = self.lost.since {
            if self.book.unsettled().count() > 0 && now.since(since) < ANSWERS {
                return Ok(Some(Step::Idle(Some(now + LOOK_AGAIN))));
            }
            self.flush_outcomes(now).await?;
            let carrier = self.carrier.name();
            let unknown = recovery::leave(&self.store, self.owner, carrier, now).await?;
            self.lost.since = None;
            tracing::warn!(carrier, unknown, "what was in flight when the database went back is unknown");
        }
        if self.outbox.is_empty() || !may_send {
            return Ok(None);
        }
        self.hand_over(Vec::new()).await?;
        Ok(Some(Step::Worked))
    }

    /// Compares what is known with the database, if the workers were given a new connection: it may lead to another server.
    pub(super) async fn compare_on_new_connection(&mut self) -> Result<()> {
        let connections = self.store.connections();
        if connections != self.lost.compared {
            self.book.compare(&self.store, self.owner).await?;
            self.lost.compared = connections;
        }
        Ok(())
    }

    /// Whether what is in hand was claimed before the database went back.
    pub(super) fn must_forget(&self) -> bool {
        self.book.history.holds() != self.lost.heeded
    }

    /// Drops what is in hand. It stays claimed.
    pub(super) fn forget(&mut self) {
        self.turns.clear();
        self.current = None;
        self.whole = Whole::default();
        self.outbox.clear();
    }
}
