//! Starting the workers with the carriers of the settings.
//!
//! The invariant: a carrier connects only once this daemon holds its lease.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use talkdrum_core::carrier::SmsCarrier;
use talkdrum_core::carrier::smpp::{SmppCarrier, SmppConfig, SmppDeps};
use talkdrum_core::error::{Error, Result};
use talkdrum_core::store::disk::DiskGuard;
use talkdrum_core::store::{Store, generation};
use talkdrum_core::worker::runtime::{CarrierSlot, Gate, Workers};

use crate::config::Settings;
use crate::state::Surroundings;

/// How often the hold is looked at. Every intent looks too, in its own transaction; this only keeps claims quiet.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Held until the first look says otherwise. Intents stop while the disk is full or a restore holds dispatch.
#[derive(Debug)]
pub(super) struct DispatchGate {
    disk: DiskGuard,
    held: AtomicBool,
}

impl Gate for DispatchGate {
    fn check(&self) -> Result<()> {
        if self.held.load(Ordering::Relaxed) {
            return Err(Error::unavailable(
                "dispatch_held",
                "Dispatch is held since the database was restored: look at what was sent since the backup, then run \
                 'talkdrumd release-hold'",
            ));
        }
        self.disk.check()
    }
}

impl DispatchGate {
    /// Watches the disk and the hold until the process ends.
    pub(super) fn watch(settings: &Settings, store: &Store) -> Arc<Self> {
        let disk = DiskGuard::new(&settings.server.data_dir, settings.limits.free_disk_bytes());
        let gate = Arc::new(Self { disk, held: AtomicBool::new(true) });
        let (watched, store) = (Arc::downgrade(&gate), store.clone());
        tokio::spawn(async move {
            while let Some(gate) = watched.upgrade() {
                match look(&store).await {
                    Ok(held) => gate.held.store(held, Ordering::Relaxed),
                    Err(error) => {
                        tracing::warn!(code = error.code(), %error, "the hold on dispatch is not known");
                    }
                }
                drop(gate);
                tokio::time::sleep(LOOK_EVERY).await;
            }
        });
        gate
    }
}

async fn look(store: &Store) -> Result<bool> {
    generation::is_held(&mut store.read().await?).await
}

/// Registers this run; the carriers connect in [`Workers::run`].
pub(super) async fn register(settings: &Settings, store: &Store, around: &Surroundings) -> Result<Workers> {
    let gate = DispatchGate::watch(settings, store);
    let validity = Duration::from_secs(u64::from(settings.dispatch.validity_s.get()));
    Workers::register(store.clone(), Arc::clone(&around.clock), gate, validity).await
}

/// The carriers, ready to be started.
pub(super) fn slots(carriers: Vec<SmppConfig>, around: &Surroundings) -> Vec<CarrierSlot> {
    carriers.into_iter().map(|config| slot(config, around)).collect()
}

fn slot(config: SmppConfig, around: &Surroundings) -> CarrierSlot {
    let deps = SmppDeps { clock: Arc::clone(&around.clock), entropy: Arc::clone(&around.entropy) };
    CarrierSlot {
        name: config.name.clone(),
        start: Box::new(move || {
            let (carrier, events) = SmppCarrier::start(config, deps)?;
            let carrier: Arc<dyn SmsCarrier> = carrier;
            Ok((carrier, events))
        }),
    }
}
