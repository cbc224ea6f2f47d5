//! Taking a verified number back: no later call shows it, and campaigns that call from it pause.
//!
//! What is under way decides by itself: a call that is up goes on, and a call that is to be placed asks in the transaction
//! that claims it whether its number is still its user's.

use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::platform::audit::AuditAction;
use crate::model::sender::id::OwnNumberId;
use crate::notice::Notices;
use crate::platform::audit::{self, Entry};
use crate::sender::notify_owner::tell;
use crate::sender::pause_campaigns_from;
use crate::store::Tx;
use crate::store::sender::number as table;
use crate::store::voice::own_number_call as rows;
use crate::time::Time;

use super::{ending_of, paused_in_words, subject_of};

/// What names an own number.
#[derive(Clone, Debug)]
pub enum OwnNumberKey {
    /// The user and the digits.
    OfUser(UserId, String),
    /// The id of its record, whichever user's it is: an administrator's choice.
    Record(OwnNumberId),
}

/// Takes an own number back by order of the user `by`, and tells its owner; how many campaigns that were calling from it, or
/// were to, are paused.
///
/// # Errors
/// 404 when there is no such number.
pub async fn withdraw(
    tx: &mut Tx,
    notices: &Notices,
    key: &OwnNumberKey,
    by: UserId,
    now: Time,
) -> Result<i64> {
    let named = match key {
        OwnNumberKey::OfUser(user, number) => Some((*user, number.clone())),
        OwnNumberKey::Record(id) => table::own_by_record(tx, *id).await?,
    };
    let (user, number) = named.ok_or(Error::NotFound("own number"))?;
    // Its calls before the number, as when a code comes back. It loses the right to be called at night and past the limits.
    rows::forget_verified(tx, user, &number).await?;
    let taken = match key {
        OwnNumberKey::OfUser(..) => table::delete_own_of(tx, user, &number).await?,
        OwnNumberKey::Record(id) => table::delete_own(tx, *id).await?,
    };
    taken.ok_or(Error::NotFound("own number"))?;
    // The entry outlasts the account, so it does not name the number.
    let was = format!("ending in {}", ending_of(&number));
    let entry = Entry::new(by, AuditAction::OwnNumberWithdraw, format!("user {user}"));
    audit::record(tx, &entry.before(Some(&was)), now).await?;
    let paused = pause_campaigns_from(tx, user, &number).await?;
    tell(tx, notices, user, (&subject_of(&number), &told(&number, by == user, paused)), now).await?;
    Ok(i64::try_from(paused).unwrap_or(i64::MAX))
}

/// The notice to the owner of the account.
fn told(number: &str, is_by_owner: bool, paused: u64) -> String {
    let by = if is_by_owner { "from your account" } else { "by an administrator" };
    let paused = paused_in_words(paused);
    let and_then = if is_by_owner { " If that was not you, change your password." } else { "" };
    format!(
        "The number ending in {} was withdrawn {by}: no more calls show it.{paused}{and_then}",
        ending_of(number)
    )
}
