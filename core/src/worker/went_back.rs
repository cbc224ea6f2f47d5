//! A database that went back in time under a running daemon, as after a failover to a server that lags: how it is
//! noticed, and what follows.
//!
//! This run knows what it has stored: for each open chunk how far it is claimed, and for each worker how many writes it
//! numbered ([`crate::store::db::once`]). A lost claim either has answers that were lost with it, which lowers the
//! number, or its chunk is still open: so the two together show every claim that is gone. They are compared with the
//! database when the store made a new connection, before anything claimed is submitted; when an intent is refused; and
//! while dispatch is held. A contradiction is reported as [`Error::WentBack`].
//!
//! Then dispatch is held until a person releases it. The same transaction claims again what is known to be claimed, and
//! deletes retries that are known to have been sent again, so that answers still find their places. The dispatcher
//! drops what it has not submitted, waits for the answers under way, and settles the rest as after a crash: it is
//! `unknown`.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use crate::error::{Error, Result};
use crate::model::platform::id::RunId;
use crate::store::chunk::{granted, retry};
use crate::store::db::once::{self, KnownWrites};
use crate::store::operations::generation;
use crate::store::{Lane, Store};
use crate::time::Time;
use crate::worker::dispatch::open_chunks::OpenChunks;

impl OpenChunks {
    /// Compares what is known to be stored with the database.
    ///
    /// # Errors
    /// [`Error::WentBack`] when the database knows less; errors of the database.
    pub(super) async fn compare(&self, store: &Store, owner: RunId) -> Result<()> {
        if let Some(seen) = &*self.history.seen.lock().unwrap_or_else(PoisonError::into_inner) {
            return Err(Error::WentBack(seen.clone()));
        }
        // What is known is read first: the database may learn more meanwhile, but never less.
        let known: Vec<(Arc<KnownWrites>, i64)> =
            self.history.writers().into_iter().map(|it| (Arc::clone(&it), it.stored())).collect();
        let granted = self.granted();
        let mut tx = store.read().await?;
        let stored = once::of_run(&mut tx, owner).await?;
        for (writer, known) in known {
            let stored = stored.iter().find(|(name, _)| name == writer.writer()).map_or(0, |it| it.1);
            // Another worker may have lowered the known number since.
            if stored < known {
                writer.compare(stored)?;
            }
        }
        let forgotten = granted::forgotten(&mut tx, &granted).await?;
        let Some(now) = forgotten.first() else { return Ok(()) };
        let before =
            granted.iter().find(|it| it.chunk == now.chunk).map(ToString::to_string).unwrap_or_default();
        Err(Error::WentBack(format!("{} chunks, such as {now}, which was {before}", forgotten.len())))
    }

    /// Holds dispatch when `outcome` is [`Error::WentBack`].
    ///
    /// # Errors
    /// The outcome's own; errors of the database when dispatch could not be held: then [`OpenChunks::compare`] reports
    /// it again.
    pub(super) async fn heed<T>(
        &self,
        outcome: Result<T>,
        store: &Store,
        owner: RunId,
        now: Time,
    ) -> Result<T> {
        if let Err(Error::WentBack(seen)) = &outcome {
            self.history.note(seen);
            self.hold_dispatch(store, owner, now).await?;
        }
        outcome
    }

    async fn hold_dispatch(&self, store: &Store, owner: RunId, now: Time) -> Result<()> {
        let stored = store
            .write(Lane::Interactive, (owner, self.granted(), self.sent_again(), now), |tx, input| {
                Box::pin(async move {
                    let (owner, granted, again, now) = input;
                    generation::hold(tx, generation::WENT_BACK, *now).await?;
                    granted::restore(tx, granted, *owner).await?;
                    retry::take_sent(tx, again).await?;
                    once::of_run(tx, *owner).await
                })
            })
            .await?;
        // From here on the database's figures count.
        for writer in self.history.writers() {
            writer.set(stored.iter().find(|(name, _)| name == writer.writer()).map_or(0, |it| it.1));
        }
        self.forget_granted();
        self.history.holds.fetch_add(1, Ordering::AcqRel);
        self.history.seen.lock().unwrap_or_else(PoisonError::into_inner).take();
        Ok(())
    }
}
