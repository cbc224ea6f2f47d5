//! What the database does to the workers: the process killed at a write, an answer lost, an error of the driver, a while in
//! which it refuses every write.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};

use rand::RngExt;
use rand::rngs::StdRng;

use crate::error::Error;
use crate::store::WriteFaults;
use crate::testing::doubt::coded;

/// Errors with which a write fails and is not stored: of SQLite, of PostgreSQL, of the drivers themselves.
const CODES: [&str; 12] =
    ["5", "13", "266", "522", "1034", "08006", "25006", "40P01", "53300", "55P03", "57P01", "58030"];

/// Errors of one class, which come in a run: the disk is full, it fails, the database may only be read, it is away.
const CLASSES: [&[&str]; 4] = [
    &["13", "53100"],
    &["266", "778", "1034", "58030"],
    &["8", "1032", "25006"],
    &["08001", "08006", "53300", "57P01", "57P03"],
];

/// A while in which every write fails.
#[derive(Debug)]
struct Outage {
    class: &'static [&'static str],
    refused: usize,
}

/// Strikes at a write, once.
#[derive(Debug)]
struct Strike(AtomicI64);

impl Default for Strike {
    fn default() -> Self {
        Self(AtomicI64::new(-1))
    }
}

impl Strike {
    /// After so many writes; negative is never.
    fn arm(&self, writes: i64) {
        self.0.store(writes, Ordering::SeqCst);
    }

    fn is_now(&self) -> bool {
        self.0.load(Ordering::SeqCst) >= 0 && self.0.fetch_sub(1, Ordering::SeqCst) == 0
    }
}

/// The hand on the process's writes.
#[derive(Debug, Default)]
pub(super) struct Killer {
    before: Strike,
    after: Strike,
    /// A commit that happens and answers with an error.
    doubt: Strike,
    /// A statement that fails.
    failure: Strike,
    error: Mutex<Option<Error>>,
    outage: Mutex<Option<Outage>>,
    reconnects: AtomicU64,
    /// Whether the process was last killed after a commit.
    is_stored: AtomicBool,
}

impl Killer {
    /// Something happens at one of the next writes.
    pub(super) fn arm(&self, rng: &mut StdRng) {
        let writes = rng.random_range(0..4);
        match rng.random_range(0..4) {
            0 => self.before.arm(writes),
            1 => self.after.arm(writes),
            2 => self.doubt.arm(writes),
            _ => {
                let error = match rng.random_range(0..CODES.len() + 2) {
                    place if place < CODES.len() => coded(CODES[place]),
                    place if place == CODES.len() => Error::Database(sqlx::Error::PoolTimedOut),
                    _ => Error::Database(sqlx::Error::Protocol("the connection was closed".into())),
                };
                *self.error.lock().unwrap() = Some(error);
                self.failure.arm(writes);
            }
        }
    }

    /// The process is dead: nothing more happens to it.
    pub(super) fn disarm(&self) {
        for strike in [&self.before, &self.after, &self.doubt, &self.failure] {
            strike.arm(-1);
        }
    }

    /// Whether the write at which the process was killed is stored.
    pub(super) fn is_stored(&self) -> bool {
        self.is_stored.load(Ordering::SeqCst)
    }

    /// The workers' connections break, and are made again.
    pub(super) fn reconnect(&self) {
        self.reconnects.fetch_add(1, Ordering::SeqCst);
    }

    /// From now on every write fails, whichever process makes it.
    pub(super) fn begin_outage(&self, rng: &mut StdRng) {
        let class = CLASSES[rng.random_range(0..CLASSES.len())];
        *self.outage.lock().unwrap() = Some(Outage { class, refused: 0 });
    }

    /// Whether every write fails now.
    pub(super) fn is_out(&self) -> bool {
        self.outage.lock().unwrap().is_some()
    }

    /// Writes are taken again; returns how many were refused.
    pub(super) fn end_outage(&self) -> usize {
        self.outage.lock().unwrap().take().map_or(0, |outage| outage.refused)
    }
}

impl WriteFaults for Killer {
    fn crash_before(&self) -> bool {
        let is_now = self.before.is_now();
        if is_now {
            self.is_stored.store(false, Ordering::SeqCst);
        }
        is_now
    }

    fn crash_after(&self) -> bool {
        let is_now = self.after.is_now();
        if is_now {
            self.is_stored.store(true, Ordering::SeqCst);
        }
        is_now
    }

    fn reconnects(&self) -> u64 {
        self.reconnects.load(Ordering::SeqCst)
    }

    fn fail_before(&self) -> Option<Error> {
        if let Some(outage) = self.outage.lock().unwrap().as_mut() {
            outage.refused += 1;
            return Some(coded(outage.class[outage.refused % outage.class.len()]));
        }
        if self.failure.is_now() { self.error.lock().unwrap().take() } else { None }
    }

    fn doubt_after(&self) -> bool {
        self.doubt.is_now()
    }
}
