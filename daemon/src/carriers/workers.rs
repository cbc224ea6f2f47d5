//! Starting the workers with the carriers of the settings.
//!
//! A carrier connects only once this daemon holds its lease.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures::future::BoxFuture;
use talkdrum_core::carrier::ConfigSecret;
use talkdrum_core::carrier::SmsCarrier;
use talkdrum_core::carrier::http::voice::{CallHook, ClipAddresses, HttpVoiceCarrier, HttpVoiceDeps};
use talkdrum_core::carrier::http::{Hook, HttpCarrier, HttpDeps, KeySource};
use talkdrum_core::carrier::sip::SipCarrier;
use talkdrum_core::carrier::smpp::{SmppCarrier, SmppDeps};
use talkdrum_core::carrier::voice::VoiceCarrier;
use talkdrum_core::error::{Error, Result};
use talkdrum_core::phone::NetworkTable;
use talkdrum_core::settings::{self, SecretKey, Vault};
use talkdrum_core::store::Store;
use talkdrum_core::store::operations::disk::DiskGuard;
use talkdrum_core::store::operations::generation::{self, DispatchHold};
use talkdrum_core::worker::breakers::BreakerSetup;
use talkdrum_core::worker::runtime::{CarrierSlot, Gate, Start, Workers};

use crate::config::{CarrierPlan, Line, Settings};
use crate::state::Surroundings;

/// How often the hold is looked at. Every intent looks too, in its own transaction; this only keeps claims quiet.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Held until the first look says otherwise. Intents stop while the disk is full or dispatch is held.
#[derive(Debug)]
pub(crate) struct DispatchGate {
    disk: DiskGuard,
    held: AtomicBool,
}

impl Gate for DispatchGate {
    fn check(&self) -> Result<()> {
        if self.held.load(Ordering::Relaxed) {
            return Err(Error::unavailable(
                "dispatch_held",
                "Dispatch is held: 'talkdrumd check' says why, and 'talkdrumd release-hold' lets it go on",
            ));
        }
        self.disk.check()
    }
}

impl DispatchGate {
    /// Watches the disk and the hold until the process ends.
    pub(crate) fn watch(settings: &Settings, store: &Store) -> Arc<Self> {
        let disk = DiskGuard::new(&settings.server.data_dir, settings.limits.dispatch_free_disk_bytes());
        let gate = Arc::new(Self { disk, held: AtomicBool::new(true) });
        let (watched, store) = (Arc::downgrade(&gate), store.clone());
        tokio::spawn(async move {
            let mut known = None;
            while let Some(gate) = watched.upgrade() {
                match look(&store).await {
                    Ok(hold) => {
                        gate.held.store(hold.is_some(), Ordering::Relaxed);
                        tell_change(known.replace(hold.is_some()), hold.as_ref());
                    }
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

async fn look(store: &Store) -> Result<Option<DispatchHold>> {
    generation::held(&mut store.read().await?).await
}

/// Logs that dispatch was held or released while the daemon ran; `before` is what was known, if anything.
fn tell_change(before: Option<bool>, hold: Option<&DispatchHold>) {
    match (before, hold) {
        (Some(false), Some(hold)) => tracing::warn!(reason = hold.reason, "dispatch is held"),
        (Some(true), None) => tracing::info!("dispatch goes on"),
        _ => {}
    }
}

/// Registers this run; the carriers connect in [`Workers::run`].
pub(crate) async fn register(settings: &Settings, store: &Store, around: &Surroundings) -> Result<Workers> {
    let gate = DispatchGate::watch(settings, store);
    let validity = Duration::from_secs(u64::from(settings.dispatch.validity_s.get()));
    let hours = settings.hours().map_err(|error| Error::rule("bad_quiet_hours", error.to_string()))?;
    let workers = Workers::register(store.clone(), Arc::clone(&around.clock), gate, validity).await?;
    let lease = Duration::from_secs(u64::from(settings.dispatch.lease_s.get()));
    Ok(workers.with_hours(hours.map(Arc::new)).with_lease(lease))
}

/// The administrator's SMS API key, for carriers that have none of their own.
#[derive(Debug)]
pub(crate) struct AdminKey {
    pub(crate) store: Store,
    pub(crate) vault: Vault,
}

impl KeySource for AdminKey {
    fn key(&self) -> BoxFuture<'_, Result<Option<ConfigSecret>>> {
        Box::pin(async {
            let mut tx = self.store.read().await?;
            let key = settings::secret(&mut tx, &self.vault, SecretKey::SmsApiKey).await?;
            Ok(key.map(|key| ConfigSecret::new(key.expose())))
        })
    }
}

/// How carriers over HTTP are reached by their providers, and where they get a key.
pub(crate) struct SlotContext<'a> {
    pub(crate) hooks: &'a [Hook],
    pub(crate) call_hooks: &'a [CallHook],
    pub(crate) addresses: Arc<dyn ClipAddresses>,
    pub(crate) keys: Arc<dyn KeySource>,
    pub(crate) public_url: String,
    pub(crate) networks: Arc<NetworkTable>,
}

/// The carriers, ready to be started.
pub(crate) fn slots(
    carriers: Vec<CarrierPlan>,
    context: &SlotContext<'_>,
    around: &Surroundings,
) -> Vec<CarrierSlot> {
    carriers.into_iter().map(|plan| slot(plan, context, around)).collect()
}

fn slot(plan: CarrierPlan, context: &SlotContext<'_>, around: &Surroundings) -> CarrierSlot {
    let (clock, entropy) = (Arc::clone(&around.clock), Arc::clone(&around.entropy));
    let (keys, public_url) = (Arc::clone(&context.keys), context.public_url.clone());
    let call_inbox =
        context.call_hooks.iter().find(|hook| hook.name() == plan.name).map(|hook| hook.inbox().clone());
    let addresses = Arc::clone(&context.addresses);
    let inbox = context.hooks.iter().find(|hook| hook.name() == plan.name).map(|hook| hook.inbox().clone());
    let breakers = BreakerSetup { terms: plan.policy.breaker, networks: Arc::clone(&context.networks) };
    let start = match plan.line {
        Line::Smpp(config) => Start::Messages(Box::new(move || {
            let deps = SmppDeps { clock: Arc::clone(&clock), entropy: Arc::clone(&entropy) };
            let (carrier, events) = SmppCarrier::start((*config).clone(), deps)?;
            let carrier: Arc<dyn SmsCarrier> = carrier;
            Ok((carrier, events))
        })),
        Line::Http(config) => Start::Messages(Box::new(move || {
            let keys = Some(Arc::clone(&keys));
            let deps = HttpDeps { clock: Arc::clone(&clock), entropy: Arc::clone(&entropy), keys };
            let config = config.clone().reached_at(&public_url);
            let (carrier, events) = HttpCarrier::start(config, deps, inbox.clone().unwrap_or_default())?;
            let carrier: Arc<dyn SmsCarrier> = carrier;
            Ok((carrier, events))
        })),
        Line::Sip(config) => Start::Calls(Box::new(move || {
            let trunk: Arc<dyn VoiceCarrier> = SipCarrier::start(&config, &clock)?;
            Ok(trunk)
        })),
        Line::HttpVoice(config) => Start::Calls(Box::new(move || {
            let deps = HttpVoiceDeps {
                clock: Arc::clone(&clock),
                entropy: Arc::clone(&entropy),
                addresses: Arc::clone(&addresses),
                inbox: call_inbox.clone().unwrap_or_default(),
            };
            let config = config.as_ref().clone().reached_at(&public_url);
            let trunk: Arc<dyn VoiceCarrier> = HttpVoiceCarrier::start(config, deps)?;
            Ok(trunk)
        })),
    };
    CarrierSlot { name: plan.name, unknown: plan.policy.unknown(), breakers: Some(breakers), start }
}
