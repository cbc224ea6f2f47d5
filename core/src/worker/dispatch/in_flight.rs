//! How many messages a carrier was given whose answers are not stored yet: a crash would leave them unknown.
//!
//! The invariant: a message counts from before it is handed over until its outcome is committed (or given up).

use std::sync::atomic::{AtomicI64, Ordering};

use tokio::sync::Notify;

use crate::carrier::Event;

/// The count of one carrier, kept by its dispatcher and its settler.
#[derive(Debug, Default)]
pub struct Unsettled {
    count: AtomicI64,
    fell: Notify,
}

impl Unsettled {
    /// Messages handed over and not settled.
    pub fn count(&self) -> i64 {
        self.count.load(Ordering::Acquire)
    }

    /// So many are about to be handed over.
    pub fn add(&self, messages: usize) {
        self.count.fetch_add(i64::try_from(messages).unwrap_or(i64::MAX), Ordering::AcqRel);
    }

    /// What these events answer is stored, or was given up.
    pub fn settle(&self, events: &[Event]) {
        let answers = events.iter().filter(|event| matches!(event, Event::Answer(_))).count();
        if answers > 0 {
            self.count.fetch_sub(i64::try_from(answers).unwrap_or(i64::MAX), Ordering::AcqRel);
            self.fell.notify_one();
        }
    }

    /// Returns when something was settled since the last call. For one waiter, the dispatcher.
    pub async fn fell(&self) {
        self.fell.notified().await;
    }
}
