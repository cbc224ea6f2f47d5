//! SQLite's one writer: a task that owns the writing connection and lets waiting writes share a commit.
//!
//! Jobs come through lanes in order of urgency. A job that fails undoes nothing else: for the first of a group the
//! transaction is restarted, the others run in savepoints. One `COMMIT` (one fsync) then serves all, and only after it
//! are results handed out. Orders of one kind that wait in a lane at the same time become one job (`store/db/batch_write.rs`), so
//! that many small ones share one statement per table.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sqlx::{Connection as _, SqliteConnection};
use tokio::sync::{Mutex, Notify, OwnedMutexGuard, mpsc};

use crate::args;
use crate::error::{Error, Result};
use crate::phone::DigestKey;
use crate::store::db::batch_write::{DEPTH, Waiter, Waiting, Waits};
use crate::store::db::tx::{Conn, Tx, Writing};
use crate::store::db::write_job::{Failure, Lane};

/// A group is closed when it has run this long, so that no write waits much longer for its commit.
const GROUP_TIME: Duration = Duration::from_millis(4);
/// And when it holds this many jobs.
const GROUP_JOBS: usize = 1_024;
/// As many as [`Lane`] has, in its order.
const LANES: usize = 4;

/// The writing connection; `None` once it is closed.
type Slot = Arc<Mutex<Option<SqliteConnection>>>;
/// With the key under which its transactions digest numbers.
type KeyedSlot = (Slot, Option<DigestKey>);

/// The writer's handle.
pub(crate) struct Writer {
    lanes: [mpsc::Sender<Waiter>; LANES],
    wake: Arc<Notify>,
    slot: Slot,
}

impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

impl Writer {
    /// Starts the writing task on its connection.
    pub(crate) fn start(connection: SqliteConnection, digest_key: Option<DigestKey>) -> Self {
        let wake = Arc::new(Notify::new());
        let slot: Slot = Arc::new(Mutex::new(Some(connection)));
        let mut lanes = Vec::with_capacity(LANES);
        let senders = std::array::from_fn(|_| {
            let (sender, receiver) = mpsc::channel(DEPTH);
            lanes.push(Waiting::new(receiver));
            sender
        });
        tokio::spawn(run((Arc::clone(&slot), digest_key), lanes, Arc::clone(&wake)));
        Self { lanes: senders, wake, slot }
    }

    /// The writer's own connection, for migrations: between two groups.
    pub(crate) async fn connection(&self) -> Result<Writing> {
        writing(&self.slot).await
    }

    /// Puts a write into its lane; it answers by itself, or never once the writer has ended.
    pub(crate) async fn submit(&self, lane: Lane, waiter: Waiter) -> Result<()> {
        self.lanes[lane as usize].send(waiter).await.map_err(|_| closed())?;
        self.wake.notify_one();
        Ok(())
    }

    pub(crate) async fn close(&self) {
        if let Some(connection) = self.slot.lock().await.take()
            && let Err(error) = connection.close().await
        {
            tracing::debug!(%error, "the writing connection did not close in order");
        }
    }
}

/// Why a write has no answer: its writer has ended, and keeps nothing of it.
pub(crate) fn closed() -> Error {
    Error::unavailable("shutting_down", "The daemon is shutting down; try again in a moment")
}

async fn writing(slot: &Slot) -> Result<Writing> {
    let held = Arc::clone(slot).lock_owned().await;
    OwnedMutexGuard::try_map(held, Option::as_mut).map_err(|_| Error::Database(sqlx::Error::PoolClosed))
}

/// The task: takes what waits, runs it as a group, commits, answers.
async fn run(slot: KeyedSlot, mut lanes: Vec<Waiting>, wake: Arc<Notify>) {
    loop {
        let Some(first) = next(&mut lanes) else {
            if lanes.iter().all(Waiting::is_over) {
                return;
            }
            // Bounded, so that a writer whose senders are gone notices it.
            let _ = tokio::time::timeout(Duration::from_millis(500), wake.notified()).await;
            continue;
        };
        let mut done = Vec::new();
        let outcome = group(&slot, &mut lanes, first, &mut done).await.err().map(Failure::from);
        for job in done {
            job.finish(outcome.as_ref());
        }
    }
}

/// The next job of the most urgent lane, with what it takes along.
fn next(lanes: &mut [Waiting]) -> Option<Box<dyn Waits>> {
    lanes.iter_mut().find_map(Waiting::next)
}

/// Runs a group of jobs in one transaction. Every job taken ends in `done`, whatever happens.
async fn group(
    slot: &KeyedSlot,
    lanes: &mut [Waiting],
    first: Box<dyn Waits>,
    done: &mut Vec<Box<dyn Waits>>,
) -> Result<()> {
    let mut waiting = VecDeque::from([first]);
    let result = run_all(slot, lanes, &mut waiting, done).await;
    done.extend(waiting);
    result
}

async fn run_all(
    (slot, digest_key): &KeyedSlot,
    lanes: &mut [Waiting],
    waiting: &mut VecDeque<Box<dyn Waits>>,
    done: &mut Vec<Box<dyn Waits>>,
) -> Result<()> {
    let mut tx = Tx::new(Conn::Sqlite(writing(slot).await?), *digest_key);
    tx.run("BEGIN IMMEDIATE", args![]).await?;
    let started = Instant::now();
    let mut is_fresh = true;
    while let Some(mut job) = waiting.pop_front() {
        match one(&mut tx, job.as_mut(), is_fresh).await {
            Ok(true) => {
                is_fresh = false;
                done.push(job);
            }
            Ok(false) => match job.split() {
                // One of them is the cause: the others are tried without it.
                Ok(pieces) => waiting.extend(pieces),
                Err(job) => done.push(job),
            },
            Err(error) => {
                // The connection is in doubt: give the whole group up; each caller gets the error.
                done.push(job);
                let _ = tx.run("ROLLBACK", args![]).await;
                return Err(error);
            }
        }
        if waiting.is_empty() && started.elapsed() < GROUP_TIME && done.len() < GROUP_JOBS {
            waiting.extend(next(lanes));
        }
    }
    let committed = tx.run("COMMIT", args![]).await;
    if committed.is_err() {
        let _ = tx.run("ROLLBACK", args![]).await;
    }
    committed.map(|_| ())
}

/// Runs a job; what it did stays only when it says so. A transaction that holds nothing yet needs no savepoint: it is
/// restarted.
async fn one(tx: &mut Tx, job: &mut dyn Waits, is_fresh: bool) -> Result<bool> {
    if is_fresh {
        let keep = job.run(tx).await;
        if !keep {
            tx.run("ROLLBACK", args![]).await?;
            tx.run("BEGIN IMMEDIATE", args![]).await?;
        }
        return Ok(keep);
    }
    tx.run("SAVEPOINT job", args![]).await?;
    let keep = job.run(tx).await;
    if !keep {
        tx.run("ROLLBACK TO job", args![]).await?;
    }
    tx.run("RELEASE job", args![]).await?;
    Ok(keep)
}
