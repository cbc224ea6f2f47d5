//! Opening a database and running reads and writes on it.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures::future::BoxFuture;
use sqlx::postgres::PgConnectOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions as _, PgPool};
use tokio::sync::oneshot;

use super::private_file;
use super::sql::Dialect;
use super::tx::{Conn, Tx};
use crate::error::{Error, Result};
use crate::phone::DigestKey;
use crate::store::db::batch_write::{BatchWrite, Waiter};
use crate::store::db::postgres::writer;
use crate::store::db::sqlite::readers::Readers;
use crate::store::db::sqlite::wal::{self, Log};
use crate::store::db::sqlite::writer::{Writer, closed};
use crate::store::db::write_job::{Lane, Work};

/// Statements that a connection keeps prepared.
const STATEMENTS_CACHED: usize = 256;

/// The largest SQLite file that is rewritten while it is served.
const CLEANED_BYTES: u64 = 64 << 20;

/// After this long without a statement PostgreSQL ends a transaction, and with it the session; no transaction waits for
/// anything else than the database.
const IDLE_IN_TRANSACTION: &str = "10s";

/// Faults that a test injects into writes: called before each write and after its commit, where it may crash the
/// process.
pub trait WriteFaults: Send + Sync + std::fmt::Debug {
    /// Whether the process dies before this write reaches the database.
    fn crash_before(&self) -> bool;
    /// Whether it dies after the commit, before the caller gets the result.
    fn crash_after(&self) -> bool;
    /// The driver's error with which this write fails; it is not stored then.
    fn fail_before(&self) -> Option<Error> {
        None
    }
    /// Whether the answer of its commit is lost; it is stored then.
    fn doubt_after(&self) -> bool {
        false
    }
    /// How many times the workers' connections broke and were replaced, besides those of the store itself.
    fn reconnects(&self) -> u64 {
        0
    }
}

/// How to open a store.
#[derive(Clone, Debug)]
pub struct StoreOptions {
    /// `sqlite://PATH` or `postgres://...`.
    pub url: String,
    /// How many connections may read at once; on PostgreSQL: read or write, clients and workers so many each.
    pub connections: u32,
    /// Create the SQLite file if it does not exist.
    pub create: bool,
    /// The key under which erased numbers are digested; a process that sends must have it.
    pub digest_key: Option<DigestKey>,
}

impl StoreOptions {
    /// The defaults for `url`.
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), connections: 8, create: true, digest_key: None }
    }
}

/// A handle to the database; cloning it is cheap.
#[derive(Clone, Debug)]
pub struct Store {
    backend: Backend,
    faults: Option<Arc<dyn WriteFaults>>,
    is_of_workers: bool,
    orders: Arc<AtomicU64>,
    digest_key: Option<DigestKey>,
}

#[derive(Clone, Debug)]
enum Backend {
    Sqlite { readers: Arc<Readers>, writer: Arc<Writer>, log: Arc<Log>, path: PathBuf },
    Postgres(Arc<writer::Writer>),
}

impl Store {
    /// Opens the database. The schema is not looked at: see [`super::migrate`].
    ///
    /// # Errors
    /// When the address is not understood or the database cannot be reached.
    pub async fn open(options: &StoreOptions) -> Result<Self> {
        let backend = if let Some(path) = options.url.strip_prefix("sqlite://") {
            open_sqlite(Path::new(path), options).await?
        } else if options.url.starts_with("postgres://") || options.url.starts_with("postgresql://") {
            // Every statement is written for this isolation, whatever the server's default is.
            let connect = PgConnectOptions::from_str(&options.url)?
                .application_name("talkdrumd")
                .options([
                    ("default_transaction_isolation", "read committed"),
                    // A daemon that freezes inside a transaction keeps no rows locked while others take its work.
                    ("idle_in_transaction_session_timeout", IDLE_IN_TRANSACTION),
                ])
                .statement_cache_capacity(STATEMENTS_CACHED);
            let connections = options.connections.max(4);
            Backend::Postgres(Arc::new(
                writer::Writer::connect(connect, connections, options.digest_key).await?,
            ))
        } else {
            return Err(Error::rule(
                "bad_database_url",
                "The database address must start with sqlite:// or postgres://",
            ));
        };
        let digest_key = options.digest_key;
        Ok(Self { backend, faults: None, is_of_workers: false, orders: Arc::default(), digest_key })
    }

    /// The same store for the workers: on PostgreSQL they have connections apart from clients'.
    #[must_use]
    pub fn for_workers(&self) -> Self {
        Self { is_of_workers: true, ..self.clone() }
    }

    /// The same store with a test's faults.
    #[must_use]
    pub fn with_faults(&self, faults: Arc<dyn WriteFaults>) -> Self {
        Self { faults: Some(faults), ..self.clone() }
    }

    /// The database behind this store.
    pub fn dialect(&self) -> Dialect {
        match self.backend {
            Backend::Sqlite { .. } => Dialect::Sqlite,
            Backend::Postgres(_) => Dialect::Postgres,
        }
    }

    /// The SQLite file; `None` on PostgreSQL.
    pub fn file(&self) -> Option<&Path> {
        match &self.backend {
            Backend::Sqlite { path, .. } => Some(path),
            Backend::Postgres(_) => None,
        }
    }

    /// The PostgreSQL pool, or SQLite's writer.
    pub(crate) fn writers(&self) -> Result<&PgPool, &Writer> {
        match &self.backend {
            Backend::Sqlite { writer, .. } => Err(writer),
            Backend::Postgres(writer) => Ok(&writer.clients),
        }
    }

    /// How many deadlocks PostgreSQL has resolved at the cost of a write of this process, which was tried again.
    pub fn deadlocks(&self) -> u64 {
        match &self.backend {
            Backend::Sqlite { .. } => 0,
            Backend::Postgres(writer) => writer.deadlocks(),
        }
    }

    /// How many connections the workers' writes were given so far: while this stays the same, all of them went to the same
    /// server. An SQLite file has no other.
    pub fn connections(&self) -> u64 {
        let made = match &self.backend {
            Backend::Sqlite { .. } => 0,
            Backend::Postgres(writer) => writer.connections(),
        };
        made + self.faults.as_ref().map_or(0, |faults| faults.reconnects())
    }

    /// How many orders came so far ([`Store::write_together`]): while this grows, clients wait for writes.
    pub fn orders(&self) -> u64 {
        self.orders.load(Ordering::Relaxed)
    }

    fn lane(&self, lane: Lane) -> Lane {
        match (&self.backend, lane) {
            (Backend::Postgres(_), Lane::Interactive) if self.is_of_workers => Lane::Background,
            _ => lane,
        }
    }

    fn readers_of<'a>(&self, writer: &'a writer::Writer) -> &'a PgPool {
        if self.is_of_workers { &writer.workers } else { &writer.clients }
    }

    /// A connection for reading, outside any transaction: each statement sees the newest commit.
    // The futures of `read`, `snapshot` and `write` are boxed: each would be part of every caller's future, four kilobytes of
    // it where a connection is opened, and the compiler walks through all of it to prove that it may go to another thread.
    pub fn read(&self) -> BoxFuture<'_, Result<Tx>> {
        Box::pin(async move {
            let conn = match &self.backend {
                Backend::Sqlite { readers, .. } => Conn::SqliteRead(readers.take().await?),
                Backend::Postgres(writer) => Conn::PostgresRead(self.readers_of(writer).acquire().await?),
            };
            Ok(Tx::new(conn, self.digest_key))
        })
    }

    /// A snapshot, for an answer that takes several statements: all of them see what was committed before the first. It
    /// holds a connection, and on PostgreSQL keeps old row versions: use it for answers, not for exports.
    pub fn snapshot(&self) -> BoxFuture<'_, Result<Tx>> {
        Box::pin(async move {
            let conn = match &self.backend {
                Backend::Sqlite { readers, .. } => {
                    let mut reader = readers.take().await?;
                    reader.begin_snapshot().await?;
                    Conn::SqliteRead(reader)
                }
                Backend::Postgres(writer) => {
                    let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
                    Conn::PostgresWrite(self.readers_of(writer).begin_with(begin).await?)
                }
            };
            Ok(Tx::new(conn, self.digest_key))
        })
    }

    /// Runs `job` on `input` in one transaction and returns its result after the commit.
    ///
    /// The job captures nothing and takes its input by reference, so that it can be run again when the database
    /// asks for it. An error it returns rolls back what it did, and nothing else. Once handed over, a write runs
    /// to its end even if the caller goes away.
    pub fn write<I, T>(&self, lane: Lane, input: I, job: Work<I, T>) -> BoxFuture<'_, Result<T>>
    where
        I: Send + Sync + 'static,
        T: Send + 'static,
    {
        let (waiter, answer) = Waiter::alone(input, job);
        Box::pin(self.answered(lane, waiter, answer))
    }

    /// Carries out an order, together with those of its kind that wait at the same time. Otherwise as [`Store::write`].
    pub async fn write_together<I: BatchWrite>(&self, lane: Lane, order: I) -> Result<I::Output> {
        self.orders.fetch_add(1, Ordering::Relaxed);
        let (waiter, answer) = Waiter::of(order);
        self.answered(lane, waiter, answer).await
    }

    /// Submits a write and waits for its answer: compiled for each type of answer, so all else is elsewhere.
    async fn answered<T>(
        &self,
        lane: Lane,
        waiter: Waiter,
        answer: oneshot::Receiver<Result<T>>,
    ) -> Result<T> {
        self.fail_before()?;
        let result = match self.submit(lane, waiter).await {
            Ok(()) => answer.await.unwrap_or_else(|_| Err(self.unanswered())),
            Err(error) => Err(error),
        };
        self.fail_after(result)
    }

    async fn submit(&self, lane: Lane, waiter: Waiter) -> Result<()> {
        match &self.backend {
            Backend::Sqlite { writer, .. } => writer.submit(lane, waiter).await,
            Backend::Postgres(writer) => writer.submit(self.lane(lane), waiter).await,
        }
    }

    fn unanswered(&self) -> Error {
        match &self.backend {
            Backend::Sqlite { .. } => closed(),
            Backend::Postgres(_) => writer::given_up(),
        }
    }

    fn fail_before(&self) -> Result<()> {
        let Some(faults) = &self.faults else { return Ok(()) };
        if faults.crash_before() {
            return Err(Error::Crashed);
        }
        faults.fail_before().map_or(Ok(()), Err)
    }

    fn fail_after<T>(&self, result: Result<T>) -> Result<T> {
        let Some(faults) = &self.faults else { return result };
        if faults.crash_after() {
            return Err(Error::Crashed);
        }
        if result.is_ok() && faults.doubt_after() {
            return Err(Error::Doubtful("its answer was lost".into()));
        }
        result
    }

    /// Moves SQLite's log into the file when it has grown or nothing is written; to be called every second or so.
    /// Writes wait for it no longer than a few hundredths of a second.
    ///
    /// # Errors
    /// Errors of the database. Nothing is lost then: the log only keeps growing.
    pub async fn tend_log(&self) -> Result<()> {
        match &self.backend {
            Backend::Sqlite { log, .. } => log.tend().await,
            Backend::Postgres(_) => Ok(()),
        }
    }

    /// The key under which erased numbers are digested.
    pub const fn digest_key(&self) -> Option<DigestKey> {
        self.digest_key
    }

    /// Has SQLite rewrite its file where it is a small one, and empties the log, so that nothing is left of what was removed or
    /// moved: in free places, or in old pages of the log. Writes wait for it, half a second at most. False where the file is
    /// larger, readers were in the way, or the database is PostgreSQL.
    ///
    /// # Errors
    /// Errors of the database.
    pub async fn clean(&self) -> Result<bool> {
        let Backend::Sqlite { writer, log, path, .. } = &self.backend else { return Ok(false) };
        let size = std::fs::metadata(path).map_or(u64::MAX, |found| found.len());
        if size <= CLEANED_BYTES {
            let mut connection = writer.connection().await?;
            sqlx::query("VACUUM").execute(&mut *connection).await?;
        }
        Ok(log.empty().await? && size <= CLEANED_BYTES)
    }

    /// Closes every connection; on SQLite the log is checkpointed into the file.
    pub async fn close(&self) {
        match &self.backend {
            Backend::Sqlite { readers, writer, log, .. } => {
                log.close().await;
                readers.close().await;
                writer.close().await;
            }
            Backend::Postgres(writer) => writer.close().await,
        }
    }
}

async fn open_sqlite(path: &Path, options: &StoreOptions) -> Result<Backend> {
    if options.create {
        private_file::prepare(path)
            .map_err(|error| Error::io(format!("cannot make {}", path.display()), error))?;
    }
    let connect = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(options.create)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(Duration::from_secs(10))
        .statement_cache_capacity(STATEMENTS_CACHED)
        .pragma("wal_autocheckpoint", wal::LAST_RESORT_PAGES)
        .pragma("journal_size_limit", wal::LOG_KEPT_BYTES.to_string())
        .pragma("cache_size", "-16000")
        .pragma("temp_store", "memory");
    let log = Arc::new(Log::new(path, connect.clone()));
    let writing = connect.connect().await?;
    let reading = connect.create_if_missing(false).pragma("query_only", "true");
    let readers = Arc::new(Readers::new(reading, options.connections.max(2) as usize));
    Ok(Backend::Sqlite {
        readers,
        writer: Arc::new(Writer::start(writing, options.digest_key)),
        log,
        path: path.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::platform::setting;
    use crate::testing::database;
    use crate::time::Time;
    use crate::{args, both_databases};

    async fn add(store: &Store, key: &'static str) {
        let write = store.write(Lane::Interactive, key, |tx, key| {
            Box::pin(async move {
                tx.run(
                    "INSERT INTO settings (key, value, updated_at) VALUES ($1, '', $2)",
                    args![*key, Time(1)],
                )
                .await
            })
        });
        write.await.unwrap();
    }

    async fn count(tx: &mut Tx) -> i64 {
        tx.one::<(i64,)>("SELECT COUNT(*) FROM settings WHERE updated_at > 0", args![]).await.unwrap().0
    }

    both_databases! {
        async fn the_statements_of_a_snapshot_see_one_moment_whatever_is_written_between_them(store: Store) {
            add(&store, "before").await;
            let mut apart = store.read().await.unwrap();
            let mut together = store.snapshot().await.unwrap();
            assert_eq!((count(&mut apart).await, count(&mut together).await), (1, 1));
            add(&store, "between").await;
            assert!(setting::get(&mut together, "between").await.unwrap().is_none());
            assert_eq!((count(&mut apart).await, count(&mut together).await), (2, 1));
            drop((apart, together));
            // None of the connections keeps an old snapshot.
            for _ in 0..8 {
                assert_eq!(count(&mut store.read().await.unwrap()).await, 2);
                let mut tx = store.snapshot().await.unwrap();
                assert_eq!(count(&mut tx).await, 2);
            }
        }

        async fn an_id_is_not_given_again_after_the_newest_row_is_deleted(store: Store) {
            let insert = async || {
                let write = store.write(Lane::Interactive, (), |tx, ()| {
                    Box::pin(async move {
                        let sql = "INSERT INTO held_receipts (owner, receipts) VALUES (1, '[]') RETURNING id";
                        let (held,): (i64,) = tx.one(sql, args![]).await?;
                        let sql = "INSERT INTO webhook_events (user_id, type, body, created_at) \
                                   SELECT MAX(id), '', '', 0 FROM users RETURNING id";
                        let (event,): (i64,) = tx.one(sql, args![]).await?;
                        tx.run("DELETE FROM held_receipts", args![]).await?;
                        tx.run("DELETE FROM webhook_events", args![]).await?;
                        Ok([held, event])
                    })
                });
                write.await.unwrap()
            };
            crate::testing::account::make_user(&store, "ada", crate::model::account::user::Role::User).await;
            let (first, second) = (insert().await, insert().await);
            assert!(first[0] < second[0] && first[1] < second[1], "{first:?} {second:?}");
        }

        async fn a_snapshot_only_reads(store: Store) {
            let mut tx = store.snapshot().await.unwrap();
            assert!(tx.run("DELETE FROM settings", args![]).await.is_err());
            drop(tx);
            add(&store, "after").await;
            assert_eq!(count(&mut store.snapshot().await.unwrap()).await, 1);
        }
    }

    #[tokio::test]
    async fn the_isolation_is_ours_whatever_the_servers_default_is() {
        let Ok(server) = std::env::var(database::POSTGRES_VARIABLE) else { return };
        let separator = if server.contains('?') { '&' } else { '?' };
        let serializable = "options=-c%20default_transaction_isolation%3Dserializable";
        let url = format!("{server}{separator}{serializable}");
        let store = Store::open(&StoreOptions::new(url)).await.unwrap();
        let mut tx = store.read().await.unwrap();
        let (level,): (String,) =
            tx.one("SELECT current_setting('transaction_isolation')", args![]).await.unwrap();
        assert_eq!(level, "read committed");
    }

    #[tokio::test]
    async fn the_files_of_a_database_are_for_their_owner_only_in_any_directory() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        std::fs::set_permissions(dir.path(), PermissionsExt::from_mode(0o777)).unwrap();
        let modes = || -> Vec<u32> {
            let files = std::fs::read_dir(dir.path()).unwrap();
            files.map(|file| file.unwrap().metadata().unwrap().permissions().mode() & 0o777).collect()
        };
        let store = database::sqlite(dir.path()).await;
        assert!(modes().len() > 1, "database and log");
        assert_eq!(modes(), vec![0o600; modes().len()]);
        store.close().await;
        for file in std::fs::read_dir(dir.path()).unwrap() {
            std::fs::set_permissions(file.unwrap().path(), PermissionsExt::from_mode(0o644)).unwrap();
        }
        let store = database::sqlite(dir.path()).await;
        assert_eq!(modes(), vec![0o600; modes().len()], "those of an older version are closed, too");
        store.close().await;
    }

    #[tokio::test]
    async fn who_waits_for_a_read_carries_little_around() {
        let dir = tempfile::tempdir().unwrap();
        let store = database::sqlite(dir.path()).await;
        // A request is moved from layer to layer with everything it waits for.
        assert!(size_of_val(&store.read()) < 1_024);
    }
}
