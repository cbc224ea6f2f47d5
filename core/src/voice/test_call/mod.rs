//! Test calls: a user has their own phone called and hears what a campaign would say, over the same trunks, from the same
//! number. Nothing is charged.
//!
//! They are kept in memory, by the daemon that places them: for a day, and no more than [`KEPT_MAX`]. A restart forgets
//! them, and what a user may still have called begins anew.
//!
//! ```text
//! admit ──▶ begin: calling ──▶ ringing ──▶ answered ──▶ ended
//!               ▲      │ trunk error, and another trunk is there
//!               └──────┘
//! ```

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use talkdrum_api::voice::VoiceTest;
use tracing::Instrument as _;

use crate::carrier::voice::{
    Call, CallClip, CallEvent, CallOutcome, CallRequest, CallResult, EndedBy, PlaceError, VoiceCarrier,
};
use crate::error::{Error, Result};
use crate::phone::Msisdn;
use crate::time::{Clock, Time};

/// Test calls that a user may have in an hour.
pub const PER_HOUR: usize = 5;
/// Test calls that a user may have in a day.
pub const PER_DAY: usize = 15;
/// Test calls of all users at once: most channels are for others.
pub const AT_ONCE: usize = 10;
/// How much of a clip a test call plays, in seconds.
pub const SECONDS_MAX: u32 = 120;
/// Test calls that are remembered; while so many are of the last day, no more are taken.
pub const KEPT_MAX: usize = 1_000;
/// How long keys are waited for after the clip.
const TAIL: Duration = Duration::from_secs(3);
/// How long a free channel is waited for at one trunk.
const CHANNEL_WAIT: Duration = Duration::from_secs(10);
const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);

/// Why no test call was begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAdmitted {
    /// One of the user's is under way.
    #[error("Your test call {0} is under way: wait for its end")]
    UnderWay(i64),
    /// The user had as many as a user may; the next one may begin after this long.
    #[error("You may have {PER_HOUR} test calls an hour and {PER_DAY} a day: try again later")]
    TooMany(Duration),
    /// All users together have as many as they may.
    #[error("Too many test calls are under way: try again in a minute")]
    Busy,
}

/// The test calls of this daemon. A cheap handle.
#[derive(Clone)]
pub struct TestCalls(Arc<Inner>);

struct Inner {
    clock: Arc<dyn Clock>,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    last_id: i64,
    /// Oldest first.
    calls: VecDeque<TestCall>,
}

struct TestCall {
    id: i64,
    user: i64,
    began_at: Time,
    to: Msisdn,
    length: Duration,
    /// The trunk that has it, or had it last.
    trunk: Option<(Box<str>, Box<str>)>,
    attempts: u32,
    stage: Stage,
    digits: String,
}

enum Stage {
    /// Admitted; its clip is being made.
    Preparing,
    Calling,
    Ringing,
    Answered,
    /// With how it ended; `None` where it was cut off before that could be told.
    Ended(Option<CallResult>),
    /// No trunk took it; why.
    NotPlaced(String),
}

impl TestCall {
    const fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Ended(_) | Stage::NotPlaced(_))
    }
}

impl fmt::Debug for TestCalls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TestCalls").field("kept", &self.lock().calls.len()).finish()
    }
}

/// A user's leave to have one test call. Dropped without [`Self::begin`], it does not count.
#[derive(Debug)]
pub struct Admission {
    calls: TestCalls,
    id: i64,
    is_begun: bool,
}

impl TestCalls {
    /// None yet.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self(Arc::new(Inner { clock, kept: Mutex::default() }))
    }

    /// Counts one more test call of a user, to `to`: a phone that changes hands between accounts has no more of them.
    ///
    /// # Errors
    /// When the user, or all users together, have as many as they may.
    pub fn admit(&self, user: i64, to: Msisdn) -> Result<Admission, NotAdmitted> {
        let now = self.0.clock.now();
        let mut kept = self.lock();
        while kept.calls.front().is_some_and(|call| call.is_over() && now.since(call.began_at) >= DAY) {
            kept.calls.pop_front();
        }
        let own: Vec<&TestCall> =
            kept.calls.iter().filter(|call| call.user == user || call.to == to).collect();
        if let Some(up) = own.iter().find(|call| !call.is_over()) {
            return Err(NotAdmitted::UnderWay(up.id));
        }
        for (most, span) in [(PER_HOUR, HOUR), (PER_DAY, DAY)] {
            // The call that has to grow older than the span before one more may begin.
            let nth = own.len().checked_sub(most).and_then(|nth| own.get(nth));
            if let Some(wait) = nth.and_then(|call| span.checked_sub(now.since(call.began_at)))
                && !wait.is_zero()
            {
                return Err(NotAdmitted::TooMany(wait));
            }
        }
        let up = kept.calls.iter().filter(|call| !call.is_over()).count();
        if up >= AT_ONCE || kept.calls.len() >= KEPT_MAX {
            return Err(NotAdmitted::Busy);
        }
        // Ids begin at the time of day, so that they do not repeat over restarts.
        kept.last_id = (kept.last_id + 1).max(now.millis());
        let id = kept.last_id;
        kept.calls.push_back(TestCall {
            id,
            user,
            began_at: now,
            to,
            length: Duration::ZERO,
            trunk: None,
            attempts: 0,
            stage: Stage::Preparing,
            digits: String::new(),
        });
        Ok(Admission { calls: self.clone(), id, is_begun: false })
    }

    /// How a test call of a user goes.
    ///
    /// # Errors
    /// 404 when this daemon knows no such call of the user.
    pub fn show(&self, user: i64, id: i64) -> Result<VoiceTest> {
        let kept = self.lock();
        let call = kept.calls.iter().rev().find(|call| call.id == id && call.user == user);
        call.map(shown)
            .ok_or(Error::NotFound("test call; they are kept for a day, until the daemon restarts"))
    }

    fn change(&self, id: i64, change: impl FnOnce(&mut TestCall)) {
        if let Some(call) = self.lock().calls.iter_mut().rev().find(|call| call.id == id) {
            change(call);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Places the call over the first trunk that does not fail, and stays with it to its end.
    async fn carry(&self, id: i64, trunks: Vec<Arc<dyn VoiceCarrier>>, request: CallRequest) {
        let mut stage = Stage::NotPlaced("no trunk is there".into());
        for trunk in trunks {
            let placed = tokio::time::timeout(CHANNEL_WAIT, trunk.place(request.clone())).await;
            let mut call = match placed {
                Ok(Ok(call)) => call,
                refused => {
                    // What a trunk's connection lacks is for the operator, who reads the log.
                    let reason = match &refused {
                        Ok(Err(PlaceError::Refused(reason))) => reason.as_str(),
                        Ok(Err(PlaceError::Down(_))) => "the trunk is down",
                        Ok(_) => "the trunk is being shut down",
                        Err(_) => "all channels of the trunk are taken",
                    };
                    tracing::info!(test = id, trunk = trunk.name(), ?refused, "a trunk took no test call");
                    stage = Stage::NotPlaced(reason.to_owned());
                    continue;
                }
            };
            self.change(id, |it| {
                it.trunk = Some((trunk.name().into(), trunk.capabilities().caller_id.clone()));
                it.attempts += 1;
                it.stage = Stage::Calling;
            });
            let ended = self.follow(id, &mut call).await;
            let fault = ended.as_ref().filter(|result| result.outcome == CallOutcome::TrunkError);
            if let Some(result) = fault {
                tracing::warn!(test = id, trunk = trunk.name(), code = result.code, reason = %result.reason, "a trunk failed");
            }
            let is_trunks_fault = fault.is_some();
            stage = Stage::Ended(ended);
            // Only what is the trunk's fault may go better over another one.
            if !is_trunks_fault {
                break;
            }
        }
        self.change(id, |it| it.stage = stage);
    }

    async fn follow(&self, id: i64, call: &mut Call) -> Option<CallResult> {
        while let Some(event) = call.next_event().await {
            match event {
                CallEvent::Ringing => self.change(id, |it| it.stage = Stage::Ringing),
                CallEvent::Answered => self.change(id, |it| it.stage = Stage::Answered),
                CallEvent::Key(key) => self.change(id, |it| it.digits.push(key)),
                CallEvent::Ended(result) => return Some(result),
            }
        }
        None
    }
}

impl Admission {
    /// Begins the call, over the first of `trunks` that does not fail, and returns its id. It goes on by itself.
    pub fn begin(mut self, trunks: Vec<Arc<dyn VoiceCarrier>>, clip: CallClip) -> i64 {
        self.is_begun = true;
        let (calls, id) = (self.calls.clone(), self.id);
        let mut to = None;
        calls.change(id, |it| {
            it.length = clip.duration();
            it.stage = Stage::Calling;
            to = Some(it.to);
        });
        let Some(to) = to else { return id };
        let request = CallRequest { to, from: None, clip, tail: TAIL };
        let cut_off = CutOff { calls: calls.clone(), id };
        let task = async move {
            let _cut_off = cut_off;
            calls.carry(id, trunks, request).await;
        };
        tokio::spawn(task.in_current_span());
        id
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        if !self.is_begun {
            self.calls.lock().calls.retain(|call| call.id != self.id);
        }
    }
}

/// Ends a call whose task is gone before it told an end: no user is locked out by it.
struct CutOff {
    calls: TestCalls,
    id: i64,
}

impl Drop for CutOff {
    fn drop(&mut self) {
        self.calls.change(self.id, |call| {
            if !call.is_over() {
                call.stage = Stage::Ended(None);
            }
        });
    }
}

fn shown(call: &TestCall) -> VoiceTest {
    let result = match &call.stage {
        Stage::Ended(Some(result)) => Some(result),
        _ => None,
    };
    let (status, outcome, message) = match &call.stage {
        Stage::Preparing | Stage::Calling => ("calling", None, "The call is being placed".to_owned()),
        Stage::Ringing => ("ringing", None, "The phone rings".to_owned()),
        Stage::Answered => ("answered", None, "The call was answered, and the message is played".to_owned()),
        Stage::Ended(Some(result)) => ("ended", Some(result.outcome.code()), in_words(result)),
        Stage::Ended(None) => {
            ("ended", Some("unknown"), "The call was cut off: how it ended is not known".to_owned())
        }
        Stage::NotPlaced(reason) => {
            ("ended", Some(CallOutcome::TrunkError.code()), format!("The call was not placed: {reason}"))
        }
    };
    let seconds =
        result.map_or(0, |result| i64::try_from(result.up.as_millis().div_ceil(1_000)).unwrap_or(0));
    let ms = |span: Duration| i64::try_from(span.as_millis()).unwrap_or(i64::MAX);
    let at = |time: Option<Time>| time.map(Time::to_rfc3339);
    VoiceTest {
        id: call.id,
        to: call.to.to_string(),
        from: call.trunk.as_ref().map(|(_, caller_id)| caller_id.to_string()),
        carrier: call.trunk.as_ref().map(|(name, _)| name.to_string()),
        status: status.to_owned(),
        outcome: outcome.map(str::to_owned),
        over: call.is_over(),
        message,
        attempts: call.attempts,
        length_ms: ms(call.length),
        created_at: call.began_at.to_rfc3339(),
        ringing_at: at(result.and_then(|result| result.ringing_at)),
        answered_at: at(result.and_then(|result| result.answered_at)),
        ended_at: at(result.map(|result| result.ended_at)),
        seconds,
        heard_ms: result.map_or(0, |result| ms(result.heard)),
        digits: call.digits.clone(),
        code: result.and_then(|result| result.code),
        ended_by: result.map(|result| result.ended_by.code().to_owned()),
    }
}

fn in_words(result: &CallResult) -> String {
    match (result.outcome, result.ended_by) {
        (CallOutcome::Answered, EndedBy::Callee) => {
            format!("The call was answered, and they hung up after {} s", result.up.as_secs())
        }
        (CallOutcome::Answered, _) => format!("The call was answered: {}", result.reason),
        // What is wrong with the trunk is for the operator, who reads the log.
        (CallOutcome::TrunkError, _) => {
            "The line for calls failed: try again later, or tell the operator".to_owned()
        }
        _ => format!("The call was not answered: {}", result.reason),
    }
}

#[cfg(test)]
mod tests;
