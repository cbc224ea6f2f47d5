//! A trunk whose calls the test ends.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::sync::{Semaphore, mpsc};

use crate::carrier::live_calls::LiveCalls;
use crate::carrier::voice::{
    Call, CallOutcome, CallRequest, CallResult, EndedBy, PlaceError, Teller, VoiceCapabilities, VoiceCarrier,
};
use crate::carrier::{CallPolicy, Health};
use crate::time::Time;

/// What a trunk does when a call is placed.
#[derive(Clone, Copy, Debug)]
enum Answer {
    /// It takes the call.
    Takes,
    /// It says that it is down.
    Down,
    /// It has no channel free, and the call waits for ever.
    Full,
}

/// A trunk that hands the other end of each call to the test.
#[derive(Debug)]
pub(crate) struct ScriptedTrunk {
    capabilities: VoiceCapabilities,
    placed: AtomicUsize,
    live: LiveCalls,
    tellers: mpsc::UnboundedSender<Teller>,
    answer: Answer,
    /// Shutting down with a grace waits for a permit; closed when nothing has to be waited for.
    may_end: Arc<Semaphore>,
    /// The graces that it was shut down with.
    graces: Mutex<Vec<Duration>>,
}

impl ScriptedTrunk {
    /// A trunk with this caller id, and where its calls come out.
    pub(crate) fn new(caller_id: &str) -> (Arc<Self>, mpsc::UnboundedReceiver<Teller>) {
        Self::with(caller_id, Answer::Takes, at_once())
    }

    /// One that takes no call.
    pub(crate) fn down(caller_id: &str) -> (Arc<Self>, mpsc::UnboundedReceiver<Teller>) {
        Self::with(caller_id, Answer::Down, at_once())
    }

    /// One whose channels are all taken.
    pub(crate) fn full(caller_id: &str) -> Arc<Self> {
        Self::with(caller_id, Answer::Full, at_once()).0
    }

    /// One that is shut down, where it has a grace, only once the semaphore has a permit for it.
    pub(crate) fn ends_with(may_end: Arc<Semaphore>) -> Arc<Self> {
        Self::with("1", Answer::Takes, may_end).0
    }

    fn with(
        caller_id: &str,
        answer: Answer,
        may_end: Arc<Semaphore>,
    ) -> (Arc<Self>, mpsc::UnboundedReceiver<Teller>) {
        let (tellers, told) = mpsc::unbounded_channel();
        let capabilities = VoiceCapabilities {
            channels: 9,
            rate: 9,
            caller_id: caller_id.into(),
            own_caller_id: true,
            keys: true,
            repeats: true,
            policy: CallPolicy::new(2, Duration::from_mins(5)),
        };
        let trunk = Self {
            capabilities,
            placed: AtomicUsize::new(0),
            live: LiveCalls::default(),
            tellers,
            answer,
            may_end,
            graces: Mutex::default(),
        };
        (Arc::new(trunk), told)
    }

    /// Calls that were asked for.
    pub(crate) fn placed(&self) -> usize {
        self.placed.load(Ordering::Relaxed)
    }

    /// The graces that it was shut down with, in their order.
    pub(crate) fn graces(&self) -> Vec<Duration> {
        self.graces.lock().unwrap().clone()
    }
}

/// Nothing to be waited for.
fn at_once() -> Arc<Semaphore> {
    let closed = Semaphore::new(0);
    closed.close();
    Arc::new(closed)
}

impl VoiceCarrier for ScriptedTrunk {
    fn name(&self) -> &'static str {
        "main"
    }

    fn capabilities(&self) -> &VoiceCapabilities {
        &self.capabilities
    }

    fn health(&self) -> (Health, Time) {
        (Health::Up, Time(0))
    }

    fn calls_up(&self) -> u32 {
        3
    }

    fn live(&self) -> &LiveCalls {
        &self.live
    }

    fn place(&self, _request: CallRequest) -> BoxFuture<'_, Result<Call, PlaceError>> {
        self.placed.fetch_add(1, Ordering::Relaxed);
        let placed = match self.answer {
            Answer::Full => return Box::pin(std::future::pending()),
            Answer::Down => Err(PlaceError::Down("it is gone".into())),
            Answer::Takes => {
                let (call, teller) = Call::begin(&self.live);
                // A test that does not look lets the call end at once.
                let _ = self.tellers.send(teller);
                Ok(call)
            }
        };
        Box::pin(std::future::ready(placed))
    }

    fn shutdown(&self, grace: Duration) -> BoxFuture<'_, ()> {
        self.graces.lock().unwrap().push(grace);
        Box::pin(async move {
            // Without a grace its calls are hung up.
            if !grace.is_zero()
                && let Ok(permit) = self.may_end.acquire().await
            {
                permit.forget();
            }
        })
    }
}

/// How a call ended that did not ring; an answered one was up for a tenth of a second.
pub(crate) fn ended(outcome: CallOutcome) -> CallResult {
    let is_answered = outcome == CallOutcome::Answered;
    let up = if is_answered { Duration::from_millis(100) } else { Duration::ZERO };
    CallResult {
        outcome,
        reason: "as the test says",
        code: None,
        ringing_at: None,
        answered_at: is_answered.then_some(Time(1)),
        ended_at: Time(101),
        up,
        heard: up,
        digits: String::new(),
        ended_by: if outcome == CallOutcome::TrunkError { EndedBy::Trunk } else { EndedBy::Callee },
    }
}
