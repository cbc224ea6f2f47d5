//! SQLite's write-ahead log: moved into the file before it grows large, by a connection of its own.
//!
//! By itself SQLite checkpoints the log at a commit, which then waits for the disk, and starts it over only when no
//! reader is in it at that moment: under load there always is one, and the log grows without end. Here most of it is
//! moved beside the writes, and the rest while they wait. Then the file is written over from its beginning, which costs
//! the disk less than a new one; once there are no writes it is truncated. Invariant: writes and reads wait for this no
//! longer than [`PATIENCE`] and the moving of what was written in the meantime.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection};
use tokio::sync::Mutex;

use crate::error::{Error, Result};

/// The log is moved beside the writes once it holds so many pages that are not in the database. Its file's length says
/// nothing of that: it is written over from its beginning, and stays as long as it was.
const GROWN: i64 = 8 << 10;
/// It is started over when it holds this many pages.
const LONG: i64 = 12 << 10;
/// How long starting it over waits for readers to leave it; writes wait meanwhile.
const PATIENCE: Duration = Duration::from_millis(20);
/// What is left of the log's file when it is started over, in bytes.
pub(crate) const LOG_KEPT_BYTES: u64 = 64 << 20;
/// Pages of the log at which a commit moves it after all: for processes without this task, such as one-off commands.
pub(crate) const LAST_RESORT_PAGES: &str = "50000";

/// A database's log.
#[derive(Debug)]
pub(crate) struct Log {
    path: PathBuf,
    options: SqliteConnectOptions,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    connection: Option<SqliteConnection>,
    is_closed: bool,
    /// How the log's file was when it was last looked at.
    seen: Option<(u64, SystemTime)>,
    /// Whether that was moved into the database whole.
    is_moved: bool,
}

/// The result of a checkpoint.
#[derive(Clone, Copy, Debug, Default)]
struct Checkpoint {
    /// Whether no other connection was in its way (SQLite's `busy` is 0).
    is_whole: bool,
    /// Pages in the log.
    pages: i64,
    /// Of them in the database.
    moved: i64,
}

impl Log {
    /// The log of the database at `path`, which is opened by `options`.
    pub(crate) fn new(path: &Path, options: SqliteConnectOptions) -> Self {
        let mut name = path.as_os_str().to_owned();
        name.push("-wal");
        let options = options.create_if_missing(false).busy_timeout(PATIENCE);
        Self { path: name.into(), options, state: Mutex::default() }
    }

    /// Looks at the log, and moves it when it has grown or nothing was written since the last look.
    pub(crate) async fn tend(&self) -> Result<()> {
        let mut state = self.state.lock().await;
        let now = self.look();
        if state.is_closed || now.is_none_or(|(length, _)| length == 0) {
            return Ok(());
        }
        let is_idle = state.seen == now;
        if is_idle && state.is_moved {
            return Ok(());
        }
        state.is_moved = false;
        let log = self.run(&mut state, "PRAGMA wal_checkpoint(NOOP)").await?;
        if is_idle || log.pages - log.moved >= GROWN {
            // Beside the writes first, so that little is left for which they have to wait.
            let beside = self.run(&mut state, "PRAGMA wal_checkpoint(PASSIVE)").await?;
            if is_idle {
                state.is_moved = self.run(&mut state, "PRAGMA wal_checkpoint(TRUNCATE)").await?.is_whole;
            } else if beside.pages >= LONG {
                self.run(&mut state, "PRAGMA wal_checkpoint(RESTART)").await?;
            }
        }
        state.seen = self.look();
        Ok(())
    }

    /// Moves all of it into the database and truncates it; false when another connection was in its way.
    pub(crate) async fn empty(&self) -> Result<bool> {
        let mut state = self.state.lock().await;
        if state.is_closed || self.look().is_none_or(|(length, _)| length == 0) {
            return Ok(true);
        }
        self.run(&mut state, "PRAGMA wal_checkpoint(PASSIVE)").await?;
        let is_whole = self.run(&mut state, "PRAGMA wal_checkpoint(TRUNCATE)").await?.is_whole;
        state.seen = self.look();
        state.is_moved = is_whole;
        Ok(is_whole)
    }

    fn look(&self) -> Option<(u64, SystemTime)> {
        let found = std::fs::metadata(&self.path).ok()?;
        Some((found.len(), found.modified().ok()?))
    }

    async fn run(&self, state: &mut State, checkpoint: &'static str) -> Result<Checkpoint> {
        let mut connection = match state.connection.take() {
            Some(connection) => connection,
            None => self.options.connect().await?,
        };
        let answer: std::result::Result<(i64, i64, i64), _> =
            sqlx::query_as(checkpoint).fetch_one(&mut connection).await;
        state.connection = Some(connection);
        match answer {
            Ok((busy, pages, moved)) => Ok(Checkpoint { is_whole: busy == 0, pages, moved }),
            Err(sqlx::Error::Database(error)) if error.message().contains("locked") => {
                Ok(Checkpoint::default())
            }
            Err(error) => Err(Error::Database(error)),
        }
    }

    /// Closes the connection; the log is left to those that are still open.
    pub(crate) async fn close(&self) {
        let mut state = self.state.lock().await;
        state.is_closed = true;
        if let Some(connection) = state.connection.take()
            && let Err(error) = connection.close().await
        {
            tracing::debug!(%error, "the connection to the log did not close in order");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args;
    use crate::store::{Lane, Store};
    use crate::testing::database;
    use crate::time::Time;

    /// Writes some megabytes; what is the same as before would not be written.
    async fn write(store: &Store, round: usize, times: usize) {
        for time in 0..times {
            store
                .write(Lane::Interactive, round * times + time, |tx, number| {
                    Box::pin(async move {
                        tx.run(
                            "INSERT INTO settings (key, value, updated_at) VALUES ('large', $1, $2) \
                             ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                            args![format!("{number:08}").repeat(1 << 17), Time(1)],
                        )
                        .await?;
                        Ok(())
                    })
                })
                .await
                .unwrap();
        }
    }

    #[tokio::test]
    async fn a_log_that_grew_is_begun_anew_while_others_read() {
        let dir = tempfile::tempdir().unwrap();
        let store = database::sqlite(dir.path()).await;
        let log = || std::fs::metadata(format!("{}-wal", store.file().unwrap().display())).unwrap().len();
        let reader = tokio::spawn({
            let store = store.clone();
            async move {
                loop {
                    let rows: Vec<(String,)> =
                        store.read().await.unwrap().all("SELECT key FROM settings", args![]).await.unwrap();
                    assert!(rows.len() < 10);
                }
            }
        });
        // A reader that stays in the log: until it ends the log cannot start over.
        let file = SqliteConnectOptions::new().filename(store.file().unwrap());
        let mut stays = file.connect().await.unwrap();
        sqlx::raw_sql("BEGIN; SELECT COUNT(*) FROM settings").execute(&mut stays).await.unwrap();
        let mut stays = Some(stays);
        let (long, mut longest) = (4_096 * LONG.unsigned_abs(), 0);
        for round in 0..24 {
            write(&store, round, 8).await;
            longest = longest.max(log());
            if longest > long
                && let Some(mut stays) = stays.take()
            {
                // They leave; now its file is written over, and not created again.
                sqlx::raw_sql("ROLLBACK").execute(&mut stays).await.unwrap();
            }
            store.tend_log().await.unwrap();
            // A writer that had to wait for the machine makes it longer than what is kept of it.
            assert!(log() >= longest.min(LOG_KEPT_BYTES), "{} of {longest} are left", log());
        }
        assert!(longest > long && longest < 2 * long, "{longest}");
        // Started over, it holds little: the length of its file is no reason to move that.
        write(&store, 24, 1).await;
        store.tend_log().await.unwrap();
        let mut other = SqliteConnectOptions::new().filename(store.file().unwrap()).connect().await.unwrap();
        let (_, pages, moved): (i64, i64, i64) =
            sqlx::query_as("PRAGMA wal_checkpoint(NOOP)").fetch_one(&mut other).await.unwrap();
        assert!(log() > long && pages < GROWN && moved == 0, "{moved} of {pages} pages are moved");
        other.close().await.unwrap();
        reader.abort();
        // Nothing is written any more: what is left of it goes as well.
        for _ in 0..3 {
            store.tend_log().await.unwrap();
        }
        assert_eq!(log(), 0);
    }
}
