//! This daemon among those on its database: it shows that it lives, and follows what is ordered of all of them.
//!
//! Of a reload a daemon says what became of it once it is over, and it follows the last one, however long
//! it could not reach the database.

use std::time::Duration;

use talkdrum_api::carrier::DaemonReloaded;
use talkdrum_core::Result;
use talkdrum_core::model::platform::installation::{DaemonRole, ReloadOutcome};
use talkdrum_core::store::carrier::reload as carrier_order;
use talkdrum_core::store::operations::peer;
use talkdrum_core::store::{Dialect, Lane};
use tokio::time::Instant;

use super::reload;
use crate::state::AppState;

/// How often orders are looked for.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Looks between two signs of life.
const LOOKS_PER_BEAT: u32 = 3;
/// A daemon that is silent for so long is not waited for.
const SILENCE_MS: i64 = 15_000;
/// How long the daemon that asks waits for the others.
const WAIT: Duration = Duration::from_secs(8);
const WAIT_STEP: Duration = Duration::from_millis(100);

/// Follows until the daemon stops.
pub(crate) async fn run(app: AppState) {
    let mut looks = 0_u32;
    while !stops_within(&app, LOOK_EVERY).await {
        looks = looks.wrapping_add(1);
        if let Err(error) = look(&app).await {
            tracing::warn!(code = error.code(), %error, "orders to all daemons are not known");
        }
        // On SQLite there are no other daemons.
        if app.store.dialect() == Dialect::Postgres
            && looks.is_multiple_of(LOOKS_PER_BEAT)
            && let Err(error) = beat(&app).await
        {
            tracing::warn!(code = error.code(), %error, "the other daemons do not hear from this one");
        }
    }
    let instance = app.peer.instance().to_owned();
    let left = app
        .store
        .write(Lane::Interactive, instance, |tx, instance| Box::pin(peer::leave(tx, instance)))
        .await;
    if let Err(error) = left {
        tracing::warn!(code = error.code(), %error, "the other daemons were not told that this one stops");
    }
}

async fn stops_within(app: &AppState, span: Duration) -> bool {
    tokio::time::timeout(span, app.readiness.stopping()).await.is_ok()
}

async fn beat(app: &AppState) -> Result<()> {
    let input = (app.peer.instance().to_owned(), app.clock.now());
    let known = app
        .store
        .write(Lane::Interactive, input, |tx, (instance, now)| Box::pin(peer::beat(tx, instance, *now)))
        .await?;
    if known { Ok(()) } else { app.peer.show(&app.store, app.clock.now()).await }
}

async fn look(app: &AppState) -> Result<()> {
    let last = carrier_order::last_reload(&mut app.store.read().await?).await?;
    if last <= app.peer.taken() {
        return Ok(());
    }
    let Some(result) = reload::follow(app, last).await else { return Ok(()) };
    let (outcome, message) = match result {
        Ok(message) => (ReloadOutcome::Reloaded, message),
        Err(error) => {
            tracing::error!(code = error.code(), %error, "a reload that was ordered of all daemons failed here");
            (ReloadOutcome::Refused, error.to_string())
        }
    };
    let input = (app.peer.instance().to_owned(), last, outcome, message);
    app.store
        .write(Lane::Interactive, input, |tx, (instance, last, outcome, message)| {
            Box::pin(peer::note(tx, instance, *last, *outcome, message))
        })
        .await
}

/// What a daemon says of a reload.
#[derive(Clone, Debug)]
pub(super) struct PeerAnswer {
    pub(super) name: String,
    pub(super) role: DaemonRole,
    /// `None` where it did not say in time.
    pub(super) outcome: Option<ReloadOutcome>,
    pub(super) message: String,
}

impl From<PeerAnswer> for DaemonReloaded {
    fn from(answer: PeerAnswer) -> Self {
        Self {
            name: answer.name,
            role: answer.role.code().to_owned(),
            outcome: answer.outcome.map_or("silent", ReloadOutcome::code).to_owned(),
            message: answer.message,
        }
    }
}

/// What became of a reload at every daemon, waiting for those that have not said.
pub(super) async fn answers(app: &AppState, reload: i64) -> Result<Vec<PeerAnswer>> {
    let until = Instant::now() + WAIT;
    loop {
        let peers = peer::living(&mut app.store.read().await?, SILENCE_MS).await?;
        let all = peers.iter().all(|peer| peer.reload >= reload);
        if all || Instant::now() >= until || stops_within(app, WAIT_STEP).await {
            let answer = |peer: peer::PeerRow| {
                let (outcome, message) = if peer.reload >= reload {
                    (Some(peer.outcome), peer.message)
                } else {
                    (None, "It did not say in time; it follows when it can".to_owned())
                };
                PeerAnswer { name: peer.name, role: peer.role, outcome, message }
            };
            return Ok(peers.into_iter().map(answer).collect());
        }
    }
}
