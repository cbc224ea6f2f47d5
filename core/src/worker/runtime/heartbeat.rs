//! The heartbeat: it shows that this run lives, and tells the run what it may still do.
//!
//! A run that the database does not hear writes to no socket, before other runs take what it holds. It declares others
//! dead only after it was heard itself for a whole lease: the database may have been away for all of them.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::error::Result;
use crate::store::operations::daemon;
use crate::store::{Dialect, Lane};
use crate::time::Time;
use crate::worker::runtime::Workers;

/// What the database took of this run's heartbeats.
#[derive(Debug)]
pub(super) struct Heartbeats {
    last: AtomicI64,
    /// Since when every heartbeat was stored, in milliseconds; `i64::MAX` after one that was not.
    unbroken_since: AtomicI64,
    /// Other runs declared this one dead.
    is_dead: AtomicBool,
}

impl Heartbeats {
    /// Those of a run that was registered at `now`.
    pub(super) fn since(now: Time) -> Self {
        let (last, unbroken_since) = (AtomicI64::new(now.0), AtomicI64::new(now.0));
        Self { last, unbroken_since, is_dead: AtomicBool::new(false) }
    }

    fn last(&self) -> Time {
        Time(self.last.load(Ordering::Relaxed))
    }

    fn unbroken_since(&self) -> Time {
        Time(self.unbroken_since.load(Ordering::Relaxed))
    }
}

impl Workers {
    /// Time between heartbeats.
    pub(super) fn heartbeat(&self) -> Duration {
        self.lease / 5
    }

    /// Beats until every carrier is given back.
    pub(super) async fn beat(&self, given_back: &CancellationToken) {
        while tokio::time::timeout(self.heartbeat(), given_back.cancelled()).await.is_err() {
            let now = self.clock.now();
            let beat = self
                .store
                .write(Lane::Heartbeat, (self.owner, now), |tx, (owner, now)| {
                    Box::pin(daemon::heartbeat(tx, *owner, *now))
                })
                .await;
            match beat {
                Ok(true) => {
                    self.note_beat(true, now);
                    self.in_between("the carriers' leases", self.renew_leases()).await;
                    self.in_between("how the carriers fare", self.note_vitals(true)).await;
                }
                Ok(false) => {
                    tracing::error!("others took this run for dead: it stops, so that nothing is sent twice");
                    self.heartbeats.is_dead.store(true, Ordering::Relaxed);
                    self.stop.cancel();
                    return;
                }
                Err(error) => {
                    self.note_beat(false, now);
                    tracing::error!(code = error.code(), %error, "the heartbeat failed");
                }
            }
        }
    }

    /// Does something that comes with the heartbeat, and gives it up before it holds up the next one.
    pub(in crate::worker) async fn in_between(&self, what: &str, job: impl Future<Output = Result<()>>) {
        match tokio::time::timeout(self.heartbeat(), job).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(what, code = error.code(), %error, "left to the next heartbeat"),
            Err(_) => tracing::warn!(what, "left to the next heartbeat: the database takes its time"),
        }
    }

    pub(in crate::worker) fn note_beat(&self, is_heard: bool, now: Time) {
        if is_heard {
            self.heartbeats.last.store(now.0, Ordering::Relaxed);
            self.heartbeats.unbroken_since.fetch_min(now.0, Ordering::Relaxed);
        } else {
            self.heartbeats.unbroken_since.store(i64::MAX, Ordering::Relaxed);
        }
    }

    /// The silence after which other runs are dead; `None` until this run was heard for so long itself.
    pub(in crate::worker) fn may_judge(&self, now: Time) -> Option<Duration> {
        let is_sure = self.store.dialect() == Dialect::Sqlite
            || now.since(self.heartbeats.unbroken_since()) >= self.lease;
        is_sure.then_some(self.lease)
    }

    /// Whether this run must not write to sockets: without heartbeats other runs may have taken its chunks.
    pub(super) fn is_fenced(&self) -> bool {
        self.store.dialect() == Dialect::Postgres
            && (self.heartbeats.is_dead.load(Ordering::Relaxed)
                // Two thirds of the lease, so that it stops writing to sockets before other runs take its chunks.
                || self.clock.now().since(self.heartbeats.last()) > self.lease * 2 / 3)
    }
}
