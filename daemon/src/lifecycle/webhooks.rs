//! The loops that watch for events and deliver them, and call the senders of messages, beside the workers.
//!
//! A failure is logged and tried again; no loop ever stops the daemon or waits for another.

use std::time::Duration;

use talkdrum_core::Result;
use talkdrum_core::store::webhook::delivery::FinishedAttempt;
use talkdrum_core::store::webhook::receipt_call::FinishedCall;
use talkdrum_core::webhook::delivery::Deliveries;
use talkdrum_core::webhook::http_client::HttpWebhookClient;
use talkdrum_core::webhook::receipt_callback::calls::ReceiptCalls;
use talkdrum_core::webhook::receipt_callback::watch as receipts;
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
    let deliveries = Deliveries::new(&app.store, &app.vault, &client, app.clock.as_ref());
    let calls = ReceiptCalls::new(&app.store, &client, app.clock.as_ref());
    tokio::join!(watch(&app), watch_receipts(&app), make(&app, deliveries), make(&app, calls));
}

async fn watch(app: &AppState) {
    let mut rest = REST;
    while app.readiness.goes_on_after(rest).await {
        rest = rest_after(watch::tick(&app.store, &app.campaigns.networks, app.clock.now()).await, "watched");
    }
}

async fn watch_receipts(app: &AppState) {
    let mut rest = REST;
    while app.readiness.goes_on_after(rest).await {
        let ticked = receipts::tick(&app.store, &app.campaigns.networks, app.clock.now()).await;
        rest = rest_after(ticked, "watched for receipts");
    }
}

/// Requests to customers that are made when they are due.
trait Requests {
    type Finished;
    async fn start(&mut self) -> Result<bool>;
    async fn over(&mut self) -> Vec<Self::Finished>;
    async fn note(&mut self, over: Vec<Self::Finished>) -> Result<()>;
    fn is_idle(&self) -> bool;
}

macro_rules! requests {
    ($name:ident, $finished:ident) => {
        impl Requests for $name<'_> {
            type Finished = $finished;
            async fn start(&mut self) -> Result<bool> {
                $name::start(self).await
            }
            async fn over(&mut self) -> Vec<$finished> {
                $name::over(self).await
            }
            async fn note(&mut self, over: Vec<$finished>) -> Result<()> {
                $name::note(self, over).await
            }
            fn is_idle(&self) -> bool {
                $name::is_idle(self)
            }
        }
    };
}

requests!(Deliveries, FinishedAttempt);
requests!(ReceiptCalls, FinishedCall);

/// Fills free slots whenever an attempt is over, and once in a [`REST`]. What is under way at the end is waited for.
async fn make(app: &AppState, mut requests: impl Requests) {
    let mut rest = REST;
    loop {
        tokio::select! {
            () = app.readiness.stopping() => break,
            over = requests.over() => note(&mut requests, over).await,
            () = tokio::time::sleep(rest) => {}
        }
        rest = rest_after(requests.start().await, "delivered");
    }
    while !requests.is_idle() {
        let over = requests.over().await;
        note(&mut requests, over).await;
    }
}

async fn note<R: Requests>(requests: &mut R, over: Vec<R::Finished>) {
    if let Err(error) = requests.note(over).await {
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
