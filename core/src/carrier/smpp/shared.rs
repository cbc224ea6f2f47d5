//! What the carrier's handle and its connections share: the queue, the counts, the wakers.

use std::collections::VecDeque;
use std::fmt;
use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

use futures::task::AtomicWaker;
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::config::SmppConfig;
use super::wire::Dialer;
use crate::carrier::ConfigSecret;
use crate::carrier::pace::Pace;
use crate::carrier::submit_queue::{Room, SubmitQueue};
use crate::carrier::vitals::{Bind, Line};
use crate::carrier::{Event, Health, ReceiptToken, Submission, Trace};
use crate::entropy::Entropy;
use crate::model::carrier::BindRole;
use crate::time::{Clock, Time};

/// One part in this many of the windows may be queued behind them, so that a free place is filled in the same turn, not
/// only when the worker reacts.
const WAITING_SHARE: usize = 4;

/// What one session is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Transceiver,
    Transmitter,
    Receiver,
}

impl Role {
    const fn shown(self) -> BindRole {
        match self {
            Self::Transceiver => BindRole::Transceiver,
            Self::Transmitter => BindRole::Transmitter,
            Self::Receiver => BindRole::Receiver,
        }
    }

    pub(super) const fn sends(self) -> bool {
        matches!(self, Self::Transceiver | Self::Transmitter)
    }

    pub(super) const fn receives(self) -> bool {
        matches!(self, Self::Transceiver | Self::Receiver)
    }
}

/// The state of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LinkStatus {
    Up,
    Connecting(String),
    Stopped(String),
}

impl From<LinkStatus> for Health {
    fn from(status: LinkStatus) -> Self {
        match status {
            LinkStatus::Up => Self::Up,
            LinkStatus::Connecting(reason) => Self::Connecting { reason },
            LinkStatus::Stopped(reason) => Self::Stopped { reason },
        }
    }
}

/// Wakes a link's task; a ring while it is busy is not lost.
#[derive(Default)]
pub(super) struct Bell {
    waker: AtomicWaker,
    rung: AtomicBool,
}

impl Bell {
    pub(super) fn ring(&self) {
        self.rung.store(true, Ordering::Release);
        self.waker.wake();
    }

    /// Sets the task to wake, and clears earlier rings: the caller is about to handle their causes.
    pub(super) fn answer(&self, waker: &Waker) -> bool {
        self.waker.register(waker);
        self.rung.swap(false, Ordering::AcqRel)
    }

    /// Waits for a ring.
    pub(super) async fn rung(&self) {
        poll_fn(|cx| if self.answer(cx.waker()) { Poll::Ready(()) } else { Poll::Pending }).await;
    }
}

impl fmt::Debug for Bell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bell").field("rung", &self.rung).finish_non_exhaustive()
    }
}

/// Acknowledgements on their way to a connection.
#[derive(Debug, Default)]
struct Acknowledged {
    connection: u64,
    sequences: Vec<u32>,
}

/// What other tasks know of a link.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) index: usize,
    pub(super) role: Role,
    pub(super) bell: Bell,
    /// Its state, and since when.
    status: Mutex<(LinkStatus, Time)>,
    acknowledged: Mutex<Acknowledged>,
}

impl Link {
    pub(super) fn new(index: usize, role: Role, now: Time) -> Self {
        let status = Mutex::new((LinkStatus::Connecting("not connected yet".to_owned()), now));
        Self { index, role, bell: Bell::default(), status, acknowledged: Mutex::default() }
    }

    pub(super) fn status(&self) -> LinkStatus {
        lock(&self.status).0.clone()
    }

    pub(super) fn set_status(&self, status: LinkStatus, now: Time) {
        let mut held = lock(&self.status);
        // Trying again does not count as a new state.
        let since = match (&held.0, &status) {
            (LinkStatus::Connecting(_), LinkStatus::Connecting(_)) => held.1,
            _ => now,
        };
        *held = (status, since);
    }

    /// What operators see of it.
    fn shown(&self) -> Bind {
        let (status, since) = lock(&self.status).clone();
        Bind::new(self.role.shown(), status.into(), Some(since))
    }

    /// From now on, acknowledgements of `connection` only are taken.
    pub(super) fn serve(&self, connection: u64) {
        *lock(&self.acknowledged) = Acknowledged { connection, sequences: Vec::new() };
    }

    /// Moves what was acknowledged into `into`, which must be empty.
    pub(super) fn take_acknowledged(&self, into: &mut Vec<u32>) {
        std::mem::swap(&mut lock(&self.acknowledged).sequences, into);
    }

    fn acknowledge(&self, tokens: &[ReceiptToken]) {
        let mut held = lock(&self.acknowledged);
        let connection = held.connection;
        let ours = tokens.iter().filter(|token| token.connection == connection);
        held.sequences.extend(ours.map(|token| token.sequence));
    }
}

/// See the module.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) config: SmppConfig,
    pub(super) password: ConfigSecret,
    pub(super) dialer: Dialer,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) entropy: Arc<dyn Entropy>,
    /// Its weights are parts.
    pub(super) queue: SubmitQueue,
    pub(super) links: Vec<Link>,
    pub(super) pace: Pace,
    pub(super) trace: Trace,
    connections: AtomicU64,
    /// Parts that may be outstanding on the sessions that take messages now.
    capacity: AtomicUsize,
    /// Sessions that send, paused or not.
    senders: AtomicUsize,
}

impl Shared {
    pub(super) fn new(
        config: SmppConfig,
        password: ConfigSecret,
        dialer: Dialer,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        events: mpsc::Sender<Vec<Event>>,
        links: Vec<Link>,
    ) -> Self {
        Self {
            pace: Pace::new(config.rate),
            trace: Trace::new(Arc::clone(&clock)),
            queue: SubmitQueue::new(&config.name, weight, events),
            config,
            password,
            dialer,
            clock,
            entropy,
            links,
            connections: AtomicU64::new(0),
            capacity: AtomicUsize::new(0),
            senders: AtomicUsize::new(0),
        }
    }

    /// Its state in detail.
    pub(super) fn line(&self) -> Line {
        let open = self.capacity.load(Ordering::Acquire);
        let all = self.senders.load(Ordering::Acquire) * self.config.window as usize;
        // Messages queued behind the windows are not outstanding.
        let used = self.queue.outstanding().min(all);
        Line::new(self.links.iter().map(Link::shown).collect(), used, open < all)
    }

    /// A name for a new connection of a link. The link's place is its low octet.
    pub(super) fn next_connection(&self, link: &Link) -> u64 {
        let count = self.connections.fetch_add(1, Ordering::Relaxed) + 1;
        (count << 8) | link.index as u64
    }

    pub(super) fn acknowledge(&self, tokens: &[ReceiptToken]) {
        for run in tokens.chunk_by(|left, right| left.connection == right.connection) {
            let index = (run[0].connection & 0xFF) as usize;
            if let Some(link) = self.links.get(index) {
                link.acknowledge(run);
                link.bell.ring();
            }
        }
    }

    /// Queues messages. Hands them back if the carrier is closed.
    pub(super) fn enqueue(&self, batch: Vec<Submission>) -> Result<(), Vec<Submission>> {
        self.queue.push(batch)?;
        self.links.iter().filter(|link| link.role.sends()).for_each(|link| link.bell.ring());
        Ok(())
    }

    /// Moves up to `count` messages from the queue into `into`.
    pub(super) fn pull(&self, into: &mut VecDeque<Submission>, count: usize) {
        self.queue.take(|waiting| into.extend(waiting.drain(..count.min(waiting.len()))));
    }

    /// Answers everything in the queue as unsent if no session is there to send it.
    pub(super) async fn return_unsent(&self) {
        if self.senders.load(Ordering::Acquire) == 0 {
            self.queue.answer_unsent(false).await;
        }
    }

    /// A session that sends began (+) or ended (-).
    pub(super) fn sender_began(&self) {
        self.senders.fetch_add(1, Ordering::AcqRel);
    }

    pub(super) fn sender_ended(&self) {
        self.senders.fetch_sub(1, Ordering::AcqRel);
    }

    /// A session takes messages from now on.
    pub(super) fn open(&self) {
        self.capacity.fetch_add(self.config.window as usize, Ordering::AcqRel);
        self.queue.notify_room();
    }

    /// A session takes none any more.
    pub(super) fn shut(&self) {
        self.capacity.fetch_sub(self.config.window as usize, Ordering::AcqRel);
    }

    /// Waits for room and returns how much there is.
    pub(super) async fn wait_for_room(&self) -> u32 {
        self.queue.wait_for_room(|| self.room_now()).await
    }

    /// Parts that may be handed over now: the open windows with what may wait behind them, and no more than a second of
    /// the rate.
    fn room_now(&self) -> Room {
        if self.queue.closing().is_cancelled() {
            return Room::Now(0);
        }
        let open = self.capacity.load(Ordering::Acquire);
        let mut limit = open + open / WAITING_SHARE;
        if self.config.rate > 0 {
            limit = limit.min(self.config.rate as usize);
        }
        self.queue.room_of(limit)
    }

    /// Begins to close; outstanding answers are waited for until `by`.
    pub(super) fn close_by(&self, by: Instant) {
        self.queue.close_by(by);
        self.links.iter().for_each(|link| link.bell.ring());
    }
}

/// The parts a message has left, as it is counted.
pub(super) fn weight(submission: &Submission) -> u32 {
    let parts = u32::try_from(submission.body.parts.len()).unwrap_or(u32::MAX);
    parts.saturating_sub(submission.parts_done.count_ones()).max(1)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
