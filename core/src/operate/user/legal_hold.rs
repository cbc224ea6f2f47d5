//! Legal holds: while a customer's data is under one, retention and the erasing of numbers pass it over, and the account is
//! not deleted. What customers do with their own lists goes on.

use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::campaign::id::AudienceChunkId;
use crate::model::platform::audit::AuditAction;
use crate::model::platform::data_class::OnErase;
use crate::phone::Msisdn;
use crate::platform::audit::{self, Entry};
use crate::store::account::legal_hold as table;
pub use crate::store::account::legal_hold::{LegalHoldRow, of};
use crate::store::subject::erase::rows::{self, on_erase};
use crate::store::subject::{NamedRow, PLACES, SubjectPlace};
use crate::store::{Store, Tx, retention};
use crate::time::Time;

/// The longest reason, in characters.
pub const REASON_MAX: usize = 500;

/// Puts a customer's data under a hold; of one that is, the reason changes. What is being erased at that moment is waited for.
///
/// # Errors
/// 404 when there is no such user; `reason_required` or `reason_too_long`.
pub async fn put(tx: &mut Tx, user: UserId, reason: &str, by: UserId, now: Time) -> Result<()> {
    let reason = reason.trim();
    if reason.is_empty() {
        return Err(Error::field("reason", "reason_required", "Say why the data must be kept"));
    }
    if reason.chars().count() > REASON_MAX {
        let message = format!("A reason has at most {REASON_MAX} characters");
        return Err(Error::field("reason", "reason_too_long", message));
    }
    if !table::lock_user(tx, user).await? {
        return Err(Error::NotFound("user"));
    }
    retention::lock(tx).await?;
    let before = table::of(tx, user).await?.map(|hold| hold.reason);
    if before.as_deref() == Some(reason) {
        return Ok(());
    }
    table::put(tx, user, reason, by, now).await?;
    let entry = Entry::new(by, AuditAction::UserHold, format!("user {user}"));
    audit::record(tx, &entry.before(before).after(Some(reason)), now).await
}

/// Lifts the hold on a customer's data; nothing where there is none. What became due meanwhile is looked for again.
///
/// # Errors
/// 404 when there is no such user.
pub async fn lift(tx: &mut Tx, user: UserId, by: UserId, now: Time) -> Result<()> {
    if !table::lock_user(tx, user).await? {
        return Err(Error::NotFound("user"));
    }
    retention::lock(tx).await?;
    let before = table::of(tx, user).await?.map(|hold| hold.reason);
    if !table::lift(tx, user).await? {
        return Ok(());
    }
    retention::look_again(tx, user).await?;
    let entry = Entry::new(by, AuditAction::UserUnhold, format!("user {user}"));
    audit::record(tx, &entry.before(before), now).await
}

fn held(user: UserId) -> Error {
    Error::conflict(
        "legal_hold",
        format!(
            "The data of user {user} is under a legal hold: nothing of it is erased until an administrator lifts it"
        ),
    )
}

/// Refuses what would erase a customer's data.
///
/// # Errors
/// `legal_hold`.
pub(crate) async fn refuse_user(tx: &mut Tx, user: UserId) -> Result<()> {
    if table::of(tx, user).await?.is_some() { Err(held(user)) } else { Ok(()) }
}

/// Refuses to erase a number to which a customer under a hold wrote, or that such a customer's rows hold.
pub(in crate::operate) async fn refuse_number(store: &Store, number: Msisdn) -> Result<()> {
    let mut tx = store.read().await?;
    if !table::any(&mut tx).await? {
        return Ok(());
    }
    if let Some(user) = table::writer_to(&mut tx, number).await? {
        return Err(held(user));
    }
    drop(tx);
    for place in PLACES.iter().filter(|place| on_erase(place) != OnErase::Kept) {
        let mut after = 0;
        loop {
            let mut tx = store.read().await?;
            let (found, next) = rows::next(&mut tx, place, number, after).await?;
            refuse_rows(&mut tx, place, &found).await?;
            let Some(next) = next else { break };
            after = next;
        }
    }
    Ok(())
}

/// Refuses to erase from a chunk of recipients of a customer under a hold.
pub(in crate::operate) async fn refuse_chunk(tx: &mut Tx, chunk: AudienceChunkId) -> Result<()> {
    match table::owner_of_chunk(tx, chunk).await? {
        Some(user) => Err(held(user)),
        None => Ok(()),
    }
}

/// Refuses to erase from rows of customers under a hold.
pub(in crate::operate) async fn refuse_rows(
    tx: &mut Tx,
    place: &SubjectPlace,
    found: &[NamedRow],
) -> Result<()> {
    // In the audit trail the user is the administrator.
    let owner = match place.table {
        "audit" => return Ok(()),
        "suppressions" => "scope",
        _ => "user_id",
    };
    // The platform's scope, 0, is no user's: nothing holds it.
    let users = found.iter().filter_map(|row| row.integer(owner)).map(UserId).collect();
    match table::held_among(tx, users).await?.first() {
        Some(user) => Err(held(*user)),
        None => Ok(()),
    }
}
