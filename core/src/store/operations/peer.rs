//! Runs of daemons on one database, in whatever role, and how far each follows the orders given to all.
//!
//! On SQLite, whose file one daemon locks, there is one.

use crate::error::Result;
use crate::model::carrier::order::CarrierOrderId;
use crate::model::platform::installation::{DaemonRole, ReloadOutcome};
use crate::store::{Sql, Tx};
use crate::time::Time;
use crate::{args, sql};

/// A run of a daemon.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct PeerRow {
    /// Its own name.
    pub instance: String,
    /// Host and port.
    pub name: String,
    /// What it does.
    pub role: DaemonRole,
    /// The last reload that it took.
    pub reload: CarrierOrderId,
    /// What became of that.
    pub outcome: ReloadOutcome,
    /// In words.
    pub message: String,
}

/// Adds a run, which has read its configuration just now; those silent for `forget_ms` are forgotten.
pub async fn join(
    tx: &mut Tx,
    (instance, name, role): (&str, &str, DaemonRole),
    reload: CarrierOrderId,
    forget_ms: i64,
    now: Time,
) -> Result<()> {
    tx.run(
        // On SQLite any other run is over, however lately it was seen: it had the lock of the file.
        Sql::each(
            "DELETE FROM peers WHERE $1 = $1",
            "DELETE FROM peers WHERE seen_at < CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) - $1",
        ),
        args![forget_ms],
    )
    .await?;
    tx.run_exactly(
        1,
        sql!(
            "INSERT INTO peers (instance, name, role, reload, seen_at, outcome, message) \
             VALUES ($1, $2, $3, $4, CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) + 0 * $5, 'started', '') \
             ON CONFLICT (instance) DO UPDATE SET seen_at = excluded.seen_at"
        ),
        args![instance, name, role, reload, now],
    )
    .await
}

/// Shows that a run lives; false when it was forgotten.
pub async fn beat(tx: &mut Tx, instance: &str, now: Time) -> Result<bool> {
    let touched = tx
        .run(
            sql!(
                "UPDATE peers SET seen_at = CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) + 0 * $2 \
                 WHERE instance = $1"
            ),
            args![instance, now],
        )
        .await?;
    Ok(touched == 1)
}

/// Notes what became of a reload at a run.
pub async fn note(
    tx: &mut Tx,
    instance: &str,
    reload: CarrierOrderId,
    outcome: ReloadOutcome,
    message: &str,
) -> Result<()> {
    tx.run(
        "UPDATE peers SET reload = $2, outcome = $3, message = $4 WHERE instance = $1",
        args![instance, reload, outcome, message],
    )
    .await
    .map(|_| ())
}

/// Runs that were heard of within `silence_ms`, by their names.
pub async fn living(tx: &mut Tx, silence_ms: i64) -> Result<Vec<PeerRow>> {
    tx.all(
        // On SQLite the one run reads this itself, and so lives.
        Sql::each(
            "SELECT instance, name, role, reload, outcome, message FROM peers WHERE $1 = $1 ORDER BY name COLLATE \"binary\", instance COLLATE \"binary\"",
            "SELECT instance, name, role, reload, outcome, message FROM peers \
             WHERE seen_at >= CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) - $1 \
             ORDER BY name COLLATE \"binary\", instance COLLATE \"binary\" LIMIT 1000",
        ),
        args![silence_ms],
    )
    .await
}

/// Takes a run off that ends in order.
pub async fn leave(tx: &mut Tx, instance: &str) -> Result<()> {
    tx.run("DELETE FROM peers WHERE instance = $1", args![instance]).await.map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::store::{Dialect, Lane};

    both_databases! {
        async fn a_run_is_known_while_it_lives_with_what_it_took(store: Store) {
            let join = |instance: &'static str, forget: i64| {
                store.write(Lane::Interactive, (instance, forget), |tx, (instance, forget)| {
                    Box::pin(join(tx, (instance, "host:8080", DaemonRole::Worker), CarrierOrderId(3), *forget, Time(5)))
                })
            };
            join("a", 60_000).await.unwrap();
            join("b", 60_000).await.unwrap();
            let living = || async { living(&mut store.read().await.unwrap(), 60_000).await.unwrap() };
            let names: Vec<String> = living().await.into_iter().map(|it| it.instance).collect();
            let alone = store.dialect() == Dialect::Sqlite;
            assert_eq!(names, if alone { vec!["b"] } else { vec!["a", "b"] });
            store
                .write(Lane::Interactive, (), |tx, ()| Box::pin(note(tx, "b", CarrierOrderId(4), ReloadOutcome::Refused, "no such file")))
                .await
                .unwrap();
            let last = living().await.pop().unwrap();
            assert_eq!((last.reload, last.outcome, &*last.message), (CarrierOrderId(4), ReloadOutcome::Refused, "no such file"));
            let beat = |instance: &'static str| {
                store.write(Lane::Interactive, instance, |tx, instance| Box::pin(beat(tx, instance, Time(6))))
            };
            assert!(beat("b").await.unwrap());
            assert!(!beat("z").await.unwrap());
            store.write(Lane::Interactive, (), |tx, ()| Box::pin(leave(tx, "b"))).await.unwrap();
            assert_eq!(living().await.len(), usize::from(!alone));
            // A daemon that has been silent for longer is forgotten when the next one joins.
            join("c", -60_000).await.unwrap();
            let names: Vec<String> = living().await.into_iter().map(|it| it.instance).collect();
            assert_eq!(names, ["c"]);
        }
    }
}
