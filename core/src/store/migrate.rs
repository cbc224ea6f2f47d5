//! The schema: twin migrations under `migrations/{sqlite,postgres}` with the same names, embedded in the binary.

use sqlx::migrate::Migrator;

use super::{Dialect, Store};
use crate::args;
use crate::error::{Error, Result};

static SQLITE: Migrator = sqlx::migrate!("../migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("../migrations/postgres");

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
        let applied: Vec<(i64, Vec<u8>)> =
            tx.all("SELECT version, checksum FROM _sqlx_migrations ORDER BY version", args![]).await?;
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
        let failed =
            |error: sqlx::migrate::MigrateError| Error::Schema(format!("the migration failed: {error}"));
        match self.writers() {
            Err(sqlite) => SQLITE.run(&mut *sqlite.connection().await?).await.map_err(failed),
            Ok(postgres) => POSTGRES.run(postgres).await.map_err(failed),
        }
    }

    /// Refuses a schema that is not this binary's, with what to do about it.
    pub async fn require_current_schema(&self) -> Result<()> {
        match self.schema_state().await? {
            SchemaState::Current => Ok(()),
            SchemaState::Empty => Err(Error::Schema(
                "the database is empty: run 'talkdrumd migrate', or 'talkdrumd create-admin' to set it up"
                    .into(),
            )),
            SchemaState::Behind => Err(Error::Schema(
                "the database has an older schema: make a backup, then run 'talkdrumd migrate'".into(),
            )),
            SchemaState::Foreign => Err(Error::Schema(
                "the database was written by a newer Talkdrum: use that version, or restore a backup".into(),
            )),
        }
    }
}
