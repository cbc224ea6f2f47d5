//! Periodic work while the daemon serves: cleaning up, merging indexes and statistics behind the send, packing what rests, and the
//! [gauges](super::gauges).
//!
//! Nothing here is needed for a right answer; a failure is logged and tried again later, and each
//! piece of work is bounded, so that requests do not wait long for the database.

use std::path::{Path, PathBuf};
use std::time::Duration;

use talkdrum_core::model::account::id::UserId;
use talkdrum_core::operate::subject;
use talkdrum_core::operate::user::deletion::{self, DeletionStep};
use talkdrum_core::platform::figures;
use talkdrum_core::store::campaign;
use talkdrum_core::store::{Dialect, Lane};
use talkdrum_core::worker::jobs::{compaction, number_index, packing, traffic};
use talkdrum_core::{Result, contact, inbound};

use super::clock_watch::ClockWatch;
use super::purge::{self, ORPHANS, PURGES};
use super::{gauges, generation, retention};
use crate::state::AppState;

/// How often it is tidied.
const TIDY_EVERY: Duration = Duration::from_secs(600);
/// When it is tidied first: early, so that a daemon that is restarted often is tidied too.
const TIDY_FIRST: Duration = Duration::from_secs(60);
/// How often audiences that a crash left behind are looked for.
const ORPHANS_EVERY: Duration = Duration::from_secs(24 * 3600);
/// How often the number index is looked after when nothing waits.
const INDEX_EVERY: Duration = Duration::from_secs(2);
/// The pause between two steps of the number index, for other users of the database.
const INDEX_REST: Duration = Duration::from_millis(20);
/// Steps of its compaction at once, where nothing is sent.
const COMPACTION_STEPS: usize = 16;
/// How often messages are looked for that can be packed.
const PACK_EVERY: Duration = Duration::from_secs(10);
/// The pause between two chunks that are packed while something is sent: a small part of the database's time, and yet 1.4 billion
/// messages a day.
const PACK_REST: Duration = Duration::from_millis(250);
/// Chunks that are packed at once, where nothing is sent.
const PACKED_AT_ONCE: i64 = 16;
/// How often the figures are counted on when nothing waits.
const COUNT_EVERY: Duration = Duration::from_secs(5);
/// The pause between two steps of the figures, for other users of the database.
const COUNT_REST: Duration = Duration::from_millis(50);
/// How often imports that died are looked for.
const IMPORTS_EVERY: Duration = Duration::from_secs(60);
/// How often traffic is counted for the margins when nothing waits.
const TRAFFIC_EVERY: Duration = Duration::from_secs(10);
/// How often SQLite's log is looked after.
const LOG_EVERY: Duration = Duration::from_secs(1);

/// Does the periodic work until the daemon stops.
pub(super) async fn run(app: AppState, data_dir: PathBuf, sweep_every: Duration) {
    let watch = ClockWatch::new();
    tokio::join!(
        keep_tidy(&app, &watch, &data_dir),
        keep_indexed(&app),
        gauges::keep_gauged(&app),
        keep_packed(&app),
        keep_counted(&app),
        keep_traffic(&app),
        keep_contacts(&app),
        keep_inbound(&app),
        keep_settled(&app, sweep_every),
        keep_log_short(&app),
        keep_compared(&app, &data_dir),
        retention::keep_retained(&app, &watch)
    );
    raise(&app, &data_dir).await;
}

/// Looks for a database that went back in time. An SQLite file cannot, under the lock of its daemon: it is looked at when
/// it is tidied.
async fn keep_compared(app: &AppState, data_dir: &Path) {
    while app.store.dialect() == Dialect::Postgres
        && app.readiness.goes_on_after(generation::RAISE_EVERY).await
    {
        raise(app, data_dir).await;
    }
}

async fn keep_tidy(app: &AppState, watch: &ClockWatch, data_dir: &Path) {
    remove_orphans(app, watch).await;
    let (mut pause, mut since_orphans) = (TIDY_FIRST, Duration::ZERO);
    while app.readiness.goes_on_after(pause).await {
        if app.store.dialect() == Dialect::Sqlite {
            raise(app, data_dir).await;
        }
        forget_old(app, watch).await;
        go_on_with_removals(app).await;
        since_orphans += pause;
        pause = TIDY_EVERY;
        if since_orphans >= ORPHANS_EVERY {
            since_orphans = Duration::ZERO;
            remove_orphans(app, watch).await;
        }
    }
}

/// Removes what is forgotten with time.
async fn forget_old(app: &AppState, watch: &ClockWatch) {
    let Some(now) = watch.believed(app).await else { return };
    purge::everything(&app.store, now, PURGES, || app.readiness.goes_on_after(INDEX_REST)).await;
    if let Err(error) = app.imports.forget_old(now).await {
        tracing::warn!(code = error.code(), %error, "old imports were kept");
    }
    app.speech.tidy(now).await;
}

/// Removes audiences that a crash left without a quote.
async fn remove_orphans(app: &AppState, watch: &ClockWatch) {
    let Some(now) = watch.believed(app).await else { return };
    purge::everything(&app.store, now, ORPHANS, || app.readiness.goes_on_after(INDEX_REST)).await;
}

/// Goes on with deleted users whose campaigns are not cancelled or not settled yet, a step a transaction.
async fn go_on_with_removals(app: &AppState) {
    let mut last = UserId::BEFORE_ALL;
    loop {
        match remove_after(app, last).await {
            Ok(Some(user)) => last = user,
            Ok(None) => return,
            Err(error) => {
                tracing::warn!(code = error.code(), %error, "deleted users were not anonymised");
                return;
            }
        }
    }
}

/// Looks at the deleted users after `last`; returns the last of them.
async fn remove_after(app: &AppState, last: UserId) -> Result<Option<UserId>> {
    let users = deletion::leaving(&mut app.store.read().await?, last).await?;
    for &user in &users {
        loop {
            let input = (user, app.clock.now());
            let step = app
                .store
                .write(Lane::Background, input, |tx, (user, now)| Box::pin(deletion::go_on(tx, *user, *now)))
                .await?;
            match step {
                DeletionStep::Cancelled(campaign) => {
                    tracing::info!(
                        user_id = user.0,
                        campaign = campaign.0,
                        "a deleted user's campaign is cancelled"
                    );
                }
                DeletionStep::Anonymised => {
                    tracing::info!(user_id = user.0, "user.anonymise");
                    break;
                }
                DeletionStep::Removed => {}
                DeletionStep::Waits => break,
            }
            if !app.readiness.goes_on_after(INDEX_REST).await {
                return Ok(None);
            }
        }
    }
    Ok(users.last().copied())
}

/// The rest after a step: what it asks for, and `otherwise` after one that failed, of which the log says what was not done.
fn rest_after(step: Result<Duration>, otherwise: Duration, not_done: &'static str) -> Duration {
    step.unwrap_or_else(|error| {
        tracing::warn!(code = error.code(), %error, "{not_done}");
        otherwise
    })
}

/// Merges the numbers of confirmed audiences into the number index, and compacts it. Until then a search looks at their chunks, so
/// while something is being sent the index takes small steps only and leaves the database to the send.
async fn keep_indexed(app: &AppState) {
    let mut rest = INDEX_EVERY;
    while app.readiness.goes_on_after(rest).await {
        rest = rest_after(index_step(app).await, INDEX_EVERY, "the number index was not merged or compacted");
    }
}

/// One step of the number index; returns the rest after it.
async fn index_step(app: &AppState) -> Result<Duration> {
    let merges = number_index::tick(&app.store, app.clock.now()).await?;
    let sending = campaign::any_sending(&mut app.store.read().await?).await?;
    let steps = if sending { 1 } else { COMPACTION_STEPS };
    let more = merges || compaction::tick(&app.store, steps).await?;
    Ok(if more && !sending { INDEX_REST } else { INDEX_EVERY })
}

/// Packs delivered messages of chunks that rest.
async fn keep_packed(app: &AppState) {
    let mut rest = PACK_EVERY;
    while app.readiness.goes_on_after(rest).await {
        rest = rest_after(packing_step(app).await, PACK_EVERY, "messages were not packed");
    }
}

/// Packs some chunks; returns the rest after it.
async fn packing_step(app: &AppState) -> Result<Duration> {
    let sending = campaign::any_sending(&mut app.store.read().await?).await?;
    let most = if sending { 1 } else { PACKED_AT_ONCE };
    let more = packing::tick(&app.store, app.clock.now(), most).await?;
    Ok(match (more, sending) {
        (false, _) => PACK_EVERY,
        (true, true) => PACK_REST,
        (true, false) => INDEX_REST,
    })
}

/// Counts traffic and money for the figures, a bounded step at a time.
async fn keep_counted(app: &AppState) {
    let mut rest = COUNT_EVERY;
    while app.readiness.goes_on_after(rest).await {
        let more = figures::tick(&app.store, app.clock.now()).await;
        let step = more.map(|more| if more { COUNT_REST } else { COUNT_EVERY });
        rest = rest_after(step, COUNT_EVERY, "the figures were not counted on");
    }
}

/// Counts what carriers were given, behind the send.
async fn keep_traffic(app: &AppState) {
    let mut rest = TRAFFIC_EVERY;
    while app.readiness.goes_on_after(rest).await {
        let fleet = app.fleet.now();
        let more = traffic::tick(&app.store, &app.campaigns.networks, &fleet.costs, app.clock.now()).await;
        let step = more.map(|more| if more { INDEX_REST } else { TRAFFIC_EVERY });
        rest = rest_after(step, TRAFFIC_EVERY, "the traffic was not counted");
    }
}

/// Checks payments whose customers did not come back, on daemons that run workers.
async fn keep_settled(app: &AppState, sweep_every: Duration) {
    if app.workers.is_none() {
        return;
    }
    while app.readiness.goes_on_after(sweep_every).await {
        // A provider that does not answer must not keep the daemon from stopping: what was not asked stays due.
        let swept = tokio::select! {
            () = app.readiness.stopping() => return,
            swept = app.payments.sweep() => swept,
        };
        if let Err(error) = swept {
            tracing::warn!(code = error.code(), %error, "payments were not looked after");
        }
    }
}

/// Removes what deleted groups leave behind, slice by slice, goes on with imports that a stop cut off, and marks those that
/// died with another daemon.
async fn keep_contacts(app: &AppState) {
    // On SQLite no other daemon can be importing.
    let mut alone = app.store.dialect() == Dialect::Sqlite;
    let mut is_first = true;
    let mut since_imports = IMPORTS_EVERY;
    let mut rest = INDEX_REST;
    while app.readiness.goes_on_after(rest).await {
        if since_imports >= IMPORTS_EVERY {
            since_imports = Duration::ZERO;
            match app.imports.mark_silent(alone).await {
                Ok(0) => {}
                Ok(imports) => tracing::info!(imports, "imports that a daemon left unfinished were marked"),
                Err(error) => tracing::warn!(code = error.code(), %error, "imports were not looked after"),
            }
            if is_first {
                is_first = false;
                match app.imports.resume().await {
                    Ok(imports) if imports.is_empty() => {}
                    Ok(imports) => tracing::info!(imports = imports.len(), "imports go on"),
                    Err(error) => tracing::error!(code = error.code(), %error, "imports do not go on"),
                }
            }
            alone = false;
        }
        let purged = app.store.write(Lane::Background, (), |tx, ()| Box::pin(contact::purge(tx))).await;
        rest = match purged {
            Ok(true) => INDEX_REST,
            Ok(false) => INDEX_EVERY,
            Err(error) => {
                tracing::warn!(code = error.code(), %error, "contacts of deleted groups were kept");
                INDEX_EVERY
            }
        };
        since_imports += rest;
    }
}

/// Looks at what handsets sent.
async fn keep_inbound(app: &AppState) {
    let mut rest = INDEX_REST;
    while app.readiness.goes_on_after(rest).await {
        let more = inbound::tick(&app.store, app.clock.now()).await;
        let step = more.map(|more| if more { INDEX_REST } else { INDEX_EVERY });
        rest = rest_after(step, INDEX_EVERY, "messages from handsets were not looked at");
    }
}

/// Moves SQLite's log into the file, so that it stays short. PostgreSQL does so by itself.
async fn keep_log_short(app: &AppState) {
    while app.store.dialect() == Dialect::Sqlite && app.readiness.goes_on_after(LOG_EVERY).await {
        if let Err(error) = app.store.tend_log().await {
            tracing::warn!(code = error.code(), %error, "the database's log was not moved into its file");
        }
    }
}

/// When the database went back in time, dispatch is held, and the workers settle what they know (`worker/went_back.rs`). It is held,
/// too, where another daemon erased numbers under another key.
async fn raise(app: &AppState, data_dir: &Path) {
    if let Err(error) = generation::raise_again(&app.store, data_dir, app.clock.now()).await {
        tracing::warn!(error = format!("{error:#}"), "the generation was not raised");
    }
    if let Err(error) = subject::check_key(&app.store, app.clock.now()).await {
        tracing::warn!(code = error.code(), %error, "the key of erased numbers was not compared");
    }
}
