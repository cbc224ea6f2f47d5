//! Own numbers: a user's own phones as caller ids. A call proves each: it speaks a code ([`calls`]), and the code that comes
//! back verifies the number ([`confirm`]).
//!
//! ```text
//! begin: charged ──▶ calling ──▶ ringing ──▶ answered ──▶ ended: charged by pulses
//!                       └───────────┴──▶ ended: given back, and its code is void
//!
//! code comes back: verified ──▶ withdrawn, by its user or an administrator, or by key 9 in that call: campaigns
//!                               from it pause
//! ```
//!
//! All of it is stored: any daemon tells how a call goes, and what a daemon that died had under way is settled by another
//! one, or by its next start ([`ending::settle_of_the_dead`]). Possession of the phone is what is proven. So one number may be
//! verified by several users, as two accounts of one business; one user's verification takes nothing from another's.

mod calls;
mod confirm;
mod ending;
mod limits;
mod observer;
mod view;
mod withdraw;

use talkdrum_api::sender::OwnNumber;

pub use calls::{BegunCall, OwnCallDraft, OwnCallRequest, OwnNumberCalls, SpendingLimit};
pub use ending::settle_of_the_dead;
pub use limits::{ALL_PER_DAY, NotCalled, PER_DAY, PER_HOUR, purge};
pub use view::show_call;
pub use withdraw::{OwnNumberKey, withdraw};

use super::Listing;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::store::Tx;
use crate::store::sender::number as table;
use crate::store::sender::number::OwnRow;

/// A user's own numbers, and how many there are.
pub async fn list_own_numbers(tx: &mut Tx, user: UserId, listing: &Listing) -> Result<(Vec<OwnNumber>, i64)> {
    let (rows, total) = table::own_page(tx, Some(user), listing).await?;
    Ok((rows.into_iter().map(shown_number).collect(), total))
}

/// All users' own numbers, and how many there are.
pub async fn list_all_own_numbers(tx: &mut Tx, listing: &Listing) -> Result<(Vec<OwnNumber>, i64)> {
    let (rows, total) = table::own_page(tx, None, listing).await?;
    Ok((rows.into_iter().map(shown_number).collect(), total))
}

fn shown_number(row: OwnRow) -> OwnNumber {
    OwnNumber {
        id: row.id.0,
        user_id: row.user_id.0,
        username: row.username,
        phone_number: row.phone_number,
        status: row.status.code().to_owned(),
        created_at: row.created_at.to_rfc3339(),
    }
}

/// Refuses a number that the user verified before, and one more than a user may have.
async fn check_new(tx: &mut Tx, user: UserId, number: &str) -> Result<()> {
    if table::is_usable_own(tx, user, number).await? {
        return Err(Error::field(
            "own_number",
            "own_number_verified",
            format!("The number {number} is verified already: calls can be from it"),
        ));
    }
    if table::count_own_of(tx, user).await? >= super::MOST_NUMBERS_OF_A_USER {
        return Err(Error::rule(
            "too_many_numbers",
            format!("An account has at most {} own numbers", super::MOST_NUMBERS_OF_A_USER),
        ));
    }
    Ok(())
}

/// What a notice of a number is headed by.
fn subject_of(number: &str) -> String {
    format!("Your number ending in {}", ending_of(number))
}

/// How many campaigns are paused as a number was taken back: nothing, or a sentence with the space before it.
fn paused_in_words(paused: u64) -> String {
    match paused {
        0 => String::new(),
        1 => " A campaign that called from it is paused.".to_owned(),
        many => format!(" {many} campaigns that called from it are paused."),
    }
}

/// The last digits of a number: what is said of it where it would outlast its owner's account.
fn ending_of(number: &str) -> &str {
    number.get(number.len().saturating_sub(4)..).unwrap_or(number)
}

#[cfg(test)]
mod tests;
