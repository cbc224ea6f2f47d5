//! Carriers of calls, behind one trait, whatever they speak.
//!
//! A carrier never touches the store. Each call that it places tells what happens in it and ends with exactly one
//! [`CallResult`], or with none where that is not known. Its channels and its calls a second are kept by the carrier, which runs in one daemon at a time (the
//! lease of `worker/runtime/leases.rs`), so both hold over all daemons.
//!
#![doc = include_str!("../../docs/life-of-a-call.md")]

use std::fmt;
use std::sync::{Arc, Weak};
use std::time::Duration;

use futures::future::BoxFuture;
/// What became of a call, whatever carried it, and who ended it.
pub use talkdrum_sip::{EndedBy, Outcome as CallOutcome};
use tokio::sync::mpsc;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::live_calls::LiveCalls;
use super::{CallPolicy, Health};
use crate::model::message::id::MessageId;
use crate::phone::Msisdn;
use crate::time::Time;

/// Samples a second of what is played.
pub const SAMPLE_RATE: u32 = 8_000;
/// Events of a call that there is room for: the keys that a carrier reports, and the stations of a call.
const EVENTS: usize = 80;

/// What is played in a call: mono, 16 bit, [`SAMPLE_RATE`] samples a second. A cheap handle. The calls of a campaign share
/// one, so that a carrier prepares it once ([`Self::is`]).
#[derive(Clone)]
pub struct CallClip(Arc<[i16]>);

impl CallClip {
    /// Of its samples.
    pub fn new(samples: impl Into<Arc<[i16]>>) -> Self {
        Self(samples.into())
    }

    /// Its samples.
    pub fn samples(&self) -> &Arc<[i16]> {
        &self.0
    }

    /// Whether it is the very same as another, without a look at the samples.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// A handle that does not keep it.
    pub fn downgrade(&self) -> WeakClip {
        WeakClip(Arc::downgrade(&self.0))
    }

    /// How long it plays.
    pub fn duration(&self) -> Duration {
        Duration::from_millis(self.0.len() as u64 * 1_000 / u64::from(SAMPLE_RATE))
    }
}

/// A handle of a clip that is gone with the last [`CallClip`] of it.
#[derive(Clone)]
pub struct WeakClip(Weak<[i16]>);

impl WeakClip {
    /// The clip, while something else holds it.
    pub fn upgrade(&self) -> Option<CallClip> {
        self.0.upgrade().map(CallClip)
    }
}

impl fmt::Debug for WeakClip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WeakClip").finish_non_exhaustive()
    }
}

impl fmt::Debug for CallClip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallClip").field("duration", &self.duration()).finish_non_exhaustive()
    }
}

/// Which call it is of which message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallOf {
    /// The message.
    pub message: MessageId,
    /// The try of the message that it is, from 1: no two calls of a message have the same.
    pub call: u16,
}

/// A call to place.
#[derive(Clone, Debug)]
pub struct CallRequest {
    /// The number to call.
    pub to: Msisdn,
    /// The number that it is from; the carrier's own caller id when there is none.
    pub from: Option<Msisdn>,
    /// What is played once it is answered.
    pub clip: CallClip,
    /// How long keys are waited for after the clip, in silence; at most a minute.
    pub tail: Duration,
    /// How often the clip is played, each time with its tail, while no key of `ends_on` is pressed: 1 to 3.
    pub plays: u8,
    /// Keys that end the call, soon after they are pressed.
    pub ends_on: String,
    /// The message that it is; `None` of one that is no campaign's.
    pub of: Option<CallOf>,
}

impl CallRequest {
    /// How long it is up that plays all of it.
    pub fn duration(&self) -> Duration {
        (self.clip.duration() + self.tail) * self.plays.into()
    }
}

/// Why a call was not placed at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlaceError {
    /// The carrier is not connected; why not.
    #[error("{0}")]
    Down(String),
    /// The request cannot be dialled by this carrier; why not.
    #[error("{0}")]
    Refused(String),
    /// The carrier is shut down.
    #[error("it is being shut down")]
    ShutDown,
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallResult {
    /// What became of it.
    pub outcome: CallOutcome,
    /// Why, in words for reports.
    pub reason: &'static str,
    /// The carrier's code of it, where it has a number for it.
    pub code: Option<u16>,
    /// When it began to ring.
    pub ringing_at: Option<Time>,
    /// When it was picked up, also where it failed after that; `None` where it was not.
    pub answered_at: Option<Time>,
    /// When it was over.
    pub ended_at: Time,
    /// How long it was up: what is billed. Zero when it was not picked up.
    pub up: Duration,
    /// How much of the clip was played.
    pub heard: Duration,
    /// The keys that were pressed, in their order.
    pub digits: String,
    /// Who ended it.
    pub ended_by: EndedBy,
}

impl CallResult {
    /// Whether it failed by the trunk's fault and certainly reached no phone: another trunk may place it at once.
    pub fn is_trunks_fault(&self) -> bool {
        self.outcome == CallOutcome::TrunkError
            && self.ended_by == EndedBy::Trunk
            && self.ringing_at.is_none()
            && self.answered_at.is_none()
            && self.up.is_zero()
    }
}

/// What happens in a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallEvent {
    /// The phone rings. It is no answer and costs nothing.
    Ringing,
    /// It was picked up, and the clip begins.
    Answered,
    /// A key was pressed: a digit, `*`, `#` or `A` to `D`.
    Key(char),
    /// It is over; the last event.
    Ended(CallResult),
    /// The carrier certainly placed no call; the last event, and the only one.
    NotPlaced(PlaceError),
}

/// A call that was placed. Dropping it hangs up.
#[derive(Debug)]
pub struct Call {
    events: mpsc::Receiver<CallEvent>,
    hang_up: DropGuard,
}

impl Call {
    /// A call, one more of `live`, and the end at which its carrier tells what happens in it.
    pub fn begin(live: &LiveCalls) -> (Self, Teller) {
        let (sender, events) = mpsc::channel(EVENTS);
        let hung_up = live.begin();
        let call = Self { events, hang_up: hung_up.clone().drop_guard() };
        (call, Teller { events: sender, hung_up, live: live.clone() })
    }

    /// What happens next; `None` after the last event, and without one where it is not known how the call ended, or whether
    /// there was one.
    pub async fn next_event(&mut self) -> Option<CallEvent> {
        self.events.recv().await
    }

    /// Ends it, whether it rings or was answered, where the carrier can. It still tells how it ended.
    pub fn hang_up(&self) {
        self.hang_up.token().cancel();
    }
}

/// The carrier's end of a [`Call`].
#[derive(Debug)]
pub struct Teller {
    events: mpsc::Sender<CallEvent>,
    hung_up: CancellationToken,
    live: LiveCalls,
}

impl Teller {
    /// Tells what happened. What there is no room for is dropped: only keys can be so many.
    pub fn tell(&self, event: CallEvent) {
        match &event {
            CallEvent::Ended(result) => self.live.end(result.outcome),
            CallEvent::NotPlaced(_) => self.live.take_back(),
            CallEvent::Ringing | CallEvent::Answered | CallEvent::Key(_) => {}
        }
        let _ = self.events.try_send(event);
    }

    /// Counts the packets of its audio, and those that were sent over 20 ms after their time.
    pub fn count_packets(&self, sent: u64, late: u64) {
        self.live.count_packets(sent, late);
    }

    /// Waits until the call is hung up here.
    pub async fn hung_up(&self) {
        self.hung_up.cancelled().await;
    }
}

/// What a carrier of calls can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoiceCapabilities {
    /// Calls at the same time.
    pub channels: u32,
    /// New calls a second.
    pub rate: u32,
    /// The number that calls are from when a request names none.
    pub caller_id: Box<str>,
    /// Whether a request may name another one.
    pub own_caller_id: bool,
    /// Whether pressed keys are reported.
    pub keys: bool,
    /// Whether a clip is played again while no key is pressed.
    pub repeats: bool,
    /// How campaigns call again over it.
    pub policy: CallPolicy,
}

/// What places calls.
pub trait VoiceCarrier: Send + Sync + fmt::Debug {
    /// The label of reports and metrics, unique.
    fn name(&self) -> &str;

    /// What it can do.
    fn capabilities(&self) -> &VoiceCapabilities;

    /// Whether it takes calls, and since when that is so.
    fn health(&self) -> (Health, Time);

    /// Calls that are up, those that still ring among them.
    fn calls_up(&self) -> u32;

    /// Its calls, to be counted and to be hung up together.
    fn live(&self) -> &LiveCalls;

    /// Places a call as soon as a channel is free and the rate allows. Dropping the future before that places none.
    ///
    /// # Errors
    /// When no call was begun. The [`Call`] reports the outcome of one that was begun, also that it was not placed.
    fn place(&self, request: CallRequest) -> BoxFuture<'_, Result<Call, PlaceError>>;

    /// Places no more calls, lets those that are up end within `grace`, hangs the others up, and waits some seconds for
    /// that to be answered. Each call has told its end when this returns, unless the carrier does not answer.
    fn shutdown(&self, grace: Duration) -> BoxFuture<'_, ()>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_call_that_is_dropped_is_hung_up_and_one_without_an_end_says_so() {
        let live = LiveCalls::default();
        let (mut call, teller) = Call::begin(&live);
        teller.tell(CallEvent::Ringing);
        call.hang_up();
        teller.hung_up().await;
        drop(teller);
        assert_eq!(call.next_event().await, Some(CallEvent::Ringing));
        assert_eq!(call.next_event().await, None);
        let (call, teller) = Call::begin(&live);
        drop(call);
        teller.hung_up().await;
    }

    #[test]
    fn a_clip_is_told_by_its_handle_and_measured_by_its_samples() {
        let clip = CallClip::new(vec![0; 12_000]);
        assert!(clip.is(&clip.clone()) && !clip.is(&CallClip::new(vec![0; 12_000])));
        assert_eq!(clip.duration(), Duration::from_millis(1_500));
    }
}
