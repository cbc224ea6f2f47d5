//! Opening and closing a breaker by hand: the run that holds the carrier obeys within about a second.

use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::carrier::breaker::BreakerState;
use crate::model::platform::audit::AuditAction;
use crate::platform::audit::{self, Entry};
use crate::store::Tx;
use crate::store::carrier::breaker as table;
use crate::time::Time;

/// Opens or closes the breaker of a carrier for a network. One that is opened tries by itself, after a while, whether the
/// network delivers; one that is closed opens again by itself where it does not.
///
/// # Errors
/// Those of the store.
pub async fn order_breaker(
    tx: &mut Tx,
    carrier: &str,
    network: &str,
    open: bool,
    by: UserId,
    now: Time,
) -> Result<()> {
    let before = table::of_carrier(tx, carrier).await?.into_iter().find(|row| row.network == network);
    let (state, action) = match open {
        true => (BreakerState::Open, AuditAction::BreakerOpen),
        false => (BreakerState::Closed, AuditAction::BreakerClose),
    };
    table::order(tx, carrier, network, state, by, now).await?;
    let was = before.map_or(BreakerState::Closed, |row| row.breaker.state);
    let entry = Entry::new(by, action, format!("carrier {carrier}, network {network}"))
        .before(Some(was.code().to_owned()))
        .after(Some(state.code().to_owned()));
    audit::record(tx, &entry, now).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::model::account::user::Role;
    use crate::store::Lane;
    use crate::store::platform::audit as trail;
    use crate::testing::account::make_user;

    both_databases! {
        async fn a_breaker_is_opened_and_closed_with_who_and_when(store: Store) {
            let admin = make_user(&store, "root", Role::Admin).await;
            for (open, at) in [(true, 5), (true, 6), (false, 7)] {
                let order = store.write(Lane::Interactive, (admin, open, Time(at)), |tx, (by, open, now)| {
                    Box::pin(order_breaker(tx, "main", "mtn", *open, *by, *now))
                });
                order.await.unwrap();
            }
            let mut tx = store.read().await.unwrap();
            let row = table::of_carrier(&mut tx, "main").await.unwrap().pop().unwrap();
            assert_eq!((row.breaker.state, row.breaker.opened_at), (BreakerState::Closed, Some(Time(6))));
            assert_eq!((row.breaker.changed_at, row.changed_by.as_deref(), row.revision), (Time(7), Some("root"), 3));
            let told: Vec<_> = trail::newest(&mut tx, 9).await.unwrap().into_iter()
                .map(|it| (it.action, it.subject, it.before.unwrap_or_default(), it.after.unwrap_or_default())).collect();
            let of = |action: &str, before: &str, after: &str| {
                (action.to_owned(), "carrier main, network mtn".to_owned(), before.to_owned(), after.to_owned())
            };
            assert_eq!(told, [
                of("breaker.close", "open", "closed"),
                of("breaker.open", "open", "open"),
                of("breaker.open", "closed", "open"),
            ]);
        }
    }
}
