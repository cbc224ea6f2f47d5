//! Makes writes fail as a database driver does: before the statement runs, or after a commit that happened.

use std::borrow::Cow;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use sqlx::error::{DatabaseError, ErrorKind};

use crate::error::Error;
use crate::store::WriteFaults;

/// A database's own error with nothing but its code.
#[derive(Debug)]
pub struct Coded(pub &'static str);

impl fmt::Display for Coded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "code {}", self.0)
    }
}

impl std::error::Error for Coded {}

impl DatabaseError for Coded {
    fn message(&self) -> &str {
        self.0
    }

    fn code(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed(self.0))
    }

    fn as_error(&self) -> &(dyn std::error::Error + Send + Sync + 'static) {
        self
    }

    fn as_error_mut(&mut self) -> &mut (dyn std::error::Error + Send + Sync + 'static) {
        self
    }

    fn into_error(self: Box<Self>) -> Box<dyn std::error::Error + Send + Sync + 'static> {
        self
    }

    fn kind(&self) -> ErrorKind {
        ErrorKind::Other
    }
}

/// What a database answers with such a code.
pub fn coded(code: &'static str) -> Error {
    Error::Database(sqlx::Error::Database(Box::new(Coded(code))))
}

/// Errors to come, each after so many writes.
#[derive(Debug, Default)]
pub struct Doubts {
    before: Mutex<Option<(u32, Error)>>,
    after: Mutex<Option<u32>>,
    reconnects: AtomicU64,
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Doubts {
    /// The write after `writes` others fails with this, and is not stored.
    pub fn before(&self, writes: u32, error: Error) {
        *lock(&self.before) = Some((writes, error));
    }

    /// The write after `writes` others is stored, and its answer is lost.
    pub fn after(&self, writes: u32) {
        *lock(&self.after) = Some(writes);
    }

    /// The workers' connections break, and are made again.
    pub fn reconnect(&self) {
        self.reconnects.fetch_add(1, Ordering::SeqCst);
    }

    /// None of that happens any more.
    pub fn disarm(&self) {
        lock(&self.before).take();
        lock(&self.after).take();
    }
}

impl WriteFaults for Doubts {
    fn crash_before(&self) -> bool {
        false
    }

    fn crash_after(&self) -> bool {
        false
    }

    fn reconnects(&self) -> u64 {
        self.reconnects.load(Ordering::SeqCst)
    }

    fn fail_before(&self) -> Option<Error> {
        let mut armed = lock(&self.before);
        match armed.as_mut() {
            Some((0, _)) => armed.take().map(|(_, error)| error),
            Some((writes, _)) => {
                *writes -= 1;
                None
            }
            None => None,
        }
    }

    fn doubt_after(&self) -> bool {
        let mut armed = lock(&self.after);
        match armed.as_mut() {
            Some(0) => armed.take().is_some(),
            Some(writes) => {
                *writes -= 1;
                false
            }
            None => false,
        }
    }
}
