//! Deleting a user: the person's data goes, the ledger stays.
//!
//! ```text
//! delete ─▶ inactive, signed out, keys revoked ─▶ campaigns cancelled, one by one ─▶ all settled ─▶ anonymised
//! ```
//!
//! What is in flight settles itself first: a receipt, a payment or a person may still move money to the wallet. A
//! user who was deleted can neither sign in nor send from that moment on, whatever is still to be settled; and no
//! campaign and no ledger entry is ever removed. Name and address are free again once the user is anonymised.

use crate::account::kingschat::login;
use crate::campaign::control::{self, Authority};
use crate::contact;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::account::user::User;
use crate::model::campaign::id::CampaignId;
use crate::model::platform::audit::AuditAction;
use crate::operate::user::{legal_hold, stop};
use crate::platform::audit::{self, Entry};
use crate::store::account::{api_key, deletion as table, legal_hold as hold, profile, session, user as rows};
use crate::store::campaign::draft::FILES;
use crate::store::voice::recording::RECORDINGS;
use crate::store::webhook::receipt_callback;
use crate::store::{Tx, webhook};
use crate::time::Time;

/// Users that one call of [`leaving`] names at most.
const LEAVING_AT_ONCE: i64 = 100;

/// What a step of [`go_on`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeletionStep {
    /// Cancelled this campaign; there may be more.
    Cancelled(CampaignId),
    /// Removed a piece of the person's data; there is more.
    Removed,
    /// Nothing: messages or money are still on their way, or the user is under a legal hold.
    Waits,
    /// The person's data is gone; there is nothing more to do.
    Anonymised,
}

/// Deletes a user: from here on no one can sign in or send as that user. Call [`go_on`] for the rest.
///
/// # Errors
/// 404 when there is no such user; `delete_self`; `last_admin`; `legal_hold`.
pub async fn delete_user(tx: &mut Tx, id: UserId, by: UserId, now: Time) -> Result<User> {
    if id == by {
        return Err(Error::rule(
            "delete_self",
            "You cannot delete your own account: ask another administrator",
        ));
    }
    let user = rows::by_id(tx, id).await?.filter(|user| user.deleted_at.is_none());
    let user = user.ok_or(Error::NotFound("user"))?;
    stop(tx, id, now).await?;
    // After the user's row is locked, as a hold locks it.
    legal_hold::refuse_user(tx, id).await?;
    rows::mark_deleted(tx, id, now).await?;
    session::delete_all(tx, id).await?;
    api_key::revoke_all(tx, id, now).await?;
    // The name goes with the person; the entry says which user it was by the id alone.
    audit::record(tx, &Entry::new(by, AuditAction::UserDelete, format!("user {id}")), now).await?;
    Ok(user)
}

/// The next step of a deletion: one campaign is cancelled, or, when all is settled, the person's data goes, a bounded
/// number of rows a step.
///
/// # Errors
/// When the database fails.
pub async fn go_on(tx: &mut Tx, id: UserId, now: Time) -> Result<DeletionStep> {
    if let Some(campaign) = table::next_open_campaign(tx, id).await? {
        control::cancel(tx, campaign, Authority::Admin, now).await?;
        return Ok(DeletionStep::Cancelled(campaign));
    }
    if !table::is_settled(tx, id, now).await? {
        return Ok(DeletionStep::Waits);
    }
    // After the user's row is locked, as a hold locks it.
    if !hold::lock_user(tx, id).await? || hold::of(tx, id).await?.is_some() {
        return Ok(DeletionStep::Waits);
    }
    if !contact::forget_user(tx, id, now).await?
        || !webhook::delete_next_of(tx, id).await?
        || !receipt_callback::forget_of(tx, id).await?
        || !RECORDINGS.forget_of(tx, id).await?
        || !FILES.forget_of(tx, id).await?
    {
        return Ok(DeletionStep::Removed);
    }
    profile::forget(tx, id).await?;
    login::forget(tx, id).await?;
    table::anonymise(tx, id, now).await?;
    Ok(DeletionStep::Anonymised)
}

/// Users who were deleted and are not anonymised yet, after the user `after`.
pub async fn leaving(tx: &mut Tx, after: UserId) -> Result<Vec<UserId>> {
    table::leaving(tx, after, LEAVING_AT_ONCE).await
}

#[cfg(test)]
mod tests;
