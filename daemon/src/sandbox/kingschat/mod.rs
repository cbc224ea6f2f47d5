//! The people, tokens and messages of KingsChat's stand-in.
//!
//! It is as strict as the real one is documented to be: tokens expire and belong to an application, codes and refresh
//! tokens are used once. What it remembers is bounded, and gone when the daemon ends.

mod people;
pub(crate) mod token;

use std::sync::{Mutex, MutexGuard, PoisonError};

use talkdrum_core::time::Time;

pub(crate) use people::{ACCESS_MS, Pair, People, Person};

/// What the stand-in remembers.
#[derive(Debug, Default)]
pub struct StandIn(Mutex<People>);

impl StandIn {
    /// Who there is, locked.
    pub(crate) fn people(&self) -> MutexGuard<'_, People> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// When something given now ends.
fn ends(now: Time, after_ms: i64) -> Time {
    Time(now.millis().saturating_add(after_ms))
}
