//! Chunks that changed, and the tallies that are made of them behind a send.

use std::collections::BTreeMap;
use std::time::Duration;

use super::builder::START;
use crate::args;
use crate::model::campaign::id::ChunkId;
use crate::phone::NetworkTable;
use crate::store::stats::traffic as queue;
use crate::store::{Lane, Store};
use crate::worker::jobs::traffic;

/// Changes a chunk by a statement that takes its id, and notes that it is to be counted again.
///
/// # Panics
/// When the database refuses.
pub async fn change(store: &Store, sql: &'static str, chunk: ChunkId) {
    store
        .write(Lane::Interactive, (sql, chunk), |tx, (sql, chunk)| {
            Box::pin(async move {
                tx.run(*sql, args![*chunk]).await?;
                queue::queue(tx, vec![*chunk]).await
            })
        })
        .await
        .expect("a statement of the tests");
}

/// Counts every chunk that waits for it, an hour after [`START`].
///
/// # Panics
/// When the database cannot be read or written.
pub async fn count(store: &Store) {
    let now = START + Duration::from_secs(3_600);
    while traffic::tick(store, NetworkTable::builtin(), &BTreeMap::new(), now).await.expect("a count") {}
}
