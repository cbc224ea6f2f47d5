//! Runs of the daemon and the carriers they hold.

use std::time::Duration;

use crate::error::Result;
use crate::model::platform::id::RunId;
use crate::store::db::once;
use crate::store::{Sql, Tx};
use crate::time::Time;
use crate::{args, sql};

/// How long a run's writes are remembered after its end: a run that was declared dead may ask for them.
const REMEMBERED: Duration = Duration::from_hours(24);

/// Records a new run and returns its id, which only grows: a chunk's owner.
///
/// Ids are the moment of the start, in milliseconds of the database's clock: a database that went back in time must not
/// give the id of a run that it forgot to another run, as that run may still be alive. An id under which something is
/// held, as the clock went back too, is recorded as dead, so that what it holds is taken back.
pub async fn start(tx: &mut Tx, now: Time) -> Result<RunId> {
    loop {
        let id = add(tx, now).await?;
        if !holds_anything(tx, id).await? {
            return Ok(id);
        }
        stop(tx, id, now).await?;
    }
}

async fn holds_anything(tx: &mut Tx, id: RunId) -> Result<bool> {
    let (held,): (i64,) = tx
        .one(
            "SELECT (SELECT COUNT(*) FROM campaign_chunks WHERE state = 'open' AND owner = $1) \
               + (SELECT COUNT(*) FROM lent_retries WHERE owner = $1) \
               + (SELECT COUNT(*) FROM held_receipts WHERE owner = $1) \
               + (SELECT COUNT(*) FROM own_number_calls WHERE owner = $1 AND status <> 'ended') \
               + (SELECT COUNT(*) FROM worker_writes WHERE owner = $1)",
            args![id],
        )
        .await?;
    Ok(held > 0)
}

async fn add(tx: &mut Tx, now: Time) -> Result<RunId> {
    loop {
        // Two that start in the same millisecond: one of them tries again. Each database has a text, as its own clock is
        // read, also on SQLite, where `sql!` would go by the daemon's.
        let row: Option<(RunId,)> = tx
            .opt(
                Sql::each(
                    "INSERT INTO daemons (id, started_at, heartbeat_at, knows_canaries) \
                     SELECT MAX(CAST(unixepoch('subsec') * 1000 AS INTEGER), COALESCE(MAX(id), 0) + 1), $1, $1, TRUE \
                     FROM daemons RETURNING id",
                    "INSERT INTO daemons (id, started_at, heartbeat_at, knows_canaries) \
                     SELECT GREATEST(clock.now, (SELECT COALESCE(MAX(id), 0) + 1 FROM daemons)), $1, clock.now, TRUE \
                     FROM (SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS now) clock \
                     ON CONFLICT (id) DO NOTHING RETURNING id",
                ),
                args![now],
            )
            .await?;
        if let Some((id,)) = row {
            return Ok(id);
        }
    }
}

/// Forgets the writes of runs that ended long ago; returns how many workers' these were.
pub async fn purge(tx: &mut Tx, now: Time) -> Result<u64> {
    once::forget_before(tx, now - REMEMBERED).await
}

/// Shows that a run lives; false when it was declared dead.
pub async fn heartbeat(tx: &mut Tx, id: RunId, now: Time) -> Result<bool> {
    let touched = tx
        .run(
            sql!(
                "UPDATE daemons SET heartbeat_at = CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) + 0 * $2 \
                 WHERE id = $1 AND stopped_at IS NULL"
            ),
            args![id, now],
        )
        .await?;
    Ok(touched == 1)
}

/// Declares other runs dead whose heartbeat is older than `silence` by the database's clock; on SQLite, whose file
/// one daemon locks, all of them. A run that was declared dead learns it from its next heartbeat, and ends.
pub async fn declare_dead(tx: &mut Tx, me: RunId, silence: Duration, now: Time) -> Result<u64> {
    tx.run(
        Sql::each(
            "UPDATE daemons SET stopped_at = $3 WHERE id <> $1 AND stopped_at IS NULL AND $2 >= 0",
            "UPDATE daemons SET stopped_at = $3 WHERE id <> $1 AND stopped_at IS NULL AND heartbeat_at < \
               CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) - $2",
        ),
        args![me, milliseconds(silence), now],
    )
    .await
}

/// Gives the lease of a carrier back: it was closed, or could not be started.
pub async fn release_carrier(tx: &mut Tx, carrier: &str, me: RunId) -> Result<()> {
    tx.run("DELETE FROM carrier_leases WHERE carrier = $1 AND owner = $2", args![carrier, me]).await?;
    Ok(())
}

/// Records that a run ended.
pub async fn stop(tx: &mut Tx, id: RunId, now: Time) -> Result<()> {
    tx.run("UPDATE daemons SET stopped_at = $2 WHERE id = $1", args![id, now]).await?;
    tx.run("DELETE FROM carrier_leases WHERE owner = $1", args![id]).await?;
    Ok(())
}

/// The carriers that a run has taken.
pub async fn leases(tx: &mut Tx, me: RunId) -> Result<Vec<String>> {
    let rows: Vec<(String,)> =
        tx.all("SELECT carrier FROM carrier_leases WHERE owner = $1", args![me]).await?;
    Ok(rows.into_iter().map(|(carrier,)| carrier).collect())
}

/// Takes a carrier for a run, unless another run has it whose heartbeat is younger than `silence` by the database's clock;
/// on SQLite, whose file one daemon locks, no other run has any. All binds of a carrier belong to one daemon.
pub async fn lease_carrier(tx: &mut Tx, carrier: &str, me: RunId, silence: Duration) -> Result<bool> {
    let touched = tx
        .run(
            Sql::each(
                "INSERT INTO carrier_leases (carrier, owner) SELECT $1, $2 WHERE $3 >= 0 \
                 ON CONFLICT (carrier) DO UPDATE SET owner = excluded.owner",
                "INSERT INTO carrier_leases (carrier, owner) VALUES ($1, $2) \
                 ON CONFLICT (carrier) DO UPDATE SET owner = excluded.owner \
                 WHERE carrier_leases.owner = excluded.owner OR EXISTS (SELECT 1 FROM daemons d \
                   WHERE d.id = carrier_leases.owner AND (d.stopped_at IS NOT NULL OR d.heartbeat_at < \
                     CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) - $3))",
            ),
            args![carrier, me, milliseconds(silence)],
        )
        .await?;
    Ok(touched == 1)
}

fn milliseconds(span: Duration) -> i64 {
    i64::try_from(span.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::store::{Lane, Store};
    use crate::testing::past::Moment;

    both_databases! {
        async fn the_id_of_a_run_that_the_database_forgot_is_not_given_again(store: Store) {
            let first = begin(&store).await;
            let moment = Moment::now(&store).await;
            let forgotten = begin(&store).await;
            tokio::time::sleep(Duration::from_millis(5)).await;
            moment.restore().await;
            let next = begin(&store).await;
            assert!(first < forgotten && forgotten < next, "{first} {forgotten} {next}");
        }

        async fn runs_that_start_at_once_have_ids_of_their_own(store: Store) {
            let mut ids = futures::future::join_all((0..8).map(|_| begin(&store))).await;
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len(), 8);
        }

        async fn what_a_run_wrote_is_forgotten_a_day_after_its_end(store: Store) {
            let (over, alive) = (begin(&store).await, begin(&store).await);
            store
                .write(Lane::Interactive, (over, alive), |tx, (over, alive)| {
                    Box::pin(async move {
                        for owner in [*over, *alive] {
                            let sql = "INSERT INTO worker_writes (owner, writer, sequence) VALUES ($1, 'settle:main', 3)";
                            tx.run(sql, args![owner]).await?;
                        }
                        stop(tx, *over, Time(5)).await
                    })
                })
                .await
                .unwrap();
            for (after, forgotten) in [(REMEMBERED, 0), (REMEMBERED + Duration::from_millis(1), 1)] {
                let now = Time(5) + after;
                let purged = store.write(Lane::Background, now, |tx, now| Box::pin(purge(tx, *now))).await;
                assert_eq!(purged.unwrap(), forgotten);
            }
            assert_eq!(once::of_run(&mut store.read().await.unwrap(), alive).await.unwrap().len(), 1);
        }

        async fn an_id_under_which_something_is_held_is_not_given_again(store: Store) {
            // Of a clock that was ahead.
            let ahead = begin(&store).await.0 + 1_000_000;
            store
                .write(Lane::Interactive, ahead, |tx, ahead| {
                    Box::pin(async move {
                        tx.run("INSERT INTO daemons (id, started_at, heartbeat_at) VALUES ($1, 1, 1)", args![*ahead])
                            .await?;
                        tx.run(
                            "INSERT INTO worker_writes (owner, writer, sequence) VALUES ($1, 'settle:main', 3)",
                            args![*ahead + 1],
                        )
                        .await
                    })
                })
                .await
                .unwrap();
            assert_eq!(begin(&store).await, RunId(ahead + 2));
            let mut tx = store.read().await.unwrap();
            let (stopped,): (Option<i64>,) =
                tx.one("SELECT stopped_at FROM daemons WHERE id = $1", args![ahead + 1]).await.unwrap();
            assert_eq!(stopped, Some(5), "the forgotten run is dead");
        }
    }

    async fn begin(store: &Store) -> RunId {
        store.write(Lane::Interactive, Time(5), |tx, now| Box::pin(start(tx, *now))).await.unwrap()
    }
}
