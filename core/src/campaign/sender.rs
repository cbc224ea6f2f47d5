//! Who a message may claim to be from.
//!
//! The invariant: no message leaves under a sender id its user may not use; it is asked when a campaign is quoted
//! and again when it is confirmed.

use crate::error::{Error, Result};
use crate::store::Tx;

/// The sender id that everybody may use (specification, section 9).
pub const DEFAULT_SENDER: &str = "WEBSMS";

/// The longest sender id with letters in it, in characters, spaces included.
const CHARACTERS_MAX: usize = 11;
/// The longest sender id of digits alone.
const DIGITS_MAX: usize = 14;

/// Refuses a sender id that the user may not use. Everybody may use [`DEFAULT_SENDER`], and nobody another one.
///
/// # Errors
/// `sender_too_long`, `sender_not_allowed`; both say what to do.
pub async fn may_use(_tx: &mut Tx, _user: i64, sender: &str) -> Result<()> {
    if sender == DEFAULT_SENDER {
        return Ok(());
    }
    let is_number = sender.bytes().all(|byte| byte.is_ascii_digit());
    let longest = if is_number { DIGITS_MAX } else { CHARACTERS_MAX };
    if sender.chars().count() > longest {
        let said = if is_number {
            "Sender ID cannot be more than 14 digits."
        } else {
            "Sender ID cannot be more than 11 characters."
        };
        return Err(Error::field("senderid", "sender_too_long", said));
    }
    Err(Error::field(
        "senderid",
        "sender_not_allowed",
        format!("The sender ID '{sender}' is not approved for this account: use {DEFAULT_SENDER}"),
    ))
}
