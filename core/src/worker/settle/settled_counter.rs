//! What became of messages, counted for the collector of metrics.

use metrics::Counter;

use crate::model::message::status::{Counters, MessageStatus};

/// `talkdrum_messages_total` of one carrier: messages by the status that its answers and receipts gave them, counted once
/// that is stored. A receipt that comes twice may count twice.
#[derive(Debug)]
pub(super) struct SettledCounter(Vec<(MessageStatus, Counter)>);

impl SettledCounter {
    /// The counter of this carrier. Looking a series up by its labels costs more than counting, so they are kept.
    pub(super) fn of(carrier: &str) -> Self {
        let series = |status: MessageStatus| {
            let labels = [("carrier", carrier.to_owned()), ("status", status.code().to_owned())];
            (status, metrics::counter!("talkdrum_messages_total", &labels))
        };
        Self(MessageStatus::ALL.iter().copied().filter(|status| status.is_stored()).map(series).collect())
    }

    /// Counts what was stored.
    pub(super) fn add(&self, stored: &Counters) {
        for (status, counter) in &self.0 {
            counter.increment(stored.of(*status).unsigned_abs());
        }
    }
}
