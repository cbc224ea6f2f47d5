//! SQLite's one writer: a task that owns the writing connection and lets waiting writes share a commit.
//!
//! Jobs come through three lanes in order of urgency. A job that fails takes nothing else with it: the first of a group
//! begins its transaction anew, the others run in savepoints. One `COMMIT` (one fsync) then serves all, and only after
//! it are results handed out. Orders of one kind that wait in a lane at the same time become one job ([`Together`]), so
//! that many small ones cost a statement a table and not each their own.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use sqlx::{Connection as _, SqliteConnection};
use tokio::sync::{Mutex, Notify, OwnedMutexGuard, mpsc, oneshot};

use super::backend::{Lane, Together};
use super::job::{Failure, Job, Pending, Work, answer, guarded};
use super::tx::{Conn, Tx};
use crate::args;
use crate::error::{Error, Result};

/// A group is closed when it has run this long, so that nobody waits much longer for a commit.
const GROUP_TIME: Duration = Duration::from_millis(4);
/// And when it holds this many jobs.
const GROUP_JOBS: usize = 1_024;
/// Orders in one job.
const PARTY: usize = 256;
/// Jobs waiting in one lane before senders wait too.
const LANE_DEPTH: usize = 4_096;

/// A write that waits for its turn among others.
pub(super) trait Waits: Job {
    /// What it is, for those it could do its work with.
    fn into_any(self: Box<Self>) -> Box<dyn Any + Send>;
    /// Takes in orders of its own kind that wait in the same lane.
    fn gather(&mut self, waiting: &mut Waiting) {
        let _ = waiting;
    }
    /// The same work in smaller pieces, when it failed as a whole and that may be the fault of one piece.
    fn split(self: Box<Self>) -> Result<Vec<Box<dyn Waits>>, Box<dyn Waits>>;
}

impl<I: Send + Sync + 'static, T: Send + 'static> Waits for Pending<I, T> {
    fn into_any(self: Box<Self>) -> Box<dyn Any + Send> {
        self
    }

    fn split(self: Box<Self>) -> Result<Vec<Box<dyn Waits>>, Box<dyn Waits>> {
        Err(self)
    }
}

/// Orders that are carried out together.
struct Party<I: Together> {
    orders: Vec<I>,
    replies: Vec<oneshot::Sender<Result<I::Made>>>,
    result: Option<Result<Vec<I::Made>>>,
}

impl<I: Together> Party<I> {
    fn of(order: I, reply: oneshot::Sender<Result<I::Made>>) -> Self {
        Self { orders: vec![order], replies: vec![reply], result: None }
    }
}

impl<I: Together> Job for Party<I> {
    fn run<'a>(&'a mut self, tx: &'a mut Tx) -> BoxFuture<'a, bool> {
        Box::pin(async move {
            let mut result = guarded(I::carry_out(tx, &self.orders)).await;
            if result.as_ref().is_ok_and(|made| made.len() != self.orders.len()) {
                result = Err(Error::Corrupt("a write did not answer each of its orders".into()));
            }
            let keep = result.is_ok();
            self.result = Some(result);
            keep
        })
    }

    fn finish(self: Box<Self>, failure: Option<&Failure>) {
        let Self { replies, result, .. } = *self;
        let mut results = match result {
            Some(Ok(made)) => made.into_iter().map(Ok).collect(),
            // Of one order: it keeps its own reason.
            Some(Err(error)) => vec![Err(error)],
            None => Vec::new(),
        }
        .into_iter();
        for reply in replies {
            answer(reply, results.next(), failure);
        }
    }

    fn refusal(&self) -> Option<&Error> {
        self.result.as_ref()?.as_ref().err()
    }
}

impl<I: Together> Waits for Party<I> {
    fn into_any(self: Box<Self>) -> Box<dyn Any + Send> {
        self
    }

    fn gather(&mut self, waiting: &mut Waiting) {
        let room = PARTY.saturating_sub(self.orders.len());
        if room > 0 && self.orders.iter().all(Together::is_small) {
            waiting.take(room, |party: Self| {
                self.orders.extend(party.orders);
                self.replies.extend(party.replies);
            });
        }
    }

    fn split(self: Box<Self>) -> Result<Vec<Box<dyn Waits>>, Box<dyn Waits>> {
        if self.orders.len() < 2 {
            return Err(self);
        }
        let pairs = self.orders.into_iter().zip(self.replies);
        Ok(pairs.map(|(order, reply)| Box::new(Self::of(order, reply)) as Box<dyn Waits>).collect())
    }
}

/// A job as it waits, with what tells its kind.
struct Waiter {
    /// Set for orders that may be carried out together with others of this type.
    kind: Option<std::any::TypeId>,
    job: Box<dyn Waits>,
}

/// The jobs that wait in one lane.
pub(super) struct Waiting {
    receiver: mpsc::Receiver<Waiter>,
    /// Those that were taken out of the channel to be looked at.
    queue: VecDeque<Waiter>,
}

impl Waiting {
    fn next(&mut self) -> Option<Box<dyn Waits>> {
        let job = self.queue.pop_front().or_else(|| self.receiver.try_recv().ok());
        job.map(|waiter| waiter.job)
    }

    /// Hands up to `room` waiting orders of one kind over. Jobs that wait at the same time have no order among them:
    /// nobody sends a second one before the first is answered and relies on the first.
    fn take<I: Together>(&mut self, mut room: usize, mut taker: impl FnMut(Party<I>)) {
        while self.queue.len() < LANE_DEPTH
            && let Ok(waiter) = self.receiver.try_recv()
        {
            self.queue.push_back(waiter);
        }
        let kind = Some(std::any::TypeId::of::<I>());
        for waiter in std::mem::take(&mut self.queue) {
            if room > 0 && waiter.kind == kind {
                // The kind says that it is one.
                if let Ok(party) = waiter.job.into_any().downcast::<Party<I>>() {
                    room -= 1;
                    taker(*party);
                }
            } else {
                self.queue.push_back(waiter);
            }
        }
    }

    fn is_over(&self) -> bool {
        self.queue.is_empty() && self.receiver.is_closed() && self.receiver.is_empty()
    }
}

/// The writing connection; `None` once it is closed.
type Slot = Arc<Mutex<Option<SqliteConnection>>>;

/// The writer's handle.
pub(super) struct Writer {
    lanes: [mpsc::Sender<Waiter>; 3],
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
    pub(super) fn start(connection: SqliteConnection) -> Self {
        let wake = Arc::new(Notify::new());
        let slot: Slot = Arc::new(Mutex::new(Some(connection)));
        let (senders, lanes): (Vec<_>, Vec<_>) = (0..3)
            .map(|_| mpsc::channel(LANE_DEPTH))
            .map(|(sender, receiver)| (sender, Waiting { receiver, queue: VecDeque::new() }))
            .unzip();
        tokio::spawn(run(Arc::clone(&slot), lanes, Arc::clone(&wake)));
        Self { lanes: [senders[0].clone(), senders[1].clone(), senders[2].clone()], wake, slot }
    }

    /// The writer's own connection, for migrations: between two groups.
    pub(super) async fn connection(&self) -> Result<Writing> {
        writing(&self.slot).await
    }

    pub(super) async fn write<I, T>(&self, lane: Lane, input: I, job: Work<I, T>) -> Result<T>
    where
        I: Send + Sync + 'static,
        T: Send + 'static,
    {
        let (pending, answer) = Pending::new(input, job);
        self.wait(lane, Waiter { kind: None, job: Box::new(pending) }, answer).await
    }

    pub(super) async fn write_together<I: Together>(&self, lane: Lane, order: I) -> Result<I::Made> {
        let (reply, answer) = oneshot::channel();
        let kind = order.is_small().then(std::any::TypeId::of::<I>);
        self.wait(lane, Waiter { kind, job: Box::new(Party::of(order, reply)) }, answer).await
    }

    async fn wait<T>(&self, lane: Lane, waiter: Waiter, answer: oneshot::Receiver<Result<T>>) -> Result<T> {
        let closed =
            || Error::unavailable("shutting_down", "The daemon is shutting down; try again in a moment");
        self.lanes[lane as usize].send(waiter).await.map_err(|_| closed())?;
        self.wake.notify_one();
        answer.await.map_err(|_| closed())?
    }

    pub(super) async fn close(&self) {
        if let Some(connection) = self.slot.lock().await.take()
            && let Err(error) = connection.close().await
        {
            tracing::debug!(%error, "the writing connection did not close in order");
        }
    }
}

/// The writing connection on loan.
pub(super) type Writing = tokio::sync::OwnedMappedMutexGuard<Option<SqliteConnection>, SqliteConnection>;

async fn writing(slot: &Slot) -> Result<Writing> {
    let held = Arc::clone(slot).lock_owned().await;
    OwnedMutexGuard::try_map(held, Option::as_mut).map_err(|_| Error::Database(sqlx::Error::PoolClosed))
}

/// The task: takes what waits, runs it as a group, commits, answers.
async fn run(slot: Slot, mut lanes: Vec<Waiting>, wake: Arc<Notify>) {
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
    lanes.iter_mut().find_map(|lane| {
        let mut job = lane.next()?;
        job.gather(lane);
        Some(job)
    })
}

/// Runs a group of jobs in one transaction. Every job taken ends in `done`, whatever happens.
async fn group(
    slot: &Slot,
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
    slot: &Slot,
    lanes: &mut [Waiting],
    waiting: &mut VecDeque<Box<dyn Waits>>,
    done: &mut Vec<Box<dyn Waits>>,
) -> Result<()> {
    let mut tx = Tx(Conn::Sqlite(writing(slot).await?));
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
                // One of them is to blame: the others are not to suffer for it.
                Ok(pieces) => waiting.extend(pieces),
                Err(job) => done.push(job),
            },
            Err(error) => {
                // The connection is in doubt: give the whole group up, each hears of it.
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

/// Runs a job; what it did stays only when it says so. In a transaction that holds nothing yet there is no need for a
/// savepoint: it is begun anew.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Time;
    use crate::store::{Store, setting};
    use crate::testing::database;

    /// A setting to be made; `fails` is refused. Answers with how many were carried out with it.
    struct Order {
        key: &'static str,
        fails: bool,
    }

    impl Together for Order {
        type Made = usize;

        fn carry_out<'a>(tx: &'a mut Tx, orders: &'a [Self]) -> BoxFuture<'a, Result<Vec<usize>>> {
            Box::pin(async move {
                for order in orders {
                    tx.run(
                        "INSERT INTO settings (key, value, updated_at) VALUES ($1, 'made', $2)",
                        args![order.key, Time(1)],
                    )
                    .await?;
                }
                if orders.iter().any(|order| order.fails) {
                    return Err(Error::rule("refused", "no"));
                }
                Ok(vec![orders.len(); orders.len()])
            })
        }
    }

    async fn carry_out(store: &Store, orders: Vec<(&'static str, bool)>) -> Vec<Result<usize>> {
        let orders = orders.into_iter().map(|(key, fails)| Order { key, fails });
        let writes = orders.map(|order| store.write_together(Lane::Interactive, order));
        futures::future::join_all(writes).await
    }

    async fn is_made(store: &Store, key: &str) -> bool {
        setting::get(&mut store.read().await.unwrap(), key).await.unwrap().is_some()
    }

    #[tokio::test]
    async fn orders_that_wait_together_are_carried_out_together() {
        let dir = tempfile::tempdir().unwrap();
        let store = database::sqlite(dir.path()).await;
        let made = carry_out(&store, vec![("a", false), ("b", false), ("c", false)]).await;
        assert!(made.into_iter().all(|made| made.unwrap() == 3));
        assert!(is_made(&store, "a").await && is_made(&store, "c").await);
    }

    #[tokio::test]
    async fn of_orders_that_wait_together_only_the_refused_one_fails_and_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let store = database::sqlite(dir.path()).await;
        let made = carry_out(&store, vec![("a", false), ("b", true), ("c", false)]).await;
        assert!(matches!(made[..], [Ok(1), Err(_), Ok(1)]), "{made:?}");
        assert_eq!(made[1].as_ref().unwrap_err().code(), "refused");
        assert!(is_made(&store, "a").await && is_made(&store, "c").await);
        assert!(!is_made(&store, "b").await);
        // Alone and first of its group, it leaves no more.
        assert!(carry_out(&store, vec![("d", true)]).await[0].is_err());
        assert!(!is_made(&store, "d").await);
        // The same twice at once: the database refuses the second.
        let twice = carry_out(&store, vec![("e", false), ("e", false)]).await;
        assert!(matches!(twice[..], [Ok(1), Err(_)]), "{twice:?}");
    }
}
