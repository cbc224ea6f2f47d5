//! The handle of a carrier over HTTP, and its tasks: the sender, the look for a key, the looks for what is handed out.
//!
//! Nothing in the handle waits for the network; the tasks do.

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::Instant;

use super::deps::{HttpDeps, KeySource};
use super::inbox::{HookDelivery, Inbox};
use super::link::HttpConfig;
use super::outgoing::{Exchange, client};
use super::provider::{Asked, Callback, CallbackReport, Context};
use super::shared::Shared;
use super::{flight, trace_line};
use crate::carrier::submit_queue::unsent;
use crate::carrier::vitals::Line;
use crate::carrier::{Capabilities, Events, Health, ReceiptToken, SmsCarrier, Submission, Trace};
use crate::error::Result;

/// Batches of events that may wait for the worker.
const BATCHES_WAITING_MAX: usize = 32;
/// How often the administrator's key is looked at.
const KEY_EVERY: Duration = Duration::from_secs(5);
/// How long what was asked for may take to be stored before they are tried again.
const STORED_WITHIN: Duration = Duration::from_secs(30);

/// A carrier over HTTP. Its tasks run until it is closed or dropped.
pub struct HttpCarrier {
    shared: Arc<Shared>,
    capabilities: Capabilities,
    tasks: Mutex<Vec<JoinHandle<()>>>,
}

impl fmt::Debug for HttpCarrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpCarrier").field("config", &self.shared.config).finish_non_exhaustive()
    }
}

impl HttpCarrier {
    /// Starts it on the current runtime. Receipts that come to `inbox` are its events from now on.
    ///
    /// # Errors
    /// A key file that cannot be read; when no HTTP client can be made.
    pub fn start(config: HttpConfig, deps: HttpDeps, inbox: Inbox) -> Result<(Arc<Self>, Events)> {
        let key = config.link.key(&config.name)?;
        let has_key = key.is_some();
        let (sender, events) = mpsc::channel(BATCHES_WAITING_MAX);
        let capabilities = config.capabilities();
        let shared = Arc::new(Shared::new(config, key, deps, client()?, inbox, sender.clone()));
        shared.inbox.attach(sender, Arc::clone(&shared.trace));
        let mut tasks = vec![tokio::spawn(send_all(Arc::clone(&shared)))];
        tasks.extend(Asked::ALL.map(|what| tokio::spawn(ask(Arc::clone(&shared), what))));
        if !has_key && let Some(keys) = shared.deps.keys.clone() {
            tasks.push(tokio::spawn(look_for_key(Arc::clone(&shared), keys)));
        }
        Ok((Arc::new(Self { shared, capabilities, tasks: Mutex::new(tasks) }), events))
    }

    async fn end(&self, grace: Duration) {
        let by = Instant::now() + grace;
        self.shared.close_by(by);
        self.shared.queue.end(&self.tasks, by).await;
        self.shared.inbox.detach();
    }
}

impl Drop for HttpCarrier {
    fn drop(&mut self) {
        self.shared.close_by(Instant::now());
    }
}

impl SmsCarrier for HttpCarrier {
    fn name(&self) -> &str {
        &self.shared.config.name
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// Up unless the last request found the provider away, or unwilling.
    fn health(&self) -> Health {
        self.shared.health()
    }

    fn line(&self) -> Line {
        self.shared.line()
    }

    fn trace(&self) -> Option<&Trace> {
        Some(&self.shared.trace)
    }

    fn ready(&self) -> BoxFuture<'_, u32> {
        self.shared.wait_for_room().boxed()
    }

    fn submit(&self, batch: Vec<Submission>) {
        if let Err(batch) = self.shared.enqueue(batch) {
            let shared = Arc::clone(&self.shared);
            tokio::spawn(async move { shared.queue.report(batch.iter().map(unsent).collect()).await });
        }
    }

    fn acknowledge(&self, tokens: Vec<ReceiptToken>) {
        self.shared.inbox.acknowledge(&tokens);
    }

    fn close(&self, grace: Duration) -> BoxFuture<'_, ()> {
        self.end(grace).boxed()
    }
}

/// Takes batches off the queue, as many at once as the window allows, and waits for the last of them at the end.
async fn send_all(shared: Arc<Shared>) {
    let window = Arc::new(Semaphore::new(shared.config.link.window as usize));
    let mut flights = JoinSet::new();
    while let Some(batch) = next_batch(&shared).await {
        let permit = tokio::select! {
            () = shared.queue.closing().cancelled() => None,
            permit = Arc::clone(&window).acquire_owned() => permit.ok(),
        };
        let Some(permit) = permit else {
            shared.settle(batch.iter().map(unsent).collect()).await;
            break;
        };
        let flying = Arc::clone(&shared);
        flights.spawn(async move {
            flight::fly(flying, batch).await;
            drop(permit);
        });
        while flights.try_join_next().is_some() {}
    }
    while flights.join_next().await.is_some() {}
}

/// The next batch; `None` when the carrier closes.
async fn next_batch(shared: &Shared) -> Option<Vec<Submission>> {
    loop {
        let mut rung = std::pin::pin!(shared.bell.notified());
        rung.as_mut().enable();
        if shared.queue.closing().is_cancelled() {
            return None;
        }
        let pause = shared.paused();
        if let Some((_, true)) = pause {
            // It may take long: they wait in the database, where nothing is lost.
            shared.queue.answer_unsent(false).await;
        }
        if pause.is_none() && shared.queue.has_waiting() {
            return Some(shared.take_batch());
        }
        let wake = async {
            match pause {
                Some((until, _)) => tokio::time::sleep_until(until).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = rung => {}
            () = wake => {}
            () = shared.queue.closing().cancelled() => return None,
        }
    }
}

async fn look_for_key(shared: Arc<Shared>, keys: Arc<dyn KeySource>) {
    loop {
        match keys.key().await {
            Ok(key) => shared.set_key(key),
            Err(error) => {
                tracing::warn!(carrier = shared.config.name, code = error.code(), %error, "the API key was not read");
            }
        }
        tokio::select! {
            () = shared.queue.closing().cancelled() => return,
            () = tokio::time::sleep(KEY_EVERY) => {}
        }
    }
}

/// Asks for reports or messages, where the provider hands them out that way.
async fn ask(shared: Arc<Shared>, what: Asked) {
    let Some(every) = shared.config.provider.poll_every(what) else { return };
    loop {
        let key = shared.key().unwrap_or_default();
        let context = Context { key: key.reveal(), now: shared.deps.clock.now(), receipts_to: None };
        let Some(request) = shared.config.provider.poll(what, &context) else { return };
        if !key.reveal().is_empty() {
            tokio::select! {
                () = shared.queue.closing().cancelled() => return,
                exchange = request.exchange(&shared.client, shared.config.link.timeout()) => {
                    take(&shared, what, exchange).await;
                }
            }
        }
        tokio::select! {
            () = shared.queue.closing().cancelled() => return,
            () = tokio::time::sleep(every) => {}
        }
    }
}

/// Hands received reports to the worker and waits until they are stored: the provider gives them out once.
async fn take(shared: &Shared, what: Asked, exchange: Exchange) {
    let what = what.name();
    shared.trace.note(|| format!("<- {what}: {}", trace_line::answer(&exchange)));
    let body = match exchange {
        Exchange::Answered { status: 200..=299, body, .. } => body,
        Exchange::Answered { status, .. } => {
            tracing::warn!(carrier = shared.config.name, what, status, "what was asked for was refused");
            return;
        }
        Exchange::NotSent(reason) | Exchange::Lost(reason) => {
            tracing::warn!(carrier = shared.config.name, what, reason, "it could not be asked for");
            return;
        }
    };
    let headers = reqwest::header::HeaderMap::new();
    let callback = Callback { headers: &headers, query: "", body: &body };
    let Some(reports) = shared.config.provider.receipts(&callback) else {
        tracing::warn!(carrier = shared.config.name, what, "the answer could not be read");
        return;
    };
    let heard = CallbackReport { reports, messages: shared.config.provider.messages(&callback) };
    let count = heard.reports.len() + heard.messages.len();
    while shared.inbox.deliver_all(heard.clone(), STORED_WITHIN).await == HookDelivery::Late {
        if shared.queue.closing().is_cancelled() {
            tracing::error!(carrier = shared.config.name, what, count, "what was handed out was not stored");
            return;
        }
    }
}
