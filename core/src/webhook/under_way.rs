//! Attempts under way, each with its id and who holds its slot.

use std::fmt;

use futures::future::{BoxFuture, FutureExt as _};
use futures::stream::{FuturesUnordered, StreamExt as _};

/// Attempts under way, each of an id `I`, that come to a `T`; a finished one frees the slot of its `H`.
pub(super) struct UnderWay<'a, I, H, T> {
    attempts: FuturesUnordered<BoxFuture<'a, (I, T)>>,
    busy: Vec<(I, H)>,
}

impl<I: fmt::Debug, H: fmt::Debug, T> fmt::Debug for UnderWay<'_, I, H, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnderWay").field("busy", &self.busy).finish_non_exhaustive()
    }
}

impl<'a, I: Copy + PartialEq + Send + 'a, H: Copy, T: Send + 'a> UnderWay<'a, I, H, T> {
    /// None yet.
    pub(super) fn new() -> Self {
        Self { attempts: FuturesUnordered::new(), busy: Vec::new() }
    }

    /// Whether none is under way.
    pub(super) fn is_empty(&self) -> bool {
        self.attempts.is_empty()
    }

    /// Who holds the slots, one for each attempt.
    pub(super) fn holders(&self) -> Vec<H> {
        self.busy.iter().map(|(_, holder)| *holder).collect()
    }

    /// Starts an attempt, unless one of this id is under way: what was asked for again meanwhile waits for the end of its
    /// claim.
    pub(super) fn start(&mut self, id: I, holder: H, attempt: impl Future<Output = T> + Send + 'a) {
        if self.busy.iter().any(|(busy, _)| *busy == id) {
            return;
        }
        self.busy.push((id, holder));
        self.attempts.push(Box::pin(attempt.map(move |over| (id, over))));
    }

    /// Waits until an attempt is over, and returns it with the others that are over by then; without one under way it
    /// waits for ever. It may be dropped while it waits.
    pub(super) async fn over(&mut self) -> Vec<T> {
        let Some(first) = self.attempts.next().await else { return std::future::pending().await };
        let mut over = vec![first];
        while let Some(Some(next)) = self.attempts.next().now_or_never() {
            over.push(next);
        }
        for (finished, _) in &over {
            if let Some(place) = self.busy.iter().position(|(id, _)| id == finished) {
                self.busy.swap_remove(place);
            }
        }
        over.into_iter().map(|(_, over)| over).collect()
    }
}
