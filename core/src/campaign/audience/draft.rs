//! An audience on its way into the store: chunks are written while the rest of the list is still being read.
//!
//! The newest batch is held back for the transaction that stores the quote, so a short list is written in one
//! transaction with it. The invariant: a draft that does not become a quote's audience is deleted.

use tokio::sync::mpsc;

use super::pack::{Outlet, Tally};
use crate::clock::Time;
use crate::error::{Error, Result};
use crate::store::audience::{self as table, CarrierChunk};
use crate::store::{Lane, Store, Tx};

/// Batches that may wait to be written before the reading side waits too.
const BATCHES_WAITING: usize = 2;

/// Chunks that are not written yet, and the audience they belong to, if there is one already.
#[derive(Clone, Debug)]
pub(crate) struct HeldChunks {
    owner: i64,
    columns: Vec<Box<str>>,
    made_at: Time,
    audience: Option<i64>,
    chunks: Vec<CarrierChunk>,
}

impl HeldChunks {
    /// Writes what is held and returns the audience.
    pub(crate) async fn store(&self, tx: &mut Tx) -> Result<i64> {
        let audience = match self.audience {
            Some(audience) => audience,
            None => table::insert(tx, self.owner, &self.columns, self.made_at).await?,
        };
        table::insert_chunks(tx, audience, &self.chunks).await?;
        Ok(audience)
    }
}

/// An audience that is being written.
#[derive(Debug)]
pub(crate) struct Draft {
    store: Store,
    held: HeldChunks,
}

impl Draft {
    /// Runs `work` on a thread of its own and writes the chunks it hands out as they come. When either side fails,
    /// nothing stays behind.
    pub(crate) async fn collect<T: Send + 'static>(
        store: &Store,
        owner: i64,
        columns: Vec<Box<str>>,
        now: Time,
        work: impl FnOnce(Outlet) -> Result<(Tally, T)> + Send + 'static,
    ) -> Result<(Self, Tally, T)> {
        let (outlet, batches) = mpsc::channel(BATCHES_WAITING);
        let working = tokio::task::spawn_blocking(move || work(outlet));
        let held = HeldChunks { owner, columns, made_at: now, audience: None, chunks: Vec::new() };
        let mut draft = Self { store: store.clone(), held };
        let written = draft.write_all(batches).await;
        let worked = working
            .await
            .unwrap_or_else(|panic| Err(Error::Corrupt(format!("reading the recipients failed: {panic}"))));
        // A writer that failed is the cause of the other side's error.
        match written.and(worked) {
            Ok((tally, more)) => Ok((draft, tally, more)),
            Err(error) => {
                draft.discard().await;
                Err(error)
            }
        }
    }

    async fn write_all(&mut self, mut batches: mpsc::Receiver<Vec<CarrierChunk>>) -> Result<()> {
        while let Some(batch) = batches.recv().await {
            if !self.held.chunks.is_empty() {
                let held = HeldChunks { chunks: std::mem::take(&mut self.held.chunks), ..self.held.clone() };
                let audience =
                    self.store.write(Lane::Background, held, |tx, held| Box::pin(held.store(tx))).await?;
                self.held.audience = Some(audience);
            }
            self.held.chunks = batch;
        }
        Ok(())
    }

    /// What the transaction that stores the quote writes.
    pub(crate) fn take_held(&mut self) -> HeldChunks {
        let chunks = std::mem::take(&mut self.held.chunks);
        HeldChunks { chunks, ..self.held.clone() }
    }

    /// Deletes what was written. A failure here leaves an audience without a quote, which the purge finds.
    pub(crate) async fn discard(self) {
        let Some(audience) = self.held.audience else { return };
        let deleted = self
            .store
            .write(Lane::Background, audience, |tx, audience| Box::pin(table::delete_unused(tx, *audience)))
            .await;
        if let Err(error) = deleted {
            tracing::warn!(audience, code = error.code(), %error, "an audience without a quote was left behind");
        }
    }
}
