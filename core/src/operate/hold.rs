//! Holding a carrier: paused, draining, open again.
//!
//! ```text
//! open ──▶ paused     nothing new is claimed; what is claimed and not on the wire is queued again
//!      ──▶ draining   nothing new is claimed; what is claimed goes out; with nothing in flight it is drained
//! ```
//! Receipts are taken in each of them, and test messages go out.

use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::carrier::Hold;
use crate::model::platform::audit::AuditAction;
use crate::platform::audit::{self, Entry};
use crate::store::Tx;
use crate::store::carrier::state as rows;
use crate::time::Time;

/// The longest reason, in characters.
const REASON_MAX: usize = 200;

const fn action(hold: Hold) -> AuditAction {
    match hold {
        Hold::Open => AuditAction::CarrierResume,
        Hold::Paused => AuditAction::CarrierPause,
        Hold::Draining => AuditAction::CarrierDrain,
    }
}

/// Holds a carrier, or lets it go on. Saying the same again changes who, when and why.
///
/// # Errors
/// A reason that is too long.
pub async fn set(tx: &mut Tx, carrier: &str, hold: Hold, reason: &str, by: UserId, now: Time) -> Result<()> {
    let reason = reason.trim();
    if reason.chars().count() > REASON_MAX {
        return Err(Error::field(
            "reason",
            "reason_long",
            format!("The reason must have at most {REASON_MAX} characters"),
        ));
    }
    let before = rows::find(tx, carrier).await?;
    let reason = Some(reason).filter(|reason| !reason.is_empty());
    rows::set(tx, carrier, hold, reason, by, now).await?;
    let words = |hold: Hold, reason: Option<&str>| match reason {
        Some(reason) => format!("{hold}: {reason}"),
        None => hold.to_string(),
    };
    let was = before.map_or(words(Hold::Open, None), |row| words(row.state, row.reason.as_deref()));
    let entry = Entry::new(by, action(hold), format!("carrier {carrier}"))
        .before(Some(was))
        .after(Some(words(hold, reason)));
    audit::record(tx, &entry, now).await
}

/// Pauses a carrier of calls and hangs up those that are up: the daemon that has it does so within about a second.
///
/// # Errors
/// A reason that is too long.
pub async fn hang_up(tx: &mut Tx, carrier: &str, reason: &str, by: UserId, now: Time) -> Result<()> {
    set(tx, carrier, Hold::Paused, reason, by, now).await?;
    rows::hang_up(tx, carrier, now).await?;
    audit::record(tx, &Entry::new(by, AuditAction::CarrierHangUp, format!("carrier {carrier}")), now).await
}

/// An operator's hold on a carrier.
///
/// # Errors
/// Those of the store.
pub async fn of(tx: &mut Tx, carrier: &str) -> Result<Hold> {
    Ok(rows::find(tx, carrier).await?.map_or(Hold::Open, |row| row.state))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::model::account::user::Role;
    use crate::store::platform::audit as trail;
    use crate::store::{Lane, Store};
    use crate::testing::account::make_user;

    async fn said(store: &Store, by: UserId, hold: Hold, reason: &str, at: i64) -> Result<()> {
        store
            .write(Lane::Interactive, (by, hold, reason.to_owned(), at), |tx, (by, hold, reason, at)| {
                Box::pin(set(tx, "main", *hold, reason, *by, Time(*at)))
            })
            .await
    }

    both_databases! {
        async fn a_carrier_is_held_and_let_go_with_who_when_and_why(store: Store) {
            let admin = make_user(&store, "root", Role::Admin).await;
            said(&store, admin, Hold::Paused, " the invoice is disputed ", 5).await.unwrap();
            let row = rows::all(&mut store.read().await.unwrap()).await.unwrap().remove("main").unwrap();
            assert_eq!((row.state, row.reason.as_deref()), (Hold::Paused, Some("the invoice is disputed")));
            assert_eq!((row.changed_by.as_deref(), row.changed_at), (Some("root"), Time(5)));
            said(&store, admin, Hold::Open, "", 6).await.unwrap();
            let trail = trail::newest(&mut store.read().await.unwrap(), 9).await.unwrap();
            let told: Vec<_> = trail.iter().map(|it| (it.action.as_str(), it.after.as_deref())).collect();
            assert_eq!(
                told,
                [("carrier.resume", Some("open")), ("carrier.pause", Some("paused: the invoice is disputed"))]
            );
            store
                .write(Lane::Interactive, admin, |tx, by| Box::pin(hang_up(tx, "main", "a bad list", *by, Time(7))))
                .await
                .unwrap();
            let row = rows::all(&mut store.read().await.unwrap()).await.unwrap().remove("main").unwrap();
            assert_eq!((row.state, row.hang_up_at), (Hold::Paused, Some(Time(7))));
            said(&store, admin, Hold::Draining, "", 8).await.unwrap();
            let row = rows::all(&mut store.read().await.unwrap()).await.unwrap().remove("main").unwrap();
            assert_eq!(row.hang_up_at, Some(Time(7)), "another hold changes nothing");
            said(&store, admin, Hold::Open, "", 9).await.unwrap();
            let row = rows::all(&mut store.read().await.unwrap()).await.unwrap().remove("main").unwrap();
            assert_eq!(row.hang_up_at, None);
            let error = said(&store, admin, Hold::Paused, &"x".repeat(201), 7).await.unwrap_err();
            assert_eq!(error.code(), "reason_long");
        }
    }
}
