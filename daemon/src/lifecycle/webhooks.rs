//! The loops that watch for events and deliver them, beside the workers.
//!
//! A failure is logged and tried again; neither loop ever stops the daemon or waits for the other.

use std::time::Duration;

use talkdrum_core::Result;
use talkdrum_core::store::webhook::delivery::FinishedAttempt;
use talkdrum_core::webhook::delivery::Deliveries;
use talkdrum_core::webhook::http_client::HttpWebhookClient;
use talkdrum_core::webhook::watch;

use crate::state::AppState;

/// How often it is looked when nothing was there.
const REST: Duration = Duration::from_secs(1);
/// How long a failure is waited out.
const AFTER_FAILURE: Duration = Duration::from_secs(10);

/// Watches and delivers until the daemon stops.
pub(super) async fn run(app: AppState) {
    let client = match HttpWebhookClient::new(app.webhook_reach) {
        Ok(client) => client,
        Err(error) => {
            tracing::error!(code = error.code(), %error, "webhooks are not delivered");
            return;
        }
    };
    tokio::join!(watch(&app), deliver(&app, &client));
}

async fn watch(app: &AppState) {
    let mut rest = REST;
    while goes_on_after(app, rest).await {
        rest = rest_after(watch::tick(&app.store, &app.campaigns.networks, app.clock.now()).await, "watched");
    }
}

/// Fills free slots whenever an attempt is over, and once in a [`REST`]. What is under way at the end is waited for.
async fn deliver(app: &AppState, client: &HttpWebhookClient) {
    let mut deliveries = Deliveries::new(&app.store, &app.vault, client, app.clock.as_ref());
    let mut rest = REST;
    loop {
        tokio::select! {
            () = app.readiness.stopping() => break,
            over = deliveries.over() => note(&mut deliveries, over).await,
            () = tokio::time::sleep(rest) => {}
        }
        rest = rest_after(deliveries.start().await, "delivered");
    }
    while !deliveries.is_idle() {
        let over = deliveries.over().await;
        note(&mut deliveries, over).await;
    }
}

async fn note(deliveries: &mut Deliveries<'_>, over: Vec<FinishedAttempt>) {
    if let Err(error) = deliveries.note(over).await {
        tracing::warn!(code = error.code(), %error, "webhooks were delivered, and it was not noted");
    }
}

/// The rest after a tick that says whether there is more.
fn rest_after(ticked: Result<bool>, what: &'static str) -> Duration {
    match ticked {
        Ok(true) => Duration::ZERO,
        Ok(false) => REST,
        Err(error) => {
            tracing::warn!(code = error.code(), %error, "webhooks were not {what}");
            AFTER_FAILURE
        }
    }
}

async fn goes_on_after(app: &AppState, span: Duration) -> bool {
    tokio::select! {
        () = app.readiness.stopping() => false,
        () = tokio::time::sleep(span) => true,
    }
}
