//! Runs of the daemon and the carriers they hold.

use std::time::Duration;

use crate::args;
use crate::error::Result;
use crate::store::db::once;
use crate::store::{Sql, Tx};
use crate::time::Time;

/// How long a run's writes are remembered after its end: a run that was declared dead may ask for them.
const REMEMBERED: Duration = Duration::from_hours(24);

/// Records a new run and returns its id, which only grows: a chunk's owner.
///
/// A database that went back in time gives ids out again. An id under which something is held belongs to a run that the
/// database forgot: that run is recorded as dead, so that what it holds is taken back, and the next id is used.
pub async fn start(tx: &mut Tx, now: Time) -> Result<i64> {
    once::forget_before(tx, now - REMEMBERED).await?;
    loop {
        let id = add(tx, now).await?;
        if !holds_anything(tx, id).await? {
            return Ok(id);
        }
        stop(tx, id, now).await?;
    }
}

async fn holds_anything(tx: &mut Tx, id: i64) -> Result<bool> {
    let (held,): (i64,) = tx
        .one(
            "SELECT (SELECT COUNT(*) FROM campaign_chunks WHERE state = 'open' AND owner = $1) \
               + (SELECT COUNT(*) FROM lent_retries WHERE owner = $1) \
               + (SELECT COUNT(*) FROM held_receipts WHERE owner = $1) \
               + (SELECT COUNT(*) FROM worker_writes WHERE owner = $1)",
            args![id],
        )
        .await?;
    Ok(held > 0)
}

async fn add(tx: &mut Tx, now: Time) -> Result<i64> {
    let row: (i64,) = tx
        .one(
            Sql::each(
                "INSERT INTO daemons (started_at, heartbeat_at) VALUES ($1, $1) RETURNING id",
                "INSERT INTO daemons (started_at, heartbeat_at) \
                 VALUES ($1, CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)) RETURNING id",
            ),
            args![now],
        )
        .await?;
    Ok(row.0)
}

/// Shows that a run lives; false when it was declared dead.
pub async fn heartbeat(tx: &mut Tx, id: i64, now: Time) -> Result<bool> {
    let touched = tx
        .run(
            Sql::each(
                "UPDATE daemons SET heartbeat_at = $2 WHERE id = $1 AND stopped_at IS NULL",
                "UPDATE daemons SET heartbeat_at = CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) \
                 WHERE id = $1 AND stopped_at IS NULL AND $2 >= 0",
            ),
            args![id, now],
        )
        .await?;
    Ok(touched == 1)
}

/// Declares other runs dead whose heartbeat is older than `silence_ms` by the database's clock; on SQLite, whose file
/// one daemon locks, all of them. A run that was declared dead learns it from its next heartbeat, and ends.
pub async fn declare_dead(tx: &mut Tx, me: i64, silence_ms: i64, now: Time) -> Result<u64> {
    tx.run(
        Sql::each(
            "UPDATE daemons SET stopped_at = $3 WHERE id <> $1 AND stopped_at IS NULL AND $2 >= 0",
            "UPDATE daemons SET stopped_at = $3 WHERE id <> $1 AND stopped_at IS NULL AND heartbeat_at < \
               CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) - $2",
        ),
        args![me, silence_ms, now],
    )
    .await
}

/// Gives the lease of a carrier back: it was closed, or could not be started.
pub async fn release_carrier(tx: &mut Tx, carrier: &str, me: i64) -> Result<()> {
    tx.run("DELETE FROM carrier_leases WHERE carrier = $1 AND owner = $2", args![carrier, me]).await?;
    Ok(())
}

/// Records that a run ended.
pub async fn stop(tx: &mut Tx, id: i64, now: Time) -> Result<()> {
    tx.run("UPDATE daemons SET stopped_at = $2 WHERE id = $1", args![id, now]).await?;
    tx.run("DELETE FROM carrier_leases WHERE owner = $1", args![id]).await?;
    Ok(())
}

/// Takes a carrier for a run, unless a living run has it. All binds of a carrier belong to one daemon.
pub async fn lease_carrier(tx: &mut Tx, carrier: &str, me: i64, silence_ms: i64) -> Result<bool> {
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
            args![carrier, me, silence_ms],
        )
        .await?;
    Ok(touched == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::store::Lane;

    both_databases! {
        async fn an_id_under_which_something_is_held_is_not_given_again(store: Store) {
            let start = || store.write(Lane::Interactive, Time(5), |tx, now| Box::pin(start(tx, *now)));
            let first = start().await.unwrap();
            store
                .write(Lane::Interactive, first + 1, |tx, forgotten| {
                    Box::pin(tx.run(
                        "INSERT INTO worker_writes (owner, writer, sequence) VALUES ($1, 'settle:main', 3)",
                        args![*forgotten],
                    ))
                })
                .await
                .unwrap();
            assert_eq!(start().await.unwrap(), first + 2);
            let mut tx = store.read().await.unwrap();
            let (stopped,): (Option<i64>,) =
                tx.one("SELECT stopped_at FROM daemons WHERE id = $1", args![first + 1]).await.unwrap();
            assert_eq!(stopped, Some(5), "the forgotten run is dead");
        }
    }
}
