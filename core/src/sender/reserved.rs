//! The sender that codes and other messages of the platform come from: no user may send from a name that reads like it.

use super::sender_id::disapprove;
use super::tell_owner;
use crate::error::{Error, Result};
use crate::notice::Notices;
use crate::store::{Lane, sender as table};
use crate::time::Time;

/// Sender ids that are looked at in one read.
const AT_ONCE: i64 = 1_000;

/// Refuses a sender id that reads like the one of the platform's own messages, or begins like it. Case, spaces and signs make
/// no difference, nor do letters and digits that look alike.
///
/// # Errors
/// `sender_reserved`.
pub fn check_reserved(text: &str, notice_sender: &str) -> Result<()> {
    if reads_like(text, notice_sender) {
        return Err(Error::field("sender_ids", "sender_reserved", reason(text)));
    }
    Ok(())
}

/// Takes back what was requested or approved before it was reserved, and tells the owners; campaigns that were using it
/// pause. How many there were.
///
/// # Errors
/// When the database fails.
pub async fn withdraw_reserved(notices: &Notices, now: Time) -> Result<usize> {
    let (mut after, mut withdrawn) = (0, 0);
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

async fn withdraw(notices: &Notices, id: i64, text: String, now: Time) -> Result<()> {
    tracing::warn!(sender_id = id, "a sender ID that reads like the platform's own is withdrawn");
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

/// A sender of the platform that is shorter is no beginning that others could be told by.
const SHORTEST_BEGINNING: usize = 4;

fn reads_like(text: &str, notice_sender: &str) -> bool {
    let (text, own) = (letters(text), letters(notice_sender));
    text == own || (own.len() >= SHORTEST_BEGINNING && text.starts_with(&own))
}

/// Letters and digits as an eye takes them that does not look twice.
fn letters(text: &str) -> String {
    let looks_like = |sign: char| match sign.to_ascii_lowercase() {
        '0' => 'o',
        '1' | 'i' => 'l',
        '5' => 's',
        other => other,
    };
    text.chars().filter(char::is_ascii_alphanumeric).map(looks_like).collect()
}

fn reason(text: &str) -> String {
    format!("The sender ID '{text}' is reserved for messages of the platform itself")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::user::Role;
    use crate::sender::{approve, check, one_sender_id, request};
    use crate::testing::account::make_user;
    use crate::testing::builder::{Spot, build};
    use crate::testing::notice::{NoticeHouse, ScriptedMailer};
    use crate::time::ManualClock;
    use crate::{args, both_databases};

    const NOW: Time = Time(1_700_000_000_000);

    #[test]
    fn what_looks_or_begins_like_the_platforms_sender_reads_like_it() {
        for text in ["Talkdrum", "TALK-DRUM", "Ta1kdrum", "TaIkdrum", "Talkdrum NG", "ta1kdrum2fa"] {
            assert!(check_reserved(text, "Talkdrum").is_err(), "{text}");
        }
        for (text, own) in [("WEB5M5", "WEBSMS"), ("N0TICE", "Notice"), ("TD", "TD")] {
            assert!(check_reserved(text, own).is_err(), "{text}");
        }
        for (text, own) in
            [("Talk", "Talkdrum"), ("My Talkdrum", "Talkdrum"), ("TDX", "TD"), ("SHOP", "WEBSMS")]
        {
            assert!(check_reserved(text, own).is_ok(), "{text}");
        }
    }

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
