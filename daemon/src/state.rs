//! What every handler shares.
//!
//! Nothing in here is true of this daemon only that another daemon on the same database would need.

use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU32;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use metrics_exporter_prometheus::PrometheusHandle;
use talkdrum_core::account::kingschat::KingsChat;
use talkdrum_core::account::{Callers, Identity, Passwords, SessionPolicy};
use talkdrum_core::campaign::CampaignService;
use talkdrum_core::campaign::standstill::{Around, Space};
use talkdrum_core::contact::import::Importer;
use talkdrum_core::entropy::Entropy;
use talkdrum_core::notice::Notices;
use talkdrum_core::operate::retention::RetentionDays;
use talkdrum_core::payment::PaymentService;
use talkdrum_core::phone::AllowedPrefixes;
use talkdrum_core::platform::quota::Quotas;
use talkdrum_core::sender::own_number::OwnNumberCalls;
use talkdrum_core::settings::Vault;
use talkdrum_core::store::operations::disk::DiskGuard;
use talkdrum_core::store::{Dialect, Store};
use talkdrum_core::time::Clock;
use talkdrum_core::voice::recording::RecordingLimits;
use talkdrum_core::voice::script::CallTerms;
use talkdrum_core::voice::single_call::SingleCalls;
use talkdrum_core::voice::speech::Speech;
use talkdrum_core::voice::test_call::TestCalls;
use talkdrum_core::webhook::endpoint::Reach;
use talkdrum_core::worker::runtime::Workers;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::config::live_carriers::Fleets;
use crate::config::{KingsChatSection, Limits, Server, Settings};
use crate::limit::admission::Bodies;
use crate::limit::rate::{AccountLimiter, AddressLimiter, UserLimiter};
use crate::limit::seats::{CLIPS, EXPORTS, PLAYERS, STREAMS, Seats};
use crate::limit::turns::{DECODINGS, PREVIEWS, SCANS, Turns};
use crate::limit::{
    ANONYMOUS_PER_MINUTE, IMPORTS_PER_DAY, KEYS_PER_DAY, PREVIEWS_PER_MINUTE, TRIALS_PER_MINUTE,
};
use crate::maintenance::Gate;
use crate::peer::Peer;
use crate::request_metrics::Served;
use crate::sandbox::Sandbox;
use crate::sandbox::smsc::SmscOptions;

/// The daemon as its handlers see it. Fields are public: a handler takes what it needs.
pub struct App {
    /// The database.
    pub store: Store,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
    /// Who shows which token.
    pub callers: Callers,
    /// Password hashes.
    pub passwords: Passwords,
    /// How long sessions live.
    pub sessions: SessionPolicy,
    /// Sizes, rates and times.
    pub limits: Limits,
    /// How long what is held about people is kept.
    pub retention: RetentionDays,
    /// Proxies whose word on the client's address counts.
    pub trusted_proxies: Vec<IpAddr>,
    /// Sign-ins by address.
    pub login_rate: AddressLimiter,
    /// The space left for data.
    pub disk: DiskGuard,
    /// Where what is too large for memory is put while a request is read, without a name.
    pub spool_dir: PathBuf,
    /// Where campaigns are quoted and confirmed.
    pub campaigns: CampaignService,
    /// Where payments are begun and settled.
    pub payments: PaymentService,
    /// Payments and transfers by user.
    pub payment_rate: UserLimiter,
    /// Confirmations by user: each asks a provider.
    pub confirm_rate: UserLimiter,
    /// Requests with an idempotency key by user.
    pub key_rate: UserLimiter,
    /// Where Paystack's webhooks may come from; anywhere when empty.
    pub webhook_ips: Vec<IpAddr>,
    /// Imports of contacts and opt-outs.
    pub imports: Importer,
    /// What sends; `None` in the role `api`.
    pub workers: Option<Workers>,
    /// Whether new work is taken.
    pub readiness: Readiness,
    /// Renders `/metrics`.
    pub metrics: PrometheusHandle,
    /// What was served.
    pub served: Served,
    /// The stand-ins that surround the daemon; `None` in production.
    pub sandbox: Option<Sandbox>,
    /// Seals and opens secrets.
    pub vault: Vault,
    /// Where e-mails and text messages of the platform itself are queued.
    pub notices: Notices,
    /// Registers people, proves addresses and numbers, changes passwords.
    pub identity: Identity,
    /// Registrations, codes and new passwords by address.
    pub code_rate: AddressLimiter,
    /// Sign-ins and codes by the account they are about.
    pub account_rate: AccountLimiter,
    /// Passwords and codes that a user who is signed in shows: no stranger can use these up.
    pub proof_rate: UserLimiter,
    /// The rate of bodies by address, for requests without a session.
    pub anonymous_rate: AddressLimiter,
    /// Calls of Kannel's `sendsms` from addresses that never gave right credentials, and those with wrong ones.
    pub sendsms_rate: AddressLimiter,
    /// Bodies that are being read.
    pub bodies: Bodies,
    /// KingsChat, for signing in by it.
    pub kingschat: KingsChat,
    /// What the console has to know of `[kingschat]`.
    pub kingschat_section: KingsChatSection,
    /// Asks other services over HTTP: within limits of time, following no redirect.
    pub http: reqwest::Client,
    /// Which addresses customers' webhooks may have.
    pub webhook_reach: Reach,
    /// Where people and providers reach this daemon, without a slash at the end: `server.public_url`, else the
    /// address it listens on.
    pub public_url: String,
    /// The configured carriers; a reload swaps them.
    pub fleet: Fleets,
    /// This run among the daemons on the database.
    pub peer: Peer,
    /// The settings in use; a reload holds the lock.
    pub settings: tokio::sync::Mutex<Settings>,
    /// Who watches campaigns.
    pub seats: Seats,
    /// Who searches by text or breaks a campaign down.
    pub scans: Turns,
    /// Speaks texts.
    pub speech: Speech,
    /// The most characters of a text that is to be spoken.
    pub speech_characters_max: usize,
    /// Users whose texts are being spoken.
    pub previews: Turns,
    /// Texts to be spoken by user.
    pub preview_rate: UserLimiter,
    /// Users whose recordings are being decoded.
    pub decodings: Turns,
    /// How calls are billed.
    pub call_terms: CallTerms,
    /// What a recording may be at most.
    pub recording_limits: RecordingLimits,
    /// Exports.
    pub exports: Seats,
    /// Recordings that are played.
    pub players: Seats,
    /// Clips that providers of calls fetch.
    pub clips: Seats,
    /// Imports that a user begins.
    pub import_rate: UserLimiter,
    /// Trials of webhooks, and deliveries made again, by user.
    pub trial_rate: UserLimiter,
    /// What a user may keep free of charge.
    pub quotas: Quotas,
    /// Calls that try a message on its author.
    pub test_calls: TestCalls,
    /// Calls that verify own numbers.
    pub own_number_calls: OwnNumberCalls,
    /// Which numbers may be called.
    pub prefixes: AllowedPrefixes,
    /// Whether maintenance keeps users and visitors out.
    pub maintenance: Gate,
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("App")
            .field("store", &self.store)
            .field("sandbox", &self.sandbox.is_some())
            .finish_non_exhaustive()
    }
}

/// A cheap handle to [`App`].
#[derive(Clone, Debug)]
pub struct AppState(Arc<App>);

impl App {
    /// What this daemon knows beside the database of why messages may wait.
    pub(crate) fn around(&self) -> Around {
        let disk = DiskGuard::new(&self.spool_dir, self.limits.dispatch_free_disk_bytes());
        // Where nothing is sent from, the space says nothing.
        let is_low = self.workers.is_some() && disk.is_low().unwrap_or(false);
        let space = match self.store.dialect() {
            _ if !is_low => Space::Enough,
            Dialect::Sqlite => Space::Low,
            Dialect::Postgres => Space::LowAt(self.peer.name().to_owned()),
        };
        Around { now: self.clock.now(), hours: self.campaigns.hours.clone(), space }
    }
}

impl Deref for AppState {
    type Target = App;
    fn deref(&self) -> &App {
        &self.0
    }
}

/// The parts of an [`App`] that differ between life and tests.
#[derive(Debug)]
pub struct Surroundings {
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
    /// The SMSC among the stand-ins that surround the daemon; `None` without any.
    pub sandbox: Option<SmscOptions>,
    /// Whether the sandbox may be reached by others, and share a database with life.
    pub allow_mixing: bool,
}

/// What a daemon has when it is about to serve.
#[derive(Debug)]
pub struct Started {
    /// Renders `/metrics`.
    pub metrics: PrometheusHandle,
    /// Where campaigns are quoted and confirmed.
    pub campaigns: CampaignService,
    /// What sends; `None` in the role `api`.
    pub workers: Option<Workers>,
    /// Seals and opens secrets.
    pub vault: Vault,
    /// The stand-ins that surround it.
    pub sandbox: Option<Sandbox>,
    /// Where e-mails and text messages of the platform itself are queued.
    pub notices: Notices,
    /// Speaks texts.
    pub speech: Speech,
    /// Where it listens.
    pub address: SocketAddr,
    /// The configured carriers.
    pub fleet: Fleets,
    /// This run among the daemons on the database.
    pub peer: Peer,
}

/// How long another service may take to take a connection.
const CONNECT_TIME: Duration = Duration::from_secs(10);
/// How long another service may take to answer in all.
const ANSWER_TIME: Duration = Duration::from_secs(30);
/// Confirmations of payments that a user may ask for in a minute, and at once.
const CONFIRMS_PER_MINUTE: NonZeroU32 = NonZeroU32::MIN.saturating_add(59);

impl AppState {
    /// The state of a daemon on `store`.
    ///
    /// # Errors
    /// When the HTTP client cannot be made: no certificates on this machine.
    pub fn new(
        store: Store,
        settings: &Settings,
        around: Surroundings,
        started: Started,
    ) -> anyhow::Result<Self> {
        let Started { metrics, campaigns, workers, vault, sandbox, notices, speech, address, fleet, peer } =
            started;
        let http = reqwest::Client::builder()
            .connect_timeout(CONNECT_TIME)
            .timeout(ANSWER_TIME)
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("Talkdrum/", env!("CARGO_PKG_VERSION")))
            .build()
            .context("the HTTP client cannot be made")?;
        let sessions = settings.session.policy();
        let public_url = settings.server.public_url(address);
        let payment = settings.payment.config(&public_url, around.sandbox.is_some().then_some(address))?;
        let payments = PaymentService::new(
            store.clone(),
            http.clone(),
            vault.clone(),
            Arc::clone(&around.clock),
            Arc::clone(&around.entropy),
            payment,
        );
        let passwords = Passwords::new(Arc::clone(&around.entropy));
        let identity = Identity {
            store: store.clone(),
            clock: Arc::clone(&around.clock),
            entropy: Arc::clone(&around.entropy),
            vault: vault.clone(),
            passwords: passwords.clone(),
            sessions,
            notices: notices.clone(),
            limits: settings.codes.limits(),
        };
        let kingschat_section = if around.sandbox.is_some() {
            let own_url = Server { public_url: None, ..settings.server.clone() }.public_url(address);
            settings.kingschat.in_sandbox(&public_url, &own_url)
        } else {
            settings.kingschat.clone()
        };
        let call_terms = settings.voice.call_terms()?;
        let single_calls = SingleCalls::default();
        let own_number_calls = OwnNumberCalls {
            store: store.clone(),
            clock: Arc::clone(&around.clock),
            entropy: Arc::clone(&around.entropy),
            vault: vault.clone(),
            speech: speech.clone(),
            calls: single_calls.clone(),
            pulse: call_terms.pulse,
            spending: Arc::new(campaigns.limits),
            hours: if around.sandbox.is_some() { None } else { settings.hours()?.map(Arc::new) },
            notices: notices.clone(),
            under_way: TaskTracker::new(),
        };
        Ok(Self(Arc::new(App {
            kingschat: KingsChat::new(http.clone(), kingschat_section.client()?),
            kingschat_section,
            callers: Callers::new(store.clone(), sessions),
            passwords,
            notices,
            identity,
            code_rate: AddressLimiter::new(settings.limits.codes_per_minute, settings.limits.codes_burst),
            account_rate: AccountLimiter::new(settings.limits.login_per_minute, settings.limits.login_burst),
            proof_rate: UserLimiter::new(settings.limits.login_per_minute),
            anonymous_rate: AddressLimiter::new(ANONYMOUS_PER_MINUTE, ANONYMOUS_PER_MINUTE),
            sendsms_rate: AddressLimiter::new(ANONYMOUS_PER_MINUTE, ANONYMOUS_PER_MINUTE),
            bodies: Bodies::default(),
            sessions,
            login_rate: AddressLimiter::new(settings.limits.login_per_minute, settings.limits.login_burst),
            limits: settings.limits.clone(),
            retention: settings.retention.days()?,
            trusted_proxies: settings.server.trusted_proxies.clone(),
            disk: DiskGuard::new(&settings.server.data_dir, settings.limits.free_disk_bytes()),
            spool_dir: settings.server.data_dir.clone(),
            imports: Importer::new(
                store.clone(),
                Arc::clone(&around.clock),
                settings.server.data_dir.clone(),
                DiskGuard::new(&settings.server.data_dir, settings.limits.free_disk_bytes()),
                settings.limits.quotas(),
            ),
            campaigns,
            workers,
            readiness: Readiness::default(),
            metrics,
            fleet,
            peer,
            settings: tokio::sync::Mutex::new(settings.clone()),
            seats: Seats::new(&STREAMS),
            scans: Turns::new(&SCANS),
            speech,
            speech_characters_max: settings.voice.characters_max(),
            previews: Turns::new(&PREVIEWS),
            preview_rate: UserLimiter::new(PREVIEWS_PER_MINUTE),
            decodings: Turns::new(&DECODINGS),
            call_terms,
            recording_limits: settings.voice.recording_limits()?,
            exports: Seats::new(&EXPORTS),
            players: Seats::new(&PLAYERS),
            clips: Seats::new(&CLIPS),
            import_rate: UserLimiter::per_day(IMPORTS_PER_DAY),
            trial_rate: UserLimiter::new(TRIALS_PER_MINUTE),
            quotas: settings.limits.quotas(),
            test_calls: TestCalls::new(
                store.clone(),
                Arc::clone(&around.clock),
                settings.limits.test_calls(),
                single_calls,
            ),
            own_number_calls,
            prefixes: settings.voice.prefixes()?,
            maintenance: Gate::default(),
            served: Served::default(),
            sandbox,
            vault,
            http,
            webhook_reach: if around.sandbox.is_some() || settings.webhooks.allow_private {
                Reach::Anywhere
            } else {
                Reach::Public
            },
            public_url,
            payments,
            payment_rate: UserLimiter::new(settings.payment.per_minute),
            confirm_rate: UserLimiter::new(CONFIRMS_PER_MINUTE),
            key_rate: UserLimiter::per_day(KEYS_PER_DAY),
            webhook_ips: settings.payment.paystack_webhook_ips.clone(),
            store,
            clock: around.clock,
            entropy: around.entropy,
        })))
    }
}

/// Whether the daemon takes new work; it stops doing so when it begins to shut down.
#[derive(Clone, Debug, Default)]
pub struct Readiness(CancellationToken);

impl Readiness {
    /// From now on the daemon is not ready.
    pub fn stop(&self) {
        self.0.cancel();
    }

    /// Whether it is shutting down.
    pub fn is_stopping(&self) -> bool {
        self.0.is_cancelled()
    }

    /// Waits until it is: for streams that would otherwise go on.
    pub async fn stopping(&self) {
        self.0.cancelled().await;
    }

    /// Waits so long; false when the daemon stops before that is over.
    pub async fn goes_on_after(&self, span: Duration) -> bool {
        tokio::time::timeout(span, self.stopping()).await.is_err()
    }
}
