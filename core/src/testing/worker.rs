//! A run of the daemon with one carrier that only remembers, driven by hand.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::BoxFuture;
use talkdrum_api::kind::Kind;

use crate::args;
use crate::carrier::vitals::Vitals;
use crate::carrier::{
    Accepted, Answer, CallPolicy, Capabilities, Event, Health, Receipt, ReceiptToken, Reference, SmsCarrier,
    Submission, Verdict,
};
use crate::content::CallScript;
use crate::error::{Error, Result};
use crate::ledger::verify::verify;
use crate::model::message::id::MessageId;
use crate::model::message::receipt_state::ReceiptState;
use crate::model::message::status::MessageStatus;
use crate::model::platform::id::RunId;
use crate::routing::quiet_hours::QuietHours;
use crate::store::carrier::state;
use crate::store::operations::daemon;
use crate::store::{Lane, Store, WriteFaults};
use crate::testing::builder::{Built, START, Spot, build};
use crate::time::{Clock, ManualClock};
use crate::worker::breakers::BreakerSetup;
use crate::worker::dispatch::open_chunks::OpenChunks;
use crate::worker::dispatch::{DispatchStep, Dispatcher};
use crate::worker::runtime::Gate;
use crate::worker::settle::Settler;
use crate::worker::settle::deferred_receipts::Bounds;

/// A carrier that only remembers.
#[derive(Debug)]
pub(crate) struct Recorder {
    name: &'static str,
    is_down: AtomicBool,
    /// It takes messages all the same: what is down is the way of its receipts.
    is_deaf: AtomicBool,
    capabilities: Capabilities,
    pub(crate) submitted: Mutex<Vec<Submission>>,
    /// Why what calls say cannot be made: one error a time that it is asked for.
    pub(crate) unspoken: Mutex<VecDeque<Error>>,
    acknowledged: Mutex<Vec<ReceiptToken>>,
}

impl SmsCarrier for Recorder {
    fn name(&self) -> &'static str {
        self.name
    }
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }
    fn health(&self) -> Health {
        match self.is_down.load(Ordering::Relaxed) {
            false => Health::Up,
            true => Health::Connecting { reason: "as the test says".into() },
        }
    }
    fn sending_health(&self) -> Health {
        if self.is_deaf.load(Ordering::Relaxed) { Health::Up } else { self.health() }
    }
    fn ready(&self) -> BoxFuture<'_, u32> {
        Box::pin(async { 100 })
    }
    fn prepare<'a>(&'a self, _script: &'a CallScript) -> BoxFuture<'a, Result<()>> {
        Box::pin(std::future::ready(self.unspoken.lock().unwrap().pop_front().map_or(Ok(()), Err)))
    }
    fn submit(&self, batch: Vec<Submission>) {
        self.submitted.lock().unwrap().extend(batch);
    }
    fn acknowledge(&self, tokens: Vec<ReceiptToken>) {
        self.acknowledged.lock().unwrap().extend(tokens);
    }
    fn close(&self, _grace: Duration) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }
}

/// Everything may go out.
#[derive(Debug)]
pub(crate) struct Open;

impl Gate for Open {
    fn check(&self) -> Result<()> {
        Ok(())
    }
}

/// A database that takes nothing.
#[derive(Debug)]
pub(crate) struct Refusing;

impl WriteFaults for Refusing {
    fn crash_before(&self) -> bool {
        true
    }
    fn crash_after(&self) -> bool {
        false
    }
}

/// How many messages have this status.
pub(crate) async fn messages_in(store: &Store, status: MessageStatus) -> i64 {
    let sql = "SELECT COUNT(*) FROM messages WHERE status = $1";
    let (count,): (i64,) = store.read().await.unwrap().one(sql, args![status]).await.unwrap();
    count
}

/// A run of the daemon with one carrier.
pub(crate) struct Run {
    pub(crate) store: Store,
    pub(crate) owner: RunId,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) carrier: Arc<Recorder>,
    pub(crate) dispatcher: Dispatcher,
    pub(crate) settler: Settler,
}

impl Run {
    pub(crate) async fn start(store: &Store) -> Self {
        Self::start_with(store, None).await
    }

    /// A run that knows quiet hours.
    pub(crate) async fn start_with(store: &Store, hours: Option<Arc<QuietHours>>) -> Self {
        Self::begin(store, hours, (0, 100), None).await
    }

    /// A run whose carrier has such breakers.
    pub(crate) async fn start_breaking(store: &Store, setup: Option<BreakerSetup>) -> Self {
        let book = OpenChunks::new(86_400_000).with_breakers(setup);
        Self::begin_with("main", store, book, (0, 100), None).await
    }

    /// [`Run::start_breaking`] with a carrier of this name that daemons know to be up.
    pub(crate) async fn start_breaking_texts(store: &Store, name: &'static str, setup: BreakerSetup) -> Self {
        let book = OpenChunks::new(86_400_000).with_breakers(Some(setup));
        let run = Self::begin_with(name, store, book, (0, 9), None).await;
        run.show(Health::Up).await;
        run
    }

    /// A run whose carrier takes so many messages a second: a turn of the dispatcher.
    pub(crate) async fn start_rated(store: &Store, rate: u32) -> Self {
        Self::begin(store, None, (rate, 100), None).await
    }

    /// A run whose carrier places calls, so many at a time and a second.
    pub(crate) async fn start_calling(store: &Store, channels: u32, rate: u32) -> Self {
        let policy = CallPolicy::new(2, Duration::from_mins(5));
        Self::begin(store, None, (rate, channels), Some(policy)).await
    }

    /// A run with a trunk, and the trunks that place what it fails to.
    pub(crate) async fn start_trunk(store: &Store, name: &'static str, policy: CallPolicy) -> Self {
        let run = Self::begin_as(name, store, None, (9, 9), Some(policy)).await;
        run.show(Health::Up).await;
        run
    }

    /// A run with a carrier of texts that daemons know to be up.
    pub(crate) async fn start_texts(store: &Store, name: &'static str) -> Self {
        let run = Self::begin_as(name, store, None, (0, 9), None).await;
        run.show(Health::Up).await;
        run
    }

    /// The carrier's receipts stop coming in; it takes messages.
    pub(crate) async fn lose_receipts(&self) {
        self.carrier.is_down.store(true, Ordering::Relaxed);
        self.carrier.is_deaf.store(true, Ordering::Relaxed);
        self.show_again().await;
    }

    /// The carrier goes down, or comes up, and its daemon tells.
    pub(crate) async fn show(&self, health: Health) {
        self.carrier.is_down.store(health != Health::Up, Ordering::Relaxed);
        self.carrier.is_deaf.store(false, Ordering::Relaxed);
        self.show_again().await;
    }

    /// The daemon tells again how the carrier is.
    pub(crate) async fn show_again(&self) {
        let vitals = match self.carrier.capabilities.calls {
            Some(_) => Vitals { window: 9, ..Vitals::of_test_trunk(self.carrier.health()) },
            None => self.dispatcher.vitals(),
        };
        let seen = vec![(self.carrier.name.to_owned(), vitals)];
        self.store
            .write(Lane::Background, (self.owner, self.clock.now(), seen), |tx, (owner, now, seen)| {
                Box::pin(state::note_vitals(tx, *owner, *now, seen))
            })
            .await
            .unwrap();
    }

    async fn begin(
        store: &Store,
        hours: Option<Arc<QuietHours>>,
        figures: (u32, u32),
        calls: Option<CallPolicy>,
    ) -> Self {
        Self::begin_as("main", store, hours, figures, calls).await
    }

    async fn begin_as(
        name: &'static str,
        store: &Store,
        hours: Option<Arc<QuietHours>>,
        figures: (u32, u32),
        calls: Option<CallPolicy>,
    ) -> Self {
        let book = OpenChunks::new(86_400_000).with_hours(hours);
        Self::begin_with(name, store, book, figures, calls).await
    }

    async fn begin_with(
        name: &'static str,
        store: &Store,
        book: OpenChunks,
        (rate, window): (u32, u32),
        calls: Option<CallPolicy>,
    ) -> Self {
        let clock = Arc::new(ManualClock::new(START));
        let owner =
            store.write(Lane::Interactive, START, |tx, now| Box::pin(daemon::start(tx, *now))).await.unwrap();
        let carrier = Arc::new(Recorder {
            name,
            is_down: AtomicBool::new(false),
            is_deaf: AtomicBool::new(false),
            capabilities: Capabilities { kinds: Kind::SMS.to_vec(), rate, window, calls },
            submitted: Mutex::default(),
            unspoken: Mutex::default(),
            acknowledged: Mutex::default(),
        });
        let shared: Arc<dyn SmsCarrier> = Arc::<Recorder>::clone(&carrier);
        let book = Arc::new(book);
        let time: Arc<dyn Clock> = Arc::<ManualClock>::clone(&clock);
        Self {
            store: store.clone(),
            owner,
            clock,
            dispatcher: Dispatcher::new(store.clone(), Arc::clone(&shared), Arc::clone(&book), time, owner),
            settler: Settler::new(store.clone(), shared, book, owner),
            carrier,
        }
    }

    /// Dispatches until nothing is left; returns what went out.
    pub(crate) async fn dispatch(&mut self) -> Vec<Submission> {
        while self.dispatcher.step(100).await.unwrap() == DispatchStep::Worked {}
        std::mem::take(&mut *self.carrier.submitted.lock().unwrap())
    }

    /// Dispatches and answers until nothing is left; returns what went out.
    pub(crate) async fn send_all(&mut self) -> Vec<Submission> {
        let mut all = Vec::new();
        // An intent that is denied ends a round with nothing sent; the next one looks again.
        let mut idle = 0;
        while idle < 2 {
            let sent = self.dispatch().await;
            idle = if sent.is_empty() { idle + 1 } else { 0 };
            let answers = sent.iter().map(|one| accepted(one.message, &one.message.0.to_string()));
            self.settle(answers.collect()).await;
            all.extend(sent);
        }
        all
    }

    pub(crate) async fn settle(&mut self, events: Vec<Event>) {
        self.settler.settle(events, self.clock.now()).await.map_err(|(error, _)| error).unwrap();
    }

    /// The same with other bounds on the receipts it holds.
    pub(crate) fn deferring(mut self, bounds: Bounds) -> Self {
        self.settler = self.settler.deferring(bounds);
        self
    }

    /// Writes held receipts if it is time; false when there was nothing to write.
    pub(crate) async fn write_deferred(&mut self) -> bool {
        self.settler.write_deferred(self.clock.now(), false).await.unwrap()
    }

    pub(crate) fn acknowledged(&self) -> usize {
        self.carrier.acknowledged.lock().unwrap().len()
    }

    pub(crate) async fn verify(&self) {
        let findings = verify(&mut self.store.read().await.unwrap()).await.unwrap();
        assert_eq!(findings.0, Vec::<String>::new());
    }
}

pub(crate) async fn campaign(store: &Store, size: usize) -> Built {
    build(store, "ada").chunk(&vec![Spot::Tail; size]).store().await
}

pub(crate) fn reference(text: &str) -> Reference {
    Reference(text.into())
}

pub(crate) fn accepted(message: MessageId, name: &str) -> Event {
    Event::Answer(Answer { message, verdict: Verdict::Accepted, accepted: Accepted::One(0, reference(name)) })
}

pub(crate) fn answered(message: MessageId, verdict: Verdict) -> Event {
    Event::Answer(Answer { message, verdict, accepted: Accepted::None })
}

pub(crate) fn receipt(name: &str, state: ReceiptState, sequence: u32) -> Event {
    Event::Receipt(Receipt {
        reference: reference(name),
        to: None,
        from: None,
        state,
        error: Some("027".into()),
        done_at: None,
        token: ReceiptToken { connection: 1, sequence },
    })
}
