//! Leases of carriers: all connections of a carrier belong to one run.
//!
//! A database that went back in time may have forgotten who took a lease, and give it to another run. Each heartbeat
//! therefore claims the leases of this run again. A carrier that another run has by then is drained here, and its lease
//! is waited for.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use crate::error::Result;
use crate::model::platform::id::RunId;
use crate::store::carrier::state;
use crate::store::operations::daemon;
use crate::store::{Lane, Store};
use crate::worker::runtime::Workers;

/// The leases of this run, by carrier, each with the token that ends the carrier here. They are locked while the database
/// learns of a change, so that a lease that is given back is not claimed again by a heartbeat under way.
#[derive(Clone, Debug, Default)]
pub(super) struct Leases(Arc<Mutex<HashMap<String, CancellationToken>>>);

impl Workers {
    /// Waits for a carrier's lease, and first until the database hears from this run. The token that is returned is cancelled with `end`, and when the lease is lost;
    /// `None` once `end` is cancelled.
    pub(in crate::worker) async fn lease_carrier(
        &self,
        carrier: &str,
        end: &CancellationToken,
    ) -> Option<CancellationToken> {
        while !end.is_cancelled() {
            if self.is_fenced() {
                let _ended = tokio::time::timeout(self.heartbeat(), end.cancelled()).await;
                continue;
            }
            let mut leases = self.leases.0.lock().await;
            match self.take_lease(carrier).await {
                Ok(true) => {
                    let held = end.child_token();
                    leases.insert(carrier.to_owned(), held.clone());
                    return Some(held);
                }
                Ok(false) => {}
                Err(error) => {
                    tracing::error!(carrier, code = error.code(), %error, "leasing the carrier failed");
                }
            }
            drop(leases);
            let _ended = tokio::time::timeout(self.heartbeat(), end.cancelled()).await;
        }
        None
    }

    async fn take_lease(&self, carrier: &str) -> Result<bool> {
        self.store
            .write(Lane::Interactive, (carrier.to_owned(), self.owner, self.lease), |tx, input| {
                let (carrier, owner, silence) = input;
                Box::pin(daemon::lease_carrier(tx, carrier, *owner, *silence))
            })
            .await
    }

    /// Gives the lease of a closed carrier back.
    pub(in crate::worker) async fn release_carrier(&self, carrier: &str) {
        let mut leases = self.leases.0.lock().await;
        leases.remove(carrier);
        if let Err(error) = give_back(&self.store, carrier.to_owned(), self.owner).await {
            tracing::error!(carrier, code = error.code(), %error, "the carrier's lease is given back later");
        }
    }

    /// Claims this run's leases again, gives back those of carriers that it does not have, and ends the carriers that another
    /// run has. Leases that are being changed are left
    /// to the next heartbeat.
    ///
    /// # Errors
    /// Errors of the database: every carrier goes on.
    pub(in crate::worker) async fn renew_leases(&self) -> Result<()> {
        let Ok(leases) = self.leases.0.try_lock() else { return Ok(()) };
        let carriers: Vec<String> = leases.keys().cloned().collect();
        for lost in renew(&self.store, carriers, self.owner, self.lease).await? {
            tracing::error!(carrier = lost, "another run has the carrier's lease: it is drained here");
            if let Some(held) = leases.get(&lost) {
                held.cancel();
            }
        }
        Ok(())
    }
}

async fn give_back(store: &Store, carrier: String, owner: RunId) -> Result<()> {
    store
        .write(Lane::Interactive, (carrier, owner), |tx, (carrier, owner)| {
            Box::pin(async move {
                state::forget_vitals(tx, carrier, *owner).await?;
                daemon::release_carrier(tx, carrier, *owner).await
            })
        })
        .await
}

/// Claims the leases of a run's carriers again, and returns those that another living run has. Leases of other carriers,
/// which were not given back for an error or are of a database that went back in time, are given back.
///
/// # Errors
/// Errors of the database.
pub(in crate::worker) async fn renew(
    store: &Store,
    carriers: Vec<String>,
    owner: RunId,
    silence: Duration,
) -> Result<Vec<String>> {
    let held = daemon::leases(&mut store.read().await?, owner).await?;
    for left in held.iter().filter(|held| !carriers.contains(held)) {
        give_back(store, left.clone(), owner).await?;
    }
    let mut lost = Vec::new();
    for carrier in carriers.into_iter().filter(|carrier| !held.contains(carrier)) {
        let is_leased = store
            .write(Lane::Heartbeat, (carrier.clone(), owner, silence), |tx, (carrier, owner, silence)| {
                Box::pin(daemon::lease_carrier(tx, carrier, *owner, *silence))
            })
            .await?;
        if !is_leased {
            lost.push(carrier);
        }
    }
    Ok(lost)
}
