//! An audience on its way into the store: chunks are written while the rest of the list is still being read.
//!
//! The newest batch is held back for the transaction that stores the quote, so a short list is written in one
//! transaction with it. A draft that does not become a quote's audience is deleted.

use futures::future::BoxFuture;
use tokio::sync::mpsc;

use super::pack::Outlet;
use super::tally::AudienceTally;
use crate::content::FieldNames;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::campaign::id::AudienceId;
use crate::store::campaign::audience as table;
use crate::store::campaign::audience::{CarrierChunk, NewAudience};
use crate::store::{Lane, Store, Tx};
use crate::time::Time;

/// Batches that may wait to be written before the reading side waits too.
const BATCHES_WAITING: usize = 2;
/// A list of a few hundred plain numbers.
const SMALL_BYTES: usize = 4_096;
/// As many chunks are a row each, however little is in them.
const SMALL_CHUNKS: usize = 8;

/// Chunks that are not written yet, and the audience they belong to, if there is one already.
#[derive(Clone, Debug)]
pub(crate) struct BufferedChunks {
    owner: UserId,
    columns: FieldNames,
    made_at: Time,
    audience: Option<AudienceId>,
    chunks: Vec<CarrierChunk>,
}

impl BufferedChunks {
    /// Writes what is held of several lists and returns their audiences.
    pub(crate) async fn store_all(tx: &mut Tx, all: &[&Self]) -> Result<Vec<AudienceId>> {
        let new: Vec<NewAudience<'_>> = all
            .iter()
            .filter(|held| held.audience.is_none())
            .map(|held| NewAudience { user: held.owner, columns: &held.columns, made_at: held.made_at })
            .collect();
        let mut made = table::insert(tx, &new).await?.into_iter();
        let audiences: Option<Vec<AudienceId>> =
            all.iter().map(|held| held.audience.or_else(|| made.next())).collect();
        let audiences = audiences.ok_or_else(|| Error::Corrupt("an audience was not made".into()))?;
        let chunks: Vec<(AudienceId, &CarrierChunk)> = all
            .iter()
            .zip(&audiences)
            .flat_map(|(held, audience)| held.chunks.iter().map(|chunk| (*audience, chunk)))
            .collect();
        table::insert_chunks(tx, &chunks).await?;
        Ok(audiences)
    }

    /// Whether writing it takes no time to speak of.
    pub(crate) fn is_small(&self) -> bool {
        self.chunks.len() <= SMALL_CHUNKS
            && self.chunks.iter().map(|it| it.chunk.data.len()).sum::<usize>() <= SMALL_BYTES
    }
}

fn write_ahead<'a>(tx: &'a mut Tx, held: &'a BufferedChunks) -> BoxFuture<'a, Result<AudienceId>> {
    Box::pin(async move {
        let audience = BufferedChunks::store_all(tx, &[held]).await?.pop();
        audience.ok_or_else(|| Error::Corrupt("an audience was not made".into()))
    })
}

/// An audience that is being written.
#[derive(Debug)]
pub(crate) struct AudienceDraft {
    store: Store,
    held: BufferedChunks,
}

impl AudienceDraft {
    /// Runs `work` on a thread of its own and writes the chunks it hands out as they come. When either side fails,
    /// nothing stays behind.
    pub(crate) async fn collect<T: Send + 'static>(
        store: &Store,
        owner: UserId,
        columns: FieldNames,
        now: Time,
        work: impl FnOnce(Outlet) -> Result<(AudienceTally, T)> + Send + 'static,
    ) -> Result<(Self, AudienceTally, T)> {
        let (outlet, batches) = mpsc::channel(BATCHES_WAITING);
        let working = tokio::task::spawn_blocking(move || work(Outlet::Bounded(outlet)));
        let held = BufferedChunks { owner, columns, made_at: now, audience: None, chunks: Vec::new() };
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

    /// The same for a small list, on the spot: nothing is written before the quote is.
    pub(crate) fn collect_here<T>(
        store: &Store,
        owner: UserId,
        columns: FieldNames,
        now: Time,
        work: impl FnOnce(Outlet) -> Result<(AudienceTally, T)>,
    ) -> Result<(Self, AudienceTally, T)> {
        let (outlet, mut batches) = mpsc::unbounded_channel();
        let (tally, more) = work(Outlet::Unbounded(outlet))?;
        let mut held = BufferedChunks { owner, columns, made_at: now, audience: None, chunks: Vec::new() };
        while let Ok(batch) = batches.try_recv() {
            held.chunks.extend(batch);
        }
        Ok((Self { store: store.clone(), held }, tally, more))
    }

    async fn write_all(&mut self, mut batches: mpsc::Receiver<Vec<CarrierChunk>>) -> Result<()> {
        while let Some(batch) = batches.recv().await {
            if !self.held.chunks.is_empty() {
                let held =
                    BufferedChunks { chunks: std::mem::take(&mut self.held.chunks), ..self.held.clone() };
                self.held.audience = Some(self.store.write(Lane::Background, held, write_ahead).await?);
            }
            self.held.chunks = batch;
        }
        Ok(())
    }

    /// What the transaction that stores the quote writes.
    pub(crate) fn take_buffered(&mut self) -> BufferedChunks {
        let chunks = std::mem::take(&mut self.held.chunks);
        BufferedChunks { chunks, ..self.held.clone() }
    }

    /// Deletes what was written. A failure here leaves an audience without a quote, which the purge finds.
    pub(crate) async fn discard(self) {
        let Some(audience) = self.held.audience else { return };
        let deleted = self
            .store
            .write(Lane::Background, audience, |tx, audience| Box::pin(table::delete_unused(tx, *audience)))
            .await;
        if let Err(error) = deleted {
            tracing::warn!(audience = audience.0, code = error.code(), %error, "an audience without a quote was left behind");
        }
    }
}
