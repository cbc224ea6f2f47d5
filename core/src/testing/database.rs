//! A fresh, migrated database for every test, on both kinds.
//!
//! PostgreSQL takes part when `TALKDRUM_TEST_POSTGRES` names a server (see `.ci/postgres`); each test then gets a
//! database of its own there. Without it the PostgreSQL half says that it was skipped.

use std::future::Future;
use std::io::Write as _;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};

use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection, raw_sql};

use super::template;
use crate::args;
use crate::phone::DigestKey;
use crate::store::{Lane, Store, StoreOptions};

/// The variable that names the PostgreSQL server of the tests.
pub const POSTGRES_VARIABLE: &str = "TALKDRUM_TEST_POSTGRES";

static COUNT: AtomicU64 = AtomicU64::new(0);

/// Runs a test on a fresh SQLite file, then on a fresh database of PostgreSQL where there is a server.
///
/// # Panics
/// When a database cannot be made, or the test panics.
pub async fn for_each_database<F, Fut>(test: F)
where
    F: Fn(Store) -> Fut,
    Fut: Future<Output = ()>,
{
    on_each_database(&|store| Box::pin(test(store))).await;
}

/// One for all tests: there are hundreds, and each would be compiled with its own.
async fn on_each_database<'t>(test: &dyn Fn(Store) -> Pin<Box<dyn Future<Output = ()> + 't>>) {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let store = sqlite(dir.path()).await;
    test(store.clone()).await;
    assert_eq!(misfits(&store).await, Vec::<String>::new(), "stored as another type than the column's");
    store.close().await;
    match std::env::var(POSTGRES_VARIABLE) {
        Ok(url) => {
            let database = PostgresDatabase::create(&url).await;
            let store = database.open().await;
            test(store.clone()).await;
            store.close().await;
            database.drop().await;
        }
        Err(_) => {
            let _ = writeln!(std::io::stderr(), "PostgreSQL half skipped: {POSTGRES_VARIABLE} is not set");
        }
    }
}

/// Runs a test in a database of PostgreSQL whose locale sorts texts and tells upper from lower case as people do, not as
/// bytes: what the server of the tests has is the locale C.
///
/// # Panics
/// When a database cannot be made, or the test panics.
pub async fn in_a_locale<F, Fut>(test: F)
where
    F: Fn(Store) -> Fut,
    Fut: Future<Output = ()>,
{
    let Ok(server) = std::env::var(POSTGRES_VARIABLE) else { return };
    let options = "TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'";
    let database = PostgresDatabase::create_with(connect(&server).await, &server, options).await;
    let store = database.open().await;
    store.migrate().await.expect("the migrations");
    test(store.clone()).await;
    store.close().await;
    database.drop().await;
}

/// The key under which tests digest numbers.
const DIGEST_KEY: DigestKey = DigestKey::new([9; 16]);

/// A fresh SQLite store in a directory.
///
/// # Panics
/// When it cannot be made.
pub async fn sqlite(dir: &std::path::Path) -> Store {
    let file = dir.join("talkdrum.db");
    template::place_sqlite(&file).await;
    let url = format!("sqlite://{}", file.display());
    let options = StoreOptions { connections: 2, digest_key: Some(DIGEST_KEY), ..StoreOptions::new(url) };
    Store::open(&options).await.expect("a SQLite store")
}

/// Runs statements in one transaction.
///
/// # Panics
/// When one of them fails.
pub async fn run(store: &Store, statements: Vec<String>) {
    let job = store.write(Lane::Interactive, statements, |tx, statements| {
        Box::pin(async move {
            for sql in statements.iter() {
                tx.run(Box::leak(sql.clone().into_boxed_str()) as &'static str, args![]).await?;
            }
            Ok(())
        })
    });
    job.await.expect("the statements run");
}

/// How often any of these forms is in the files of a SQLite database.
///
/// # Panics
/// On PostgreSQL, and where the database cannot be read.
pub fn occurrences_of(store: &Store, forms: &[&[u8]]) -> usize {
    let file = store.file().expect("a file").display().to_string();
    // Where all was moved into the database there is no log.
    let bytes = [
        std::fs::read(&file).expect("the database"),
        std::fs::read(format!("{file}-wal")).unwrap_or_default(),
    ];
    let count = |form: &&[u8]| {
        bytes.iter().map(|bytes| bytes.windows(form.len()).filter(|it| it == form).count()).sum::<usize>()
    };
    forms.iter().map(count).sum()
}

/// A database of its own on the tests' PostgreSQL server, and the connection that made it and will drop it: one for both, as each
/// costs the server a process.
#[derive(Debug)]
pub struct PostgresDatabase {
    server: PgConnection,
    name: String,
    url: String,
}

impl PostgresDatabase {
    /// Makes a migrated database with a new name.
    ///
    /// # Panics
    /// When the server refuses.
    pub async fn create(server: &str) -> Self {
        let mut connection = connect(server).await;
        let template = template::postgres(&mut connection, server).await;
        Self::create_with(connection, server, &format!("TEMPLATE {template}")).await
    }

    /// Makes a database with a new name and nothing in it.
    ///
    /// # Panics
    /// When the server refuses.
    pub async fn empty(server: &str) -> Self {
        Self::create_with(connect(server).await, server, "TEMPLATE template0").await
    }

    async fn create_with(mut connection: PgConnection, server: &str, options: &str) -> Self {
        let count = COUNT.fetch_add(1, Ordering::SeqCst);
        let name = format!("test_{}_{count}", std::process::id());
        on(&mut connection, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await;
        on(&mut connection, &format!("CREATE DATABASE {name} {options}")).await;
        Self { server: connection, url: sibling(server, &name), name }
    }

    /// Its address.
    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// A store on it.
    ///
    /// # Panics
    /// When it cannot be opened.
    pub async fn open(&self) -> Store {
        let options =
            StoreOptions { connections: 4, digest_key: Some(DIGEST_KEY), ..StoreOptions::new(self.url()) };
        Store::open(&options).await.expect("a PostgreSQL store")
    }

    /// Removes it with all it holds.
    ///
    /// # Panics
    /// When the server refuses.
    pub async fn drop(mut self) {
        on(&mut self.server, &format!("DROP DATABASE {} WITH (FORCE)", self.name)).await;
        self.server.close().await.expect("a clean end");
    }
}

async fn connect(server: &str) -> PgConnection {
    PgConnection::connect(server).await.expect("the tests' PostgreSQL server")
}

/// The address of another database on a server.
pub(crate) fn sibling(server: &str, name: &str) -> String {
    let (address, parameters) = server.split_once('?').unwrap_or((server, ""));
    let host = address.rsplit_once('/').expect("an address with a database").0;
    format!("{host}/{name}?{parameters}")
}

pub(crate) async fn on(connection: &mut PgConnection, statement: &str) {
    connection.execute(raw_sql(AssertSqlSafe(statement.to_owned()))).await.expect("a statement of the tests");
}

/// Columns of a store on SQLite that hold a value of another type than theirs, which PostgreSQL would refuse: SQLite's
/// tables are not STRICT. A column without a type takes any. None of a store that is closed.
///
/// # Panics
/// When the database cannot be read.
pub async fn misfits(store: &Store) -> Vec<String> {
    // Built of the schema's own names; leaked, as statements are `'static` everywhere else.
    let leaked = |sql: String| -> &'static str { Box::leak(sql.into_boxed_str()) };
    let Ok(mut tx) = store.read().await else { return Vec::new() };
    let columns: Vec<(String, String, String)> = tx
        .all(
            "SELECT t.name, c.name, CASE c.type WHEN 'BIGINT' THEN 'integer' WHEN 'BOOLEAN' THEN 'integer' \
               ELSE lower(c.type) END FROM sqlite_master t JOIN pragma_table_info(t.name) c \
             WHERE t.type = 'table' AND c.type <> '' AND t.name NOT LIKE 'sqlite_%' AND t.name <> '_sqlx_migrations' \
               AND t.name NOT LIKE '%~_moment' ESCAPE '~'",
            vec![],
        )
        .await
        .expect("the columns");
    let mut tables: std::collections::BTreeMap<String, Vec<String>> = std::collections::BTreeMap::new();
    for (table, column, wanted) in columns {
        let look = format!("typeof(\"{column}\") NOT IN ('{wanted}', 'null') THEN '{table}.{column}'");
        tables.entry(table).or_default().push(look);
    }
    let mut found = Vec::new();
    for (table, looks) in tables {
        let first = format!("CASE WHEN {} END", looks.join(" WHEN "));
        let sql = format!("SELECT DISTINCT {first} AS misfit FROM \"{table}\" WHERE misfit IS NOT NULL");
        let misfits: Vec<(String,)> = tx.all(leaked(sql), vec![]).await.expect("its values");
        found.extend(misfits.into_iter().map(|(misfit,)| misfit));
    }
    found
}

/// Every row of every table of a store on SQLite, by table: what a refused request must leave as it was. Left out are the
/// tables in `except`, such as those that a running daemon writes by itself.
///
/// # Panics
/// When the database cannot be read.
pub async fn dump(store: &Store, except: &[&str]) -> std::collections::BTreeMap<String, String> {
    // Built of the schema's own names; leaked, as statements are `'static` everywhere else.
    let leaked = |sql: String| -> &'static str { Box::leak(sql.into_boxed_str()) };
    let mut tx = store.read().await.expect("a reader");
    let tables: Vec<(String,)> = tx
        .all("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'", vec![])
        .await
        .expect("the tables");
    let mut dump = std::collections::BTreeMap::new();
    for (table,) in tables.into_iter().filter(|(table,)| !except.contains(&table.as_str())) {
        let columns = format!("SELECT name FROM pragma_table_info('{table}')");
        let columns: Vec<(String,)> = tx.all(leaked(columns), vec![]).await.expect("its columns");
        let quoted: Vec<String> = columns.into_iter().map(|(name,)| format!("quote(\"{name}\")")).collect();
        let rows = format!("SELECT {} FROM \"{table}\"", quoted.join(" || ',' || "));
        let mut rows: Vec<(String,)> = tx.all(leaked(rows), vec![]).await.expect("its rows");
        rows.sort();
        dump.insert(table, rows.into_iter().map(|(row,)| row).collect::<Vec<_>>().join("\n"));
    }
    dump
}

/// Declares tests that run on SQLite and, where there is one, on PostgreSQL.
///
/// ```ignore
/// both_databases! {
///     async fn a_key_is_claimed_once(store: Store) { ... }
/// }
/// ```
#[macro_export]
macro_rules! both_databases {
    ($($(#[$attribute:meta])* async fn $name:ident($store:ident: Store) $body:block)*) => {$(
        $(#[$attribute])*
        #[tokio::test]
        async fn $name() {
            $crate::testing::database::for_each_database(|$store: $crate::store::Store| async move $body).await;
        }
    )*};
}
