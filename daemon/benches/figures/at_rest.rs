//! What the daemon does once messages rest, at once: it waits an hour before it packs them.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use talkdrum_core::args;
use talkdrum_core::store::{Dialect, Store};
use talkdrum_core::time::Time;
use talkdrum_core::worker::jobs::{compaction, packing};

/// After so long no receipt is waited for.
const LATER: Duration = Duration::from_hours(24 * 7);
/// Chunks at once.
const CHUNKS: i64 = 64;
/// Steps at once.
const COMPACTION_STEPS: usize = 256;

/// Packs all that can be packed of a database that no daemon serves.
pub(crate) async fn pack_all(store: &Store) -> anyhow::Result<()> {
    let now = i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis())?;
    // A step queues what the next ones pack.
    let mut idle = 0;
    while idle < 2 {
        idle = if packing::tick(store, Time(now) + LATER, CHUNKS).await? { 0 } else { idle + 1 };
    }
    Ok(())
}

/// Compacts the number index, as it is after a while.
pub(crate) async fn compact_all(store: &Store) -> anyhow::Result<()> {
    while compaction::tick(store, COMPACTION_STEPS).await? {}
    Ok(())
}

/// Bytes of a file's pages that hold something.
pub(crate) async fn bytes_in_use(store: &Store) -> anyhow::Result<f64> {
    anyhow::ensure!(store.dialect() == Dialect::Sqlite, "only SQLite has pages in a file");
    let sql = "SELECT (page_count - freelist_count) * page_size \
               FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()";
    let (bytes,): (i64,) = store.read().await?.one(sql, args![]).await?;
    Ok(bytes as f64)
}
