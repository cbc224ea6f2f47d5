//! PostgreSQL's writes: each in a transaction and on a task of its own, so that it ends even when its caller goes away,
//! and tried again when the server asks for it.
//!
//! Small orders of clients (`store/db/batch_write.rs`) that wait at the same time share a transaction: a user's orders all debit one
//! wallet, so that one transaction an order would have each wait for the commit of the one before it. Clients and workers
//! have connections of their own, and so has the heartbeat, which must not wait for either.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection as _, PgPool};
use tokio::sync::{Mutex, mpsc};

use crate::error::{Error, Result};
use crate::phone::DigestKey;
use crate::store::db::batch_write::{DEPTH, Waiter, Waiting, Waits};
use crate::store::db::postgres::reach::connect_once;
use crate::store::db::tx::{Conn, Tx};
use crate::store::db::write_job::{Failure, Lane};
use crate::time::backoff::doubled;

/// How often a write that met a deadlock is tried in all.
const TRIES: u32 = 8;
/// Before the second of these tries; doubled for each after it.
const PAUSE: Duration = Duration::from_millis(10);
/// The longest of these pauses.
const PAUSE_MAX: Duration = Duration::from_millis(320);
/// Tasks that carry out gathered orders: while the commit of one is under way, the next prepares its rows.
const GATHERERS: u32 = 2;
/// How workers' statements and gathered orders are planned: as SQLite does all of them, in nested loops over indexes. The
/// server would rather read a young table as a whole, and keeps to that plan while the table grows. Without the last,
/// the price of what cannot be avoided would have such a plan compiled to machine code.
const BY_KEY: [(&str, &str); 4] =
    [("enable_seqscan", "off"), ("enable_hashjoin", "off"), ("enable_mergejoin", "off"), ("jit", "off")];
/// A connection that was idle for so long is tried before it is used again, and replaced where the server is gone from it. What
/// comes back to the pool is tried there, so that one in use would be asked twice for each transaction.
pub(super) const RESTED: Duration = Duration::from_secs(1);
/// How long a statement waits for a connection.
const PATIENCE: Duration = Duration::from_secs(15);

/// The connections to a PostgreSQL server, and the orders that wait for them.
#[derive(Debug)]
pub(crate) struct Writer {
    /// For clients.
    pub(crate) clients: PgPool,
    /// For orders that are carried out together.
    gatherers: PgPool,
    /// For the workers.
    pub(crate) workers: PgPool,
    heartbeats: PgPool,
    orders: mpsc::Sender<Waiter>,
    deadlocks: Arc<AtomicU64>,
    /// Connections that were made for the workers.
    connections: Arc<AtomicU64>,
    digest_key: Option<DigestKey>,
}

/// What a task needs to carry out writes.
struct Server {
    pool: PgPool,
    /// How many deadlocks it met.
    deadlocks: Arc<AtomicU64>,
    /// The key under which its transactions digest numbers.
    digest_key: Option<DigestKey>,
}

impl Writer {
    /// Connects; clients and workers may have `connections` each.
    ///
    /// # Errors
    /// Those of [`connect_once`].
    pub(crate) async fn connect(
        connect: PgConnectOptions,
        connections: u32,
        digest_key: Option<DigestKey>,
    ) -> Result<Self> {
        connect_once(&connect).await?;
        let pool = |most: u32| {
            let options = PgPoolOptions::new().max_connections(most).acquire_timeout(PATIENCE);
            options.test_before_acquire(false).before_acquire(|connection, used| {
                Box::pin(async move {
                    if used.idle_for >= RESTED {
                        connection.ping().await?;
                    }
                    Ok(true)
                })
            })
        };
        let by_key = connect.clone().options(BY_KEY);
        let gatherers = pool(GATHERERS).connect_lazy_with(by_key.clone());
        let made: Arc<AtomicU64> = Arc::default();
        let counted = Arc::clone(&made);
        // Counted before any statement runs on it, so that a caller that learns of a commit also sees the new connection.
        let workers = pool(connections)
            .after_connect(move |_, _| {
                counted.fetch_add(1, Ordering::SeqCst);
                Box::pin(async { Ok(()) })
            })
            .connect_lazy_with(by_key);
        let heartbeats = pool(1).connect_lazy_with(connect.clone());
        let clients = pool(connections).connect_lazy_with(connect);
        let (orders, receiver) = mpsc::channel(DEPTH);
        let line = Arc::new(Mutex::new(Waiting::new(receiver)));
        let deadlocks: Arc<AtomicU64> = Arc::default();
        for _ in 0..GATHERERS {
            let (pool, deadlocks) = (gatherers.clone(), Arc::clone(&deadlocks));
            tokio::spawn(gather(Server { pool, deadlocks, digest_key }, Arc::clone(&line)));
        }
        Ok(Self { clients, gatherers, workers, heartbeats, orders, deadlocks, connections: made, digest_key })
    }

    fn pool(&self, lane: Lane) -> &PgPool {
        match lane {
            Lane::Heartbeat => &self.heartbeats,
            Lane::Intent | Lane::Background => &self.workers,
            Lane::Interactive => &self.clients,
        }
    }

    /// Has a write run to its end, a small order of a client's together with those that wait at the same time; it
    /// answers by itself, after the commit.
    pub(crate) async fn submit(&self, lane: Lane, waiter: Waiter) -> Result<()> {
        if lane == Lane::Interactive && waiter.kind.is_some() {
            return self.orders.send(waiter).await.map_err(|_| given_up());
        }
        self.alone(lane, waiter.job);
        Ok(())
    }

    fn alone(&self, lane: Lane, job: Box<dyn Waits>) {
        let server = Server {
            pool: self.pool(lane).clone(),
            deadlocks: Arc::clone(&self.deadlocks),
            digest_key: self.digest_key,
        };
        tokio::spawn(async move { run_to_answer(&server, job).await });
    }

    /// How many deadlocks the server has resolved at the cost of a write of this process.
    pub(crate) fn deadlocks(&self) -> u64 {
        self.deadlocks.load(Ordering::Relaxed)
    }

    /// How many connections were made for the workers.
    pub(crate) fn connections(&self) -> u64 {
        self.connections.load(Ordering::SeqCst)
    }

    pub(crate) async fn close(&self) {
        for pool in [&self.clients, &self.gatherers, &self.workers, &self.heartbeats] {
            pool.close().await;
        }
    }
}

/// Why a write has no answer: its task ended within it.
pub(crate) fn given_up() -> Error {
    Error::Doubtful("the write was given up".into())
}

/// A task that takes the orders that wait and carries them out together; it ends when the store is gone.
async fn gather(server: Server, line: Arc<Mutex<Waiting>>) {
    loop {
        let next = line.lock().await.next_of_all().await;
        let Some(job) = next else { return };
        run_to_answer(&server, job).await;
    }
}

/// Runs a job to its end; one that is refused and can be split goes on in pieces, each in a transaction of its own.
async fn run_to_answer(server: &Server, job: Box<dyn Waits>) {
    let mut jobs = VecDeque::from([job]);
    while let Some(mut job) = jobs.pop_front() {
        let mut failed = run(server, job.as_mut()).await;
        // The server cannot be reached: splitting would not help.
        if failed.is_none() {
            failed = job.refusal().filter(|error| is_away(error)).map(Failure::of_all);
        }
        if failed.is_none() && job.refusal().is_some() {
            match job.split() {
                Ok(pieces) => {
                    jobs.extend(pieces);
                    continue;
                }
                Err(whole) => job = whole,
            }
        }
        job.finish(failed.as_ref());
    }
}

fn is_away(error: &Error) -> bool {
    matches!(error, Error::Database(_)) && error.is_passing() && !error.is_retryable()
}

/// Runs a job, as often as the server asks for it; tells why the transaction failed, if it did.
async fn run(server: &Server, job: &mut dyn Waits) -> Option<Failure> {
    let mut attempt = 1;
    loop {
        let failed = attempt_at(server, job).await.err();
        let error = failed.as_ref().or_else(|| job.refusal());
        if error.is_some_and(Error::is_deadlock) {
            server.deadlocks.fetch_add(1, Ordering::Relaxed);
            tracing::warn!(attempt, "a write met a deadlock");
        }
        if attempt == TRIES || !error.is_some_and(Error::is_retryable) {
            return failed.map(Failure::from);
        }
        tokio::time::sleep(doubled(PAUSE, attempt - 1, PAUSE_MAX)).await;
        attempt += 1;
    }
}

/// Fails where the transaction failed; the job keeps its own refusal.
async fn attempt_at(server: &Server, job: &mut dyn Waits) -> Result<()> {
    let mut tx = Tx::new(Conn::PostgresWrite(server.pool.begin().await?), server.digest_key);
    // One that is dropped is rolled back.
    if !job.run(&mut tx).await {
        return Ok(());
    }
    match tx.0 {
        Conn::PostgresWrite(transaction) => transaction.commit().await.map_err(of_commit),
        _ => Err(Error::Corrupt("a transaction changed its kind".into())),
    }
}

/// What the error of a COMMIT means. Nothing is stored only when the server itself refused it (an integrity constraint,
/// a rollback); otherwise it may be stored.
fn of_commit(error: sqlx::Error) -> Error {
    let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
    if code.is_some_and(|code| code.starts_with("23") || code.starts_with("40")) {
        return Error::Database(error);
    }
    Error::Doubtful(error.to_string())
}
