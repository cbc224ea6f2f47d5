//! Who a message may claim to be from: the sender ids, virtual numbers and own numbers of its user.
//!
//! ```text
//! sender id       (requested) ──▶ pending ──▶ approved ◀──▶ disapproved
//!                                    │                          ▲  │
//!                                    └──────────────────────────┘  └──▶ pending   (requested again)
//!
//!                 approve   from pending, approved (changes nothing) and disapproved
//!                 reject    from pending and approved, with a reason
//!
//! virtual number  (requested) ──▶ pending ──▶ approved (an administrator assigns the number) ──▶ deleted
//!                                    └─────────────────────────────────────────────────────────▶ deleted
//!
//! own number      (a call speaks a code) ──▶ verified, once the code comes back ──▶ withdrawn
//! ```
//!
//! No message leaves under a sender its user may not use. It is asked when a campaign is quoted, when it
//! is confirmed or resumed, and by every intent; what is withdrawn pauses the campaigns that were using it, in the same
//! transaction.

mod default_purpose;
mod notify_owner;
pub mod own_number;
mod reserved;
mod sender_id;
mod virtual_number;
mod withdraw_reserved;

pub use default_purpose::{DefaultPurposes, default_purpose, set_default_of_sender, set_default_of_user};
pub use notify_owner::tell_owner;
pub use own_number::{list_all_own_numbers, list_own_numbers};
pub use reserved::check_reserved;
pub use sender_id::{
    MOST_AT_ONCE, MOST_OF_A_USER, SenderId, approve, list_all_sender_ids, list_all_sender_ids_of,
    list_sender_ids, one_sender_id, parse_list, reject, request,
};
pub use virtual_number::{
    assign_virtual_number, delete_virtual_number, list_all_virtual_numbers, list_virtual_numbers,
    request_virtual_number, virtual_number,
};
pub use withdraw_reserved::withdraw_reserved;

pub use crate::store::db::listing::Listing;

use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::store::Tx;
use crate::store::sender::{self, number};

/// The sender id that all users may use (specification, section 9).
pub const DEFAULT_SENDER: &str = "WEBSMS";

/// How many virtual numbers, and requests for one, a user may have; and how many own numbers.
pub(crate) const MOST_NUMBERS_OF_A_USER: i64 = 50;

/// Whether the answer must hold until the transaction ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowLock {
    No,
    Yes,
}

/// Refuses a sender that the user may not use: neither [`DEFAULT_SENDER`], nor an approved sender id, nor a virtual or
/// own number of theirs.
///
/// # Errors
/// `sender_too_long`, `sender_invalid`, `sender_not_allowed`; all say what to do.
pub async fn check(tx: &mut Tx, user: UserId, text: &str) -> Result<SenderId> {
    find(tx, user, text, RowLock::No).await
}

/// [`check`] for callers that act on the answer in this transaction: a withdrawal of the sender waits until the
/// transaction ends, and then pauses the campaigns that it made.
///
/// # Errors
/// As [`check`].
pub async fn check_and_lock(tx: &mut Tx, user: UserId, text: &str) -> Result<SenderId> {
    find(tx, user, text, RowLock::Yes).await
}

async fn find(tx: &mut Tx, user: UserId, text: &str, lock: RowLock) -> Result<SenderId> {
    if text == DEFAULT_SENDER {
        return Ok(SenderId::default());
    }
    let lock = lock == RowLock::Yes;
    let is_theirs =
        sender::is_approved(tx, user, text, lock).await? || number::is_usable(tx, user, text, lock).await?;
    // A number of fifteen digits is no sender id, and may be a virtual number all the same.
    if is_theirs {
        return Ok(SenderId::stored(text));
    }
    let sender_id: SenderId = text.parse()?;
    Err(Error::field(
        "senderid",
        "sender_not_allowed",
        format!(
            "The sender ID '{sender_id}' is not approved for this account: use {DEFAULT_SENDER}, or request it and \
             wait for its approval"
        ),
    ))
}

/// Pauses a user's campaigns whose sender was withdrawn in this transaction.
async fn pause_campaigns_from(tx: &mut Tx, user: UserId, text: &str) -> Result<u64> {
    let reason = match text.bytes().all(|byte| byte.is_ascii_digit()) {
        true => format!("The number {text} was withdrawn"),
        false => format!("The sender ID '{text}' was withdrawn"),
    };
    sender::pause_campaigns_from(tx, user, text, &reason).await
}

#[cfg(test)]
mod tests;
