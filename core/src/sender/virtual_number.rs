//! Virtual numbers: asked for by a user, assigned and deleted by an administrator.

use talkdrum_api::sender::VirtualNumber;

use super::{Listing, MOST_NUMBERS_OF_A_USER, pause_campaigns_from};
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::platform::audit::AuditAction;
use crate::model::sender::id::VirtualNumberId;
use crate::platform::audit::{self, Entry};
use crate::store::Tx;
use crate::store::account::user;
use crate::store::sender::number as table;
use crate::store::sender::number::VirtualRow;
use crate::time::Time;

/// Asks for a virtual number.
///
/// # Errors
/// `virtual_number_requested` while an earlier request waits, `too_many_numbers`.
pub async fn request_virtual_number(tx: &mut Tx, user: UserId, now: Time) -> Result<VirtualNumberId> {
    if table::oldest_request_of(tx, user).await?.is_some() {
        return Err(Error::rule(
            "virtual_number_requested",
            "A virtual number was requested before and waits for an administrator",
        ));
    }
    if table::count_virtual_of(tx, user).await? >= MOST_NUMBERS_OF_A_USER {
        return Err(Error::rule(
            "too_many_numbers",
            format!("An account has at most {MOST_NUMBERS_OF_A_USER} virtual numbers"),
        ));
    }
    table::insert_request(tx, user, now).await
}

/// Assigns a number to a user: to the oldest request, or, when none waits, without one.
///
/// # Errors
/// The specification's rule on `virtual_num`, `number_invalid`, `number_taken`; 404 when there is no such user.
pub async fn assign_virtual_number(
    tx: &mut Tx,
    owner: UserId,
    number: &str,
    by: UserId,
    now: Time,
) -> Result<VirtualNumber> {
    let number = digits_of(number)?;
    let owner = user::by_id(tx, owner).await?.filter(|user| user.deleted_at.is_none());
    let owner = owner.ok_or(Error::NotFound("user"))?.id;
    if table::holder(tx, &number).await?.is_some() {
        return Err(Error::field(
            "virtual_num",
            "number_taken",
            format!("The number {number} is assigned already: delete it there first"),
        ));
    }
    let id = match table::oldest_request_of(tx, owner).await? {
        Some(id) => id,
        None => table::insert_request(tx, owner, now).await?,
    };
    table::assign(tx, id, &number, by, now).await?;
    let entry =
        Entry::new(by, AuditAction::VirtualNumberAssign, format!("user {owner}")).after(Some(&number));
    audit::record(tx, &entry, now).await?;
    virtual_number(tx, id).await
}

/// Deletes a virtual number, or a request for one: campaigns that were using it pause. Returns what it was.
///
/// # Errors
/// 404 when there is none.
pub async fn delete_virtual_number(
    tx: &mut Tx,
    id: VirtualNumberId,
    by: UserId,
    now: Time,
) -> Result<VirtualNumber> {
    let before = virtual_number(tx, id).await?;
    if !table::delete_virtual(tx, id).await? {
        return Err(Error::NotFound("virtual number"));
    }
    let entry = Entry::new(by, AuditAction::VirtualNumberDelete, format!("user {}", before.user_id));
    let was = before.virtual_num.as_deref().unwrap_or("a request");
    audit::record(tx, &entry.before(Some(was)), now).await?;
    if let Some(number) = &before.virtual_num {
        pause_campaigns_from(tx, UserId(before.user_id), number).await?;
    }
    Ok(before)
}

/// A user's virtual numbers, and how many there are.
pub async fn list_virtual_numbers(
    tx: &mut Tx,
    user: UserId,
    listing: &Listing,
) -> Result<(Vec<VirtualNumber>, i64)> {
    let (rows, total) = table::virtual_page(tx, Some(user), listing).await?;
    Ok((rows.into_iter().map(VirtualNumber::from).collect(), total))
}

/// All users' virtual numbers, and how many there are.
pub async fn list_all_virtual_numbers(tx: &mut Tx, listing: &Listing) -> Result<(Vec<VirtualNumber>, i64)> {
    let (rows, total) = table::virtual_page(tx, None, listing).await?;
    Ok((rows.into_iter().map(VirtualNumber::from).collect(), total))
}

/// One virtual number, or a request for one.
///
/// # Errors
/// 404 when there is none.
pub async fn virtual_number(tx: &mut Tx, id: VirtualNumberId) -> Result<VirtualNumber> {
    table::virtual_by_id(tx, id).await?.map(VirtualNumber::from).ok_or(Error::NotFound("virtual number"))
}

impl From<VirtualRow> for VirtualNumber {
    fn from(row: VirtualRow) -> Self {
        Self {
            id: row.id.0,
            user_id: row.user_id.0,
            username: row.username,
            virtual_num: row.virtual_num,
            status: row.status.code().to_owned(),
            created_at: row.created_at.to_rfc3339(),
        }
    }
}

/// The digits of E.164. Fixed lines too: calls come from here, so what a message can reach is another question.
fn digits_of(text: &str) -> Result<String> {
    let plain: String = text.trim().chars().filter(|sign| !" -().".contains(*sign)).collect();
    if plain.is_empty() {
        return Err(Error::field("virtual_num", "number_required", "Kindly input User's number"));
    }
    let international = plain.strip_prefix('+').or_else(|| plain.strip_prefix("00"));
    let digits = match (international, plain.strip_prefix('0')) {
        (Some(digits), _) => digits.to_owned(),
        (None, Some(national)) => format!("234{national}"),
        (None, None) => plain,
    };
    let is_number = (8..=15).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && !digits.starts_with('0');
    if is_number { Ok(digits) } else { Err(number_invalid()) }
}

fn number_invalid() -> Error {
    Error::field(
        "virtual_num",
        "number_invalid",
        "The number must be in international form, such as +2342012345678, or a Nigerian number with its 0",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_brought_into_international_form() {
        for text in ["+234 201 234 5678", "002342012345678", "0201-234-5678", "2342012345678"] {
            assert_eq!(digits_of(text).unwrap(), "2342012345678", "{text}");
        }
        assert_eq!(digits_of("  ").unwrap_err().to_string(), "Kindly input User's number");
        for text in ["12", "+0234", "call me", "+2342012345678901"] {
            assert_eq!(digits_of(text).unwrap_err().code(), "number_invalid", "{text}");
        }
    }
}
