//! Single calls: one call over the first trunk that does not fail. Test calls and the calls that verify own numbers are
//! placed so, and together leave half of each trunk's channels to campaigns.
//!
//! ```text
//! placed ──▶ ringing ──▶ answered ──▶ over
//!   ▲  │ trunk error, and another trunk is there and may be called over
//!   └──┘
//! ```

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::carrier::voice::{
    Call, CallEvent, CallOutcome, CallRequest, CallResult, EndedBy, PlaceError, VoiceCarrier,
};
use crate::error::Result;

/// Single calls of one kind, of all users at once: most channels are for others.
pub const AT_ONCE: usize = 10;
/// How long a free channel is waited for at one trunk.
const CHANNEL_WAIT: Duration = Duration::from_secs(10);
/// How often it is asked meanwhile whether the call may still be placed.
const PERMIT_LOOK: Duration = Duration::from_millis(500);

/// Whether a call may be placed over a trunk: asked right before each one, and while it waits for a channel.
pub trait Permit: Send + Sync {
    /// Whether one may be placed now.
    ///
    /// # Errors
    /// Why not, in words for the user that follow a colon.
    fn check<'a>(&'a self, trunk: &'a Arc<dyn VoiceCarrier>) -> BoxFuture<'a, Result<(), &'static str>>;
}

/// What happens in a call before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress<'a> {
    /// A trunk took it.
    Placed {
        /// The number that it is from.
        from: &'a str,
    },
    /// The phone rings.
    Ringing,
    /// It was picked up.
    Answered,
    /// A key was pressed.
    Key(char),
}

/// Notes what happens in a call. The next event waits for it.
pub trait Observer: Send + Sync {
    /// This happened now.
    fn note<'a>(&'a self, progress: Progress<'a>) -> BoxFuture<'a, ()>;
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// A trunk placed it; `None` where it was cut off before its end could be told.
    Over(Option<CallResult>),
    /// No trunk took it; why.
    NotPlaced(String),
}

/// Places single calls. A cheap handle; its clones share the channels.
#[derive(Clone, Default)]
pub struct SingleCalls(Arc<Mutex<Shares>>);

/// By trunk: the channels that single calls may take, and how many those are.
type Shares = HashMap<String, (usize, Arc<Semaphore>)>;

impl fmt::Debug for SingleCalls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SingleCalls").finish_non_exhaustive()
    }
}

impl SingleCalls {
    /// Places a call over the first trunk that does not fail, and stays with it to its end.
    pub async fn carry(
        &self,
        trunks: Vec<Arc<dyn VoiceCarrier>>,
        permit: &dyn Permit,
        request: CallRequest,
        observer: &dyn Observer,
    ) -> Ended {
        let mut end = Ended::NotPlaced("no trunk is there".into());
        for trunk in trunks {
            let (mut call, _share) = match self.place(&trunk, permit, &request).await {
                Ok(placed) => placed,
                Err(reason) => {
                    tracing::info!(trunk = trunk.name(), reason, "a trunk took no call");
                    end = Ended::NotPlaced(reason);
                    continue;
                }
            };
            observer.note(Progress::Placed { from: &trunk.capabilities().caller_id }).await;
            let result = match follow(&mut call, observer).await {
                Ok(result) => result,
                Err(error) => {
                    let reason = why_not(trunk.name(), error);
                    tracing::info!(trunk = trunk.name(), reason, "a trunk placed no call");
                    end = Ended::NotPlaced(reason);
                    continue;
                }
            };
            let fault = result.as_ref().filter(|it| it.is_trunks_fault());
            if let Some(result) = fault {
                tracing::warn!(trunk = trunk.name(), code = result.code, reason = %result.reason, "a trunk failed");
            }
            let is_trunks_fault = fault.is_some();
            end = Ended::Over(result);
            // Only what is the trunk's fault may go better over another one.
            if !is_trunks_fault {
                break;
            }
        }
        end
    }

    /// Places the call over a trunk, if it may be and one of the channels for single calls becomes free in time. Why not,
    /// in words for the user, where not.
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
                placed = trunk.place(request.clone()) => placed.map_err(|error| why_not(trunk.name(), error))?,
                // Until a channel is free much may change.
                refused = revoked(trunk, permit) => return Err(refused.to_owned()),
            };
            Ok((call, share))
        };
        let in_time = tokio::time::timeout(CHANNEL_WAIT, placed).await;
        in_time.unwrap_or_else(|_| Err("all channels for such calls are taken".to_owned()))
    }

    /// The channels of a trunk that single calls may take: half of them, so that they hold no campaign up.
    fn share_of(&self, trunk: &dyn VoiceCarrier) -> Arc<Semaphore> {
        let most = usize::try_from(trunk.capabilities().channels / 2).unwrap_or(usize::MAX).max(1);
        let mut shares = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = || (most, Arc::new(Semaphore::new(most.min(AT_ONCE))));
        let share = shares.entry(trunk.name().to_owned()).or_insert_with(fresh);
        // A reload changed its channels.
        if share.0 != most {
            *share = fresh();
        }
        Arc::clone(&share.1)
    }
}

/// How a call ended, in words for the user.
pub fn in_words(result: &CallResult) -> String {
    match (result.outcome, result.ended_by) {
        (CallOutcome::Answered, EndedBy::Callee) => {
            format!("The call was answered, and they hung up after {} s", result.up.as_secs())
        }
        (CallOutcome::Answered, _) => format!("The call was answered: {}", result.reason),
        // What is wrong with the trunk is for the operator, who reads the log.
        (CallOutcome::TrunkError, _) => {
            "The line for calls failed: try again later, or tell the operator".to_owned()
        }
        _ if result.answered_at.is_some() => format!("The call was picked up and failed: {}", result.reason),
        _ => format!("The call was not answered: {}", result.reason),
    }
}

/// Why a trunk took no call, in words for the user.
fn why_not(trunk: &str, error: PlaceError) -> String {
    match error {
        PlaceError::Refused(reason) => reason,
        // What a trunk's connection lacks is for the operator, who reads the log.
        PlaceError::Down(reason) => {
            tracing::warn!(trunk, reason, "the trunk is down");
            "the trunk is down".to_owned()
        }
        PlaceError::ShutDown => "the trunk is being shut down".to_owned(),
    }
}

/// How a call ended; `None` where that is not known.
///
/// # Errors
/// Why it was not placed after all.
async fn follow(call: &mut Call, observer: &dyn Observer) -> Result<Option<CallResult>, PlaceError> {
    while let Some(event) = call.next_event().await {
        let progress = match event {
            CallEvent::Ringing => Progress::Ringing,
            CallEvent::Answered => Progress::Answered,
            CallEvent::Key(key) => Progress::Key(key),
            CallEvent::Ended(result) => return Ok(Some(result)),
            CallEvent::NotPlaced(error) => return Err(error),
        };
        observer.note(progress).await;
    }
    Ok(None)
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
