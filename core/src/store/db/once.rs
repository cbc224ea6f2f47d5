//! Writes that are stored exactly once, also when the answer of a commit is lost.
//!
//! On PostgreSQL a COMMIT whose answer is lost may have happened. A worker numbers such writes: the number is stored in
//! the transaction of the write itself, so that after a doubtful commit one look-up by key says whether it is stored.
//! What the write returned is kept until then. Nothing is looked up while all goes well.
//!
//! A number below one that is known to be stored proves that the database went back in time ([`Error::WentBack`]).

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex as SyncMutex, PoisonError};
use std::time::Duration;

use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use crate::error::{Error, Result};
use crate::model::platform::id::RunId;
use crate::store::db::write_job::Work;
use crate::store::{Lane, Store, Tx};
use crate::time::Time;
use crate::{args, sql};

/// Pauses between questions while the database cannot be reached.
const PAUSES: [Duration; 3] =
    [Duration::from_millis(10), Duration::from_millis(100), Duration::from_millis(500)];
/// Questions that are asked while the worker ends.
const LAST_TRIES: usize = 20;

/// One worker's writes, one after the other.
#[derive(Debug)]
pub struct Once {
    store: Store,
    owner: RunId,
    known: Arc<KnownWrites>,
    /// How many were stored after the last one; `None` when the database is to be asked before the next one.
    stored: Mutex<Option<i64>>,
    end: CancellationToken,
}

/// How many writes of a worker are known to be stored.
#[derive(Debug)]
pub struct KnownWrites {
    writer: String,
    stored: AtomicI64,
}

impl KnownWrites {
    /// The worker's name.
    pub fn writer(&self) -> &str {
        &self.writer
    }

    /// At least so many are stored.
    pub fn stored(&self) -> i64 {
        self.stored.load(Ordering::Acquire)
    }

    /// Sets the number, whatever was known before.
    pub fn set(&self, stored: i64) {
        self.stored.store(stored, Ordering::Release);
    }

    /// An error when the database knows fewer writes than are stored.
    pub fn compare(&self, stored: i64) -> Result<()> {
        let known = self.stored();
        if stored < known { Err(went_back(&self.writer, known, stored)) } else { Ok(()) }
    }
}

fn went_back(writer: &str, known: i64, stored: i64) -> Error {
    Error::WentBack(format!("{known} writes of '{writer}' were stored, and it knows {stored}"))
}

/// A write with its number and what it returned.
struct Numbered<I, T> {
    owner: RunId,
    writer: String,
    /// How many were stored before it.
    before: i64,
    input: I,
    job: Work<I, T>,
    made: SyncMutex<Option<T>>,
}

impl<I, T> Numbered<I, T> {
    async fn run(&self, tx: &mut Tx) -> Result<()> {
        count(tx, self.owner, &self.writer, self.before).await?;
        let made = (self.job)(tx, &self.input).await?;
        *self.made.lock().unwrap_or_else(PoisonError::into_inner) = Some(made);
        Ok(())
    }

    fn take(&self) -> Result<T> {
        let made = self.made.lock().unwrap_or_else(PoisonError::into_inner).take();
        made.ok_or_else(|| Error::Corrupt("a write was stored without having run".into()))
    }
}

impl Once {
    /// The writes of `writer` in the daemon run `owner`.
    pub fn new(store: Store, owner: RunId, writer: impl Into<String>) -> Self {
        let known = Arc::new(KnownWrites { writer: writer.into(), stored: AtomicI64::new(0) });
        Self { store, owner, known, stored: Mutex::default(), end: CancellationToken::new() }
    }

    /// How many are known to be stored, now and later.
    pub fn known(&self) -> Arc<KnownWrites> {
        Arc::clone(&self.known)
    }

    /// The same, for a worker that ends when `end` is cancelled: then it waits for an unreachable database only a
    /// bounded time.
    #[must_use]
    pub fn until(self, end: CancellationToken) -> Self {
        Self { end, ..self }
    }

    /// Runs `job` on `input` in one transaction, as [`Store::write`] does. After an error nothing of it is stored.
    ///
    /// # Errors
    /// Those of the job and of the store. [`Error::Doubtful`] only when the worker ended before the database answered;
    /// [`Error::WentBack`] when the database knows fewer writes than were stored.
    pub async fn write<I, T>(&self, lane: Lane, input: I, job: Work<I, T>) -> Result<T>
    where
        I: Send + Sync + 'static,
        T: Send + 'static,
    {
        let mut stored = self.stored.lock().await;
        let before = match stored.take() {
            // Unless it was lowered meanwhile.
            Some(before) if before == self.known.stored() => before,
            _ => self.ask().await?,
        };
        let (owner, writer) = (self.owner, self.known.writer.clone());
        let write = Arc::new(Numbered { owner, writer, before, input, job, made: SyncMutex::new(None) });
        let outcome = self
            .store
            .write(lane, Arc::clone(&write), |tx, write| Box::pin(async move { write.run(tx).await }))
            .await;
        match outcome {
            Ok(()) => {}
            Err(error @ Error::Doubtful(_)) => {
                let writer = self.known.writer();
                tracing::warn!(writer, %error, "the database is asked whether a write is stored");
                let now = self.ask_until_known().await?;
                if now < before {
                    return Err(went_back(writer, before, now));
                }
                if now == before {
                    *stored = Some(before);
                    return Err(error);
                }
                if now > before + 1 {
                    return Err(out_of_turn());
                }
            }
            Err(error) => return Err(error),
        }
        self.known.set(before + 1);
        *stored = Some(before + 1);
        write.take()
    }

    async fn ask_until_known(&self) -> Result<i64> {
        for tries in 0_usize.. {
            match self.ask().await {
                Err(error @ (Error::Crashed | Error::WentBack(_))) => return Err(error),
                Err(error) if error.is_passing() && (tries < LAST_TRIES || !self.end.is_cancelled()) => {
                    let pause = PAUSES.get(tries).or(PAUSES.last()).copied().unwrap_or_default();
                    tokio::time::sleep(pause).await;
                }
                known => return known,
            }
        }
        Err(Error::Doubtful("it was asked too often".into()))
    }

    /// How many writes are stored. One whose commit is still under way is waited for.
    async fn ask(&self) -> Result<i64> {
        let stored = self
            .store
            .write(Lane::Intent, (self.owner, self.known.writer.clone()), |tx, (owner, writer)| {
                Box::pin(count_stored(tx, *owner, writer))
            })
            .await?;
        self.known.compare(stored)?;
        self.known.set(stored);
        Ok(stored)
    }
}

async fn count_stored(tx: &mut Tx, owner: RunId, writer: &str) -> Result<i64> {
    let row: Option<(i64,)> = tx
        .opt(
            sql!("SELECT sequence FROM worker_writes WHERE owner = $1 AND writer = $2 FOR UPDATE"),
            args![owner, writer],
        )
        .await?;
    if let Some((stored,)) = row {
        return Ok(stored);
    }
    // Written, so that a first write whose commit is still under way is waited for.
    let (stored,): (i64,) = tx
        .one(
            "INSERT INTO worker_writes (owner, writer, sequence) VALUES ($1, $2, 0) \
             ON CONFLICT (owner, writer) DO UPDATE SET sequence = worker_writes.sequence RETURNING sequence",
            args![owner, writer],
        )
        .await?;
    Ok(stored)
}

/// Counts a write.
async fn count(tx: &mut Tx, owner: RunId, writer: &str, before: i64) -> Result<()> {
    let counted = tx
        .run(
            "UPDATE worker_writes SET sequence = sequence + 1 WHERE owner = $1 AND writer = $2 AND sequence = $3",
            args![owner, writer, before],
        )
        .await?;
    if counted == 1 {
        return Ok(());
    }
    let stored = of_run(tx, owner).await?.into_iter().find(|(name, _)| name == writer).map_or(0, |it| it.1);
    Err(if stored < before { went_back(writer, before, stored) } else { out_of_turn() })
}

/// Another worker of the same name writes: the next write asks first.
fn out_of_turn() -> Error {
    Error::unavailable("write_out_of_turn", "The database knows other writes of this worker: it is asked")
}

/// How many writes of each worker of a run are stored.
pub async fn of_run(tx: &mut Tx, owner: RunId) -> Result<Vec<(String, i64)>> {
    tx.all("SELECT writer, sequence FROM worker_writes WHERE owner = $1", args![owner]).await
}

/// Forgets the writes of runs that ended before `before`; returns the number of rows.
pub(crate) async fn forget_before(tx: &mut Tx, before: Time) -> Result<u64> {
    tx.run(
        "DELETE FROM worker_writes WHERE owner IN (SELECT id FROM daemons WHERE stopped_at < $1)",
        args![before],
    )
    .await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::store::platform::setting;
    use crate::testing::doubt::Doubts;

    async fn note(once: &Once, key: &'static str) -> Result<&'static str> {
        once.write(Lane::Background, key, |tx, key| {
            Box::pin(async move {
                tx.run_exactly(
                    1,
                    "INSERT INTO settings (key, value, updated_at) VALUES ($1, 'made', $2)",
                    args![*key, Time(1)],
                )
                .await?;
                Ok(*key)
            })
        })
        .await
    }

    both_databases! {
        async fn a_write_whose_commit_is_in_doubt_returns_what_it_made_and_is_stored_once(store: Store) {
            let doubts = Arc::new(Doubts::default());
            let once = Once::new(store.with_faults(Arc::<Doubts>::clone(&doubts)), RunId(1), "test");
            assert_eq!(note(&once, "a").await.unwrap(), "a");
            doubts.after(0);
            assert_eq!(note(&once, "b").await.unwrap(), "b");
            doubts.before(0, Error::Database(sqlx::Error::PoolTimedOut));
            assert_eq!(note(&once, "c").await.unwrap_err().code(), "database");
            assert_eq!(note(&once, "c").await.unwrap(), "c");
            // Refused by the database itself: the next one is numbered as if it had never been tried.
            assert!(note(&once, "c").await.unwrap_err().is_duplicate());
            assert_eq!(note(&once, "d").await.unwrap(), "d");
            // A new worker under the same name continues the numbers of the last one.
            let again = Once::new(store.clone(), RunId(1), "test");
            assert_eq!(note(&again, "e").await.unwrap(), "e");
            // Without its knowledge: it notices, and continues.
            assert_eq!(note(&once, "f").await.unwrap_err().code(), "write_out_of_turn");
            assert_eq!(note(&once, "f").await.unwrap(), "f");
            let mut tx = store.read().await.unwrap();
            assert!(setting::get(&mut tx, "b").await.unwrap().is_some());
        }

        async fn fewer_writes_than_were_stored_are_no_routine_whoever_finds_out(store: Store) {
            let doubts = Arc::new(Doubts::default());
            let once = Once::new(store.with_faults(Arc::<Doubts>::clone(&doubts)), RunId(1), "test");
            let forget = || {
                store.write(Lane::Background, (), |tx, ()| {
                    Box::pin(tx.run("UPDATE worker_writes SET sequence = sequence - 1", args![]))
                })
            };
            for key in ["a", "b", "c"] {
                note(&once, key).await.unwrap();
            }
            forget().await.unwrap();
            // Not stored: there is nothing to take its result from.
            doubts.before(0, Error::Doubtful("the connection broke".into()));
            assert!(matches!(note(&once, "d").await, Err(Error::WentBack(_))));
            assert!(matches!(note(&once, "d").await, Err(Error::WentBack(_))), "until it is dealt with");
            once.known().set(2);
            note(&once, "d").await.unwrap();
            forget().await.unwrap();
            assert!(matches!(note(&once, "e").await, Err(Error::WentBack(_))));
            assert!(setting::get(&mut store.read().await.unwrap(), "e").await.unwrap().is_none());
        }

        async fn a_doubtful_write_that_is_not_stored_is_refused_and_can_be_made_again(store: Store) {
            let doubts = Arc::new(Doubts::default());
            let once = Once::new(store.with_faults(Arc::<Doubts>::clone(&doubts)), RunId(1), "test");
            for key in ["a", "b"] {
                doubts.before(0, Error::Doubtful("the connection broke".into()));
                assert!(matches!(note(&once, key).await, Err(Error::Doubtful(_))));
                assert!(setting::get(&mut store.read().await.unwrap(), key).await.unwrap().is_none());
                assert_eq!(note(&once, key).await.unwrap(), key);
            }
        }
    }
}
