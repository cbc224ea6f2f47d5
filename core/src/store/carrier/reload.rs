//! What administrators ordered of the carriers of all daemons.
//!
//! Orders are numbered in the order of their commits as far as anybody looks: a daemon that follows the
//! last reload has followed them all, since each makes it read its whole file.

use crate::args;
use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::carrier::OrderKind;
use crate::model::carrier::order::CarrierOrderId;
use crate::store::Tx;
use crate::store::operations::purge::bounded;
use crate::time::Time;

/// Keeps an order with what was done; returns its number.
pub async fn insert(
    tx: &mut Tx,
    kind: OrderKind,
    by: UserId,
    report: &str,
    now: Time,
) -> Result<CarrierOrderId> {
    let (id,): (CarrierOrderId,) = tx
        .one(
            "INSERT INTO carrier_orders (kind, asked_by, asked_at, report) VALUES ($1, $2, $3, $4) RETURNING id",
            args![kind, by, now, report],
        )
        .await?;
    Ok(id)
}

/// What was done, as JSON.
pub async fn report(tx: &mut Tx, id: CarrierOrderId) -> Result<Option<String>> {
    let row: Option<(String,)> = tx.opt("SELECT report FROM carrier_orders WHERE id = $1", args![id]).await?;
    Ok(row.map(|(report,)| report))
}

const LAST: &str = "SELECT id FROM carrier_orders WHERE kind = $1 ORDER BY id DESC LIMIT 1";

/// The number of the last reload; [`CarrierOrderId::NONE`] when there was none.
pub async fn last_reload(tx: &mut Tx) -> Result<CarrierOrderId> {
    let row: Option<(CarrierOrderId,)> = tx.opt(LAST, args![OrderKind::Reload]).await?;
    Ok(row.map_or(CarrierOrderId::NONE, |(id,)| id))
}

/// Forgets a bounded number of orders given before `before`, but for the last; returns how many.
pub async fn purge(tx: &mut Tx, before: Time) -> Result<u64> {
    let old = bounded!(
        "carrier_orders",
        "id",
        "asked_at < $1 AND id < (SELECT MAX(id) FROM carrier_orders WHERE kind = 'reload')"
    );
    tx.run(old, args![before]).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::model::account::user::Role;
    use crate::store::{Dialect, Lane};
    use crate::testing::account::make_user;

    both_databases! {
        async fn the_last_reload_is_known_by_its_index_and_outlives_the_others(store: Store) {
            let admin = make_user(&store, "root", Role::Admin).await;
            let order = |kind: OrderKind, at: i64| {
                store.write(Lane::Interactive, (kind, at, admin), |tx, (kind, at, admin)| {
                    Box::pin(insert(tx, *kind, *admin, "{}", Time(*at)))
                })
            };
            assert_eq!(last_reload(&mut store.read().await.unwrap()).await.unwrap(), CarrierOrderId::NONE);
            order(OrderKind::Reload, 1).await.unwrap();
            let last = order(OrderKind::Reload, 2).await.unwrap();
            let reroute = order(OrderKind::Reroute, 3).await.unwrap();
            assert_eq!(last_reload(&mut store.read().await.unwrap()).await.unwrap(), last);
            let purged =
                store.write(Lane::Background, (), |tx, ()| Box::pin(purge(tx, Time(9)))).await.unwrap();
            assert_eq!(purged, 1);
            let mut tx = store.read().await.unwrap();
            assert_eq!(last_reload(&mut tx).await.unwrap(), last);
            assert_eq!(report(&mut tx, reroute).await.unwrap().as_deref(), Some("{}"));
            if tx.dialect() == Dialect::Sqlite {
                let plan = tx.explain(LAST, args![OrderKind::Reload]).await.unwrap().join(" ");
                assert!(plan.contains("carrier_orders_kind (kind=?)"), "{plan}");
            }
        }
    }
}
