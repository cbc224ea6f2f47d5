//! Upgrades from each schema that ever landed: a database that was made at it, with what was stored then, becomes one of
//! this schema, and what it held adds up.

use std::collections::BTreeSet;
use std::path::Path;

use sqlx::migrate::Migrator;
use sqlx::{AssertSqlSafe, Executor as _, raw_sql};

use super::{POSTGRES, SQLITE, SchemaState};
use crate::args;
use crate::ledger::verify;
use crate::store::operations::backup::damage;
use crate::store::{Dialect, Store, StoreOptions};
use crate::testing::database::{POSTGRES_VARIABLE, PostgresDatabase};

/// What was stored at some schemas, by their last migration.
const STORED: &[(i64, &str)] = &[(4, include_str!("stored/0004.sql")), (24, include_str!("stored/0024.sql"))];

/// Every schema that PostgreSQL is upgraded from takes a database of its own there: of those before the last ones, one in
/// so many is tried. Runs of tests try others in turn.
const ONE_IN: i64 = 6;
/// Of the last schemas each is tried.
const LAST: usize = 6;

fn stored(version: i64, dialect: Dialect) -> Option<String> {
    let bytes = match dialect {
        Dialect::Sqlite => "x'00ff'",
        Dialect::Postgres => "'\\x00ff'::bytea",
    };
    let (_, sql) = STORED.iter().find(|(at, _)| *at == version)?;
    let code: Vec<&str> = sql.lines().filter(|line| !line.starts_with("--")).collect();
    Some(code.join("\n").replace("BYTES", bytes))
}

/// Brings a database from one schema to a later one, and stores what was stored at those on the way.
async fn advance(store: &Store, migrator: &Migrator, from: i64, to: i64) {
    for version in migrator.iter().map(|it| it.version).filter(|it| (from + 1..=to).contains(it)) {
        let sql = stored(version, store.dialect()).unwrap_or_default();
        match store.writers() {
            Err(sqlite) => {
                let mut connection = sqlite.connection().await.unwrap();
                migrator.run_to(version, &mut *connection).await.unwrap();
                connection.execute(raw_sql(AssertSqlSafe(sql))).await.unwrap();
            }
            Ok(postgres) => {
                let mut connection = postgres.acquire().await.unwrap();
                migrator.run_to(version, &mut *connection).await.unwrap();
                connection.execute(raw_sql(AssertSqlSafe(sql))).await.unwrap();
            }
        }
    }
}

/// Tables with their columns, indexes, constraints and triggers, each in a line.
async fn schema(store: &Store) -> BTreeSet<String> {
    let sql = match store.dialect() {
        Dialect::Sqlite => "SELECT type || ' ' || name || ' ' || COALESCE(sql, '') FROM sqlite_master",
        Dialect::Postgres => {
            "SELECT CAST(attrelid AS regclass) || ' ' || attname || ' ' || format_type(atttypid, atttypmod) || ' ' || \
                    attnotnull || ' ' || COALESCE(pg_get_expr(adbin, adrelid), '') \
             FROM pg_attribute JOIN pg_class c ON c.oid = attrelid \
             LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum \
             WHERE relnamespace = CAST('public' AS regnamespace) AND relkind = 'r' AND attnum > 0 AND NOT attisdropped \
             UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' \
             UNION ALL SELECT CAST(conrelid AS regclass) || ' ' || conname || ' ' || pg_get_constraintdef(oid) \
             FROM pg_constraint WHERE connamespace = CAST('public' AS regnamespace) \
             UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal \
             UNION ALL SELECT 'invalid ' || CAST(indexrelid AS regclass) FROM pg_index WHERE NOT indisvalid"
        }
    };
    let mut tx = store.read().await.unwrap();
    let lines: Vec<(String,)> = tx.all(sql, args![]).await.unwrap();
    lines.into_iter().map(|(line,)| line).collect()
}

/// Upgrades a database of an older schema; the schema is the one expected, and what was stored is what it should be.
async fn upgraded(store: &Store, version: i64, expected: &BTreeSet<String>) {
    assert_eq!(store.schema_state().await.unwrap(), SchemaState::Behind, "{version}");
    store.migrate().await.unwrap_or_else(|error| panic!("from {version}: {error}"));
    assert_eq!(store.schema_state().await.unwrap(), SchemaState::Current, "{version}");
    let made = schema(store).await;
    let differs: Vec<_> = made.symmetric_difference(expected).collect();
    assert!(differs.is_empty(), "from {version}: {differs:#?}");
    assert_eq!(damage(store).await.unwrap(), Vec::<String>::new(), "{version}");
    let mut tx = store.read().await.unwrap();
    assert_eq!(verify::verify(&mut tx).await.unwrap().0, Vec::<String>::new(), "{version}");
    for (at, question) in [
        (
            4,
            "SELECT COUNT(*) = 3 FROM messages WHERE (id = 4096 AND done_after = 4000) OR (id = 4097 AND done_after = 8000) \
             OR (id = 4098 AND submitted_at IS NULL AND done_after = 1700000002000)",
        ),
        (4, "SELECT COUNT(*) = 1 FROM campaign_chunks WHERE refunded_micros = 1000000 AND id = 1"),
        (4, "SELECT COUNT(*) = 1 FROM campaigns WHERE paused_by = 'account' AND id = 3"),
        (4, "SELECT COUNT(*) = 2 FROM accounts WHERE kind = 'reserve' AND closed_at IS NULL"),
        (4, "SELECT COUNT(*) = 1 FROM retries WHERE message_id = 8192 AND attempts = 0 AND tried = ''"),
        (4, "SELECT COUNT(*) = 1 FROM receipts_unmatched WHERE recipient = 2348031234567"),
        (4, "SELECT COUNT(*) = 2 FROM users"),
        (24, "SELECT COUNT(*) = 1 FROM contacts WHERE name = 'Bea'"),
        (24, "SELECT COUNT(*) = 1 FROM contact_imports WHERE added = 1 AND kept_bytes = 0"),
        (24, "SELECT COUNT(*) = 1 FROM codes WHERE purpose = 'sign_in' AND subject = '2'"),
        (24, "SELECT COUNT(*) = 1 FROM voice_recordings WHERE audio_url <> '' AND bytes = 0"),
        (24, "SELECT COUNT(*) = 3 AND SUM(campaign_id) = 31 FROM webhook_events"),
    ] {
        if version >= at {
            let (holds,): (bool,) = tx.one(question, args![]).await.unwrap();
            assert!(holds, "from {version}: {question}");
        }
    }
}

async fn open(file: &Path) -> Store {
    let url = format!("sqlite://{}", file.display());
    Store::open(&StoreOptions { connections: 2, ..StoreOptions::new(url) }).await.unwrap()
}

#[tokio::test]
async fn sqlite_is_upgraded_from_every_schema() {
    let dir = tempfile::tempdir().unwrap();
    let fresh = crate::testing::database::sqlite(dir.path()).await;
    let expected = schema(&fresh).await;
    fresh.close().await;
    let (old, copy) = (dir.path().join("old.db"), dir.path().join("copy.db"));
    let versions: Vec<i64> = SQLITE.iter().map(|it| it.version).collect();
    let mut before = 0;
    for &version in &versions[..versions.len() - 1] {
        let store = open(&old).await;
        advance(&store, &SQLITE, before, version).await;
        // Its log is in the file then.
        store.close().await;
        std::fs::copy(&old, &copy).unwrap();
        let store = open(&copy).await;
        upgraded(&store, version, &expected).await;
        store.close().await;
        before = version;
    }
    assert!(versions.len() >= 60);
}

#[tokio::test]
async fn postgresql_is_upgraded_from_the_last_schemas_and_some_before() {
    let Ok(server) = std::env::var(POSTGRES_VARIABLE) else { return };
    let fresh = PostgresDatabase::create(&server).await;
    let store = fresh.open().await;
    let expected = schema(&store).await;
    store.close().await;
    fresh.drop().await;
    let versions: Vec<i64> = POSTGRES.iter().map(|it| it.version).collect();
    let last = versions.len() - 1 - LAST;
    let turn = i64::from(std::process::id()) % ONE_IN;
    for (index, &version) in versions[..versions.len() - 1].iter().enumerate() {
        if index < last && version % ONE_IN != turn && !STORED.iter().any(|(at, _)| *at == version) {
            continue;
        }
        let database = PostgresDatabase::empty(&server).await;
        let store = database.open().await;
        advance(&store, &POSTGRES, 0, version).await;
        upgraded(&store, version, &expected).await;
        store.close().await;
        database.drop().await;
    }
}
