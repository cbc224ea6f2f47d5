//! This run of the daemon, as the others on its database see it.

use std::sync::atomic::{AtomicI64, Ordering};

use talkdrum_core::Result;
use talkdrum_core::entropy::Entropy;
use talkdrum_core::model::carrier::order::CarrierOrderId;
use talkdrum_core::model::platform::installation::DaemonRole;
use talkdrum_core::store::carrier::reload as carrier_order;
use talkdrum_core::store::operations::peer;
use talkdrum_core::store::{Lane, Store};
use talkdrum_core::time::Time;

use crate::args::Role;

/// One that is silent for so long is forgotten.
const FORGET_MS: i64 = 24 * 3_600_000;

/// This run of the daemon, as the others see it.
#[derive(Debug)]
pub struct Peer {
    instance: String,
    name: String,
    role: Role,
    /// The last reload that it took.
    taken: AtomicI64,
}

impl Peer {
    /// A run that has just read its configuration; shown to the others.
    pub(crate) async fn join(
        store: &Store,
        (port, role): (u16, Role),
        entropy: &dyn Entropy,
        now: Time,
    ) -> Result<Self> {
        let host =
            hostname::get().map_or_else(|_| "?".to_owned(), |name| name.to_string_lossy().into_owned());
        let taken = carrier_order::last_reload(&mut store.read().await?).await?;
        let peer = Self {
            instance: format!("{:016x}", entropy.u64()),
            name: format!("{host}:{port}"),
            role,
            taken: AtomicI64::new(taken.0),
        };
        peer.show(store, now).await?;
        Ok(peer)
    }

    /// Shows it to the others.
    pub(crate) async fn show(&self, store: &Store, now: Time) -> Result<()> {
        let role = match self.role {
            Role::Api => DaemonRole::Api,
            Role::Worker => DaemonRole::Worker,
            Role::All => DaemonRole::All,
        };
        let input = (self.instance.clone(), self.name.clone(), role, self.taken(), now);
        store
            .write(Lane::Interactive, input, |tx, (instance, name, role, taken, now)| {
                Box::pin(peer::join(tx, (instance, name, *role), *taken, FORGET_MS, *now))
            })
            .await
    }

    /// Host and port, for people.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Its name among the others.
    pub(crate) fn instance(&self) -> &str {
        &self.instance
    }

    /// The last reload that it took.
    pub(crate) fn taken(&self) -> CarrierOrderId {
        CarrierOrderId(self.taken.load(Ordering::Acquire))
    }

    /// Takes no reload up to this one any more. Called by the holder of the settings' lock.
    pub(crate) fn take(&self, reload: CarrierOrderId) {
        self.taken.fetch_max(reload.0, Ordering::AcqRel);
    }
}
