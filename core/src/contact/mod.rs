//! Contacts: groups of numbers with names, e-mail addresses and merge fields; imports into them; who opted out.
//!
//! The one invariant: contacts belong to one user, and no other user reaches them; what is not the caller's is not
//! there ([`Error::NotFound`](crate::Error::NotFound)).

mod entry;
pub mod export;
mod field;
mod group;
pub mod import;
mod list;
pub(crate) mod recipients;
pub mod suppression;

pub use entry::{NewContact, Patch, create, edit, remove, show};
pub use group::{NewGroup, create as create_group, delete as delete_group, list as list_groups};
pub use group::{find as find_group, rename as rename_group};
pub use list::{Asked, SORTS, of_group, of_user, with_groups};

use crate::error::Result;
use crate::model::account::id::UserId;
use crate::store::contact::{group as contact_group, import as contact_import};
use crate::store::{PURGED_AT_ONCE, Tx};
use crate::time::Time;

/// Removes a slice of what deleted groups leave behind; returns whether there may be more.
pub async fn purge(tx: &mut Tx) -> Result<bool> {
    contact_group::purge(tx, PURGED_AT_ONCE.cast_signed()).await
}

/// Takes away a bounded piece of what a user kept here, for users who are deleted; true when nothing is left.
pub async fn forget_user(tx: &mut Tx, user: UserId, now: Time) -> Result<bool> {
    contact_group::delete_all_of(tx, user, now).await?;
    Ok(suppression::forget_user(tx, user).await? == 0 && contact_import::forget_some(tx, user).await? == 0)
}

#[cfg(test)]
mod tests;
