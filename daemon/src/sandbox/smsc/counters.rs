//! What the SMSC saw, for tests and for people.
//!
//! A submission is counted as seen before anything else becomes of it.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::mailbox::lock;
use super::pdu::Submit;

macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        /// Counts since the SMSC began.
        #[derive(Debug, Default)]
        pub(super) struct Counters { $(pub(super) $name: AtomicU64),* }

        /// The counts at one moment.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
        pub struct Counts { $($(#[$doc])* pub $name: u64),* }

        impl Counters {
            /// The counts now.
            pub(super) fn counts(&self) -> Counts {
                Counts { $($name: self.$name.load(Ordering::Relaxed)),* }
            }
        }
    };
}

counters! {
    /// Binds accepted.
    binds,
    /// Binds refused.
    binds_refused,
    /// submit_sm that arrived.
    submits,
    /// Accepted.
    accepted,
    /// Refused for good.
    rejected,
    /// Refused for now.
    throttled,
    /// Neither taken nor answered.
    dropped,
    /// Accepted, and the answer lost.
    answers_lost,
    /// Receipts and inbound messages sent, repetitions included.
    deliveries_sent,
    /// Receipts and inbound messages acknowledged.
    deliveries_acknowledged,
    /// Receipts lost on purpose or for want of room.
    receipts_lost,
    /// Connections hung up on purpose.
    disconnects,
}

/// Adds to a counter.
pub(super) fn count(counter: &AtomicU64, more: u64) {
    counter.fetch_add(more, Ordering::Relaxed);
}

#[derive(Debug, Default)]
struct Remembered {
    seen: HashMap<u64, u32>,
    accepted: HashMap<u64, u32>,
    texts: HashMap<u64, u32>,
    duplicates: u64,
}

/// Every submission, where it is to be remembered.
#[derive(Debug, Default)]
pub(super) struct Audit(Option<Mutex<Remembered>>);

impl Audit {
    pub(super) fn new(on: bool) -> Self {
        Self(on.then(Mutex::default))
    }

    pub(super) fn saw(&self, number: u64) {
        if let Some(remembered) = &self.0 {
            *lock(remembered).seen.entry(number).or_default() += 1;
        }
    }

    /// Remembers what was accepted: a second time the same text to the same handset from the same sender is a
    /// duplicate. Parts of one text differ by their header or segment number.
    pub(super) fn accepted(&self, number: u64, submit: &Submit<'_>) {
        let Some(remembered) = &self.0 else { return };
        let mut hasher = DefaultHasher::new();
        (number, submit.source.2, submit.text, submit.segment).hash(&mut hasher);
        let mut remembered = lock(remembered);
        *remembered.accepted.entry(number).or_default() += 1;
        let times = remembered.texts.entry(hasher.finish()).or_default();
        *times += 1;
        if *times > 1 {
            remembered.duplicates += 1;
        }
    }

    pub(super) fn times_seen(&self, number: u64) -> u32 {
        self.0.as_ref().map_or(0, |remembered| lock(remembered).seen.get(&number).copied().unwrap_or(0))
    }

    pub(super) fn times_accepted(&self, number: u64) -> u32 {
        self.0.as_ref().map_or(0, |remembered| lock(remembered).accepted.get(&number).copied().unwrap_or(0))
    }

    pub(super) fn duplicates(&self) -> u64 {
        self.0.as_ref().map_or(0, |remembered| lock(remembered).duplicates)
    }
}
