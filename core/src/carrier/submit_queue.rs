//! What a carrier was handed and has not answered: the queue before its sending tasks, how much is outstanding, and the
//! way of the answers back to the worker.
//!
//! A submission is in exactly one place: in the queue here, with one sending task, or answered.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{Accepted, Answer, Event, Submission, Verdict};

/// How long a carrier's tasks may take to end beyond the grace they were given.
const CLOSE_WAIT: Duration = Duration::from_secs(5);

/// See the module.
#[derive(Debug)]
pub(super) struct SubmitQueue {
    /// The carrier's name, for the log.
    carrier: Box<str>,
    /// How much a submission counts: messages, or their parts.
    weigh: fn(&Submission) -> u32,
    queue: Mutex<Queue>,
    /// The weight of what is queued or with a sending task.
    outstanding: AtomicUsize,
    events: mpsc::Sender<Vec<Event>>,
    /// Notified when there may be room.
    room: Notify,
    closing: CancellationToken,
    close_by: OnceLock<Instant>,
}

/// How much a carrier may be handed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Room {
    /// So much now; 0 is nothing until it is told that there is room.
    Now(u32),
    /// Nothing before this time.
    After(Instant),
}

#[derive(Debug, Default)]
struct Queue {
    waiting: VecDeque<Submission>,
    is_closed: bool,
}

impl SubmitQueue {
    /// An empty one.
    pub(super) fn new(
        carrier: &str,
        weigh: fn(&Submission) -> u32,
        events: mpsc::Sender<Vec<Event>>,
    ) -> Self {
        Self {
            carrier: carrier.into(),
            weigh,
            queue: Mutex::default(),
            outstanding: AtomicUsize::new(0),
            events,
            room: Notify::new(),
            closing: CancellationToken::new(),
            close_by: OnceLock::new(),
        }
    }

    /// Queues messages. Hands them back if the carrier is closed.
    pub(super) fn push(&self, batch: Vec<Submission>) -> Result<(), Vec<Submission>> {
        let mut queue = self.lock();
        if queue.is_closed {
            return Err(batch);
        }
        let weight: u32 = batch.iter().map(self.weigh).sum();
        self.outstanding.fetch_add(weight as usize, Ordering::AcqRel);
        queue.waiting.extend(batch);
        Ok(())
    }

    /// Whether something waits for a sending task.
    pub(super) fn has_waiting(&self) -> bool {
        !self.lock().waiting.is_empty()
    }

    /// Takes messages out for a sending task, which is then to answer and [`Self::release`] them.
    pub(super) fn take<T>(&self, take: impl FnOnce(&mut VecDeque<Submission>) -> T) -> T {
        take(&mut self.lock().waiting)
    }

    /// Answers everything that waits as unsent; with `close`, nothing is taken in any more.
    pub(super) async fn answer_unsent(&self, close: bool) {
        let waiting = {
            let mut queue = self.lock();
            queue.is_closed |= close;
            std::mem::take(&mut queue.waiting)
        };
        self.release(waiting.iter().map(self.weigh).sum());
        self.report(waiting.iter().map(unsent).collect()).await;
    }

    /// Where the events go.
    pub(super) const fn events(&self) -> &mpsc::Sender<Vec<Event>> {
        &self.events
    }

    /// Reports events, waiting for the worker. They are dropped when the worker is gone.
    pub(super) async fn report(&self, events: Vec<Event>) {
        if !events.is_empty() && self.events.send(events).await.is_err() {
            tracing::debug!(carrier = &*self.carrier, "events without a worker to take them");
        }
    }

    /// The weight of what is queued or with a sending task.
    pub(super) fn outstanding(&self) -> usize {
        self.outstanding.load(Ordering::Acquire)
    }

    /// Counts some weight as no longer outstanding.
    pub(super) fn release(&self, weight: u32) {
        if weight > 0 {
            self.outstanding.fetch_sub(weight as usize, Ordering::AcqRel);
            self.room.notify_waiters();
        }
    }

    /// How much of `limit` is not outstanding.
    pub(super) fn room_of(&self, limit: usize) -> Room {
        Room::Now(u32::try_from(limit.saturating_sub(self.outstanding())).unwrap_or(u32::MAX))
    }

    /// Says that there may be room.
    pub(super) fn notify_room(&self) {
        self.room.notify_waiters();
    }

    /// Waits until there is room, and says how much; asks `room` each time that there may be some.
    pub(super) async fn wait_for_room(&self, room: impl Fn() -> Room) -> u32 {
        loop {
            let mut notified = std::pin::pin!(self.room.notified());
            notified.as_mut().enable();
            match room() {
                Room::Now(0) => notified.await,
                Room::Now(room) => return room,
                Room::After(time) => tokio::select! {
                    () = notified => {}
                    () = tokio::time::sleep_until(time) => {}
                },
            }
        }
    }

    /// Cancelled when the carrier begins to close.
    pub(super) const fn closing(&self) -> &CancellationToken {
        &self.closing
    }

    /// Begins to close; outstanding answers are waited for until `by`.
    pub(super) fn close_by(&self, by: Instant) {
        self.close_by.get_or_init(|| by);
        self.closing.cancel();
    }

    /// Waits for the tasks of a carrier that closes by then, ends those that go on, and answers what still waits as unsent.
    pub(super) async fn end(&self, tasks: &Mutex<Vec<JoinHandle<()>>>, by: Instant) {
        let tasks = std::mem::take(&mut *tasks.lock().unwrap_or_else(PoisonError::into_inner));
        for mut task in tasks {
            if tokio::time::timeout_at(by + CLOSE_WAIT, &mut task).await.is_err() {
                task.abort();
            }
        }
        self.answer_unsent(true).await;
    }

    /// Until when outstanding answers are waited for, once the carrier closes.
    pub(super) fn closes_at(&self) -> Option<Instant> {
        self.close_by.get().copied()
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The answer to a message no part of which was written.
pub(super) fn unsent(submission: &Submission) -> Event {
    Event::Answer(Answer { message: submission.message, verdict: Verdict::Unsent, accepted: Accepted::None })
}
