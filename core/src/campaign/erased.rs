//! Refusals of what would send again what was erased.

use crate::content::Content;
use crate::error::{Error, Result};
use crate::model::campaign::audience_chunk::Chunk;

/// Refuses to send again what a campaign said where its words were erased.
///
/// # Errors
/// `text_erased`.
pub(super) fn refuse_erased(content: &Content) -> Result<()> {
    if content.is_erased() {
        return Err(Error::conflict(
            "text_erased",
            "The text of this campaign was erased, so that it cannot be sent again: write a new one",
        ));
    }
    Ok(())
}

/// The refusal of a list of which no number is left.
pub(super) fn recipients_erased() -> Error {
    Error::conflict(
        "recipients_erased",
        "The recipients of this campaign were erased, so that it cannot be sent to them again: name them again",
    )
}

/// Refuses a list of which a whole chunk was erased: its time is over, and the chunks that are left go in a moment. That of a chunk
/// of one recipient is not known from a person's whose number alone was erased.
///
/// # Errors
/// `recipients_erased`.
pub(super) fn refuse_cut(recipients: &Chunk) -> Result<()> {
    let numbers = recipients.numbers();
    if numbers.len() > 1 && numbers.iter().all(|number| number.is_erased()) {
        return Err(recipients_erased());
    }
    Ok(())
}
