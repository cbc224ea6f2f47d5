//! Combines orders of one kind that wait at the same time into one job ([`BatchWrite`]), on both databases.
//!
//! A job of many orders that fails is halved until only the failing order is left, so that the others do not fail with
//! it.

use std::any::{Any, TypeId};
use std::collections::VecDeque;

use futures::future::BoxFuture;
use tokio::sync::{mpsc, oneshot};

use super::tx::Tx;
use crate::error::{Error, Result};
use crate::store::db::write_job::{Failure, Job, Pending, Work, answer, guarded};

/// Orders in one job.
const BATCH_MAX: usize = 256;
/// Jobs waiting in one line before senders wait too.
pub(crate) const DEPTH: usize = 4_096;

/// Orders that a store may carry out together with others of their kind that wait at the same time, with one statement
/// per table for all.
pub trait BatchWrite: Send + Sync + Sized + 'static {
    /// The result of an order.
    type Output: Send + 'static;

    /// Carries out all of the orders, and answers each in its place. When one of them is refused, the error undoes them
    /// all, and they are carried out in smaller pieces, down to that one alone.
    fn apply_batch<'a>(tx: &'a mut Tx, orders: &'a [Self]) -> BoxFuture<'a, Result<Vec<Self::Output>>>;

    /// Whether it may be combined with others; a large one is carried out by itself.
    fn is_small(&self) -> bool {
        true
    }
}

/// A write that waits for its turn among others.
pub(crate) trait Waits: Job {
    /// Its type, by which orders that can be combined are found.
    fn into_any(self: Box<Self>) -> Box<dyn Any + Send>;
    /// Takes in orders of its own kind that wait in the same lane.
    fn gather(&mut self, waiting: &mut Waiting) {
        let _ = waiting;
    }
    /// The same work in smaller pieces, when it failed as a whole and one piece may be the cause.
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
struct WriteBatch<I: BatchWrite> {
    orders: Vec<I>,
    replies: Vec<oneshot::Sender<Result<I::Output>>>,
    result: Option<Result<Vec<I::Output>>>,
}

impl<I: BatchWrite> WriteBatch<I> {
    fn of(order: I, reply: oneshot::Sender<Result<I::Output>>) -> Self {
        Self { orders: vec![order], replies: vec![reply], result: None }
    }
}

impl<I: BatchWrite> Job for WriteBatch<I> {
    fn run<'a>(&'a mut self, tx: &'a mut Tx) -> BoxFuture<'a, bool> {
        Box::pin(async move {
            let mut result = guarded(I::apply_batch(tx, &self.orders)).await;
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
            // A single order keeps its own error.
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

impl<I: BatchWrite> Waits for WriteBatch<I> {
    fn into_any(self: Box<Self>) -> Box<dyn Any + Send> {
        self
    }

    fn gather(&mut self, waiting: &mut Waiting) {
        let room = BATCH_MAX.saturating_sub(self.orders.len());
        if room > 0 && self.orders.iter().all(BatchWrite::is_small) {
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
        let Self { mut orders, mut replies, .. } = *self;
        let middle = orders.len().div_ceil(2);
        let later =
            Self { orders: orders.split_off(middle), replies: replies.split_off(middle), result: None };
        Ok(vec![Box::new(Self { orders, replies, result: None }), Box::new(later)])
    }
}

impl Waiter {
    /// A write by itself, and the place of its result.
    pub(crate) fn alone<I, T>(input: I, job: Work<I, T>) -> (Self, oneshot::Receiver<Result<T>>)
    where
        I: Send + Sync + 'static,
        T: Send + 'static,
    {
        let (pending, answer) = Pending::new(input, job);
        (Self { kind: None, job: Box::new(pending) }, answer)
    }

    /// An order and the place of its result. One that is not small is not combined with others.
    pub(crate) fn of<I: BatchWrite>(order: I) -> (Self, oneshot::Receiver<Result<I::Output>>) {
        let (reply, answer) = oneshot::channel();
        let kind = order.is_small().then(TypeId::of::<I>);
        (Self { kind, job: Box::new(WriteBatch::of(order, reply)) }, answer)
    }
}

/// A waiting job, with its type.
pub(crate) struct Waiter {
    /// Set for orders that may be carried out together with others of this type.
    pub(crate) kind: Option<TypeId>,
    pub(crate) job: Box<dyn Waits>,
}

/// The jobs that wait in one line.
pub(crate) struct Waiting {
    receiver: mpsc::Receiver<Waiter>,
    /// Jobs that were taken out of the channel to look at their types.
    queue: VecDeque<Waiter>,
}

impl Waiting {
    pub(crate) fn new(receiver: mpsc::Receiver<Waiter>) -> Self {
        Self { receiver, queue: VecDeque::new() }
    }

    /// The next job, combined with others of its kind; `None` when none waits.
    pub(crate) fn next(&mut self) -> Option<Box<dyn Waits>> {
        let mut job = self.queue.pop_front().or_else(|| self.receiver.try_recv().ok())?.job;
        job.gather(self);
        Some(job)
    }

    /// Waits for the next job; `None` when there will be none.
    pub(crate) async fn next_of_all(&mut self) -> Option<Box<dyn Waits>> {
        if self.queue.is_empty() {
            let waiter = self.receiver.recv().await?;
            self.queue.push_back(waiter);
        }
        self.next()
    }

    /// Hands up to `room` waiting orders of one kind over. Jobs that wait at the same time have no order among them:
    /// no caller sends a second order before the answer to a first one that it relies on.
    fn take<I: BatchWrite>(&mut self, mut room: usize, mut taker: impl FnMut(WriteBatch<I>)) {
        while self.queue.len() < DEPTH
            && let Ok(waiter) = self.receiver.try_recv()
        {
            self.queue.push_back(waiter);
        }
        let kind = Some(TypeId::of::<I>());
        for waiter in std::mem::take(&mut self.queue) {
            if room > 0 && waiter.kind == kind {
                // The kind says that it is one.
                if let Ok(party) = waiter.job.into_any().downcast::<WriteBatch<I>>() {
                    room -= 1;
                    taker(*party);
                }
            } else {
                self.queue.push_back(waiter);
            }
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.queue.is_empty() && self.receiver.is_closed() && self.receiver.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::platform::setting;
    use crate::store::{Lane, Store};
    use crate::time::Time;
    use crate::{args, both_databases};

    /// A setting to be made; `fails` is refused. Answers with how many were carried out with it.
    struct Order {
        key: &'static str,
        fails: bool,
    }

    impl BatchWrite for Order {
        type Output = usize;

        fn apply_batch<'a>(tx: &'a mut Tx, orders: &'a [Self]) -> BoxFuture<'a, Result<Vec<usize>>> {
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

    async fn apply_batch(store: &Store, orders: Vec<(&'static str, bool)>) -> Vec<Result<usize>> {
        let orders = orders.into_iter().map(|(key, fails)| Order { key, fails });
        let writes = orders.map(|order| store.write_together(Lane::Interactive, order));
        futures::future::join_all(writes).await
    }

    async fn is_made(store: &Store, key: &str) -> bool {
        setting::get(&mut store.read().await.unwrap(), key).await.unwrap().is_some()
    }

    both_databases! {
        async fn orders_that_wait_together_are_carried_out_together(store: Store) {
            let made = apply_batch(&store, vec![("a", false), ("b", false), ("c", false)]).await;
            assert!(made.into_iter().all(|made| made.unwrap() == 3));
            assert!(is_made(&store, "a").await && is_made(&store, "c").await);
        }

        async fn of_orders_that_wait_together_only_the_refused_one_fails_and_leaves_nothing(store: Store) {
            let made = apply_batch(&store, vec![("a", false), ("b", true), ("c", false), ("d", false)]).await;
            assert!(matches!(made[..], [Ok(1), Err(_), Ok(2), Ok(2)]), "{made:?}");
            assert_eq!(made[1].as_ref().unwrap_err().code(), "refused");
            assert!(is_made(&store, "a").await && is_made(&store, "d").await);
            assert!(!is_made(&store, "b").await);
            // Alone and first of its group, it leaves no more.
            assert!(apply_batch(&store, vec![("e", true)]).await[0].is_err());
            assert!(!is_made(&store, "e").await);
            // The same twice at once: the database refuses the second.
            let twice = apply_batch(&store, vec![("f", false), ("f", false)]).await;
            assert!(matches!(twice[..], [Ok(1), Err(_)]), "{twice:?}");
        }
    }
}
