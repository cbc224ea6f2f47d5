//! A database that goes back in time: what it stored after a moment is gone, as after a failover to a server that lags.

use crate::args;
use crate::store::{Dialect, Lane, Store, Tx};

/// A moment to go back to: a copy of every table, beside it.
#[derive(Debug)]
pub struct Moment(Vec<String>);

/// Statements are `'static` everywhere else; these are made of the schema's own names.
fn leaked(sql: String) -> &'static str {
    Box::leak(sql.into_boxed_str())
}

async fn tables(tx: &mut Tx) -> Vec<String> {
    let sql = match tx.dialect() {
        Dialect::Sqlite => {
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '%_moment'"
        }
        // Of a partitioned table, the whole.
        Dialect::Postgres => {
            "SELECT CAST(relname AS TEXT) FROM pg_class WHERE relnamespace = current_schema()::regnamespace \
             AND relkind IN ('r', 'p') AND NOT relispartition AND relname NOT LIKE '%\\_moment'"
        }
    };
    let rows: Vec<(String,)> = tx.all(sql, args![]).await.expect("the tables");
    rows.into_iter().map(|(name,)| name).collect()
}

impl Moment {
    /// The present one.
    ///
    /// # Panics
    /// When the database fails.
    pub async fn now(store: &Store) -> Self {
        let tables = tables(&mut store.read().await.expect("a reader")).await;
        let copied = store.write(Lane::Interactive, tables.clone(), |tx, tables| {
            Box::pin(async move {
                for table in tables {
                    tx.run(leaked(format!("DROP TABLE IF EXISTS {table}_moment")), args![]).await?;
                    tx.run(leaked(format!("CREATE TABLE {table}_moment AS SELECT * FROM {table}")), args![])
                        .await?;
                }
                Ok(())
            })
        });
        copied.await.expect("a copy of every table");
        Self(tables)
    }

    /// Goes back to it.
    ///
    /// # Panics
    /// When the database fails.
    pub async fn restore(&self, store: &Store) {
        let restored = store.write(Lane::Interactive, self.0.clone(), |tx, tables| {
            Box::pin(async move {
                let unchecked = match tx.dialect() {
                    Dialect::Sqlite => "PRAGMA defer_foreign_keys = true",
                    Dialect::Postgres => "SET LOCAL session_replication_role = replica",
                };
                tx.run(unchecked, args![]).await?;
                // PostgreSQL's rest with the checks.
                let triggers: Vec<(String, String)> = match tx.dialect() {
                    Dialect::Sqlite => {
                        tx.all("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'", args![]).await?
                    }
                    Dialect::Postgres => Vec::new(),
                };
                for (name, _) in &triggers {
                    tx.run(leaked(format!("DROP TRIGGER {name}")), args![]).await?;
                }
                for table in tables {
                    tx.run(leaked(format!("DELETE FROM {table}")), args![]).await?;
                }
                for table in tables {
                    tx.run(leaked(format!("INSERT INTO {table} SELECT * FROM {table}_moment")), args![])
                        .await?;
                }
                for (_, sql) in triggers {
                    tx.run(leaked(sql), args![]).await?;
                }
                Ok(())
            })
        });
        restored.await.expect("the tables as they were");
    }
}
