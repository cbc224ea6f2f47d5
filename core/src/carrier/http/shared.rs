//! What the handle, the sender and the flights of an HTTP carrier share: the queue, the window, the pauses, the key.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, mpsc};
use tokio::time::Instant;

use super::deps::HttpDeps;
use super::inbox::Inbox;
use super::link::HttpConfig;
use crate::carrier::ConfigSecret;
use crate::carrier::pace::{Pace, Pause};
use crate::carrier::submit_queue::{Room, SubmitQueue};
use crate::carrier::vitals::{Bind, Line};
use crate::carrier::{Event, Health, Submission, Trace};
use crate::model::carrier::BindRole;
use crate::time::Time;

pub(super) struct Shared {
    pub(super) config: HttpConfig,
    pub(super) deps: HttpDeps,
    pub(super) client: reqwest::Client,
    pub(super) inbox: Inbox,
    pub(super) pace: Pace,
    pub(super) trace: Arc<Trace>,
    /// Its weights are messages.
    pub(super) queue: SubmitQueue,
    /// The last request got no clear answer: one message at a time, until one does.
    doubt: AtomicBool,
    trouble: Mutex<Trouble>,
    key: Mutex<Option<ConfigSecret>>,
    /// Notified when something changes for the sending task.
    pub(super) bell: Notify,
}

/// Why nothing is sent for a while.
struct Trouble {
    pause: Pause,
    until: Option<Instant>,
    /// For the operator; `None` while it is only a rate limit.
    reason: Option<String>,
    /// Since when there is one, or there is none.
    since: Time,
}

impl Shared {
    pub(super) fn new(
        config: HttpConfig,
        key: Option<ConfigSecret>,
        deps: HttpDeps,
        client: reqwest::Client,
        inbox: Inbox,
        events: mpsc::Sender<Vec<Event>>,
    ) -> Self {
        let (first, longest) = config.link.pauses();
        Self {
            pace: Pace::new(config.link.rate),
            trace: Arc::new(Trace::new(Arc::clone(&deps.clock))),
            key: Mutex::new(key),
            trouble: Mutex::new(Trouble {
                pause: Pause::new(first, longest),
                until: None,
                reason: None,
                since: deps.clock.now(),
            }),
            queue: SubmitQueue::new(&config.name, |_| 1, events),
            config,
            deps,
            client,
            inbox,
            doubt: AtomicBool::new(false),
            bell: Notify::new(),
        }
    }

    /// The key, or `None` while none is set. A provider without keys has an empty one.
    pub(super) fn key(&self) -> Option<ConfigSecret> {
        let key = lock(&self.key).clone();
        key.or_else(|| (!self.config.provider.needs_key()).then(ConfigSecret::default))
    }

    /// Takes the administrator's key; a new one ends a pause that the old one caused.
    pub(super) fn set_key(&self, key: Option<ConfigSecret>) {
        {
            let mut held = lock(&self.key);
            if *held == key {
                return;
            }
            *held = key;
        }
        let mut trouble = lock(&self.trouble);
        (trouble.until, trouble.reason, trouble.since) = (None, None, self.deps.clock.now());
        drop(trouble);
        self.notify();
    }

    fn notify(&self) {
        self.bell.notify_waiters();
        self.queue.notify_room();
    }

    pub(super) fn health(&self) -> Health {
        if self.key().is_none() {
            let reason = "no API key is set: give the carrier one, or set the administrator's SMS API key";
            return Health::Connecting { reason: reason.into() };
        }
        let trouble = lock(&self.trouble);
        match &trouble.reason {
            Some(reason) => Health::Connecting { reason: reason.clone() },
            None => Health::Up,
        }
    }

    /// Its state in detail.
    pub(super) fn line(&self) -> Line {
        let health = self.health();
        let since = lock(&self.trouble).since;
        let used = self.queue.outstanding();
        // A provider that cannot be reached is waited for, too, but did not ask for it.
        let throttled = health == Health::Up && self.paused().is_some();
        Line::new(vec![Bind::new(BindRole::Http, health, Some(since))], used, throttled)
    }

    /// Until when nothing is to be sent, and whether the reason is more than a rate limit: then nothing stays queued.
    pub(super) fn paused(&self) -> Option<(Instant, bool)> {
        let mut trouble = lock(&self.trouble);
        let now = Instant::now();
        trouble.until = trouble.until.filter(|until| *until > now);
        let pause = trouble.pause.until(now);
        let until = [trouble.until, pause].into_iter().flatten().max()?;
        Some((until, trouble.reason.is_some() || self.doubt.load(Ordering::Acquire)))
    }

    /// The provider asked for less.
    pub(super) fn throttled(&self, wait: Option<Duration>) {
        let mut trouble = lock(&self.trouble);
        let now = Instant::now();
        trouble.pause.throttled(now);
        if let Some(wait) = wait {
            trouble.until = Some(now + wait.min(self.config.link.pauses().1));
        }
    }

    /// Nothing will be taken until the operator corrects something: tried again after the longest pause.
    pub(super) fn hold(&self, reason: &str) {
        let mut trouble = lock(&self.trouble);
        if trouble.reason.is_none() {
            tracing::error!(carrier = self.config.name, reason, "the carrier takes nothing: messages wait");
            trouble.since = self.deps.clock.now();
        }
        trouble.until = Some(Instant::now() + self.config.link.pauses().1);
        trouble.reason = Some(reason.to_owned());
    }

    /// The provider could not be reached.
    pub(super) fn unreachable(&self, reason: &str) {
        let mut trouble = lock(&self.trouble);
        if trouble.reason.is_none() {
            tracing::warn!(carrier = self.config.name, reason, "the carrier cannot be reached");
            trouble.since = self.deps.clock.now();
        }
        trouble.pause.throttled(Instant::now());
        trouble.reason = Some(reason.to_owned());
    }

    /// An answer was lost.
    pub(super) fn doubtful(&self, reason: &str) {
        tracing::warn!(carrier = self.config.name, reason, "an answer was lost: its messages are unknown");
        self.doubt.store(true, Ordering::Release);
        lock(&self.trouble).pause.throttled(Instant::now());
    }

    /// The provider answered, and took something.
    pub(super) fn answered(&self) {
        self.doubt.store(false, Ordering::Release);
        let mut trouble = lock(&self.trouble);
        trouble.pause.accepted();
        if trouble.reason.take().is_some() {
            (trouble.until, trouble.since) = (None, self.deps.clock.now());
            tracing::info!(carrier = self.config.name, "the carrier takes messages");
        }
    }

    /// The provider answered, if only to refuse.
    pub(super) fn spoke(&self) {
        self.doubt.store(false, Ordering::Release);
    }

    /// Messages that may be handed over now.
    fn room_now(&self) -> Room {
        if self.queue.closing().is_cancelled() || self.key().is_none() {
            return Room::Now(0);
        }
        if let Some((until, _)) = self.paused() {
            return Room::After(until);
        }
        let mut limit =
            if self.doubt.load(Ordering::Acquire) { 1 } else { self.config.capabilities().window as usize };
        if self.config.link.rate > 0 {
            limit = limit.min(self.config.link.rate as usize);
        }
        self.queue.room_of(limit)
    }

    /// Waits until messages may be handed over, and says how many.
    pub(super) async fn wait_for_room(&self) -> u32 {
        self.queue.wait_for_room(|| self.room_now()).await
    }

    /// Queues messages. Hands them back if the carrier is closed.
    pub(super) fn enqueue(&self, batch: Vec<Submission>) -> Result<(), Vec<Submission>> {
        self.queue.push(batch)?;
        self.bell.notify_waiters();
        Ok(())
    }

    /// The messages of the next request.
    pub(super) fn take_batch(&self) -> Vec<Submission> {
        let provider = &self.config.provider;
        let most = if self.doubt.load(Ordering::Acquire) { 1 } else { self.config.batch() as usize };
        self.queue.take(|waiting| {
            let mut batch: Vec<Submission> = waiting.pop_front().into_iter().collect();
            let Some(first) = batch.first().cloned() else { return batch };
            if provider.by_part(&first.body) {
                return batch;
            }
            let goes_with = |next: &Submission| {
                let same = !provider.shares_text()
                    || (Arc::ptr_eq(&next.body, &first.body) && next.from == first.from);
                same && !provider.by_part(&next.body)
            };
            while batch.len() < most {
                match waiting.pop_front_if(|next| goes_with(next)) {
                    Some(next) => batch.push(next),
                    None => break,
                }
            }
            batch
        })
    }

    /// Reports answers; their messages no longer count as outstanding.
    pub(super) async fn settle(&self, answers: Vec<Event>) {
        let count = u32::try_from(answers.len()).unwrap_or(u32::MAX);
        self.queue.report(answers).await;
        self.queue.release(count);
    }

    pub(super) fn close_by(&self, by: Instant) {
        self.queue.close_by(by);
        self.bell.notify_waiters();
    }

    /// Waits until outstanding answers are given up; for ever while nothing is closed.
    pub(super) async fn given_up(&self) {
        self.queue.closing().cancelled().await;
        match self.queue.closes_at() {
            Some(by) => tokio::time::sleep_until(by).await,
            None => std::future::pending().await,
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
