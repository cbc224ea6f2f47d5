//! The schema: twin migrations under `migrations/{sqlite,postgres}` with the same names, embedded in the binary.

use std::time::Duration;

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection, PgPool};

use crate::args;
use crate::error::{Error, Result};
use crate::store::{Dialect, Store, Tx};

static SQLITE: Migrator = sqlx_macros::migrate!("../migrations/sqlite");
static POSTGRES: Migrator = sqlx_macros::migrate!("../migrations/postgres");

/// How a database's schema relates to this binary's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaState {
    /// There is nothing yet.
    Empty,
    /// Exactly this binary's.
    Current,
    /// Older: `migrate` brings it up to date.
    Behind,
    /// Written by a newer binary, or by something else.
    Foreign,
}

fn migrator(dialect: Dialect) -> &'static Migrator {
    match dialect {
        Dialect::Sqlite => &SQLITE,
        Dialect::Postgres => &POSTGRES,
    }
}

/// The versions and checksums of this binary's migrations, in order.
#[cfg(any(test, feature = "testing"))]
pub(crate) fn checksums(dialect: Dialect) -> impl Iterator<Item = (i64, &'static [u8])> {
    migrator(dialect).iter().map(|migration| (migration.version, migration.checksum.as_ref()))
}

impl Store {
    /// Compares the database's schema with this binary's.
    pub async fn schema_state(&self) -> Result<SchemaState> {
        let mut tx = self.read().await?;
        let tables: (i64,) = match self.dialect() {
            Dialect::Sqlite => {
                tx.one(
                    "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = '_sqlx_migrations'",
                    args![],
                )
                .await?
            }
            Dialect::Postgres => {
                tx.one(
                    "SELECT COUNT(*) FROM pg_tables WHERE tablename = '_sqlx_migrations' \
                     AND schemaname = ANY(current_schemas(false))",
                    args![],
                )
                .await?
            }
        };
        if tables.0 == 0 {
            return Ok(SchemaState::Empty);
        }
        let applied =
            tx.all("SELECT version, checksum FROM _sqlx_migrations ORDER BY version", args![]).await;
        let applied: Vec<(i64, Vec<u8>)> = match applied {
            Err(error) if error.is_not_permitted() => return Err(not_of(&mut tx).await?.unwrap_or(error)),
            applied => applied?,
        };
        // Killed before its first migration: there is nothing to back up yet. (PostgreSQL is not backed up here.)
        if applied.is_empty() && self.dialect() == Dialect::Sqlite {
            return Ok(SchemaState::Empty);
        }
        let ours: Vec<_> = migrator(self.dialect()).iter().collect();
        let same = applied.iter().zip(&ours).all(|((version, checksum), migration)| {
            *version == migration.version && checksum.as_slice() == migration.checksum.as_ref()
        });
        Ok(match applied.len().cmp(&ours.len()) {
            _ if !same => SchemaState::Foreign,
            std::cmp::Ordering::Less => SchemaState::Behind,
            std::cmp::Ordering::Equal => SchemaState::Current,
            std::cmp::Ordering::Greater => SchemaState::Foreign,
        })
    }

    /// Brings the schema up to date.
    pub async fn migrate(&self) -> Result<()> {
        match self.writers() {
            Err(sqlite) => SQLITE.run(&mut *sqlite.connection().await?).await.map_err(|error| failed(&error)),
            Ok(postgres) => {
                let is_new = self.schema_state().await? == SchemaState::Empty;
                migrate_postgres(postgres, is_new).await
            }
        }
    }

    /// Refuses a schema that is not this binary's, with what to do about it.
    pub async fn require_current_schema(&self) -> Result<()> {
        match self.schema_state().await? {
            SchemaState::Current => Ok(()),
            SchemaState::Empty => Err(not_of(&mut self.read().await?).await?.unwrap_or(Error::Schema(
                "the database is empty: run 'talkdrumd migrate', or 'talkdrumd create-admin' to set it up"
                    .into(),
            ))),
            SchemaState::Behind => Err(Error::Schema(
                "the database has an older schema: make a backup, then run 'talkdrumd migrate'".into(),
            )),
            SchemaState::Foreign => Err(Error::Schema(
                "the database was written by a newer Talkdrum: use that version, or restore a backup".into(),
            )),
        }
    }
}

/// Why a user of PostgreSQL sees no tables of Talkdrum, or may not read them: they are another user's. `None` where there
/// are none.
async fn not_of(tx: &mut Tx) -> Result<Option<Error>> {
    if tx.dialect() == Dialect::Sqlite {
        return Ok(None);
    }
    let tables: Option<(String, String, String)> = tx
        .opt(
            "SELECT CAST(schemaname AS TEXT), CAST(tableowner AS TEXT), CAST(current_user AS TEXT) FROM pg_tables \
             WHERE tablename = '_sqlx_migrations' ORDER BY schemaname = ANY(current_schemas(false)) DESC LIMIT 1",
            args![],
        )
        .await?;
    Ok(tables.map(|(schema, owner, user)| {
        Error::Schema(format!(
            "the tables in the schema '{schema}' are those of '{owner}' and may not be read by '{user}': connect as \
             '{owner}', or see the rights and the search_path of '{user}'"
        ))
    }))
}

fn failed(error: &MigrateError) -> Error {
    Error::Schema(format!("the migration failed: {error}"))
}

/// How long a migration waits for a table; all other statements on that table wait behind it meanwhile.
const LOCK_PATIENCE: &str = "SET lock_timeout = '4s'";
/// How often it is tried to get the tables, and the rest between two tries.
const LOCK_TRIES: u32 = 15;
const LOCK_REST: Duration = Duration::from_secs(2);
/// Held by the daemon that builds indexes beside the writes.
const BUILDING: i64 = 7_382_915_004;

/// Brings a schema up to date while others may be using it: indexes of large tables are built beside the writes, and no
/// migration waits long for a table.
async fn migrate_postgres(pool: &PgPool, is_new: bool) -> Result<()> {
    // A connection of its own, so that its settings reach no other work.
    let mut connection = pool.acquire().await?.detach();
    if !is_new {
        build_indexes(&mut connection).await?;
    }
    connection.execute(LOCK_PATIENCE).await?;
    for attempt in 1.. {
        match POSTGRES.run(&mut connection).await {
            Ok(()) => break,
            Err(error) if !waited_in_vain(&error) => return Err(failed(&error)),
            Err(_) if attempt == LOCK_TRIES => {
                return Err(Error::Schema(
                    "the migration failed: others kept a table locked; end long transactions and try again"
                        .into(),
                ));
            }
            Err(error) => tracing::info!(attempt, %error, "the migration waits for a table"),
        }
        tokio::time::sleep(LOCK_REST).await;
    }
    Ok(connection.close().await?)
}

fn waited_in_vain(error: &MigrateError) -> bool {
    let (MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _)) = error else {
        return false;
    };
    error
        .as_database_error()
        .and_then(|error| error.code())
        .is_some_and(|code| ["55P03", "40P01"].contains(&code.as_ref()))
}

/// Builds the indexes of pending migrations that say `IF NOT EXISTS`, ahead of them and beside the writes, as a migration
/// in its transaction cannot. Those of tables and columns that are new are left to the migration.
async fn build_indexes(connection: &mut PgConnection) -> Result<()> {
    let applied: Vec<(i64,)> =
        sqlx::query_as("SELECT version FROM _sqlx_migrations").fetch_all(&mut *connection).await?;
    let pending = POSTGRES.iter().filter(|it| !applied.contains(&(it.version,)));
    let builds: Vec<String> = pending.flat_map(|it| concurrent_builds(it.sql.as_str())).collect();
    if builds.is_empty() {
        return Ok(());
    }
    // Asked for repeatedly: building an index waits for every statement that is waiting.
    loop {
        let (alone,): (bool,) = sqlx::query_as("SELECT pg_try_advisory_lock($1)")
            .bind(BUILDING)
            .fetch_one(&mut *connection)
            .await?;
        if alone {
            break;
        }
        tokio::time::sleep(LOCK_REST).await;
    }
    // What an earlier attempt left half built.
    let broken: Vec<(String,)> = sqlx::query_as(
        "SELECT CAST(CAST(i.indexrelid AS regclass) AS TEXT) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid \
         WHERE NOT i.indisvalid AND c.relnamespace = CAST(current_schema() AS regnamespace)",
    )
    .fetch_all(&mut *connection)
    .await?;
    for (index,) in broken {
        connection.execute(AssertSqlSafe(format!("DROP INDEX CONCURRENTLY {index}"))).await?;
    }
    for build in builds {
        match connection.execute(AssertSqlSafe(build)).await {
            Ok(_) => {}
            // No such table or column yet.
            Err(sqlx::Error::Database(error))
                if matches!(error.code().as_deref(), Some("42P01" | "42703")) => {}
            Err(error) => return Err(error.into()),
        }
    }
    sqlx::query("SELECT pg_advisory_unlock($1)").bind(BUILDING).execute(connection).await?;
    Ok(())
}

/// The statements of a migration without their comments.
fn statements(sql: &str) -> Vec<String> {
    let code: Vec<&str> =
        sql.lines().map(|line| line.split_once("--").map_or(line, |(code, _)| code)).collect();
    let statements = code.join(" ");
    let statements = statements.split(';').map(|it| it.split_whitespace().collect::<Vec<_>>().join(" "));
    statements.filter(|it| !it.is_empty()).collect()
}

fn concurrent_builds(sql: &str) -> Vec<String> {
    let builds = statements(sql).into_iter().filter(|it| is_index_built_beside(it));
    builds.map(|it| it.replacen("INDEX IF NOT", "INDEX CONCURRENTLY IF NOT", 1)).collect()
}

fn is_index_built_beside(statement: &str) -> bool {
    ["CREATE INDEX IF NOT EXISTS ", "CREATE UNIQUE INDEX IF NOT EXISTS "]
        .iter()
        .any(|it| statement.starts_with(it))
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod upgrades;
