//! What a carrier's workers know to be stored, by which they notice that the database went back in time.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::store::db::once::KnownWrites;

/// What one carrier's workers know besides their chunks, and what they found.
#[derive(Debug, Default)]
pub(super) struct History {
    writers: Mutex<Vec<Arc<KnownWrites>>>,
    /// The evidence that the database went back; dispatch is to be held for it.
    pub(super) seen: Mutex<Option<String>>,
    /// How many times dispatch was held.
    pub(super) holds: AtomicU64,
}

impl History {
    /// Adds a worker whose writes are compared.
    pub(super) fn add(&self, writer: Arc<KnownWrites>) {
        self.writers.lock().unwrap_or_else(PoisonError::into_inner).push(writer);
    }

    /// How many times the database went back and dispatch was held for it: what was claimed before the last time must
    /// not be sent.
    pub(super) fn holds(&self) -> u64 {
        self.holds.load(Ordering::Acquire)
    }

    pub(super) fn writers(&self) -> Vec<Arc<KnownWrites>> {
        self.writers.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Remembers the evidence until dispatch is held, and logs it once.
    pub(super) fn note(&self, seen: &str) {
        let mut noted = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if noted.is_none() {
            tracing::error!(seen, "the database went back in time: dispatch is held");
            *noted = Some(seen.to_owned());
        }
    }
}
