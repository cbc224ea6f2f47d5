//! What has to be tidied from time to time while the daemon serves.
//!
//! The invariant: nothing here is needed for a right answer; a failure is logged and tried again later.

use std::path::PathBuf;
use std::time::Duration;

use talkdrum_core::clock::Time;
use talkdrum_core::store::{Lane, Store, idempotency};
use talkdrum_core::{Result, account};

use super::generation;
use crate::state::AppState;

/// How often it is tidied.
const EVERY: Duration = Duration::from_secs(600);

/// Tidies until the daemon stops.
pub(super) async fn run(app: AppState, data_dir: PathBuf) {
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    // The first tick comes at once, and everything was tidied by starting.
    ticks.tick().await;
    loop {
        tokio::select! {
            () = app.readiness.stopping() => break,
            _ = ticks.tick() => tidy(&app, &data_dir).await,
        }
    }
    raise(&app, &data_dir).await;
}

async fn tidy(app: &AppState, data_dir: &std::path::Path) {
    raise(app, data_dir).await;
    match purge(&app.store, app.clock.now()).await {
        Ok(rows) => tracing::debug!(rows, "old sessions and idempotency keys were dropped"),
        Err(error) => {
            tracing::warn!(code = error.code(), %error, "old sessions and idempotency keys were kept");
        }
    }
    match app.disk.free_bytes() {
        #[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
        Ok(bytes) => metrics::gauge!("talkdrum_disk_free_bytes").set(bytes as f64),
        Err(error) => tracing::warn!(code = error.code(), %error, "the free disk space is not known"),
    }
}

async fn raise(app: &AppState, data_dir: &std::path::Path) {
    if let Err(error) = generation::raise_again(&app.store, data_dir, app.clock.now()).await {
        tracing::warn!(error = format!("{error:#}"), "the generation was not raised");
    }
}

async fn purge(store: &Store, now: Time) -> Result<u64> {
    store
        .write(Lane::Background, now, |tx, now| {
            Box::pin(async move {
                let sessions = account::purge(tx, *now).await?;
                Ok(sessions + idempotency::purge(tx, *now).await?)
            })
        })
        .await
}
