//! Test calls: a user has their own phone called and hears what a campaign would say, over the same trunks, from the same
//! number. Nothing is charged.
//!
//! How they go is kept in memory, by the daemon that places them: for a day, and no more than [`KEPT_MAX`]. A restart forgets
//! it. How many a user had is counted in the database ([`caps`]).
//!
//! ```text
//! admit ──▶ begin: calling ──▶ ringing ──▶ answered ──▶ ended
//!               ▲      │ trunk error, and another trunk is there and may be called over
//!               └──────┘
//! ```

pub mod caps;
mod shown;

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::future::BoxFuture;
use talkdrum_api::voice::VoiceTest;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tracing::Instrument as _;

use self::caps::Caps;
use self::shown::shown;
use crate::carrier::voice::{
    Call, CallClip, CallEvent, CallOutcome, CallRequest, CallResult, PlaceError, VoiceCarrier,
};
use crate::error::{Error, Result};
use crate::phone::Msisdn;
use crate::store::voice::recording;
use crate::store::{Lane, Store};
use crate::time::{Clock, Time};

/// Test calls of all users at once: most channels are for others.
pub const AT_ONCE: usize = 10;
/// How much of a clip a test call plays, in seconds.
pub const SECONDS_MAX: u32 = 120;
/// Test calls that are remembered; then the oldest that are over are forgotten.
pub const KEPT_MAX: usize = 1_000;
/// How long keys are waited for after the clip.
const TAIL: Duration = Duration::from_secs(3);
/// How long a free channel is waited for at one trunk.
const CHANNEL_WAIT: Duration = Duration::from_secs(10);
/// How often it is asked meanwhile whether the call may still be placed.
const PERMIT_LOOK: Duration = Duration::from_millis(500);
const DAY: Duration = Duration::from_hours(24);

/// Why no test call was begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAdmitted {
    /// One of the user's is under way.
    #[error("Your test call {0} is under way: wait for its end")]
    UnderWay(i64),
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
        caps::ALL_PER_DAY
    )]
    DayFull(Duration),
    /// Test calls are for accounts that were funded.
    #[error("Test calls are for accounts with money in them: fund your wallet first")]
    Unfunded,
    /// The operator turned them off.
    #[error("Test calls are turned off on this platform")]
    TurnedOff,
}

/// Whether a call may be placed over a trunk: asked right before each one, and while it waits for a channel.
pub trait Permit: Send + Sync {
    /// Whether one may be placed now.
    ///
    /// # Errors
    /// Why not, in words for the user that follow a colon.
    fn check<'a>(&'a self, trunk: &'a Arc<dyn VoiceCarrier>) -> BoxFuture<'a, Result<(), &'static str>>;
}

/// The test calls of this daemon. A cheap handle.
#[derive(Clone)]
pub struct TestCalls(Arc<Inner>);

struct Inner {
    store: Store,
    clock: Arc<dyn Clock>,
    caps: Caps,
    kept: Mutex<Kept>,
    /// By trunk: the channels that test calls may take, and how many those are.
    shares: Mutex<HashMap<String, (usize, Arc<Semaphore>)>>,
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
pub struct Admission {
    calls: TestCalls,
    id: i64,
    user: i64,
    to: Msisdn,
    is_begun: bool,
}

impl TestCalls {
    /// None yet.
    pub fn new(store: Store, clock: Arc<dyn Clock>, caps: Caps) -> Self {
        let (kept, shares) = (Mutex::default(), Mutex::default());
        Self(Arc::new(Inner { store, clock, caps, kept, shares }))
    }

    /// Whether a user may have one more test call, to `to`.
    ///
    /// # Errors
    /// Errors of the database; inside, that the user, or all users together, have as many as they may.
    pub async fn admit(&self, user: i64, to: Msisdn) -> Result<Result<Admission, NotAdmitted>> {
        let admission = match self.reserve(user, to) {
            Ok(admission) => admission,
            refused => return Ok(refused),
        };
        let refused =
            caps::check(&mut self.0.store.read().await?, self.0.caps, (user, to), self.0.clock.now()).await?;
        Ok(refused.map_or(Ok(admission), Err))
    }

    /// Keeps a place for one more test call, of which a user and a phone have one at once.
    fn reserve(&self, user: i64, to: Msisdn) -> Result<Admission, NotAdmitted> {
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
        kept.last_id = (kept.last_id + 1).max(now.millis());
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
        Ok(Admission { calls: self.clone(), id, user, to, is_begun: false })
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
    async fn carry(
        &self,
        id: i64,
        trunks: Vec<Arc<dyn VoiceCarrier>>,
        permit: &dyn Permit,
        request: CallRequest,
    ) {
        let mut stage = Stage::NotPlaced("no trunk is there".into());
        for trunk in trunks {
            let (mut call, _share) = match self.place(&trunk, permit, &request).await {
                Ok(placed) => placed,
                Err(reason) => {
                    tracing::info!(test = id, trunk = trunk.name(), reason, "a trunk took no test call");
                    stage = Stage::NotPlaced(reason);
                    continue;
                }
            };
            self.change(id, |it| {
                it.from = Some(trunk.capabilities().caller_id.clone());
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

    /// Places the call over a trunk, if it may be and one of the channels for test calls becomes free in time. Why not, in
    /// words for the user, where not.
    async fn place(
        &self,
        trunk: &Arc<dyn VoiceCarrier>,
        permit: &dyn Permit,
        request: &CallRequest,
    ) -> Result<(Call, OwnedSemaphorePermit), String> {
        let placed = async {
            let shut_down = |_| "the trunk is being shut down".to_owned();
            let share = self.share_of(trunk.as_ref()).acquire_owned().await.map_err(shut_down)?;
            permit.check(trunk).await?;
            let call = tokio::select! {
                biased;
                placed = trunk.place(request.clone()) => placed.map_err(|error| match error {
                    PlaceError::Refused(reason) => reason,
                    // What a trunk's connection lacks is for the operator, who reads the log.
                    PlaceError::Down(reason) => {
                        tracing::warn!(trunk = trunk.name(), reason, "the trunk is down");
                        "the trunk is down".to_owned()
                    }
                    PlaceError::ShutDown => "the trunk is being shut down".to_owned(),
                })?,
                // Until a channel is free much may change.
                refused = revoked(trunk, permit) => return Err(refused.to_owned()),
            };
            Ok((call, share))
        };
        let in_time = tokio::time::timeout(CHANNEL_WAIT, placed).await;
        in_time.unwrap_or_else(|_| Err("all channels for test calls are taken".to_owned()))
    }

    /// The channels of a trunk that test calls may take: half of them, so that they hold no campaign up.
    fn share_of(&self, trunk: &dyn VoiceCarrier) -> Arc<Semaphore> {
        let most = usize::try_from(trunk.capabilities().channels / 2).unwrap_or(usize::MAX).max(1);
        let mut shares = self.0.shares.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = || (most, Arc::new(Semaphore::new(most.min(AT_ONCE))));
        let share = shares.entry(trunk.name().to_owned()).or_insert_with(fresh);
        // A reload changed its channels.
        if share.0 != most {
            *share = fresh();
        }
        Arc::clone(&share.1)
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

/// Waits until no call may be placed over a trunk any more; why not.
async fn revoked(trunk: &Arc<dyn VoiceCarrier>, permit: &dyn Permit) -> &'static str {
    loop {
        tokio::time::sleep(PERMIT_LOOK).await;
        if let Err(reason) = permit.check(trunk).await {
            return reason;
        }
    }
}

/// What a test call plays.
#[derive(Clone, Debug)]
pub struct Played {
    /// The samples.
    pub clip: CallClip,
    /// The recording of the user's that they are of.
    pub recording: Option<i64>,
}

impl Admission {
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
    ) -> Result<Result<i64, NotAdmitted>> {
        let (calls, id, user, to) = (self.calls.clone(), self.id, self.user, self.to);
        let Inner { store, clock, caps, .. } = &*calls.0;
        let input = (*caps, user, to, recording, clock.now());
        let counted = store.write(Lane::Interactive, input, |tx, (caps, user, to, recording, now)| {
            Box::pin(async move {
                let refused = caps::count(tx, *caps, (*user, *to), *now).await?;
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
        let request = CallRequest { to, from: None, clip, tail: TAIL };
        let cut_off = CutOff { calls: calls.clone(), id };
        let task = async move {
            let _cut_off = cut_off;
            calls.carry(id, trunks, permit.as_ref(), request).await;
        };
        tokio::spawn(task.in_current_span());
        Ok(Ok(id))
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

#[cfg(test)]
mod tests;
