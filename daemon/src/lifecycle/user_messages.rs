//! The loops that give administrators' messages out, and send them by KingsChat.
//!
//! A failure is logged and tried again; neither loop stops the daemon or waits for the other.

use std::time::Duration;

use talkdrum_core::Result;
use talkdrum_core::account::user::message;

use crate::state::AppState;

/// How often it is looked when nothing was there.
const REST: Duration = Duration::from_secs(1);
/// The rest where there is more: others write too.
const BREATH: Duration = Duration::from_millis(20);
/// How long a failure is waited out.
const AFTER_FAILURE: Duration = Duration::from_secs(10);

/// Gives messages out and sends them until the daemon stops.
pub(super) async fn run(app: AppState) {
    tokio::join!(give_out(&app), send_chats(&app));
}

async fn give_out(app: &AppState) {
    let mut rest = REST;
    while app.readiness.goes_on_after(rest).await {
        let given = message::give_out(&app.store, &app.notices, &app.kingschat, app.clock.now()).await;
        rest = rest_after(given, "given out");
    }
}

async fn send_chats(app: &AppState) {
    let mut rest = REST;
    while app.readiness.goes_on_after(rest).await {
        rest = rest_after(send_some_chats(app).await, "sent by KingsChat");
    }
}

async fn send_some_chats(app: &AppState) -> Result<bool> {
    let unknown = message::give_up_abandoned(&app.store, app.clock.now()).await?;
    if unknown > 0 {
        tracing::warn!(unknown, "KingsChat messages were in hand when a daemon stopped");
    }
    message::send_chats(&app.store, &app.kingschat, app.clock.as_ref()).await
}

/// The rest after a tick that says whether there is more.
fn rest_after(ticked: Result<bool>, what: &'static str) -> Duration {
    match ticked {
        Ok(true) => BREATH,
        Ok(false) => REST,
        Err(error) => {
            tracing::warn!(code = error.code(), %error, "messages to users were not {what}: they will be");
            AFTER_FAILURE
        }
    }
}
