//! The loop that hands the platform's e-mails over; its text messages go by the carriers' dispatchers, and on to other carriers
//! here.
//!
//! An e-mail that cannot leave is said to be waiting, at the start and again while it waits.

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use talkdrum_core::campaign::CampaignService;
use talkdrum_core::notice::{
    Mail, MailFault, MailWorker, Mailer, NoticeFailover, Notices, Outbox, SmtpMailer,
};
use talkdrum_core::settings::Vault;
use talkdrum_core::time::Time;

use crate::config::Settings;
use crate::sandbox::Sandbox;
use crate::state::AppState;

/// How often the queue is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// How often what is late is given up.
const SWEEP_EVERY: Duration = Duration::from_secs(5);
/// How often carriers are looked at whose text messages others may take over.
const FAILOVER_EVERY: Duration = Duration::from_secs(2);
/// How often waiting e-mails are complained about.
const COMPLAIN_EVERY: Duration = Duration::from_secs(600);

/// Takes every e-mail and sends none: the outbox shows them.
#[derive(Debug)]
struct SandboxMailer;

impl Mailer for SandboxMailer {
    fn send<'a>(&'a self, _: Mail<'a>) -> BoxFuture<'a, Result<(), MailFault>> {
        Box::pin(async { Ok(()) })
    }
}

/// The queue of these settings.
pub(super) fn open(
    settings: &Settings,
    campaigns: &CampaignService,
    vault: &Vault,
    sandbox: Option<&Sandbox>,
) -> Notices {
    Notices {
        store: campaigns.store.clone(),
        clock: Arc::clone(&campaigns.clock),
        vault: vault.clone(),
        router: campaigns.router.clone(),
        networks: Arc::clone(&campaigns.networks),
        sender: settings.notices.sender.as_str().into(),
        outbox: sandbox.map(|sandbox| Arc::clone(&sandbox.outbox) as Arc<dyn Outbox>),
    }
}

/// The post of these settings.
///
/// # Errors
/// When `[mail]` cannot be used.
pub(super) fn post(settings: &Settings, app: &AppState) -> anyhow::Result<MailWorker> {
    let mailer: Option<Arc<dyn Mailer>> = if app.sandbox.is_some() {
        Some(Arc::new(SandboxMailer))
    } else {
        match settings.mail.config()? {
            Some(config) => Some(SmtpMailer::new(&config)?),
            None => None,
        }
    };
    if mailer.is_none() {
        tracing::warn!("[mail] is not set: codes and alerts by e-mail cannot be sent until it is");
    }
    Ok(MailWorker::new(app.notices.clone(), mailer))
}

/// Hands e-mails over, and has other carriers take over text messages, until the daemon stops.
pub(super) async fn run(app: AppState, post: MailWorker) {
    // A mail server that does not answer holds no codes up.
    tokio::join!(hand_over(&app, &post), lead_on(&app));
}

async fn lead_on(app: &AppState) {
    let mut failover = NoticeFailover::new(&app.notices);
    loop {
        tokio::select! {
            () = app.readiness.stopping() => return,
            () = tokio::time::sleep(FAILOVER_EVERY) => {}
        }
        if let Err(error) = failover.tick(app.clock.now()).await {
            tracing::error!(code = error.code(), %error, "text messages wait for a carrier that may be down");
        }
    }
}

async fn hand_over(app: &AppState, post: &MailWorker) {
    let (mut swept_at, mut complained_at) = (Time(0), Time(0));
    loop {
        let now = app.clock.now();
        let ticked = post.tick(now).await;
        if let Err(error) = &ticked {
            tracing::error!(code = error.code(), %error, "e-mails were not sent");
        }
        if now.since(swept_at) >= SWEEP_EVERY {
            swept_at = now;
            if let Err(error) = app.notices.sweep(now).await {
                tracing::error!(code = error.code(), %error, "late notices were kept");
            }
        }
        if !post.is_open() && now.since(complained_at) >= COMPLAIN_EVERY {
            complained_at = now;
            complain(app).await;
        }
        if matches!(ticked, Ok(true)) {
            continue;
        }
        tokio::select! {
            () = app.readiness.stopping() => return,
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
    }
}

/// Says that e-mails wait for a way out.
async fn complain(app: &AppState) {
    match app.notices.waiting_emails().await {
        Ok(0) => {}
        Ok(waiting) => tracing::error!(waiting, "e-mails wait, and cannot be sent: [mail] is not set"),
        Err(error) => tracing::warn!(code = error.code(), %error, "whether e-mails wait is not known"),
    }
}
