//! Erasing what is past the times of `[retention]`, a bounded step a transaction, on daemons that run workers.

use std::time::Duration;

use talkdrum_core::model::data_class::DataClass;
use talkdrum_core::operate::retention::{self, AgedPass, Term, WALKED, WALKED_BY_AGE};
use talkdrum_core::{Error, Result};

use super::housekeeping::goes_on_after;
use crate::state::AppState;

/// How often what is past its time is looked for.
const LOOK_EVERY: Duration = Duration::from_secs(600);
/// The pause between two steps, for other users of the database.
const REST: Duration = Duration::from_millis(20);
/// How often SQLite's file is written anew after something was erased, where it is small enough.
const CLEAN_EVERY: Duration = Duration::from_hours(24);

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

/// Erases all that is past its time; whether a configured time erased any. `None` when the daemon stops. What fails is logged, and
/// keeps nothing else.
async fn pass(app: &AppState) -> Result<Option<bool>> {
    retention::note_days(&app.store, app.clock.now()).await.unwrap_or_else(|error| {
        tracing::warn!(code = error.code(), %error, "what was erased is not in the audit trail yet");
    });
    let terms = retention::in_force(&app.store, app.retention, app.clock.now()).await?;
    let mut erased = false;
    for class in WALKED {
        let Term::Days(days) = terms.of(class) else { continue };
        loop {
            match retention::tick(&app.store, class, days, app.clock.now()).await {
                Ok(true) => erased = true,
                Ok(false) => break,
                Err(error) => {
                    was_kept(class, &error);
                    break;
                }
            }
            if !goes_on_after(app, REST).await {
                return Ok(None);
            }
        }
    }
    for rows in WALKED_BY_AGE {
        let Some(mut pass) = AgedPass::begin(rows, &terms) else { continue };
        loop {
            match pass.step(&app.store, app.clock.now()).await {
                Ok(Some(removed)) => erased |= removed > 0 && pass.is_configured(),
                Ok(None) => break,
                Err(error) => {
                    was_kept(rows.class(), &error);
                    break;
                }
            }
            if !goes_on_after(app, REST).await {
                return Ok(None);
            }
        }
    }
    Ok(Some(erased))
}

fn was_kept(class: DataClass, error: &Error) {
    tracing::warn!(class = class.code(), code = error.code(), %error, "what is past its time was kept");
}
