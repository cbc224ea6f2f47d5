//! The audit trail: who changed what on the platform, and how it was before.
//!
//! An entry is written in the transaction of the change it tells of, or before another system is asked for one, and is never
//! changed. No secret is
//! in it; of one that was set, what [`crate::settings::Secret::hint`] shows.

use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::platform::audit::AuditAction;
use crate::store::Tx;
use crate::store::platform::audit::{self as rows, NewEntry};
use crate::time::Time;

/// The longest `before` or `after` that is kept, in characters; what is longer is cut and says so.
const LONGEST: usize = 4_000;

/// A change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Whose doing: a user's id; `None` for the operator at the daemon's own command line.
    pub by: Option<UserId>,
    /// What was done.
    pub action: AuditAction,
    /// To what: a setting's name, `user 17`, `campaign 4`.
    pub subject: String,
    /// How it was; `None` when there was nothing.
    pub before: Option<String>,
    /// How it is now; `None` when there is nothing any more.
    pub after: Option<String>,
}

impl Entry {
    /// A change by a user, with nothing to say of before and after.
    pub fn new(by: UserId, action: AuditAction, subject: impl Into<String>) -> Self {
        Self { by: Some(by), action, subject: subject.into(), before: None, after: None }
    }

    /// How it was.
    #[must_use]
    pub fn before(self, text: Option<impl Into<String>>) -> Self {
        Self { before: text.map(Into::into), ..self }
    }

    /// How it is now.
    #[must_use]
    pub fn after(self, text: Option<impl Into<String>>) -> Self {
        Self { after: text.map(Into::into), ..self }
    }
}

/// Writes an entry, in the transaction of the change.
pub async fn record(tx: &mut Tx, entry: &Entry, now: Time) -> Result<()> {
    record_all(tx, std::slice::from_ref(entry), now).await
}

/// Writes the entries of a change, in its transaction.
pub async fn record_all(tx: &mut Tx, entries: &[Entry], now: Time) -> Result<()> {
    let rows: Vec<NewEntry> = entries
        .iter()
        .map(|entry| NewEntry {
            by: entry.by,
            action: entry.action,
            subject: entry.subject.clone(),
            before: shortened(entry.before.as_deref()),
            after: shortened(entry.after.as_deref()),
        })
        .collect();
    rows::insert(tx, &rows, now).await
}

fn shortened(text: Option<&str>) -> Option<String> {
    text.map(|text| match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} [cut]", &text[..end]),
        None => text.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::model::account::user::Role;
    use crate::store::Lane;
    use crate::testing::account::make_user;

    both_databases! {
        async fn an_entry_tells_who_what_and_how_it_was(store: Store) {
            let admin = make_user(&store, "root", Role::Admin).await;
            let entry = Entry::new(admin, AuditAction::PriceSet, "SMS-UNIT-PRICE")
                .before(Some("1.5"))
                .after(Some("x".repeat(LONGEST + 1)));
            store
                .write(Lane::Interactive, entry, |tx, entry| Box::pin(record(tx, entry, Time(9))))
                .await
                .unwrap();
            let found = rows::newest(&mut store.read().await.unwrap(), 10).await.unwrap();
            assert_eq!(found.len(), 1);
            assert_eq!((found[0].user_id, found[0].action.as_str(), found[0].at), (Some(admin), "price.set", Time(9)));
            assert_eq!((found[0].username.as_deref(), found[0].before.as_deref()), (Some("root"), Some("1.5")));
            let after = found[0].after.as_deref().unwrap();
            assert!(after.ends_with("x [cut]") && after.len() == LONGEST + 6);
        }
    }
}
