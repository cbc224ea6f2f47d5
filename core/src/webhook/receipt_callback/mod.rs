//! Receipt callbacks: an address that comes with a message is called when the message gets on, as Kannel calls a `dlr-url`.
//!
//! A message that is sent with one leaves a row in the transaction that sends it. The [`watch`] compares the counters of the
//! chunks of such messages with those of its last look, and stores a call for each event that is wanted and new, in one
//! transaction with the note that it was told; [`calls`] then makes each until it is taken or given up. The addresses are
//! bounded like those of webhooks, but not signed for: what comes to one is believed as far as its secret reaches, which is
//! the address itself.
//!
//! Invariant: what was committed is called for at least once; events of one message may come in any order.

pub mod calls;
mod placeholder;
pub mod watch;

use talkdrum_api::code;

use super::endpoint::{self, Reach};
use crate::error::{Error, Result};
use crate::model::webhook::receipt_callback::{CallbackDetails, ReceiptCallback, ReceiptEvent};
use placeholder::{Told, filled};

/// The longest address with its placeholders, in bytes.
pub const LONGEST_URL: usize = endpoint::LONGEST_URL;
/// The longest address once they are filled in, in bytes: as long as servers commonly take.
const LONGEST_FILLED: usize = 8_000;
/// All that can be asked for: Kannel's six bits. Of these, 4 and 32 never happen here.
const WHOLE_MASK: i64 = 63;

/// Checks what a request asks to be told; `None` when that is nothing, as the mask or the address is missing.
///
/// # Errors
/// `bad_dlr_mask` for a mask beyond 63, `bad_dlr_url` for an address that cannot be called.
pub fn parse(
    url: &str,
    mask: Option<i64>,
    details: CallbackDetails,
    reach: Reach,
) -> Result<Option<ReceiptCallback>> {
    let mask = mask.unwrap_or(0);
    if !(0..=WHOLE_MASK).contains(&mask) {
        return Err(Error::field("dlr-mask", code::BAD_DLR_MASK, "dlr-mask must be a number from 0 to 63"));
    }
    let url = url.trim();
    if url.is_empty() {
        return Ok(None);
    }
    let refused = |why: String| Error::field("dlr-url", code::BAD_DLR_URL, why);
    if url.chars().any(|sign| sign.is_control() || sign.is_whitespace()) {
        return Err(refused("dlr-url must not hold spaces or control characters".to_owned()));
    }
    // As it is written: the parser would take placeholders for bytes.
    endpoint::check_address(url, reach, &["http", "https"]).map_err(|error| refused(error.to_string()))?;
    let callback = ReceiptCallback { url: url.to_owned(), mask, details };
    if filled(&callback, &Told::longest()).is_none() {
        return Err(refused("dlr-url is too long once its placeholders are filled in".to_owned()));
    }
    let wanted =
        [ReceiptEvent::Delivered, ReceiptEvent::Failed, ReceiptEvent::Accepted, ReceiptEvent::Refused];
    Ok(wanted.iter().any(|event| mask & event.bit() != 0).then_some(callback))
}

#[cfg(test)]
mod tests;
