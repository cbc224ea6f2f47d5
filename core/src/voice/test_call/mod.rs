//! Test calls: a user has their own phone called and hears what a campaign would say, over the same trunks, from the same
//! number. Nothing is charged.
//!
//! How they go is kept in memory, by the daemon that places them: for a day, and no more than [`KEPT_MAX`]. A restart forgets
//! it. How many a user had is counted in the database ([`limits`]).
//!
//! ```text
//! admit ──▶ begin: calling ──▶ ringing ──▶ answered ──▶ ended      (see [`super::single_call`])
//! ```

pub mod limits;
mod view;

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::future::BoxFuture;
use talkdrum_api::voice::VoiceTest;
use tracing::Instrument as _;

use self::limits::TestCallLimits;
use self::view::shown;
use crate::carrier::voice::{CallClip, CallRequest, CallResult, VoiceCarrier};
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::voice::id::{RecordingId, TestCallId};
use crate::phone::Msisdn;
use crate::store::voice::recording;
use crate::store::{Lane, Store};
use crate::time::{Clock, Time};
use crate::voice::single_call::{AT_ONCE, Ended, Observer, Permit, Progress, SingleCalls};

/// How much of a clip a test call plays, in seconds.
pub const SECONDS_MAX: u32 = 120;
/// Test calls that are remembered; then the oldest that are over are forgotten.
pub const KEPT_MAX: usize = 1_000;
/// How long keys are waited for after the clip.
const TAIL: Duration = Duration::from_secs(3);
const DAY: Duration = Duration::from_hours(24);

/// Why no test call was begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAdmitted {
    /// One of the user's is under way.
    #[error("Your test call {0} is under way: wait for its end")]
    UnderWay(TestCallId),
    /// The user had as many as a user may; the next one may begin after the wait.
    #[error("You may have {an_hour} test calls an hour and {a_day} a day: try again later")]
    TooMany {
        /// How many in an hour.
        an_hour: u32,
        /// How many in a day.
        a_day: u32,
        /// How long to wait.
        wait: Duration,
    },
    /// All users together have as many under way as they may.
    #[error("Too many test calls are under way: try again in a minute")]
    Busy,
    /// All users together had as many in a day as they may; the next one may begin after this long.
    #[error(
        "The {} test calls that the platform places in a day are used up: try again later",
        limits::ALL_PER_DAY
    )]
    DayFull(Duration),
    /// Test calls are for accounts that were funded.
    #[error("Test calls are for accounts with money in them: fund your wallet first")]
    Unfunded,
    /// The operator turned them off.
    #[error("Test calls are turned off on this platform")]
    TurnedOff,
}

/// The test calls of this daemon. A cheap handle.
#[derive(Clone)]
pub struct TestCalls(Arc<Inner>);

struct Inner {
    store: Store,
    clock: Arc<dyn Clock>,
    limits: TestCallLimits,
    kept: Mutex<Kept>,
    calls: SingleCalls,
}

struct Kept {
    last_id: TestCallId,
    /// Oldest first.
    calls: VecDeque<TestCall>,
}

struct TestCall {
    id: TestCallId,
    user: UserId,
    began_at: Time,
    to: Msisdn,
    length: Duration,
    /// The number that it is from; none until a trunk has it.
    from: Option<Box<str>>,
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

/// A user's leave to have one test call. It counts once it begins.
#[derive(Debug)]
pub struct TestCallAdmission {
    calls: TestCalls,
    id: TestCallId,
    user: UserId,
    to: Msisdn,
    is_begun: bool,
}

impl TestCalls {
    /// None yet; they are placed by `calls`.
    pub fn new(store: Store, clock: Arc<dyn Clock>, limits: TestCallLimits, calls: SingleCalls) -> Self {
        let kept = Mutex::new(Kept { last_id: TestCallId::NONE, calls: VecDeque::new() });
        Self(Arc::new(Inner { store, clock, limits, kept, calls }))
    }

    /// Whether a user may have one more test call, to `to`.
    ///
    /// # Errors
    /// Errors of the database; inside, that the user, or all users together, have as many as they may.
    pub async fn admit(&self, user: UserId, to: Msisdn) -> Result<Result<TestCallAdmission, NotAdmitted>> {
        let admission = match self.reserve(user, to) {
            Ok(admission) => admission,
            refused => return Ok(refused),
        };
        let refused =
            limits::check(&mut self.0.store.read().await?, self.0.limits, (user, to), self.0.clock.now())
                .await?;
        Ok(refused.map_or(Ok(admission), Err))
    }

    /// Keeps a place for one more test call, of which a user and a phone have one at once.
    fn reserve(&self, user: UserId, to: Msisdn) -> Result<TestCallAdmission, NotAdmitted> {
        let now = self.0.clock.now();
        let mut kept = self.lock();
        while kept.calls.front().is_some_and(|call| call.is_over() && now.since(call.began_at) >= DAY) {
            kept.calls.pop_front();
        }
        let mut up = kept.calls.iter().filter(|call| !call.is_over());
        if let Some(own) = up.clone().find(|call| call.user == user || call.to == to) {
            return Err(NotAdmitted::UnderWay(own.id));
        }
        if up.nth(AT_ONCE - 1).is_some() {
            return Err(NotAdmitted::Busy);
        }
        if kept.calls.len() >= KEPT_MAX
            && let Some(oldest) = kept.calls.iter().position(TestCall::is_over)
        {
            kept.calls.remove(oldest);
        }
        // Ids begin at the time of day, so that they do not repeat over restarts.
        kept.last_id = TestCallId((kept.last_id.0 + 1).max(now.millis()));
        let id = kept.last_id;
        kept.calls.push_back(TestCall {
            id,
            user,
            began_at: now,
            to,
            length: Duration::ZERO,
            from: None,
            attempts: 0,
            stage: Stage::Preparing,
            digits: String::new(),
        });
        Ok(TestCallAdmission { calls: self.clone(), id, user, to, is_begun: false })
    }

    /// How a test call of a user goes.
    ///
    /// # Errors
    /// 404 when this daemon knows no such call of the user.
    pub fn show(&self, user: UserId, id: TestCallId) -> Result<VoiceTest> {
        let kept = self.lock();
        let call = kept.calls.iter().rev().find(|call| call.id == id && call.user == user);
        call.map(shown)
            .ok_or(Error::NotFound("test call; they are kept for a day, until the daemon restarts"))
    }

    fn change(&self, id: TestCallId, change: impl FnOnce(&mut TestCall)) {
        if let Some(call) = self.lock().calls.iter_mut().rev().find(|call| call.id == id) {
            change(call);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a test call plays.
#[derive(Clone, Debug)]
pub struct Played {
    /// The samples.
    pub clip: CallClip,
    /// The recording of the user's that they are of.
    pub recording: Option<RecordingId>,
}

impl TestCallAdmission {
    /// Counts the call and begins it, over the first of `trunks` that does not fail while the permit holds, and returns its
    /// id. It goes on by itself.
    ///
    /// # Errors
    /// Errors of the database; inside, that other calls used up what there was since it was admitted.
    pub async fn begin(
        mut self,
        trunks: Vec<Arc<dyn VoiceCarrier>>,
        permit: Arc<dyn Permit>,
        Played { clip, recording }: Played,
    ) -> Result<Result<TestCallId, NotAdmitted>> {
        let (calls, id, user, to) = (self.calls.clone(), self.id, self.user, self.to);
        let Inner { store, clock, limits, .. } = &*calls.0;
        let input = (*limits, user, to, recording, clock.now());
        let counted = store.write(Lane::Interactive, input, |tx, (limits, user, to, recording, now)| {
            Box::pin(async move {
                let refused = limits::count(tx, *limits, (*user, *to), *now).await?;
                if let (None, Some(recording)) = (&refused, recording) {
                    recording::note_use(tx, *user, *recording, *now).await?;
                }
                Ok(refused)
            })
        });
        if let Some(refused) = counted.await? {
            return Ok(Err(refused));
        }
        self.is_begun = true;
        calls.change(id, |it| {
            it.length = clip.duration();
            it.stage = Stage::Calling;
        });
        let request =
            CallRequest { to, from: None, clip, tail: TAIL, plays: 1, ends_on: String::new(), of: None };
        let shown = Shown { calls: calls.clone(), id };
        let task = async move {
            let ended = calls.0.calls.carry(trunks, permit.as_ref(), request, &shown).await;
            calls.change(id, |it| {
                it.stage = match ended {
                    Ended::Over(result) => Stage::Ended(result),
                    Ended::NotPlaced(reason) => Stage::NotPlaced(reason),
                }
            });
        };
        tokio::spawn(task.instrument(tracing::info_span!("test_call", id = id.0)));
        Ok(Ok(id))
    }
}

impl Drop for TestCallAdmission {
    fn drop(&mut self) {
        if !self.is_begun {
            self.calls.lock().calls.retain(|call| call.id != self.id);
        }
    }
}

/// Keeps what happens in a call, and ends one whose task is gone before it told an end: no user is locked out by it.
struct Shown {
    calls: TestCalls,
    id: TestCallId,
}

impl Observer for Shown {
    fn note<'a>(&'a self, progress: Progress<'a>) -> BoxFuture<'a, ()> {
        self.calls.change(self.id, |call| match progress {
            Progress::Placed { from } => {
                call.from = Some(from.into());
                call.attempts += 1;
                call.stage = Stage::Calling;
            }
            Progress::Ringing => call.stage = Stage::Ringing,
            Progress::Answered => call.stage = Stage::Answered,
            // It is counted, and nothing more: it is the user's own phone, which the key 9 does not opt out.
            Progress::Key(key) => call.digits.push(key),
        });
        Box::pin(std::future::ready(()))
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.calls.change(self.id, |call| {
            if !call.is_over() {
                call.stage = Stage::Ended(None);
            }
        });
    }
}

#[cfg(test)]
mod tests;
