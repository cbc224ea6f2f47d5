//! A phone for the sandbox: answers every number on loopback, and keeps what it heard.
//!
//! It behaves by the last four digits of the number that is called:
//!
//! | digits | behaviour |
//! |---|---|
//! | 9101 | busy: 486 |
//! | 9102 | rings until the caller gives up |
//! | 9103 | answers, and hangs up after two seconds |
//! | 9104 | no such number: 404 |
//! | 9105 | 503 the first time, then it answers |
//! | 9106 | answers and presses 1 |
//! | 9107 | declines: 603 |
//! | others | answers and listens to the end |

mod heard;
mod serve;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio_util::task::TaskTracker;

use self::heard::Heard;
use crate::outcome::EndedBy;
use crate::stack::Stack;

/// What became of a call at the callee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CalleeStatus {
    /// It rings.
    Ringing,
    /// It was answered, and is over once `ended_at` is there.
    Answered,
    /// It was refused as busy.
    Busy,
    /// The caller gave up.
    Cancelled,
    /// It was refused: no such number.
    InvalidNumber,
    /// It was refused for now: 503.
    Unavailable,
    /// It was declined.
    Declined,
    /// Its audio could not be used.
    Failed,
}

/// A call that the callee took part in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalleeCall {
    /// Its number, from 1.
    pub id: u64,
    /// The number that was called.
    pub to: String,
    /// The number in From.
    pub from: String,
    /// What became of it.
    pub status: CalleeStatus,
    /// When it was answered.
    pub answered_at: Option<SystemTime>,
    /// When it ended.
    pub ended_at: Option<SystemTime>,
    /// Packets of audio that came.
    pub rtp_packets: u64,
    /// How loud they were together: the root of the mean square of the samples, of 32,767 at most.
    pub rms: u16,
    /// The keys that the callee pressed.
    pub digits: String,
    /// Who ended it.
    pub ended_by: Option<EndedBy>,
}

impl CalleeCall {
    /// How long it was up. Zero when it was not answered; until now while it is.
    #[must_use]
    pub fn duration(&self) -> Duration {
        let Some(answered_at) = self.answered_at else { return Duration::ZERO };
        self.ended_at.unwrap_or_else(SystemTime::now).duration_since(answered_at).unwrap_or_default()
    }
}

/// A phone that is plugged in. Dropping it pulls the plug.
pub struct Callee {
    line: Arc<CalleeLine>,
}

/// What the calls of a callee share.
struct CalleeLine {
    stack: Stack,
    heard: Heard,
    ring: Duration,
    tasks: TaskTracker,
}

impl Callee {
    /// Plugs it in at a loopback address. It rings for `ring` before it answers.
    ///
    /// # Errors
    /// When the address is not of loopback, or cannot be had.
    pub async fn start(listen: SocketAddr, ring: Duration) -> io::Result<Self> {
        if !listen.ip().is_loopback() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the callee listens on loopback only"));
        }
        let (stack, incoming) = Stack::start(listen, None, None).await?;
        let line = Arc::new(CalleeLine { stack, heard: Heard::default(), ring, tasks: TaskTracker::new() });
        tokio::spawn(serve::serve(Arc::downgrade(&line), incoming));
        Ok(Self { line })
    }

    /// Where it is called.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.line.stack.address
    }

    /// The last calls, newest last; at most 1,000.
    #[must_use]
    pub fn calls(&self) -> Vec<CalleeCall> {
        self.line.heard.calls()
    }

    /// What was heard of a call, at 8,000 samples a second: its first two minutes, of the last 16 calls.
    #[must_use]
    pub fn audio(&self, id: u64) -> Option<Arc<[i16]>> {
        self.line.heard.audio(id)
    }

    /// Waits until the calls that are up are over, and unplugs it.
    pub async fn shutdown(self) {
        self.line.tasks.close();
        self.line.tasks.wait().await;
        self.line.stack.stop();
    }
}

impl Drop for Callee {
    fn drop(&mut self) {
        self.line.stack.stop();
    }
}

impl std::fmt::Debug for Callee {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Callee").field("address", &self.address()).finish_non_exhaustive()
    }
}
