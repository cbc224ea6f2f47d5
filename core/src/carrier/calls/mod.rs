//! A carrier of calls as the worker sees it: each call is a message, and how it ended is the message's one answer.
//!
//! ```text
//! submit ──▶ clip ──▶ place ──▶ follow ──▶ Event::Answer(Called)
//!                      │ down or shut down: Unsent     cut off: Unanswered
//! ```
//!
//! A call that was not begun is `Unsent`; of one that was begun and whose end was not told nothing is known. A trunk that
//! refuses call after call is left alone for a while ([`breaker`]).

mod breaker;

use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use futures::FutureExt as _;
use futures::future::BoxFuture;
use talkdrum_api::kind::Kind;
use tokio::sync::{Notify, mpsc};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use self::breaker::{Breaker, Circuit};
use super::vitals::{Line, Vitals};
use super::voice::{CallClip, CallEvent, CallOf, CallRequest, PlaceError, VoiceCarrier};
use super::{
    Accepted, Answer, CallPolicy, Capabilities, Event, Events, Health, ReceiptToken, Refusal, SmsCarrier,
    Submission, Verdict,
};
use crate::content::CallScript;
use crate::content::poll::{self, OPT_OUT_KEY};
use crate::error::Result;
use crate::phone::{self, Msisdn};

/// Batches of events that wait for the settler.
const EVENTS: usize = 256;
/// How often it is asked whether a carrier that is down takes calls again.
const DOWN_PAUSE: Duration = Duration::from_millis(500);
/// How often channels are counted while none is free.
const ROOM_LOOK: Duration = Duration::from_millis(250);
/// How long a call whose clip cannot be made keeps its place.
const CLIP_PAUSE: Duration = Duration::from_secs(5);
/// How long calls may take to tell their end once all are hung up.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// What the calls of campaigns say, and whom they may reach.
pub trait Clips: Send + Sync + fmt::Debug {
    /// What is played in the calls of this script, the same handle as long as one is held.
    ///
    /// # Errors
    /// The text could not be spoken, or the recording is gone.
    fn clip<'a>(&'a self, script: &'a CallScript) -> BoxFuture<'a, Result<CallClip>>;

    /// Whether a number may be called at all, as the operator says now.
    ///
    /// # Errors
    /// `not_callable`.
    fn check(&self, number: Msisdn) -> Result<()>;
}

/// See the module.
pub struct CallCarrier {
    shared: Arc<Shared>,
    tasks: TaskTracker,
}

struct Shared {
    trunk: Arc<dyn VoiceCarrier>,
    clips: Arc<dyn Clips>,
    breaker: Breaker,
    capabilities: Capabilities,
    events: mpsc::Sender<Vec<Event>>,
    /// Submitted and not answered.
    outstanding: AtomicU32,
    /// Of these, those that are not begun: a second's worth at most.
    waiting: AtomicU32,
    /// Notified when one was answered.
    room: Notify,
    /// From here on no call is placed.
    closing: CancellationToken,
}

impl fmt::Debug for CallCarrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallCarrier").field("trunk", &self.shared.trunk).finish_non_exhaustive()
    }
}

impl CallCarrier {
    /// The calls of messages over a carrier, and the events of them.
    pub fn new(
        trunk: Arc<dyn VoiceCarrier>,
        clips: Arc<dyn Clips>,
        policy: CallPolicy,
    ) -> (Arc<Self>, Events) {
        let (events, receiver) = mpsc::channel(EVENTS);
        let can = trunk.capabilities();
        let capabilities = Capabilities {
            kinds: vec![Kind::Voice],
            rate: can.rate,
            window: can.channels,
            calls: Some(policy),
        };
        let shared = Shared {
            trunk,
            clips,
            breaker: Breaker::new(),
            capabilities,
            events,
            outstanding: AtomicU32::new(0),
            waiting: AtomicU32::new(0),
            room: Notify::new(),
            closing: CancellationToken::new(),
        };
        (Arc::new(Self { shared: Arc::new(shared), tasks: TaskTracker::new() }), receiver)
    }
}

impl Shared {
    /// How many calls may be handed over now: no more than there are free channels, test calls counted, and so that those
    /// that wait for their INVITE are a second's worth.
    fn room(&self) -> u32 {
        let (outstanding, waiting) =
            (self.outstanding.load(Ordering::Acquire), self.waiting.load(Ordering::Acquire));
        let taken = outstanding.max(self.trunk.calls_up().saturating_add(waiting));
        let free = self.capabilities.window.saturating_sub(taken);
        let free = free.min(self.capabilities.rate.max(1).saturating_sub(waiting));
        match self.breaker.circuit(Instant::now()) {
            Circuit::Closed => free,
            Circuit::HalfOpen(trials) => free.min(trials.saturating_sub(outstanding)),
            Circuit::Open(_) => 0,
        }
    }

    /// Whether calls of campaigns are placed.
    fn health(&self) -> Health {
        match (self.trunk.health().0, self.breaker.circuit(Instant::now())) {
            (Health::Up, Circuit::Open(reason)) => Health::Connecting { reason },
            (health, _) => health,
        }
    }

    async fn call(&self, submission: &Submission, waiting: Counted<'_>) -> Verdict {
        let place = async {
            let script = submission.body.call.as_deref();
            let script =
                script.ok_or_else(|| refused("it is a text message, and the carrier places calls"))?;
            self.clips.check(submission.to).map_err(|error| refused(&error.to_string()))?;
            let clip = match self.clips.clip(script).await {
                Ok(clip) => clip,
                Err(error) => {
                    let carrier = self.trunk.name();
                    tracing::error!(carrier, code = error.code(), %error, "a call waits: what is said cannot be made");
                    let reason = "what is said in the call could not be made";
                    // Its place stays taken meanwhile: what fails at once is not tried in a tight loop.
                    tokio::time::sleep(CLIP_PAUSE).await;
                    return Err(Verdict::Throttled(Refusal::in_words(reason, true)));
                }
            };
            let from = script.caller.as_ref().map(|caller| phone::parse(caller.number()));
            let from = from.transpose().map_err(|_| refused("the number that it is from is none"))?;
            // A trunk that takes over shows the number of the trunk that failed, if it may.
            let of_the_first = submission.caller.filter(|_| self.trunk.capabilities().own_caller_id);
            let from = from.or(of_the_first);
            if let Health::Connecting { reason } | Health::Stopped { reason } = self.health() {
                return Err(Verdict::Throttled(Refusal::in_words(reason, true)));
            }
            let call = u16::try_from(submission.tries.saturating_add(1)).unwrap_or(u16::MAX);
            let request = CallRequest {
                to: submission.to,
                from,
                clip,
                tail: Duration::from_millis(script.tail_ms),
                plays: script.plays(),
                ends_on: script.ends_on(),
                of: Some(CallOf { message: submission.message, call }),
            };
            self.trunk.place(request).await.map_err(not_placed)
        };
        let placed = tokio::select! {
            biased;
            () = self.closing.cancelled() => Err(Verdict::Unsent),
            placed = place => placed,
        };
        drop(waiting);
        let mut call = match placed {
            Ok(call) => call,
            Err(verdict) => return verdict,
        };
        let mut has_opted_out = false;
        while let Some(event) = call.next_event().await {
            match event {
                CallEvent::Ended(result) => {
                    // A provider may tell all keys at the end, in other words than before.
                    if !has_opted_out && poll::opts_out(&result.digits) {
                        self.tell(Event::OptOut(submission.message)).await;
                    }
                    self.breaker.hear(&result, Instant::now());
                    return Verdict::Called(Box::new(result));
                }
                CallEvent::NotPlaced(error) => return not_placed(error),
                CallEvent::Ringing | CallEvent::Answered => self.breaker.reach(),
                CallEvent::Key(OPT_OUT_KEY) => {
                    has_opted_out = true;
                    self.tell(Event::OptOut(submission.message)).await;
                }
                CallEvent::Key(_) => {}
            }
        }
        Verdict::Unanswered
    }

    async fn tell(&self, event: Event) {
        if self.events.send(vec![event]).await.is_err() {
            tracing::error!(
                carrier = self.trunk.name(),
                "what was told of a call was not heard by its settler"
            );
        }
    }
}

/// One that is counted until this is dropped.
struct Counted<'a> {
    count: &'a AtomicU32,
    room: &'a Notify,
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::AcqRel);
        self.room.notify_waiters();
    }
}

fn not_placed(error: PlaceError) -> Verdict {
    match error {
        PlaceError::Refused(reason) => refused(&reason),
        PlaceError::Down(reason) => Verdict::Throttled(Refusal::in_words(reason, true)),
        PlaceError::ShutDown => Verdict::Unsent,
    }
}

fn refused(reason: &str) -> Verdict {
    Verdict::Refused(Refusal::in_words(reason, false))
}

impl SmsCarrier for CallCarrier {
    fn name(&self) -> &str {
        self.shared.trunk.name()
    }

    fn capabilities(&self) -> &Capabilities {
        &self.shared.capabilities
    }

    fn health(&self) -> Health {
        self.shared.health()
    }

    fn line(&self) -> Line {
        let shared = &self.shared;
        Vitals::of_trunk(shared.trunk.as_ref(), shared.health()).line
    }

    fn ready(&self) -> BoxFuture<'_, u32> {
        let shared = &self.shared;
        Box::pin(async move {
            loop {
                if shared.health() != Health::Up {
                    tokio::time::sleep(DOWN_PAUSE).await;
                    continue;
                }
                let mut notified = std::pin::pin!(shared.room.notified());
                notified.as_mut().enable();
                match shared.room() {
                    // A test call may have ended, of which nothing is heard here.
                    0 => {
                        let _ = tokio::time::timeout(ROOM_LOOK, notified).await;
                    }
                    room => return room,
                }
            }
        })
    }

    fn prepare<'a>(&'a self, script: &'a CallScript) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move { self.shared.clips.clip(script).await.map(|_| ()) })
    }

    fn submit(&self, batch: Vec<Submission>) {
        for submission in batch {
            let shared = Arc::clone(&self.shared);
            shared.outstanding.fetch_add(1, Ordering::AcqRel);
            shared.waiting.fetch_add(1, Ordering::AcqRel);
            self.tasks.spawn(async move {
                let call = {
                    let waiting = Counted { count: &shared.waiting, room: &shared.room };
                    AssertUnwindSafe(shared.call(&submission, waiting)).catch_unwind().await
                };
                let verdict = call.unwrap_or_else(|_| {
                    tracing::error!(
                        message = submission.message.0,
                        "a call's task panicked: it is not known how it ended"
                    );
                    Verdict::Unanswered
                });
                let answer = Answer { message: submission.message, verdict, accepted: Accepted::None };
                shared.outstanding.fetch_sub(1, Ordering::AcqRel);
                shared.room.notify_waiters();
                shared.tell(Event::Answer(answer)).await;
            });
        }
    }

    /// Calls have no receipts.
    fn acknowledge(&self, _tokens: Vec<ReceiptToken>) {}

    fn close(&self, grace: Duration) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            self.shared.closing.cancel();
            self.shared.trunk.shutdown(grace).await;
            self.tasks.close();
            if tokio::time::timeout(LAST_WORDS, self.tasks.wait()).await.is_err() {
                tracing::warn!(carrier = self.name(), "calls were left whose end is not known");
            }
        })
    }
}

#[cfg(test)]
mod tests;
