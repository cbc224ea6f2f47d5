//! Contacts: groups of numbers with names, e-mail addresses and merge fields; imports into them; who opted out.
//!
//! The one invariant: contacts belong to one user, and nobody else ever reaches them; what is not the caller's is not
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
pub use group::{find as find_group, rename as rename_group, shown as shown_group};
pub use list::{Asked, SORTS, of_group, of_user, with_groups};

use crate::clock::Time;
use crate::error::Result;
use crate::store::{Tx, contact_group};

/// Contacts of a deleted group removed by one call of [`purge`].
const PURGED_AT_ONCE: i64 = 2_000;

/// Removes a slice of what deleted groups leave behind; returns whether there may be more.
pub async fn purge(tx: &mut Tx) -> Result<bool> {
    contact_group::purge(tx, PURGED_AT_ONCE).await
}

/// Takes away everything a user kept here: for users who are deleted.
pub async fn forget_user(tx: &mut Tx, user: i64, now: Time) -> Result<()> {
    contact_group::delete_all_of(tx, user, now).await?;
    suppression::forget_user(tx, user).await
}

#[cfg(test)]
mod tests;
