//! Erasing what is past the times of `[retention]`, a bounded step a transaction, on daemons that run workers.

use std::time::Duration;

use talkdrum_core::model::platform::data_class::DataClass;
use talkdrum_core::operate::retention::{self, AgedPass, Term, WALKED, WALKED_BY_AGE};
use talkdrum_core::time::Time;
use talkdrum_core::{Error, Result};

use super::clock_watch::ClockWatch;
use crate::state::AppState;

/// How often what is past its time is looked for.
const LOOK_EVERY: Duration = Duration::from_secs(600);
/// The pause between two steps, for other users of the database.
const REST: Duration = Duration::from_millis(20);
/// How often SQLite's file is rewritten after something was erased, where it is small enough.
const CLEAN_EVERY: Duration = Duration::from_hours(24);

/// Erases until the daemon stops.
pub(super) async fn keep_retained(app: &AppState, watch: &ClockWatch) {
    if app.workers.is_none() {
        return;
    }
    let mut cleaned_at = None;
    let mut is_dirty = false;
    loop {
        match watched_pass(app, watch).await {
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
        if !app.readiness.goes_on_after(LOOK_EVERY).await {
            return;
        }
    }
}

/// [`pass`], where the clock can be believed.
async fn watched_pass(app: &AppState, watch: &ClockWatch) -> Result<Option<bool>> {
    match watch.believed(app).await {
        Some(now) => pass(app, now).await,
        None => Ok(Some(false)),
    }
}

/// Erases all that is past its time by `now`; whether a configured time erased any. `None` when the daemon stops. What fails is
/// logged, and keeps nothing else.
async fn pass(app: &AppState, now: Time) -> Result<Option<bool>> {
    retention::note_days(&app.store, now).await.unwrap_or_else(|error| {
        tracing::warn!(code = error.code(), %error, "what was erased is not in the audit trail yet");
    });
    let terms = retention::in_force(&app.store, app.retention, now).await?;
    let mut erased = false;
    for class in WALKED {
        let Term::Days(days) = terms.of(class) else { continue };
        loop {
            match retention::tick(&app.store, class, days, now).await {
                Ok(true) => erased = true,
                Ok(false) => break,
                Err(error) => {
                    was_kept(class, &error);
                    break;
                }
            }
            if !app.readiness.goes_on_after(REST).await {
                return Ok(None);
            }
        }
    }
    for rows in WALKED_BY_AGE {
        let Some(mut pass) = AgedPass::begin(rows, &terms) else { continue };
        loop {
            match pass.step(&app.store, now).await {
                Ok(Some(removed)) => erased |= removed > 0 && pass.is_configured(),
                Ok(None) => break,
                Err(error) => {
                    was_kept(rows.class(), &error);
                    break;
                }
            }
            if !app.readiness.goes_on_after(REST).await {
                return Ok(None);
            }
        }
    }
    Ok(Some(erased))
}

fn was_kept(class: DataClass, error: &Error) {
    tracing::warn!(class = class.code(), code = error.code(), %error, "what is past its time was kept");
}

#[cfg(test)]
mod tests {
    use talkdrum_core::args;
    use talkdrum_core::model::message::status::MessageStatus as S;
    use talkdrum_core::store::Store;
    use talkdrum_core::testing::builder::{Spot, build};
    use talkdrum_core::testing::database::run;

    use crate::testing::{START, TestDaemon};

    const DAY_MS: i64 = 86_400_000;

    async fn content(store: &Store) -> String {
        let sql = "SELECT content FROM campaigns ORDER BY id LIMIT 1";
        store.read().await.unwrap().one::<(String,)>(sql, args![]).await.unwrap().0
    }

    /// A daemon's data with a campaign that was over forty days before [`START`], whose clock was last believed at another time.
    async fn prepared(believed_at: i64) -> tempfile::TempDir {
        // With the time, so that its own first look does not forget it.
        let daemon = TestDaemon::start_with(|settings| settings.retention.texts_days = Some(30)).await;
        let store = daemon.store().clone();
        // Its first pass notes the times in the audit trail, by its own clock.
        for _ in 0..200 {
            let terms: (i64,) = store
                .read()
                .await
                .unwrap()
                .one("SELECT COUNT(*) FROM retention_terms", args![])
                .await
                .unwrap();
            if terms.0 > 0 {
                break;
            }
            tokio::time::sleep(super::Duration::from_millis(50)).await;
        }
        build(&store, "ada").text("Sale at 4711").chunk(&[Spot::Answered(S::Delivered)]).store().await;
        let old = START.0 - 40 * DAY_MS;
        run(&store, vec![
            "UPDATE quotes SET confirmed_at = 1".into(),
            format!("UPDATE campaign_chunks SET state = 'done', answered_at = {old}"),
            format!("UPDATE campaigns SET status = 'completed', created_at = {old}, completed_at = {old}, chunks_open = 0"),
            format!("UPDATE trusted_clock SET at = {believed_at}"),
            format!("INSERT INTO retention_terms (class, days, since) VALUES ('texts', 30, {}) \
                     ON CONFLICT (class) DO UPDATE SET since = excluded.since", START.0 - 2 * DAY_MS),
        ])
        .await;
        daemon.stop().await
    }

    #[tokio::test]
    async fn a_daemon_erases_what_is_past_its_time_as_soon_as_it_runs() {
        let dir = prepared(START.0).await;
        let daemon = TestDaemon::start_again(dir, |settings| settings.retention.texts_days = Some(30)).await;
        for _ in 0..200 {
            if !content(daemon.store()).await.contains("4711") {
                let sql = "SELECT class, campaigns FROM retention_days";
                let counted: (String, i64) =
                    daemon.store().read().await.unwrap().one(sql, args![]).await.unwrap();
                assert_eq!(counted, ("texts".to_owned(), 1));
                return;
            }
            tokio::time::sleep(super::Duration::from_millis(50)).await;
        }
        panic!("it was not erased");
    }

    #[tokio::test]
    async fn a_daemon_whose_clock_is_far_ahead_of_what_it_last_said_erases_nothing() {
        let dir = prepared(START.0 - 35 * DAY_MS).await;
        let daemon = TestDaemon::start_again(dir, |settings| settings.retention.texts_days = Some(30)).await;
        // As it starts it disapproves a sender, and notes that.
        let noted = "SELECT COUNT(*) FROM audit WHERE action = 'sender.disapprove'";
        let noted: (i64,) = daemon.store().read().await.unwrap().one(noted, args![]).await.unwrap();
        assert_eq!(noted.0, 1);
        let watch = super::ClockWatch::new();
        for _ in 0..2 {
            let pass = super::watched_pass(daemon.app(), &watch).await;
            assert!(matches!(pass, Ok(Some(false))), "{pass:?}");
            tokio::time::sleep(super::Duration::from_millis(200)).await;
            assert!(content(daemon.store()).await.contains("4711"), "its own pass erased it");
        }
    }
}
