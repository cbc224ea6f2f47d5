//! The right to send codes, messages with the purpose `otp`, which no opt-out and no quiet hours stop.
//!
//! Every account has it until an administrator withdraws it. It is asked when a campaign is quoted, when it is confirmed or
//! resumed, and when codes become a default. What is withdrawn pauses the campaigns of codes in the same transaction, those that
//! were scheduled before and the runs to come as well: a right that is taken because of what is sent ends what is sent. Their
//! owner resumes them, once the right is given back, or cancels them and has the money back.

use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::platform::audit::AuditAction;
use crate::platform::audit::{self, Entry};
use crate::store::account::user;
use crate::store::{Tx, campaign};
use crate::time::Time;

/// The reason shown for a campaign that the withdrawal paused.
const WITHDRAWN: &str = "The account may not send codes any more";

/// Refuses a user who may not send codes.
///
/// # Errors
/// `codes_not_allowed`.
pub async fn require(tx: &mut Tx, user: UserId) -> Result<()> {
    match user::without_codes(tx, vec![user]).await?.is_empty() {
        true => Ok(()),
        false => Err(Error::codes_not_allowed()),
    }
}

/// Withdraws the right to send codes from a user, or gives it back; returns how many campaigns paused. Nothing is done where it
/// is so already.
///
/// # Errors
/// 404 when there is no such user, or it was deleted.
pub async fn set(tx: &mut Tx, id: UserId, allowed: bool, by: UserId, now: Time) -> Result<u64> {
    let withdrawn_at = user::lock_codes(tx, id).await?.ok_or(Error::NotFound("user"))?;
    if withdrawn_at.is_none() == allowed {
        return Ok(0);
    }
    user::set_codes(tx, id, Some(now).filter(|_| !allowed), now).await?;
    let paused = if allowed { 0 } else { campaign::pause_codes_of(tx, id, WITHDRAWN).await? };
    let word = |allowed: bool| Some(if allowed { "allowed" } else { "withdrawn" });
    let entry = Entry::new(by, AuditAction::UserCodes, format!("user {id}"));
    audit::record(tx, &entry.before(word(!allowed)).after(word(allowed)), now).await?;
    Ok(paused)
}

#[cfg(test)]
mod tests;
