//! One transaction over either driver.

use futures::future::BoxFuture;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{FromRow, PgConnection, Postgres, Sqlite, SqliteConnection, Transaction};

use crate::args;
use crate::error::{Error, Result};
use crate::phone::{DigestKey, Msisdn};
use crate::store::db::sql::{Arg, Column, Dialect, Sql, pairs_as_json, rows_as_json};
use crate::store::db::sqlite::readers::Reader;

/// A row type that can be read from both databases: whatever derives `FromRow`, and tuples.
pub trait FromBoth: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {}
impl<T> FromBoth for T where T: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {}

/// An open transaction, or a connection for reading. Its whole interface is `run`, `all`, `opt` and `one`.
#[derive(Debug)]
pub struct Tx(pub(crate) Conn, Option<DigestKey>);

/// The writing connection on loan.
pub(crate) type Writing = tokio::sync::OwnedMappedMutexGuard<Option<SqliteConnection>, SqliteConnection>;

#[derive(Debug)]
pub(crate) enum Conn {
    /// The writer's connection within its group commit.
    Sqlite(Writing),
    /// A reader's, which goes back to the others when it is dropped.
    SqliteRead(Reader),
    /// A reading connection, outside any transaction.
    PostgresRead(PoolConnection<Postgres>),
    /// A transaction, or a snapshot, rolled back if it is dropped.
    PostgresWrite(Transaction<'static, Postgres>),
}

enum Raw<'a> {
    Sqlite(&'a mut SqliteConnection),
    Postgres(&'a mut PgConnection),
}

/// Rows as a driver gives them.
enum Rows {
    Sqlite(Vec<SqliteRow>),
    Postgres(Vec<PgRow>),
}

impl Rows {
    fn read<T: FromBoth>(&self) -> Result<Vec<T>> {
        Ok(match self {
            Self::Sqlite(rows) => rows.iter().map(T::from_row).collect::<sqlx::Result<_>>()?,
            Self::Postgres(rows) => rows.iter().map(T::from_row).collect::<sqlx::Result<_>>()?,
        })
    }
}

impl Tx {
    /// On a connection, with the key under which erased numbers are digested.
    pub(crate) const fn new(conn: Conn, digest_key: Option<DigestKey>) -> Self {
        Self(conn, digest_key)
    }

    /// The digest that stands for a number once it was erased; `None` in processes without the key, which send nothing.
    pub fn digest(&self, number: Msisdn) -> Option<i64> {
        self.1.map(|key| key.digest(number))
    }

    /// The database behind this transaction.
    pub fn dialect(&self) -> Dialect {
        match self.0 {
            Conn::Sqlite(_) | Conn::SqliteRead(_) => Dialect::Sqlite,
            Conn::PostgresRead(_) | Conn::PostgresWrite(_) => Dialect::Postgres,
        }
    }

    fn raw(&mut self) -> Raw<'_> {
        match &mut self.0 {
            Conn::Sqlite(conn) => Raw::Sqlite(conn),
            Conn::SqliteRead(reader) => Raw::Sqlite(&mut reader.connection),
            Conn::PostgresRead(conn) => Raw::Postgres(conn),
            Conn::PostgresWrite(tx) => Raw::Postgres(tx),
        }
    }

    /// Runs a statement and returns the number of rows it touched.
    pub async fn run(&mut self, sql: impl Into<Sql>, args: Vec<Arg>) -> Result<u64> {
        self.touched(sql.into(), args).await
    }

    /// All rows of a query. The statement bounds how many there can be.
    pub async fn all<T: FromBoth>(&mut self, sql: impl Into<Sql>, args: Vec<Arg>) -> Result<Vec<T>> {
        self.rows(sql.into(), args).await?.read()
    }

    /// The first row of a query, if there is one.
    pub async fn opt<T: FromBoth>(&mut self, sql: impl Into<Sql>, args: Vec<Arg>) -> Result<Option<T>> {
        Ok(self.first(sql.into(), args).await?.read()?.pop())
    }

    // What the drivers do is compiled once, and not for each type of row. The futures are boxed: see `Store::read`.
    fn touched(&mut self, sql: Sql, args: Vec<Arg>) -> BoxFuture<'_, Result<u64>> {
        Box::pin(async move {
            Ok(match self.raw() {
                Raw::Sqlite(conn) => for_sqlite(sql, args).execute(conn).await?.rows_affected(),
                Raw::Postgres(conn) => for_postgres(sql, args).execute(conn).await?.rows_affected(),
            })
        })
    }

    fn rows(&mut self, sql: Sql, args: Vec<Arg>) -> BoxFuture<'_, Result<Rows>> {
        Box::pin(async move {
            Ok(match self.raw() {
                Raw::Sqlite(conn) => Rows::Sqlite(for_sqlite(sql, args).fetch_all(conn).await?),
                Raw::Postgres(conn) => Rows::Postgres(for_postgres(sql, args).fetch_all(conn).await?),
            })
        })
    }

    fn first(&mut self, sql: Sql, args: Vec<Arg>) -> BoxFuture<'_, Result<Rows>> {
        Box::pin(async move {
            Ok(match self.raw() {
                Raw::Sqlite(conn) => {
                    Rows::Sqlite(for_sqlite(sql, args).fetch_optional(conn).await?.into_iter().collect())
                }
                Raw::Postgres(conn) => {
                    Rows::Postgres(for_postgres(sql, args).fetch_optional(conn).await?.into_iter().collect())
                }
            })
        })
    }

    /// The different texts of a column, in order, where an index begins with it: `next` selects the first one after `$1`, and
    /// `given` are its other arguments. For few texts in many rows, which are not walked.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn each_text(&mut self, next: &'static str, given: Vec<Arg>) -> Result<Vec<String>> {
        let mut texts: Vec<String> = Vec::new();
        loop {
            let after = texts.last().map_or("", String::as_str);
            let args = args![after].into_iter().chain(given.iter().cloned()).collect();
            let found: Option<(String,)> = self.opt(next, args).await?;
            let Some((found,)) = found else { return Ok(texts) };
            texts.push(found);
        }
    }

    /// The row of a query that must have one (`INSERT ... RETURNING`, an aggregate).
    pub async fn one<T: FromBoth>(&mut self, sql: impl Into<Sql>, args: Vec<Arg>) -> Result<T> {
        self.opt(sql, args).await?.ok_or(Error::Database(sqlx::Error::RowNotFound))
    }

    /// Runs a statement that must touch exactly `expected` rows; anything else is damaged data.
    pub async fn run_exactly(&mut self, expected: u64, sql: impl Into<Sql>, args: Vec<Arg>) -> Result<()> {
        let sql = sql.into();
        let touched = self.run(sql, args).await?;
        if touched == expected {
            return Ok(());
        }
        Err(Error::Corrupt(format!(
            "a statement touched {touched} rows where {expected} were due: {}",
            sql.sqlite
        )))
    }

    /// The lines of the database's plan for a statement, for the tests that assert which index it uses.
    #[cfg(any(test, feature = "testing"))]
    pub async fn explain(&mut self, sql: impl Into<Sql>, args: Vec<Arg>) -> Result<Vec<String>> {
        use sqlx::Row as _;
        let sql = sql.into();
        Ok(match self.raw() {
            Raw::Sqlite(conn) => {
                let text = sqlx::AssertSqlSafe(format!("EXPLAIN QUERY PLAN {}", sql.sqlite));
                let query = args.into_iter().fold(sqlx::query(text), bind_sqlite);
                query.fetch_all(conn).await?.iter().map(|row| row.get::<String, _>(3)).collect()
            }
            Raw::Postgres(conn) => {
                let text = sqlx::AssertSqlSafe(format!("EXPLAIN {}", sql.postgres));
                let query = args.into_iter().fold(sqlx::query(text), bind_postgres);
                query.fetch_all(conn).await?.iter().map(|row| row.get::<String, _>(0)).collect()
            }
        })
    }
}

fn for_sqlite(sql: Sql, args: Vec<Arg>) -> Query<'static, Sqlite, SqliteArguments> {
    args.into_iter().fold(sqlx::query(sql.sqlite), bind_sqlite)
}

fn bind_sqlite(
    query: Query<'static, Sqlite, SqliteArguments>,
    arg: Arg,
) -> Query<'static, Sqlite, SqliteArguments> {
    match arg {
        Arg::Int(value) => query.bind(value),
        Arg::Text(value) => query.bind(value),
        Arg::Bytes(value) => query.bind(value),
        Arg::Bool(value) => query.bind(value),
        Arg::Rows(columns) => query.bind(rows_as_json(&columns)),
        Arg::Ready(rows) => query.bind(rows.into_json()),
        Arg::Pairs(keys, values) => query.bind(pairs_as_json(&keys, &values)),
    }
}

fn for_postgres(sql: Sql, args: Vec<Arg>) -> Query<'static, Postgres, PgArguments> {
    args.into_iter().fold(sqlx::query(sql.postgres), bind_postgres)
}

fn bind_postgres(
    query: Query<'static, Postgres, PgArguments>,
    arg: Arg,
) -> Query<'static, Postgres, PgArguments> {
    match arg {
        Arg::Int(value) => query.bind(value),
        Arg::Text(value) => query.bind(value),
        Arg::Bytes(value) => query.bind(value),
        Arg::Bool(value) => query.bind(value),
        Arg::Rows(columns) => columns.into_iter().fold(query, bind_array),
        Arg::Ready(rows) => rows.columns().fold(query, bind_array),
        Arg::Pairs(keys, values) => bind_array(query.bind(keys), values),
    }
}

fn bind_array(
    query: Query<'static, Postgres, PgArguments>,
    column: Column,
) -> Query<'static, Postgres, PgArguments> {
    match column {
        Column::Ints(values) => query.bind(values),
        Column::OptInts(values) => query.bind(values),
        Column::Texts(values) | Column::Terse(values) => query.bind(values),
    }
}
