//! Chunks that an operator reroutes while messages of them are in flight, or wait to be sent again, by this carrier.

use std::collections::BTreeSet;

use crate::error::Result;
use crate::model::campaign::id::ChunkId;
use crate::store::Store;
use crate::store::chunk::{self, ChunkRow};
use crate::time::Time;
use crate::worker::dispatch::open_chunks::OpenChunks;

impl OpenChunks {
    /// Reads those of the given chunks again that are open here and go by other carriers by now.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn renew(&self, store: &Store, chunks: BTreeSet<ChunkId>, now: Time) -> Result<()> {
        let open: Vec<ChunkId> = chunks.into_iter().filter(|chunk| self.get(*chunk).is_some()).collect();
        if open.is_empty() {
            return Ok(());
        }
        let stored = chunk::carriers_of(&mut store.read().await?, open).await?;
        for (id, own, spares) in stored {
            let carriers = chunk::carriers(&own, spares.as_deref());
            if self.get(id).is_none_or(|open| open.carriers == carriers) {
                continue;
            }
            let row = chunk::find(&mut store.read().await?, id).await?;
            if let Some(row) = row {
                self.reopen(store, &row, now).await?;
            }
        }
        Ok(())
    }

    /// Reads an open chunk again that was rerouted: it goes by other carriers now.
    async fn reopen(&self, store: &Store, row: &ChunkRow, now: Time) -> Result<()> {
        let (data, dnd) = self.read(store, row).await?;
        self.keep(row, &data, dnd, row.attempt, now).map(|_| ())
    }
}
