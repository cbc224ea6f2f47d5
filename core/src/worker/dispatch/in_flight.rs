//! How many messages were submitted to a carrier whose answers are not stored yet: a crash would leave them unknown.
//!
//! Invariant: a message counts from before it is submitted until its outcome is committed (or its answer is dropped).

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
    /// Messages submitted and not settled.
    pub fn count(&self) -> i64 {
        self.count.load(Ordering::Acquire)
    }

    /// Counts messages that are about to be submitted.
    pub fn add(&self, messages: usize) {
        self.count.fetch_add(i64::try_from(messages).unwrap_or(i64::MAX), Ordering::AcqRel);
    }

    /// Counts down the answers among these events: they are stored, or were dropped.
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
