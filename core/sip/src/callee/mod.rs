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
//! | 9108 | answers and presses 9 |
//! | others | answers and listens to the end |

mod heard;
mod record;
mod serve;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

pub use self::record::{CalleeCall, CalleeStatus};
use self::serve::CalleeLine;
use crate::stack::Stack;

/// A phone that is plugged in. Dropping it pulls the plug.
pub struct Callee {
    line: Arc<CalleeLine>,
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
        let (stack, incoming) = Stack::start(listen, None, None, None).await?;
        let line = Arc::new(CalleeLine::new(stack, ring));
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

    /// Waits until the calls that are up are over, for `grace` at most, and unplugs it.
    pub async fn shutdown(self, grace: Duration) {
        self.line.tasks.close();
        let _ = tokio::time::timeout(grace, self.line.tasks.wait()).await;
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
