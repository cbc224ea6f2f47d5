//! What a dispatcher does when the database went back in time (see `worker/went_back.rs`).
//!
//! Invariant: messages that were claimed before the database went back are not sent afterwards.

use std::time::Duration;

use super::{DispatchStep, Dispatcher};
use crate::error::Result;
use crate::store::Store;
use crate::store::chunk::retry::Retry;
use crate::time::Time;
use crate::worker::dispatch::open_chunks::OpenChunks;
use crate::worker::dispatch::small_chunks::SmallChunks;
use crate::worker::jobs::recovery;

/// How long answers are waited for before messages in flight become unknown. Answers that come later are still applied.
const ANSWERS: Duration = Duration::from_mins(1);
/// Pause between checks for these answers.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// What a dispatcher knows about a database that went back.
#[derive(Debug)]
pub(super) struct Lost {
    /// How many connections the store had made at the last comparison.
    compared: u64,
    /// How many holds this dispatcher has acted on.
    heeded: u64,
    /// When messages in flight began to wait for their answers.
    since: Option<Time>,
}

impl Lost {
    /// The state of a new dispatcher: nothing is lost.
    pub(super) fn since(store: &Store, book: &OpenChunks) -> Self {
        Self { compared: store.connections(), heeded: book.history.holds(), since: None }
    }
}

impl Dispatcher {
    /// While nothing may be sent: checks whether the database went back in time, so that it is known before sending
    /// goes on. What an error kept in the outbox is queued again.
    pub async fn stand_by(&mut self) -> Result<()> {
        let now = self.clock.now();
        let stood = self.stand_by_at(now).await;
        self.book.heed(stood, &self.store, self.owner, now).await
    }

    async fn stand_by_at(&mut self, now: Time) -> Result<()> {
        self.note_up();
        self.book.compare(&self.store, self.owner).await?;
        match self.look_back(now).await? {
            Some(_) => Ok(()),
            None => self.flush_outcomes(now).await,
        }
    }

    /// The first thing in a step: after the database went back, claimed chunks are dropped and messages in flight
    /// become unknown. Messages that an error kept in the outbox are to be queued again. Returns the step's result when that is
    /// all it does.
    pub(super) async fn look_back(&mut self, now: Time) -> Result<Option<DispatchStep>> {
        self.compare_on_new_connection().await?;
        if self.must_forget() {
            self.forget();
            self.lost.heeded = self.book.history.holds();
            self.lost.since = Some(now);
        }
        if let Some(since) = self.lost.since {
            if self.book.unsettled().count() > 0 && now.since(since) < ANSWERS {
                return Ok(Some(DispatchStep::Idle(Some(now + LOOK_AGAIN))));
            }
            self.flush_outcomes(now).await?;
            let carrier = self.carrier.name();
            let unknown = recovery::leave(&self.store, self.owner, carrier, now).await?;
            self.lost.since = None;
            tracing::warn!(carrier, unknown, "what was in flight when the database went back is unknown");
        }
        self.put_back_outbox(now);
        Ok(None)
    }

    /// Compares what is known with the database if the store made a new connection: it may lead to another server.
    pub(super) async fn compare_on_new_connection(&mut self) -> Result<()> {
        let connections = self.store.connections();
        if connections != self.lost.compared {
            self.book.compare(&self.store, self.owner).await?;
            self.lost.compared = connections;
        }
        Ok(())
    }

    /// Whether the claims in memory are older than the last hold.
    pub(super) fn must_forget(&self) -> bool {
        self.book.history.holds() != self.lost.heeded
    }

    /// Drops the claims in memory. In the database they stay claimed.
    pub(super) fn forget(&mut self) {
        self.cursors.clear();
        self.current = None;
        self.small = SmallChunks::default();
        self.outbox.clear();
        // Those of other carriers' chunks are proven unsent, and nothing else knows of them.
        let me = self.carrier.name();
        let is_lent =
            |it: &Retry| self.book.get(it.message_id.chunk()).is_some_and(|open| open.carrier != me);
        self.pending_outcomes.retries.retain(is_lent);
        self.pending_outcomes.notices.clear();
    }
}
