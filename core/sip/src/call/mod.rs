//! One call: what it is asked for, what it tells while it lasts, and how it ended.

pub(crate) mod place;

use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::clip::Clip;
use crate::config::is_number;
use crate::g711::Codec;
use crate::media::Ear;
use crate::outcome::CallResult;

/// The most keys of a call that are reported; what is pressed after them is not.
pub const MAX_KEYS: usize = 64;
/// The longest silence after the clip.
pub const MAX_TAIL: Duration = Duration::from_secs(60);
/// The most times that a clip is played.
pub const MAX_PLAYS: u8 = 3;
/// All that a call can tell: it tries, rings, is answered, keys, it ended. None is ever dropped, read or not.
const EVENTS: usize = MAX_KEYS + 4;

/// A call to place.
#[derive(Clone, Debug)]
pub struct CallRequest {
    /// The number to call: up to 20 digits.
    pub to: String,
    /// The number that it is from; that of the trunk when there is none.
    pub from: Option<String>,
    /// What is played once it is answered.
    pub clip: Clip,
    /// How long to wait for keys after the clip, in silence, before hanging up; at most [`MAX_TAIL`].
    pub tail: Duration,
    /// How often the clip is played, each time with its tail, while no key of `ends_on` is pressed: 1 to [`MAX_PLAYS`].
    pub plays: u8,
    /// Keys that end the call: the clip stops, and a second later it is hung up.
    pub ends_on: String,
}

impl CallRequest {
    /// A call that plays a clip and hangs up.
    #[must_use]
    pub fn new(to: &str, clip: Clip) -> Self {
        Self { to: to.into(), from: None, clip, tail: Duration::ZERO, plays: 1, ends_on: String::new() }
    }

    pub(crate) fn check(&self) -> Result<(), CallError> {
        if !is_number(&self.to) || !self.from.as_deref().is_none_or(is_number) {
            return Err(CallError::NotANumber);
        }
        if self.tail > MAX_TAIL {
            return Err(CallError::TailTooLong);
        }
        if !(1..=MAX_PLAYS).contains(&self.plays) {
            return Err(CallError::Plays);
        }
        Ok(())
    }
}

/// Why a call was not placed at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// `to` or `from` has something else than up to 20 digits.
    #[error("a number to call or to call from is up to 20 digits")]
    NotANumber,
    /// The silence after the clip is longer than [`MAX_TAIL`].
    #[error("the wait after the clip is at most 60 seconds")]
    TailTooLong,
    /// The clip is to be played never, or more often than [`MAX_PLAYS`].
    #[error("a clip is played 1 to 3 times")]
    Plays,
    /// The trunk is shut down.
    #[error("the trunk is shut down")]
    ShutDown,
}

/// What happens in a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallEvent {
    /// The trunk is on it: 100.
    Trying,
    /// The phone rings, or the network plays something: 180 to 183. It is no answer and costs nothing.
    Ringing,
    /// It was picked up, and the clip begins.
    Answered,
    /// A key was pressed: a digit, `*`, `#` or `A` to `D`.
    Key(char),
    /// It is over; the last event.
    Ended(CallResult),
}

/// A call that was placed. Dropping it hangs up.
#[derive(Debug)]
pub struct Call {
    events: mpsc::Receiver<CallEvent>,
    result: oneshot::Receiver<CallResult>,
    hang_up: DropGuard,
}

impl Call {
    /// What happens next; `None` after [`CallEvent::Ended`].
    pub async fn next_event(&mut self) -> Option<CallEvent> {
        self.events.recv().await
    }

    /// Ends it: CANCEL before it was answered, BYE after. It still tells how it ended.
    pub fn hang_up(&self) {
        self.token().cancel();
    }

    fn token(&self) -> &CancellationToken {
        self.hang_up.token()
    }

    /// Waits for its end.
    ///
    /// # Errors
    /// When the runtime that it ran on is gone.
    pub async fn result(self) -> Result<CallResult, CallError> {
        self.result.await.map_err(|_| CallError::ShutDown)
    }
}

/// Both ends of what a call tells.
pub(crate) fn call(hang_up: CancellationToken) -> (Call, Teller) {
    let (events, told) = mpsc::channel(EVENTS);
    let (result, ended) = oneshot::channel();
    let call = Call { events: told, result: ended, hang_up: hang_up.drop_guard() };
    (call, Teller { events, result: Some(result), digits: String::new() })
}

/// Tells what happens in a call.
#[derive(Debug)]
pub(crate) struct Teller {
    events: mpsc::Sender<CallEvent>,
    result: Option<oneshot::Sender<CallResult>>,
    digits: String,
}

impl Teller {
    fn tell(&self, event: CallEvent) {
        // There is room for all; a call that is not listened to goes on the same.
        let _ = self.events.try_send(event);
    }

    fn digits(&mut self) -> String {
        std::mem::take(&mut self.digits)
    }

    pub(crate) fn ended(mut self, result: CallResult) {
        self.tell(CallEvent::Ended(result.clone()));
        if let Some(sender) = self.result.take() {
            let _ = sender.send(result);
        }
    }
}

impl Ear for Teller {
    fn audio(&mut self, _codec: Codec, _payload: &[u8]) {}

    fn key(&mut self, key: char) {
        if self.digits.len() < MAX_KEYS {
            self.digits.push(key);
            self.tell(CallEvent::Key(key));
        }
    }
}
