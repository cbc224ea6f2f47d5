//! Announcements: plain texts that administrators show to every user.
//!
//! What users see is plain text of bounded length and number, and every change of it is in the audit
//! trail.

use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::platform::audit::AuditAction;
use crate::model::platform::id::AnnouncementId;
use crate::platform::audit::{self, Entry};
use crate::store::Tx;
use crate::store::platform::announcement as rows;
use crate::store::platform::announcement::AnnouncementRow;
use crate::time::Time;

/// The longest announcement, in characters.
pub const LONGEST: usize = 1_000;
/// Announcements there can be.
pub const MOST: i64 = 1_000;
/// Announcements that can be active at once: banners show them all.
pub const MOST_ACTIVE: i64 = 50;

/// What is done with an announcement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnnouncementAction {
    /// A new one, active at once.
    Create(String),
    /// Another text for one.
    Edit(AnnouncementId, String),
    /// Show it.
    Activate(AnnouncementId),
    /// Show it no more.
    Deactivate(AnnouncementId),
    /// Remove it.
    Delete(AnnouncementId),
}

/// Checks a text.
///
/// # Errors
/// A rule on `announcement`: nothing in it, too long, or control characters other than line ends.
pub fn check_text(text: &str) -> Result<String> {
    let text = text.replace("\r\n", "\n").trim().to_owned();
    if text.is_empty() {
        return Err(Error::field("announcement", "message_required", "Please enter a message"));
    }
    if text.chars().count() > LONGEST {
        return Err(Error::field(
            "announcement",
            "message_long",
            format!("An announcement has at most {LONGEST} characters"),
        ));
    }
    if text.chars().any(|sign| sign.is_control() && sign != '\n' && sign != '\t') {
        return Err(Error::field(
            "announcement",
            "message_not_plain",
            "An announcement is plain text: it cannot hold control characters",
        ));
    }
    Ok(text)
}

/// Does what is asked, and returns the announcement as it is then; `None` when it is gone.
///
/// # Errors
/// 404 when there is no such announcement; `too_many_announcements`.
pub async fn manage(
    tx: &mut Tx,
    action: &AnnouncementAction,
    by: UserId,
    now: Time,
) -> Result<Option<AnnouncementRow>> {
    let (id, entry) = match action {
        AnnouncementAction::Create(text) => {
            let (all, active) = rows::counts(tx).await?;
            if all >= MOST {
                return Err(too_many(format!("There are {MOST} announcements: delete old ones first")));
            }
            room_for_active(active)?;
            let id = rows::insert(tx, text, now).await?;
            (id, Entry::new(by, AuditAction::AnnouncementCreate, subject(id)).after(Some(text.as_str())))
        }
        AnnouncementAction::Edit(id, text) => {
            let before = find(tx, *id).await?;
            rows::update(tx, *id, text, before.is_active, now).await?;
            let entry = Entry::new(by, AuditAction::AnnouncementEdit, subject(*id));
            (*id, entry.before(Some(before.text)).after(Some(text.as_str())))
        }
        AnnouncementAction::Activate(id) => (*id, switch(tx, *id, true, by, now).await?),
        AnnouncementAction::Deactivate(id) => (*id, switch(tx, *id, false, by, now).await?),
        AnnouncementAction::Delete(id) => {
            let before = find(tx, *id).await?;
            rows::delete(tx, *id).await?;
            (*id, Entry::new(by, AuditAction::AnnouncementDelete, subject(*id)).before(Some(before.text)))
        }
    };
    audit::record(tx, &entry, now).await?;
    rows::find(tx, id).await
}

async fn switch(tx: &mut Tx, id: AnnouncementId, active: bool, by: UserId, now: Time) -> Result<Entry> {
    let before = find(tx, id).await?;
    if active && !before.is_active {
        room_for_active(rows::counts(tx).await?.1)?;
    }
    rows::update(tx, id, &before.text, active, now).await?;
    let action = if active { AuditAction::AnnouncementActivate } else { AuditAction::AnnouncementDeactivate };
    let word = |active: bool| Some(if active { "active" } else { "inactive" });
    Ok(Entry::new(by, action, subject(id)).before(word(before.is_active)).after(word(active)))
}

async fn find(tx: &mut Tx, id: AnnouncementId) -> Result<AnnouncementRow> {
    rows::find(tx, id).await?.ok_or(Error::NotFound("announcement"))
}

fn subject(id: AnnouncementId) -> String {
    format!("announcement {id}")
}

fn room_for_active(active: i64) -> Result<()> {
    if active < MOST_ACTIVE {
        return Ok(());
    }
    Err(too_many(format!("{MOST_ACTIVE} announcements are active: deactivate one first")))
}

fn too_many(message: String) -> Error {
    Error::rule("too_many_announcements", message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::model::account::user::Role;
    use crate::store::platform::audit as trail;
    use crate::store::{Lane, Store};
    use crate::testing::account::make_user;

    async fn act(store: &Store, by: UserId, action: AnnouncementAction) -> Result<Option<AnnouncementRow>> {
        store
            .write(Lane::Interactive, (action, by), |tx, (action, by)| {
                Box::pin(manage(tx, action, *by, Time(5)))
            })
            .await
    }

    both_databases! {
        async fn an_announcement_lives_and_every_step_is_in_the_trail(store: Store) {
            let admin = make_user(&store, "root", Role::Admin).await;
            let made = act(&store, admin, AnnouncementAction::Create("Closed on Friday".into())).await.unwrap().unwrap();
            assert!(made.is_active);
            let id = made.id;
            let edited = act(&store, admin, AnnouncementAction::Edit(id, "Closed on Monday".into())).await.unwrap().unwrap();
            assert_eq!((edited.text.as_str(), edited.is_active), ("Closed on Monday", true));
            assert!(!act(&store, admin, AnnouncementAction::Deactivate(id)).await.unwrap().unwrap().is_active);
            assert!(rows::active(&mut store.read().await.unwrap()).await.unwrap().is_empty());
            assert!(act(&store, admin, AnnouncementAction::Activate(id)).await.unwrap().unwrap().is_active);
            assert_eq!(act(&store, admin, AnnouncementAction::Delete(id)).await.unwrap(), None);
            assert_eq!(act(&store, admin, AnnouncementAction::Delete(id)).await.unwrap_err().code(), "not_found");
            let mut tx = store.read().await.unwrap();
            let trail: Vec<String> =
                trail::newest(&mut tx, 10).await.unwrap().into_iter().map(|row| row.action).collect();
            assert_eq!(trail.join(" "), "announcement.delete announcement.activate announcement.deactivate \
                announcement.edit announcement.create");
        }

        async fn banners_have_room_for_so_many(store: Store) {
            let admin = make_user(&store, "root", Role::Admin).await;
            for _ in 0..MOST_ACTIVE {
                act(&store, admin, AnnouncementAction::Create("x".into())).await.unwrap();
            }
            let refused = act(&store, admin, AnnouncementAction::Create("x".into())).await.unwrap_err();
            assert_eq!(refused.code(), "too_many_announcements");
        }
    }

    #[test]
    fn an_announcement_is_plain_text_of_bounded_length() {
        assert_eq!(check_text(" a\r\nb ").unwrap(), "a\nb");
        assert_eq!(check_text(" ").unwrap_err().to_string(), "Please enter a message");
        assert!(check_text("a\u{1b}[31m").is_err());
        assert!(check_text(&"x".repeat(LONGEST + 1)).is_err());
    }
}
