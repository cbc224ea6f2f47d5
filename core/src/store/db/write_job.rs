//! A write as the writer sees it: its types are erased, so that this is compiled once and not for each kind of write.
//!
//! Invariant: the caller gets one answer, after the commit or when there will be none.

use std::panic::AssertUnwindSafe;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use tokio::sync::oneshot;

use super::tx::Tx;
use crate::error::{Error, Result};

/// The priority of a write: its turn when several wait for SQLite's one writer; on PostgreSQL, which connections it may
/// take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// A daemon's heartbeat: other daemons take over what it holds when it is overdue.
    Heartbeat,
    /// Intents: the wire waits for them.
    Intent,
    /// A person or a client waits for them.
    Interactive,
    /// Outcomes, receipts and everything that only has to be durable soon.
    Background,
}

/// A write that is asked for.
pub(crate) trait Job: Send {
    /// Does the work; true keeps its effects.
    fn run<'a>(&'a mut self, tx: &'a mut Tx) -> BoxFuture<'a, bool>;
    /// Why it refused, once it ran.
    fn refusal(&self) -> Option<&Error>;
    /// Hands out the result; `failure` says why its effects were not kept although it wanted that.
    fn finish(self: Box<Self>, failure: Option<&Failure>);
}

/// Why the effects of a transaction were not kept.
pub(crate) struct Failure {
    reason: String,
    /// They may have been kept: the answer of the commit was lost.
    is_doubtful: bool,
}

impl Failure {
    /// An error of one order that all the others of its transaction share, such as an unreachable server.
    pub(crate) fn of_all(refusal: &Error) -> Self {
        Self { reason: refusal.to_string(), is_doubtful: false }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Doubtful(reason) => Self { reason, is_doubtful: true },
            error => Self { reason: error.to_string(), is_doubtful: false },
        }
    }
}

/// What a write does. It captures nothing and takes its input by reference, so that it can be run again.
pub(crate) type Work<I, T> = for<'a> fn(&'a mut Tx, &'a I) -> BoxFuture<'a, Result<T>>;

/// A write with its input, its result once it ran, and the sender of the reply to its caller.
pub(crate) struct Pending<I, T> {
    input: I,
    job: Work<I, T>,
    result: Option<Result<T>>,
    reply: oneshot::Sender<Result<T>>,
}

impl<I, T> Pending<I, T> {
    /// A write, and where its result will be.
    pub(crate) fn new(input: I, job: Work<I, T>) -> (Self, oneshot::Receiver<Result<T>>) {
        let (reply, answer) = oneshot::channel();
        (Self { input, job, result: None, reply }, answer)
    }
}

impl<I: Send + Sync + 'static, T: Send + 'static> Job for Pending<I, T> {
    fn run<'a>(&'a mut self, tx: &'a mut Tx) -> BoxFuture<'a, bool> {
        Box::pin(async move {
            let result = guarded((self.job)(tx, &self.input)).await;
            let keep = result.is_ok();
            self.result = Some(result);
            keep
        })
    }

    fn refusal(&self) -> Option<&Error> {
        self.result.as_ref()?.as_ref().err()
    }

    fn finish(self: Box<Self>, failure: Option<&Failure>) {
        answer(self.reply, self.result, failure);
    }
}

/// A job that panics is an error of its own; others go on.
pub(crate) async fn guarded<T>(work: BoxFuture<'_, Result<T>>) -> Result<T> {
    AssertUnwindSafe(work)
        .catch_unwind()
        .await
        .unwrap_or_else(|_| Err(Error::Corrupt("a write panicked".into())))
}

/// Answers the caller; `failure` as in [`Job::finish`].
pub(crate) fn answer<T>(
    reply: oneshot::Sender<Result<T>>,
    result: Option<Result<T>>,
    failure: Option<&Failure>,
) {
    let result = match (failure, result) {
        // A job that refused keeps its own error, whatever happened to the others.
        (_, Some(Err(error))) => Err(error),
        (Some(failure), _) if failure.is_doubtful => Err(Error::Doubtful(failure.reason.clone())),
        (Some(failure), _) => Err(Error::Database(sqlx::Error::Protocol(failure.reason.clone()))),
        (None, Some(result)) => result,
        (None, None) => Err(Error::Corrupt("a write was committed without having run".into())),
    };
    // The caller may be gone; the write stands all the same.
    let _ = reply.send(result);
}
