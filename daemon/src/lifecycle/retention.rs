//! Erasing what is past the times of `[retention]`, a bounded step a transaction, on daemons that run workers.

use std::time::Duration;

use talkdrum_core::Result;
use talkdrum_core::operate::retention::{self, TermsInForce, WALKED};

use super::housekeeping::goes_on_after;
use crate::state::AppState;

/// How often what is past its time is looked for.
const LOOK_EVERY: Duration = Duration::from_secs(600);
/// The pause between two steps, for other users of the database.
const REST: Duration = Duration::from_millis(20);
/// How often SQLite's file is written anew after something was erased, where it is small enough.
const CLEAN_EVERY: Duration = Duration::from_hours(24);

/// The times that hold by now; `None` where no workers run, as another daemon's configuration counts there.
pub(super) async fn terms(app: &AppState) -> Result<Option<TermsInForce>> {
    if app.workers.is_none() {
        return Ok(None);
    }
    retention::in_force(&app.store, app.retention, app.clock.now()).await.map(Some)
}

/// Erases until the daemon stops.
pub(super) async fn keep_retained(app: &AppState) {
    if app.workers.is_none() {
        return;
    }
    let mut cleaned_at = None;
    let mut is_dirty = false;
    loop {
        match pass(app).await {
            Ok(Some(erased)) => is_dirty |= erased,
            Ok(None) => return,
            Err(error) => tracing::warn!(code = error.code(), %error, "what is past its time was kept"),
        }
        let now = app.clock.now();
        if is_dirty && cleaned_at.is_none_or(|at| now.since(at) >= CLEAN_EVERY) {
            match app.store.clean().await {
                Ok(_) => (is_dirty, cleaned_at) = (false, Some(now)),
                Err(error) => tracing::warn!(code = error.code(), %error, "the database was not cleaned"),
            }
        }
        if !goes_on_after(app, LOOK_EVERY).await {
            return;
        }
    }
}

/// Erases all that is past its time; whether there was any. `None` when the daemon stops.
async fn pass(app: &AppState) -> Result<Option<bool>> {
    let terms = terms(app).await?.unwrap_or_default();
    retention::note_days(&app.store, app.clock.now()).await?;
    let mut erased = false;
    for class in WALKED {
        let Some(days) = terms.of(class) else { continue };
        while retention::tick(&app.store, class, days, app.clock.now()).await? {
            erased = true;
            if !goes_on_after(app, REST).await {
                return Ok(None);
            }
        }
    }
    Ok(Some(erased))
}
