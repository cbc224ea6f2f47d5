//! This daemon among those on its database: it shows that it lives, and follows what is ordered of all of them.
//!
//! Of a reload a daemon says what became of it once it is over, and it follows the last one, however long
//! it could not reach the database.

use std::time::Duration;

use talkdrum_core::Result;
use talkdrum_core::model::platform::installation::ReloadOutcome;
use talkdrum_core::store::carrier::reload as carrier_order;
use talkdrum_core::store::operations::peer;
use talkdrum_core::store::{Dialect, Lane};

use super::reload;
use crate::state::AppState;

/// How often orders are looked for.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Looks between two signs of life.
const LOOKS_PER_BEAT: u32 = 3;

/// Follows until the daemon stops.
pub(crate) async fn run(app: AppState) {
    let mut looks = 0_u32;
    while app.readiness.goes_on_after(LOOK_EVERY).await {
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
