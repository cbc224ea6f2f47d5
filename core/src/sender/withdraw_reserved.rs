//! Taking back the sender ids that users had before they were reserved for the platform.

use super::reserved::{reads_like, reason};
use super::sender_id::disapprove;
use super::tell_owner;
use crate::error::{Error, Result};
use crate::model::sender::id::SenderRecordId;
use crate::notice::Notices;
use crate::store::{Lane, sender as table};
use crate::time::Time;

/// Sender ids that are looked at in one read.
const AT_ONCE: i64 = 1_000;

/// Takes back what was requested or approved before it was reserved, and tells the owners; campaigns that were using it
/// pause. How many there were.
///
/// # Errors
/// When the database fails.
pub async fn withdraw_reserved(notices: &Notices, now: Time) -> Result<usize> {
    let (mut after, mut withdrawn) = (SenderRecordId::BEFORE_ALL, 0);
    loop {
        let rows = table::not_disapproved(&mut notices.store.read().await?, after, AT_ONCE).await?;
        let Some((last, _)) = rows.last() else { return Ok(withdrawn) };
        after = *last;
        for (id, text) in rows.into_iter().filter(|(_, text)| reads_like(text, &notices.sender)) {
            withdraw(notices, id, text, now).await?;
            withdrawn += 1;
        }
    }
}

async fn withdraw(notices: &Notices, id: SenderRecordId, text: String, now: Time) -> Result<()> {
    tracing::warn!(sender_id = id.0, "a sender ID that reads like the platform's own is withdrawn");
    let input = (notices.clone(), id, reason(&text), now);
    let write = notices.store.write(Lane::Interactive, input, |tx, (notices, id, reason, now)| {
        Box::pin(async move {
            match disapprove(tx, *id, reason, None, *now).await {
                Ok(decided) => tell_owner(tx, notices, &decided, *now).await,
                // An administrator was quicker, or its owner is gone.
                Err(Error::Conflict { .. } | Error::NotFound(_)) => Ok(()),
                Err(error) => Err(error),
            }
        })
    });
    write.await
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::account::user::Role;
    use crate::sender::{approve, check, one_sender_id, request};
    use crate::testing::account::make_user;
    use crate::testing::builder::{Spot, build};
    use crate::testing::notice::{NoticeHouse, ScriptedMailer};
    use crate::time::ManualClock;
    use crate::{args, both_databases};

    const NOW: Time = Time(1_700_000_000_000);

    both_databases! {
        async fn what_was_approved_before_it_was_reserved_is_withdrawn_and_its_owner_told(store: Store) {
            let house = NoticeHouse::new(&store, &Arc::new(ManualClock::new(NOW)), Arc::new(ScriptedMailer::default()));
            let admin = make_user(&store, "root", Role::Admin).await;
            // Its sender is approved for it.
            let built = build(&store, "ada").sender("web-sms").chunk(&[Spot::Tail]).store().await;
            let ada = built.user;
            let ids = store
                .write(Lane::Interactive, (ada, admin), |tx, (ada, admin)| {
                    Box::pin(async move {
                        let ids = request(tx, *ada, &["SHOP".parse()?, "W EBSMS".parse()?], NOW).await?;
                        approve(tx, ids[0], *admin, NOW).await?;
                        Ok(ids)
                    })
                })
                .await
                .unwrap();
            assert_eq!(withdraw_reserved(&house.notices, NOW).await.unwrap(), 2);
            let mut tx = store.read().await.unwrap();
            assert!(check(&mut tx, ada, "web-sms").await.is_err(), "approved");
            check(&mut tx, ada, "SHOP").await.unwrap();
            let pending = one_sender_id(&mut tx, ids[1]).await.unwrap();
            assert_eq!(pending.status, "disapproved");
            assert!(pending.reason.unwrap().contains("reserved"));
            let paused: (String,) =
                tx.one("SELECT status FROM campaigns WHERE id = $1", args![built.campaign]).await.unwrap();
            assert_eq!(paused.0, "paused");
            drop(tx);
            let told: Vec<String> = house.deliver().await.into_iter().map(|shown| shown.text).collect();
            assert_eq!(told.len(), 2, "{told:?}");
            assert!(told.iter().any(|text| text.contains("A campaign that was sent from it is paused")), "{told:?}");
            assert_eq!(withdraw_reserved(&house.notices, NOW).await.unwrap(), 0);
        }
    }
}
