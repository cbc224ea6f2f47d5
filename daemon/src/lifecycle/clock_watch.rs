//! Whether what is past its time may go: see [`clock`](talkdrum_core::operate::clock).

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use talkdrum_core::operate::clock::{self, ClockTrust};
use talkdrum_core::store::Lane;
use talkdrum_core::time::Time;

use crate::state::AppState;

/// Looks at the clock before anything is removed for its age.
#[derive(Debug)]
pub(super) struct ClockWatch {
    looked_at: Mutex<Instant>,
}

impl ClockWatch {
    /// Begins: the daemon has not run yet.
    pub(super) fn new() -> Self {
        Self { looked_at: Mutex::new(Instant::now()) }
    }

    /// What the clock says, where it can be believed. The log says why not.
    pub(super) async fn believed(&self, app: &AppState) -> Option<Time> {
        let now = app.clock.now();
        let ran = {
            let mut looked_at = self.looked_at.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *looked_at, Instant::now()).elapsed()
        };
        let looked = app
            .store
            .write(Lane::Background, (now, ran), |tx, (now, ran)| Box::pin(clock::look(tx, *now, *ran)));
        match looked.await {
            Ok(ClockTrust::Believed) => Some(now),
            Ok(ClockTrust::Ahead { believed_at, doubted }) => {
                let hours = doubted.as_secs() / 3_600;
                tracing::warn!(%now, %believed_at, hours, "the clock is more than a day ahead of what it last said: put it right if it is \
                                                           wrong. Nothing is removed for its age until daemons have run with it for 24 hours");
                None
            }
            Err(error) => {
                tracing::warn!(code = error.code(), %error, "the clock was not looked at: what is past its time was kept");
                None
            }
        }
    }
}
