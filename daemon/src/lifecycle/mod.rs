//! From settings to a serving daemon and back to a closed database.
//!
//! Order of starting: what the settings need of the machine, the locks, the schema, the generation, the workers, the listener. Order of stopping: readiness,
//! the listener, the workers, the database, the locks. Nothing writes after a lock is gone.

mod clock_watch;
pub mod database;
pub(crate) mod gauges;
pub mod generation;
mod housekeeping;
mod mixing;
mod notices;
pub(crate) mod preflight;
mod purge;
mod retention;
mod sandbox;
pub mod secret_key;
pub mod signal;
mod speech;
mod user_messages;
mod webhooks;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use talkdrum_api::version;
use talkdrum_core::entropy::SystemEntropy;
use talkdrum_core::sender;
use talkdrum_core::time::SystemClock;
use talkdrum_core::voice::campaign_clip::CampaignClips;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::args::Role;
use crate::carriers::{campaign_service, peers, reload_here, workers};
use crate::config::Settings;
use crate::config::live_carriers::Fleet;
use crate::hook::ClipLinks;
use crate::http::unread::{Connections, Remote};
use crate::peer::Peer;
use crate::sandbox::Sandbox;
use crate::sandbox::smsc::Smsc;
use crate::state::{AppState, Started, Surroundings};
use crate::{api, telemetry};

impl Surroundings {
    /// Those of life: the machine's clock and the operating system's randomness.
    pub fn of_life() -> Self {
        Self {
            clock: Arc::new(SystemClock),
            entropy: Arc::new(SystemEntropy),
            sandbox: None,
            allow_mixing: false,
        }
    }
}

/// How long the workers may take to give everything back.
const WORKERS_GRACE: Duration = Duration::from_secs(60);
/// How long the ends of calls that verify numbers may take to be stored, once the trunks are down.
const ENDS_GRACE: Duration = Duration::from_secs(10);

/// A daemon that serves.
#[derive(Debug)]
pub struct Running {
    address: SocketAddr,
    app: AppState,
    server: JoinHandle<std::io::Result<()>>,
    housekeeping: JoinHandle<()>,
    webhooks: Option<JoinHandle<()>>,
    user_messages: Option<JoinHandle<()>>,
    peers: JoinHandle<()>,
    posting: Option<JoinHandle<()>>,
    grace: Duration,
    settings: Settings,
    smsc: Option<Smsc>,
    working: Option<JoinHandle<talkdrum_core::Result<()>>>,
    locks: database::Locks,
}

impl Running {
    /// Starts a daemon.
    ///
    /// # Errors
    /// When the database is locked, not its own or not reachable, or the address is taken.
    pub async fn start(settings: &Settings, role: Role, around: Surroundings) -> anyhow::Result<Self> {
        let metrics = telemetry::metrics()?;
        let (settings, smsc, callee) = if let Some(options) = around.sandbox.clone() {
            let now = around.clock.now();
            let (settings, smsc, callee) = sandbox::with_stand_ins(settings, options, now).await?;
            (settings, Some(smsc), Some(callee))
        } else {
            (settings.clone(), None, None)
        };
        settings.refuse(preflight::faults(&settings, &around.entropy))?;
        preflight::report_missing_files(&settings);
        preflight::report_routes(&settings);
        let (store, vault, locks) =
            database::for_serving(&settings, &around.entropy, around.clock.now()).await?;
        secret_key::report(&store, &vault, around.clock.now()).await?;
        mixing::check(&store, &settings, &around).await?;
        generation::start(&store, &settings.server.data_dir, around.clock.now()).await?;
        let carriers = settings.carrier_plans()?;
        let campaigns = campaign_service::open(&settings, &carriers, &store, &around)?;
        let sandbox = callee.map(Sandbox::new);
        let notices = notices::open(&settings, &campaigns, &vault, sandbox.as_ref());
        sender::withdraw_reserved(&notices, around.clock.now()).await?;
        let listener = TcpListener::bind(settings.server.listen)
            .await
            .with_context(|| format!("cannot listen on {}", settings.server.listen))?;
        let address = listener.local_addr()?;
        let speech = speech::open(&settings, role, &around).await?;
        let workers = match role {
            Role::Api => None,
            Role::Worker | Role::All => {
                let workers = workers::register(&settings, &store, &around).await?;
                let clips = CampaignClips::new(store.clone(), speech.clone(), campaigns.callable.clone());
                let workers = workers.with_notices(notices.clone()).with_clips(Arc::new(clips));
                Some(workers.with_dnd(campaigns.dnd.clone()))
            }
        };
        let fleet = Fleet::new(&settings.carriers, &carriers, &Fleet::default());
        let context = workers::SlotContext {
            hooks: &fleet.hooks,
            call_hooks: &fleet.call_hooks,
            addresses: Arc::new(ClipLinks(vault.clone())),
            keys: Arc::new(workers::AdminKey { store: store.clone(), vault: vault.clone() }),
            public_url: settings.server.public_url(address),
            networks: Arc::clone(&campaigns.networks),
        };
        let slots = workers::slots(carriers, &context, &around);
        let fleet = fleet.into();
        let peer =
            Peer::join(&store, (address.port(), role), around.entropy.as_ref(), around.clock.now()).await?;
        let started =
            Started { metrics, campaigns, workers, vault, sandbox, notices, speech, address, fleet, peer };
        let app = AppState::new(store, &settings, around, started)?;
        let service = api::router(app.clone(), role)?.into_make_service_with_connect_info::<Remote>();
        let working =
            app.workers.clone().map(|workers| tokio::spawn(async move { workers.run(slots).await }));
        let readiness = app.readiness.clone();
        let stopping = async move { readiness.stopping().await };
        let server = axum::serve(Connections(listener), service).with_graceful_shutdown(stopping);
        tracing::info!(%address, sandbox = app.sandbox.is_some(), version = version::full(), "serving");
        Ok(Self {
            address,
            server: tokio::spawn(server.into_future()),
            posting: match role {
                Role::Api => None,
                Role::Worker | Role::All => {
                    Some(tokio::spawn(notices::run(app.clone(), notices::post(&settings, &app)?)))
                }
            },
            housekeeping: tokio::spawn(housekeeping::run(
                app.clone(),
                settings.server.data_dir.clone(),
                settings.payment.sweep_every(),
            )),
            webhooks: app.workers.is_some().then(|| tokio::spawn(webhooks::run(app.clone()))),
            peers: tokio::spawn(peers::run(app.clone())),
            user_messages: app.workers.is_some().then(|| tokio::spawn(user_messages::run(app.clone()))),
            grace: Duration::from_secs(settings.server.shutdown_s),
            settings,
            app,
            smsc,
            working,
            locks,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The settings it runs with: in the sandbox, with the stand-in as the only carrier.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What its handlers share.
    pub fn app(&self) -> &AppState {
        &self.app
    }

    /// Stops: no new requests, then the running ones are waited for up to `server.shutdown_s`, then the database is
    /// closed.
    ///
    /// # Errors
    /// When the server had failed.
    pub async fn stop(mut self) -> anyhow::Result<()> {
        self.app.readiness.stop();
        tracing::info!("stopping");
        let served = match tokio::time::timeout(self.grace, &mut self.server).await {
            Ok(served) => served.context("the server's task failed")?.context("the server failed"),
            Err(_) => {
                tracing::warn!("requests are still running: they are cut off");
                self.server.abort();
                Ok(())
            }
        };
        self.housekeeping.await.context("the housekeeping failed")?;
        self.peers.await.context("following the other daemons failed")?;
        if let Some(webhooks) = self.webhooks {
            webhooks.await.context("the webhooks' task failed")?;
        }
        if let Some(user_messages) = self.user_messages {
            user_messages.await.context("the task of messages to users failed")?;
        }
        if let Some(posting) = self.posting {
            posting.await.context("the post failed")?;
        }
        if let Some(workers) = &self.app.workers {
            workers.stop();
        }
        if let Some(working) = self.working {
            match tokio::time::timeout(WORKERS_GRACE, working).await {
                Ok(ended) => {
                    ended
                        .context("the workers' task failed")?
                        .context("the workers did not stop in order")?;
                }
                Err(_) => tracing::error!("the workers did not stop: what they held will be unknown"),
            }
        }
        if tokio::time::timeout(ENDS_GRACE, self.app.own_number_calls.ended()).await.is_err() {
            tracing::error!(
                "how a call ended that verifies a number is not stored: the next start settles it"
            );
        }
        drop(self.smsc);
        self.app.store.close().await;
        drop(self.locks);
        tracing::info!("stopped");
        served
    }

    /// Serves until SIGINT or SIGTERM, or until the server fails, then stops.
    ///
    /// # Errors
    /// When the server failed or the signals cannot be heard.
    pub async fn until_signal(mut self) -> anyhow::Result<()> {
        let reloading = tokio::spawn(reload_on_hangup(self.app.clone(), signal::hangups()?));
        tokio::select! {
            signalled = signal::to_stop() => signalled?,
            ended = &mut self.server => {
                ended.context("the server's task failed")?.context("the server failed")?;
                anyhow::bail!("the server ended by itself");
            }
            // A daemon that confirms campaigns and sends none is worse than one that is restarted.
            ended = ended(&mut self.working) => {
                self.working = None;
                self.stop().await?;
                ended.context("the workers' task failed")?.context("the workers failed")?;
                anyhow::bail!("the workers ended by themselves: see the log");
            }
        }
        reloading.abort();
        self.stop().await
    }
}

/// Reads the configuration again whenever SIGHUP comes.
async fn reload_on_hangup(app: AppState, mut hangups: tokio::signal::unix::Signal) {
    while hangups.recv().await.is_some() {
        // A reload tells the log what it changed.
        if let Err(error) = reload_here(&app).await {
            tracing::error!(code = error.code(), %error, "the configuration was not reloaded");
        }
    }
}

/// Waits for the workers' end; for ever where there are none.
async fn ended(
    working: &mut Option<JoinHandle<talkdrum_core::Result<()>>>,
) -> Result<talkdrum_core::Result<()>, tokio::task::JoinError> {
    match working {
        Some(working) => working.await,
        None => std::future::pending().await,
    }
}
