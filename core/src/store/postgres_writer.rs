//! PostgreSQL's writes: each in a transaction and on a task of its own, so that it ends even when its caller goes away,
//! and tried again when the server asks for it.

use std::time::Duration;

use sqlx::PgPool;

use super::job::{Failure, Job, Pending, Work};
use super::tx::{Conn, Tx};
use crate::error::{Error, Result};

/// How often a write that met a deadlock is tried in all.
const TRIES: u32 = 8;

/// Runs a write to its end and returns its result after the commit.
pub(super) async fn write<I, T>(pool: &PgPool, input: I, job: Work<I, T>) -> Result<T>
where
    I: Send + Sync + 'static,
    T: Send + 'static,
{
    let (pending, answer) = Pending::new(input, job);
    tokio::spawn(carry_out(pool.clone(), Box::new(pending)));
    answer.await.map_err(|_| Error::Doubtful("the write was given up".into()))?
}

async fn carry_out(pool: PgPool, mut job: Box<dyn Job>) {
    let mut failed = None;
    for attempt in 1..=TRIES {
        failed = attempt_at(&pool, job.as_mut()).await.err();
        let is_retryable = failed.as_ref().or_else(|| job.refusal()).is_some_and(Error::is_retryable);
        if !is_retryable || attempt == TRIES {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5 << attempt.min(6))).await;
    }
    job.finish(failed.map(Failure::from).as_ref());
}

/// Fails where the transaction did; what the job refuses, it knows itself.
async fn attempt_at(pool: &PgPool, job: &mut dyn Job) -> Result<()> {
    let mut tx = Tx(Conn::PostgresWrite(pool.begin().await?));
    // One that is dropped is rolled back.
    if !job.run(&mut tx).await {
        return Ok(());
    }
    match tx.0 {
        Conn::PostgresWrite(transaction) => transaction.commit().await.map_err(of_commit),
        _ => Err(Error::Corrupt("a transaction changed its kind".into())),
    }
}

/// What the error of a COMMIT says. Only when the server itself refused it (an integrity constraint, a rollback of the
/// transaction) nothing is stored; otherwise it may be.
fn of_commit(error: sqlx::Error) -> Error {
    let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
    if code.is_some_and(|code| code.starts_with("23") || code.starts_with("40")) {
        return Error::Database(error);
    }
    Error::Doubtful(error.to_string())
}
