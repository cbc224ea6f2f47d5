//! Databases that are migrated once and copied by every test: a migration takes longer than most tests.
//!
//! A template is named after the migrations, and is kept: on SQLite beside the test's program, on PostgreSQL on the
//! tests' server.

use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use sqlx::PgConnection;

use super::database::{on, sibling};
use crate::store::{Dialect, Store, StoreOptions, checksums};

/// Held while a template of PostgreSQL is made.
const MAKING: i64 = 7_382_915_900;

fn name(dialect: Dialect) -> String {
    let mut digest = Sha256::new();
    checksums(dialect).for_each(|(version, checksum)| {
        digest.update(version.to_be_bytes());
        digest.update(checksum);
    });
    format!("talkdrum_template_{}", hex::encode(&digest.finalize()[..8]))
}

async fn migrate(url: String) {
    let options = StoreOptions { connections: 2, ..StoreOptions::new(url) };
    let store = Store::open(&options).await.expect("a new database");
    store.migrate().await.expect("the migrations");
    store.close().await;
}

/// Puts a migrated database where there is none.
///
/// # Panics
/// When it cannot be made.
pub async fn place_sqlite(file: &Path) {
    if !file.exists() {
        std::fs::copy(sqlite().await, file).expect("a copy of the template");
    }
}

async fn sqlite() -> PathBuf {
    let program = std::env::current_exe().expect("the test's program");
    let beside = program.parent().expect("its directory");
    let template = beside.join(name(Dialect::Sqlite)).with_extension("db");
    if !template.exists() {
        // Made aside: others see it when it is complete.
        let aside = tempfile::tempdir_in(beside).expect("a temporary directory");
        let file = aside.path().join("talkdrum.db");
        migrate(format!("sqlite://{}", file.display())).await;
        let is_all_in_it = !aside.path().join("talkdrum.db-wal").exists();
        assert!(is_all_in_it, "the log of a closed database is written back");
        std::fs::rename(file, &template).expect("the template's name");
    }
    template
}

/// The name of a migrated database on a server of PostgreSQL, to be copied.
///
/// # Panics
/// When it cannot be made.
pub(super) async fn postgres(connection: &mut PgConnection, server: &str) -> String {
    let name = name(Dialect::Postgres);
    if !exists(connection, &name).await {
        on(connection, &format!("SELECT pg_advisory_lock({MAKING})")).await;
        if !exists(connection, &name).await {
            let new = format!("{name}_new");
            on(connection, &format!("DROP DATABASE IF EXISTS {new} WITH (FORCE)")).await;
            on(connection, &format!("CREATE DATABASE {new} TEMPLATE template0")).await;
            migrate(sibling(server, &new)).await;
            on(connection, &format!("ALTER DATABASE {new} RENAME TO {name}")).await;
        }
        on(connection, &format!("SELECT pg_advisory_unlock({MAKING})")).await;
    }
    name
}

async fn exists(connection: &mut PgConnection, name: &str) -> bool {
    let sql = "SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)";
    let (exists,): (bool,) =
        sqlx::query_as(sql).bind(name).fetch_one(connection).await.expect("the databases");
    exists
}
