//! SQLite's reading connections: kept open, handed out, taken back.
//!
//! The driver's own pool pings a connection when it hands it out and when it takes it back. Each ping goes to the
//! connection's thread, which costs more than a small read, and a file does not go away. A reader only reads: each
//! statement by itself or all of them in one snapshot, which ends when the reader is dropped.

use std::sync::Arc;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteTransactionManager};
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection};
use sqlx_core::transaction::TransactionManager as _;
use tokio::sync::{Mutex, OwnedMappedMutexGuard, OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};

use crate::error::{Error, Result};

/// How long a read waits for a connection.
const PATIENCE: Duration = Duration::from_secs(15);

/// A place for a connection, empty until it is first needed.
type Slot = Option<SqliteConnection>;

/// The connections of one store.
#[derive(Debug)]
pub(crate) struct Readers {
    options: SqliteConnectOptions,
    slots: Vec<Arc<Mutex<Slot>>>,
    /// One for each slot: the holder of a permit finds a free slot.
    permits: Arc<Semaphore>,
}

/// A connection on loan.
#[derive(Debug)]
pub(crate) struct Reader {
    /// The connection; others can use it when this is dropped.
    pub(crate) connection: OwnedMappedMutexGuard<Slot, SqliteConnection>,
    in_snapshot: bool,
    _permit: OwnedSemaphorePermit,
}

impl Reader {
    /// From its first statement on, the reader sees the database as it was then.
    pub(crate) async fn begin_snapshot(&mut self) -> Result<()> {
        // First, as the future may be dropped when the transaction has begun.
        self.in_snapshot = true;
        Ok(SqliteTransactionManager::begin(&mut self.connection, None).await?)
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        // A snapshot that stays open keeps the log from being started over.
        if self.in_snapshot {
            SqliteTransactionManager::start_rollback(&mut self.connection);
        }
    }
}

impl Readers {
    /// At most `count` connections, opened as they are needed.
    pub(crate) fn new(options: SqliteConnectOptions, count: usize) -> Self {
        let slots = (0..count).map(|_| Arc::default()).collect();
        Self { options, slots, permits: Arc::new(Semaphore::new(count)) }
    }

    /// A connection, once there is one.
    pub(crate) async fn take(&self) -> Result<Reader> {
        let closed = || Error::Database(sqlx::Error::PoolClosed);
        let waiting = Arc::clone(&self.permits).acquire_owned();
        let permit = tokio::time::timeout(PATIENCE, waiting)
            .await
            .map_err(|_| Error::Database(sqlx::Error::PoolTimedOut))?
            .map_err(|_| closed())?;
        let mut slot = loop {
            let free = self.slots.iter().find_map(|slot| Arc::clone(slot).try_lock_owned().ok());
            match free {
                Some(slot) => break slot,
                // Its last holder has given back the permit and not yet the slot.
                None => tokio::task::yield_now().await,
            }
        };
        if slot.is_none() {
            *slot = Some(self.options.connect().await?);
        }
        let connection = OwnedMutexGuard::try_map(slot, Option::as_mut).map_err(|_| closed())?;
        Ok(Reader { connection, in_snapshot: false, _permit: permit })
    }

    /// Closes the connections, each when it is back.
    pub(crate) async fn close(&self) {
        self.permits.close();
        for slot in &self.slots {
            let Some(connection) = slot.lock().await.take() else { continue };
            if let Err(error) = connection.close().await {
                tracing::debug!(%error, "a reading connection did not close in order");
            }
        }
    }
}
