//! Telling users what became of their sender ids and own numbers: by e-mail, or by text message where there is no address.

use super::sender_id::Decided;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::account::user::{Email, User, is_reachable};
use crate::model::sender::SenderStatus;
use crate::notice::{self, NewNotice, NoticePurpose, Notices};
use crate::phone::Msisdn;
use crate::store::Tx;
use crate::store::account::user;
use crate::time::Time;

/// Queues the owner's notice in the transaction of the decision; none when nothing changed.
///
/// # Errors
/// When the database fails.
pub async fn tell_owner(tx: &mut Tx, notices: &Notices, decided: &Decided, now: Time) -> Result<()> {
    let record = &decided.sender_id;
    let Some(owner) = record.user_id.filter(|_| decided.status != decided.before) else {
        return Ok(());
    };
    let subject = format!("Your sender ID {}", record.sender_id);
    tell(tx, notices, UserId(owner), (&subject, &text(decided)), now).await
}

/// Queues a notice to a user, of a subject and a text, in the transaction of what it is about. That stands also where no
/// notice can be sent: the user's list shows it.
///
/// # Errors
/// When the database fails.
pub(super) async fn tell(
    tx: &mut Tx,
    notices: &Notices,
    user: UserId,
    notice: (&str, &str),
    now: Time,
) -> Result<()> {
    let Some(owner) = user::by_id(tx, user).await?.filter(|user| user.deleted_at.is_none()) else {
        return Ok(());
    };
    let queued = match draft(notices, &owner, notice) {
        Ok(Some(notice)) => notice::queue(tx, &notice, now).await.map(|_| ()),
        Ok(None) => Ok(()),
        Err(error) => Err(error),
    };
    match queued {
        Err(error @ (Error::Rule { .. } | Error::NoRoute(_) | Error::Unavailable { .. })) => {
            tracing::warn!(
                code = error.code(),
                user_id = owner.id.0,
                "a user is not told of what became of a sender or number"
            );
            Ok(())
        }
        other => other,
    }
}

fn draft(notices: &Notices, owner: &User, (subject, text): (&str, &str)) -> Result<Option<NewNotice>> {
    if is_reachable(&owner.email) {
        let to: Email = owner.email.parse()?;
        return notices.draft_email(&to, subject, text, NoticePurpose::Alert).map(Some);
    }
    let phone = owner.phone_number.as_deref().and_then(|digits| digits.parse().ok());
    let Some(phone) = phone.and_then(Msisdn::from_digits) else { return Ok(None) };
    notices.draft_sms(phone, text, NoticePurpose::Alert).map(Some)
}

fn text(decided: &Decided) -> String {
    let record = &decided.sender_id;
    let name = &record.sender_id;
    if decided.status == SenderStatus::Approved {
        return format!("Your sender ID '{name}' was approved. You can send from it now.");
    }
    let reason = record.reason.as_deref().unwrap_or_default();
    let paused = match decided.paused {
        0 => String::new(),
        1 => " A campaign that was sent from it is paused.".to_owned(),
        many => format!(" {many} campaigns that were sent from it are paused."),
    };
    format!("Your sender ID '{name}' was disapproved: {reason}{paused}")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::account::create_user;
    use crate::both_databases;
    use crate::model::account::user::{NewUser, Role};
    use crate::model::sender::id::SenderRecordId;
    use crate::sender::{approve, reject, request};
    use crate::store::{Lane, Store};
    use crate::testing::account::{make_user, new_user};
    use crate::testing::notice::{NoticeHouse, ScriptedMailer};
    use crate::time::ManualClock;

    const NOW: Time = Time(1_700_000_000_000);

    fn house(store: &Store) -> NoticeHouse {
        NoticeHouse::new(store, &Arc::new(ManualClock::new(NOW)), Arc::new(ScriptedMailer::default()))
    }

    async fn asked(store: &Store, user: UserId) -> SenderRecordId {
        let ids = store
            .write(Lane::Interactive, user, |tx, user| {
                Box::pin(async move { request(tx, *user, &["SHOP".parse().unwrap()], NOW).await })
            })
            .await
            .unwrap();
        ids[0]
    }

    /// Decides and tells; `reason` refuses.
    async fn decide(
        store: &Store,
        house: &NoticeHouse,
        id: SenderRecordId,
        reason: Option<&'static str>,
        by: UserId,
    ) -> Vec<(String, String)> {
        let input = (house.notices.clone(), id, reason, by);
        store
            .write(Lane::Interactive, input, |tx, (notices, id, reason, by)| {
                Box::pin(async move {
                    let decided = match reason {
                        Some(reason) => reject(tx, *id, reason, *by, NOW).await?,
                        None => approve(tx, *id, *by, NOW).await?,
                    };
                    tell_owner(tx, notices, &decided, NOW).await
                })
            })
            .await
            .unwrap();
        house.deliver().await.into_iter().map(|shown| (shown.to, shown.text)).collect()
    }

    both_databases! {
        async fn the_owner_is_told_of_every_change_once(store: Store) {
            let house = house(&store);
            let admin = make_user(&store, "root", Role::Admin).await;
            let ada = make_user(&store, "ada", Role::User).await;
            let id = asked(&store, ada).await;
            let told = decide(&store, &house, id, None, admin).await;
            let text = "Your sender ID 'SHOP' was approved. You can send from it now.";
            assert_eq!(told, [("ada@example.com".to_owned(), text.to_owned())]);
            assert!(decide(&store, &house, id, None, admin).await.is_empty(), "nothing changed");
            let told = decide(&store, &house, id, Some("It is a bank's."), admin).await;
            assert_eq!(told[0].1, "Your sender ID 'SHOP' was disapproved: It is a bank's.");
        }

        async fn whoever_has_no_address_is_told_by_text_message(store: Store) {
            let house = house(&store);
            let admin = make_user(&store, "root", Role::Admin).await;
            let nobody = NewUser { email: Email::nobody("7"), ..new_user("bola", Role::User) };
            let bola = created(&store, NewUser { phone_number: Some("2348031234567".into()), ..nobody }).await;
            let id = asked(&store, bola).await;
            let told = decide(&store, &house, id, None, admin).await;
            assert_eq!(told.len(), 1);
            assert_eq!(told[0].0, "2348031234567");
            let unreachable = NewUser { email: Email::nobody("8"), ..new_user("eve", Role::User) };
            let eve = created(&store, unreachable).await;
            let id = asked(&store, eve).await;
            assert!(decide(&store, &house, id, None, admin).await.is_empty());
        }
    }

    async fn created(store: &Store, user: NewUser) -> UserId {
        store.write(Lane::Interactive, user, |tx, user| Box::pin(create_user(tx, user, NOW))).await.unwrap()
    }
}
