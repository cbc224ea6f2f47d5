//! SQLite's one writer: a task that owns the writing connection and lets waiting writes share a commit.
//!
//! Jobs come through three lanes in order of urgency. Each runs in a savepoint of its own, so that one that fails
//! takes nothing else with it; one `COMMIT` (one fsync) then serves all, and only after it are results handed out.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::FutureExt as _;
use futures::future::BoxFuture;
use sqlx::SqlitePool;
use tokio::sync::{Notify, mpsc, oneshot};

use super::backend::Lane;
use super::tx::{Conn, Tx};
use crate::args;
use crate::error::{Error, Result};

/// A group is closed when it has run this long, so that nobody waits much longer for a commit.
const GROUP_TIME: Duration = Duration::from_millis(4);
/// And when it holds this many jobs.
const GROUP_JOBS: usize = 1_024;
/// Jobs waiting in one lane before senders wait too.
const LANE_DEPTH: usize = 4_096;

/// A write that waits for its turn.
pub(super) trait Job: Send {
    /// Runs in a savepoint; true keeps its effects.
    fn run<'a>(&'a mut self, tx: &'a mut Tx) -> BoxFuture<'a, bool>;
    /// Hands out the result; `commit` is the fate of the whole group.
    fn finish(self: Box<Self>, commit: Option<&str>);
}

/// A job with its input, its result once it ran, and whoever waits for it.
pub(super) struct Pending<I, T> {
    input: I,
    job: for<'a> fn(&'a mut Tx, &'a I) -> BoxFuture<'a, Result<T>>,
    result: Option<Result<T>>,
    reply: Option<oneshot::Sender<Result<T>>>,
}

impl<I, T> Pending<I, T> {
    pub(super) fn new(input: I, job: for<'a> fn(&'a mut Tx, &'a I) -> BoxFuture<'a, Result<T>>) -> Self {
        Self { input, job, result: None, reply: None }
    }
}

impl<I: Send + Sync, T: Send> Job for Pending<I, T> {
    fn run<'a>(&'a mut self, tx: &'a mut Tx) -> BoxFuture<'a, bool> {
        Box::pin(async move {
            // A job that panics is an error of its own; the writer and its other jobs go on.
            let result = AssertUnwindSafe((self.job)(tx, &self.input))
                .catch_unwind()
                .await
                .unwrap_or_else(|_| Err(Error::Corrupt("a write panicked".into())));
            let keep = result.is_ok();
            self.result = Some(result);
            keep
        })
    }

    fn finish(mut self: Box<Self>, commit: Option<&str>) {
        let result = match (commit, self.result.take()) {
            // A job that refused by itself keeps its own reason, whatever became of the others.
            (_, Some(Err(error))) => Err(error),
            (Some(reason), _) => Err(Error::Database(sqlx::Error::Protocol(reason.to_owned()))),
            (None, Some(result)) => result,
            (None, None) => Err(Error::Corrupt("a write was committed without having run".into())),
        };
        if let Some(reply) = self.reply.take() {
            // Whoever asked may have gone; the write stands all the same.
            let _ = reply.send(result);
        }
    }
}

/// The writer's handle.
#[derive(Debug)]
pub(super) struct Writer {
    lanes: [mpsc::Sender<Box<dyn Job>>; 3],
    wake: Arc<Notify>,
    pool: SqlitePool,
}

impl Writer {
    /// Starts the writing task on a pool of one connection.
    pub(super) fn start(pool: SqlitePool) -> Self {
        let wake = Arc::new(Notify::new());
        let (senders, receivers): (Vec<_>, Vec<_>) = (0..3).map(|_| mpsc::channel(LANE_DEPTH)).unzip();
        let lanes = [senders[0].clone(), senders[1].clone(), senders[2].clone()];
        tokio::spawn(run(pool.clone(), receivers, Arc::clone(&wake)));
        Self { lanes, wake, pool }
    }

    /// The writer's own connection, for migrations and backups.
    pub(super) fn pool(&self) -> &SqlitePool {
        &self.pool
    }

    pub(super) async fn write<I, T>(&self, lane: Lane, mut pending: Pending<I, T>) -> Result<T>
    where
        I: Send + Sync + 'static,
        T: Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        pending.reply = Some(reply);
        let closed =
            || Error::unavailable("shutting_down", "The daemon is shutting down; try again in a moment");
        self.lanes[lane as usize].send(Box::new(pending)).await.map_err(|_| closed())?;
        self.wake.notify_one();
        answer.await.map_err(|_| closed())?
    }

    pub(super) async fn close(&self) {
        self.pool.close().await;
    }
}

/// The task: takes what waits, runs it as a group, commits, answers.
async fn run(pool: SqlitePool, mut lanes: Vec<mpsc::Receiver<Box<dyn Job>>>, wake: Arc<Notify>) {
    loop {
        let Some(first) = next(&mut lanes) else {
            if lanes.iter().all(|lane| lane.is_closed() && lane.is_empty()) {
                return;
            }
            // Bounded, so that a writer whose senders are gone notices it.
            let _ = tokio::time::timeout(Duration::from_millis(500), wake.notified()).await;
            continue;
        };
        let mut done = Vec::new();
        let outcome = group(&pool, &mut lanes, first, &mut done).await.err().map(|error| error.to_string());
        for job in done {
            job.finish(outcome.as_deref());
        }
    }
}

fn next(lanes: &mut [mpsc::Receiver<Box<dyn Job>>]) -> Option<Box<dyn Job>> {
    lanes.iter_mut().find_map(|lane| lane.try_recv().ok())
}

/// Runs a group of jobs in one transaction. Every job taken ends in `done`, whatever happens.
async fn group(
    pool: &SqlitePool,
    lanes: &mut [mpsc::Receiver<Box<dyn Job>>],
    first: Box<dyn Job>,
    done: &mut Vec<Box<dyn Job>>,
) -> Result<()> {
    let connection = match pool.acquire().await {
        Ok(connection) => connection,
        Err(error) => {
            done.push(first);
            return Err(error.into());
        }
    };
    let mut tx = Tx(Conn::Sqlite(connection));
    if let Err(error) = tx.run("BEGIN IMMEDIATE", args![]).await {
        done.push(first);
        return Err(error);
    }
    let started = Instant::now();
    let mut waiting = Some(first);
    while let Some(mut job) = waiting.take() {
        let result = one(&mut tx, job.as_mut()).await;
        done.push(job);
        if let Err(error) = result {
            // The connection is in doubt: give the whole group up, each hears of it.
            let _ = tx.run("ROLLBACK", args![]).await;
            return Err(error);
        }
        if started.elapsed() < GROUP_TIME && done.len() < GROUP_JOBS {
            waiting = next(lanes);
        }
    }
    let committed = tx.run("COMMIT", args![]).await;
    if committed.is_err() {
        let _ = tx.run("ROLLBACK", args![]).await;
    }
    committed.map(|_| ())
}

async fn one(tx: &mut Tx, job: &mut dyn Job) -> Result<()> {
    tx.run("SAVEPOINT job", args![]).await?;
    if !job.run(tx).await {
        tx.run("ROLLBACK TO job", args![]).await?;
    }
    tx.run("RELEASE job", args![]).await?;
    Ok(())
}
