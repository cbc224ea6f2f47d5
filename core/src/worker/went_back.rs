//! A database that went back in time under a running daemon, as by a failover to a server that lags: how it is noticed,
//! and what follows.
//!
//! This run knows what it had stored: of each chunk in hand how far it is claimed, and of each worker how many writes it
//! numbered ([`crate::store::db::once`]). A claim that was lost either has answers that were lost with it, which lowers the
//! number, or has its chunk still in hand: so the two together show every claim that is gone. They are compared with the
//! database when the workers were given a new connection, before anything that was claimed goes out; when an intent is
//! refused; and while dispatch is held. A contradiction is reported as [`Error::WentBack`].
//!
//! Then dispatch is held until a person releases it, and in the same transaction what is known to be claimed is claimed
//! again, and what is known to be sent again is queued no more, so that answers still find their places. The dispatcher drops what it has in hand, waits for the answers that are
//! on their way, and settles the rest as after a crash: it is `unknown`.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::{Error, Result};
use crate::store::chunk::{granted, retry};
use crate::store::db::once::{self, Known};
use crate::store::operations::generation;
use crate::store::{Lane, Store};
use crate::time::Time;
use crate::worker::dispatch::open_chunks::OpenChunks;

/// What one carrier's workers know besides their chunks, and have found.
#[derive(Debug, Default)]
pub(super) struct History {
    writers: Mutex<Vec<Arc<Known>>>,
    /// What shows that the database went back; dispatch is to be held for it.
    seen: Mutex<Option<String>>,
    /// How often dispatch was held.
    holds: AtomicU64,
}

impl History {
    /// Also compares the writes of this worker.
    pub(super) fn add(&self, writer: Arc<Known>) {
        self.writers.lock().unwrap_or_else(PoisonError::into_inner).push(writer);
    }

    /// How often the database went back and dispatch was held for it: what was in hand before the last time is not to be
    /// sent.
    pub(super) fn holds(&self) -> u64 {
        self.holds.load(Ordering::Acquire)
    }

    fn writers(&self) -> Vec<Arc<Known>> {
        self.writers.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Remembers what was seen until dispatch is held, and logs it once.
    fn note(&self, seen: &str) {
        let mut noted = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if noted.is_none() {
            tracing::error!(seen, "the database went back in time: dispatch is held");
            *noted = Some(seen.to_owned());
        }
    }
}

impl OpenChunks {
    /// Compares what is known to be stored with the database.
    ///
    /// # Errors
    /// [`Error::WentBack`] when the database knows less. Those of the database.
    pub(super) async fn compare(&self, store: &Store, owner: i64) -> Result<()> {
        if let Some(seen) = &*self.history.seen.lock().unwrap_or_else(PoisonError::into_inner) {
            return Err(Error::WentBack(seen.clone()));
        }
        // What is known first: the database may learn more meanwhile, and never less.
        let known: Vec<(Arc<Known>, i64)> =
            self.history.writers().into_iter().map(|it| (Arc::clone(&it), it.stored())).collect();
        let granted = self.granted();
        let mut tx = store.read().await?;
        let stored = once::of_run(&mut tx, owner).await?;
        for (writer, known) in known {
            let stored = stored.iter().find(|(name, _)| name == writer.writer()).map_or(0, |it| it.1);
            // Another worker may have set it back since.
            if stored < known {
                writer.compare(stored)?;
            }
        }
        let forgotten = granted::forgotten(&mut tx, &granted).await?;
        let Some(now) = forgotten.first() else { return Ok(()) };
        let before = granted.iter().find(|it| it.chunk == now.chunk);
        Err(Error::WentBack(format!("{} chunks, such as {now:?}, which was {before:?}", forgotten.len())))
    }

    /// Holds dispatch when this is [`Error::WentBack`].
    ///
    /// # Errors
    /// The outcome's own; those of the database, when dispatch could not be held: [`OpenChunks::compare`] says so again.
    pub(super) async fn heed<T>(
        &self,
        outcome: Result<T>,
        store: &Store,
        owner: i64,
        now: Time,
    ) -> Result<T> {
        if let Err(Error::WentBack(seen)) = &outcome {
            self.history.note(seen);
            self.hold_dispatch(store, owner, now).await?;
        }
        outcome
    }

    async fn hold_dispatch(&self, store: &Store, owner: i64, now: Time) -> Result<()> {
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
        // From here on the database is believed again.
        for writer in self.history.writers() {
            writer.set(stored.iter().find(|(name, _)| name == writer.writer()).map_or(0, |it| it.1));
        }
        self.forget_granted();
        self.history.holds.fetch_add(1, Ordering::AcqRel);
        self.history.seen.lock().unwrap_or_else(PoisonError::into_inner).take();
        Ok(())
    }
}
