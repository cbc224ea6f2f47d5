//! Which carriers run: those the daemon started with, and after a reload those of the new configuration.
//!
//! Invariant: a carrier's name runs once. A changed carrier starts only when the one before it has given every claim
//! back and settled every answer that it could get.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::mpsc;
use tokio::task::{Id, JoinSet};
use tokio_util::sync::CancellationToken;

use crate::worker::runtime::{CarrierSlot, Workers};

/// What a reload changes.
#[derive(Debug, Default)]
pub struct SupervisorChange {
    /// Carriers that are to drain and end: removed ones, and changed ones before they start again.
    pub end: Vec<String>,
    /// All carriers of the new configuration; those that run and do not end go on untouched.
    pub slots: Vec<CarrierSlot>,
}

/// The channel of changes to the supervisor.
#[derive(Clone, Debug)]
pub(crate) struct Changes {
    sender: mpsc::Sender<SupervisorChange>,
    receiver: Arc<Mutex<Option<mpsc::Receiver<SupervisorChange>>>>,
}

impl Default for Changes {
    fn default() -> Self {
        let (sender, receiver) = mpsc::channel(8);
        Self { sender, receiver: Arc::new(Mutex::new(Some(receiver))) }
    }
}

/// Carriers that run.
#[derive(Default)]
struct Running {
    tasks: JoinSet<()>,
    /// By task: the carrier's name.
    names: HashMap<Id, String>,
    /// By name: the token that ends it.
    ends: HashMap<String, CancellationToken>,
    /// By name: the slot that starts when it has ended.
    next: HashMap<String, CarrierSlot>,
}

impl Workers {
    /// Changes which carriers run; returns when the change is queued.
    ///
    /// # Errors
    /// When the workers have stopped.
    pub async fn change(&self, change: SupervisorChange) -> crate::Result<()> {
        self.changes.sender.send(change).await.map_err(|_| {
            crate::Error::unavailable(
                "stopping",
                "The daemon is stopping: its carriers are not changed any more",
            )
        })
    }

    /// Runs carriers until the workers stop and all have ended.
    pub(crate) async fn supervise(&self, slots: Vec<CarrierSlot>) {
        let receiver = self.changes.receiver.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (_idle, idle) = mpsc::channel(1);
        let mut changes = receiver.unwrap_or(idle);
        let mut running = Running::default();
        slots.into_iter().for_each(|slot| self.begin(&mut running, slot));
        loop {
            tokio::select! {
                biased;
                Some(ended) = running.tasks.join_next_with_id() => match ended {
                    Ok((id, ())) => self.ended(&mut running, id),
                    Err(panic) => {
                        tracing::error!(%panic, "a worker panicked");
                        self.stop.cancel();
                        self.ended(&mut running, panic.id());
                    }
                },
                () = self.stop.cancelled(), if running.tasks.is_empty() => return,
                Some(change) = changes.recv(), if !self.stop.is_cancelled() => self.apply(&mut running, change),
            }
        }
    }

    fn begin(&self, running: &mut Running, slot: CarrierSlot) {
        let (name, end) = (slot.name.clone(), self.stop.child_token());
        let (workers, ending) = (self.clone(), end.clone());
        let task = running.tasks.spawn(async move { workers.carry(slot, ending).await });
        running.names.insert(task.id(), name.clone());
        running.ends.insert(name, end);
    }

    fn ended(&self, running: &mut Running, id: Id) {
        let Some(name) = running.names.remove(&id) else { return };
        running.ends.remove(&name);
        if let Some(slot) = running.next.remove(&name)
            && !self.stop.is_cancelled()
        {
            tracing::info!(carrier = name, "started again");
            self.begin(running, slot);
        }
    }

    fn apply(&self, running: &mut Running, change: SupervisorChange) {
        for name in &change.end {
            // It replaces an earlier change.
            running.next.remove(name);
            if let Some(end) = running.ends.get(name) {
                tracing::info!(carrier = name, "draining for a new configuration");
                end.cancel();
            }
        }
        for slot in change.slots {
            match running.ends.get(&slot.name) {
                Some(end) if end.is_cancelled() => {
                    running.next.insert(slot.name.clone(), slot);
                }
                Some(_) => {}
                None => self.begin(running, slot),
            }
        }
    }
}
