//! Our reference of a call, which provider and webhooks name it by. That of a message's call says which message it is and
//! which of its calls, so that any daemon can match a later report to its call.
//!
//! ```text
//! td 0000000000012345 0002 9e8d7c6b   message, call, and chance: no two calls have one reference
//! td 0123456789abcdef                 any other call: chance alone
//! ```

use crate::carrier::voice::CallOf;
use crate::entropy::Entropy;
use crate::model::message::id::MessageId;

/// Before each.
const MARK: &str = "td";
/// Digits of the message, of its call, and of chance.
const LENGTHS: [usize; 3] = [16, 4, 8];

/// A new reference for a call.
pub(super) fn new(of: Option<CallOf>, entropy: &dyn Entropy) -> String {
    let chance = entropy.u64();
    match of {
        Some(CallOf { message, call }) => {
            format!("{MARK}{:016x}{call:04x}{:08x}", message.0, chance >> 32)
        }
        None => format!("{MARK}{chance:016x}"),
    }
}

/// Which call of which message a reference names; `None` of one that is not ours, or of no message.
pub(super) fn read(reference: &str) -> Option<CallOf> {
    let digits = reference.strip_prefix(MARK)?;
    let is_ours = digits.len() == LENGTHS.iter().sum::<usize>()
        && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let (message, rest) = digits.split_at_checked(LENGTHS[0]).filter(|_| is_ours)?;
    let (call, _) = rest.split_at_checked(LENGTHS[1])?;
    let message = i64::from_str_radix(message, 16).ok().filter(|id| *id > 0)?;
    let call = u16::from_str_radix(call, 16).ok()?;
    Some(CallOf { message: MessageId(message), call })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::SeededEntropy;
    use crate::model::campaign::id::ChunkId;

    #[test]
    fn a_reference_says_which_call_of_which_message_it_is_and_is_never_the_same() {
        let entropy = SeededEntropy::new(7);
        let of = CallOf { message: MessageId::new(ChunkId(1_234_567), 4_095), call: 1_000 };
        let reference = new(Some(of), &entropy);
        assert_eq!(read(&reference), Some(of), "{reference}");
        assert_ne!(new(Some(of), &entropy), reference);
        for other in [new(None, &entropy), reference[1..].to_owned(), format!("{reference}0"), "td".into()] {
            assert_eq!(read(&other), None, "{other}");
        }
        assert_eq!(read(&format!("td{}", "+".repeat(28))), None);
        assert_eq!(read(&format!("td{}", "é".repeat(14))), None);
    }
}
