//! Why a message is where it is, in words for the customer: from what the carrier or the network said.
//!
//! Nothing is made up. A code without a known meaning is shown as it came.

use crate::model::message::reason::PlatformReason;
use crate::model::message::status::MessageStatus;

/// Statuses of `submit_sm_resp` (SMPP 3.4, 5.1.3) under their names.
const SMPP: [(&str, u32, &str); 20] = [
    ("ESME_RINVMSGLEN", 0x01, "The carrier holds the message's length invalid"),
    ("ESME_RSYSERR", 0x08, "The carrier had a system error"),
    ("ESME_RINVSRCADR", 0x0A, "The carrier does not accept the sender id"),
    ("ESME_RINVDSTADR", 0x0B, "The carrier holds the number invalid"),
    ("ESME_RMSGQFUL", 0x14, "The carrier's queue was full"),
    ("ESME_RINVSERTYP", 0x15, "The carrier does not accept the service type"),
    ("ESME_RINVESMCLASS", 0x43, "The carrier does not accept this class of message"),
    ("ESME_RSUBMITFAIL", 0x45, "The carrier refused the message"),
    ("ESME_RINVSRCTON", 0x48, "The carrier does not accept the sender's type of number"),
    ("ESME_RINVSRCNPI", 0x49, "The carrier does not accept the sender's numbering plan"),
    ("ESME_RINVDSTTON", 0x50, "The carrier does not accept the number's type"),
    ("ESME_RINVDSTNPI", 0x51, "The carrier does not accept the number's numbering plan"),
    ("ESME_RTHROTTLED", 0x58, "The carrier's rate limit was exceeded"),
    ("ESME_RINVEXPIRY", 0x62, "The carrier does not accept the validity"),
    ("ESME_RX_T_APPN", 0x64, "The receiver had a temporary error"),
    ("ESME_RX_P_APPN", 0x65, "The receiver had a permanent error"),
    ("ESME_RX_R_APPN", 0x66, "The receiver refused the message"),
    ("ESME_RINVOPTPARAMVAL", 0xC4, "The carrier does not accept an optional parameter"),
    ("ESME_RDELIVERYFAILURE", 0xFE, "The delivery failed"),
    ("ESME_RUNKNOWNERR", 0xFF, "The carrier had an unknown error"),
];

/// Errors of the mobile network (3GPP TS 29.002, 17.6), as most receipts carry them in `err`.
const NETWORK: [(u32, &str); 14] = [
    (1, "The number is not in use"),
    (5, "The network does not know the subscriber"),
    (6, "The phone could not be reached"),
    (9, "The subscriber is not allowed on the network"),
    (11, "The number cannot receive short messages"),
    (12, "The phone is barred from the network"),
    (13, "The number is barred from receiving messages"),
    (21, "The network does not support the message"),
    (27, "The phone was switched off or out of reach"),
    (31, "The phone was busy with other messages"),
    (32, "The phone could not take the message, as when its memory is full"),
    (33, "Too many messages are waiting for the phone"),
    (34, "The network had a system failure"),
    (36, "The network did not accept the message"),
];

/// How calls end.
const CALLS: [(&str, &str); 7] = [
    ("call:busy", "The line was busy"),
    ("call:no_answer", "The call was not answered, or the phone was out of reach"),
    ("call:rejected", "The call was declined"),
    ("call:invalid_number", "There is no such number"),
    ("call:trunk_error", "The line for calls failed"),
    ("call:trunk_down", "The line for calls was down"),
    ("call:failed", "The call failed"),
];

/// What is said of an answered call in which the key 9 was pressed.
pub(crate) const OPTED_OUT_BY_KEY: &str = "The person pressed 9, so the number opted out";

/// Why a message with a row is in its status; `None` when there is nothing to say.
pub(crate) fn of(status: MessageStatus, error: Option<&str>) -> Option<String> {
    error.map(str::trim).filter(|error| !error.is_empty()).and_then(words).or_else(|| {
        let sentence = match status {
            MessageStatus::Expired => "Its validity ran out before it could be delivered",
            MessageStatus::Unknown => PlatformReason::Unanswered.sentence(),
            MessageStatus::Cancelled => PlatformReason::Cancelled.sentence(),
            MessageStatus::Suppressed => {
                "The number opted out or came on the Do-Not-Disturb list after the quote"
            }
            _ => return None,
        };
        Some(sentence.to_owned())
    })
}

/// Why a message waits to be tried again.
pub(crate) fn of_retry(reason: &str) -> String {
    format!(
        "Will be tried again: {}",
        words(reason.trim()).unwrap_or_else(|| "the carrier could not take it".into())
    )
}

fn words(error: &str) -> Option<String> {
    if let Some(reason) = PlatformReason::of_stored(error) {
        return Some(reason.sentence().to_owned());
    }
    if let Some((_, sentence)) = CALLS.iter().find(|(code, _)| *code == error) {
        return Some((*sentence).to_owned());
    }
    if let Some((_, _, sentence)) = SMPP.iter().find(|(name, _, _)| error.eq_ignore_ascii_case(name)) {
        return Some((*sentence).to_owned());
    }
    if let Some(hex) = error.strip_prefix("0x").or_else(|| error.strip_prefix("0X")) {
        let status = u32::from_str_radix(hex, 16).ok();
        let known = SMPP.iter().find(|(_, number, _)| status == Some(*number));
        return Some(
            known.map_or_else(|| format!("The carrier's own error {error}"), |known| known.2.to_owned()),
        );
    }
    let code = error.strip_prefix("err:").or_else(|| error.strip_prefix("ERR:")).unwrap_or(error);
    if code.bytes().all(|byte| byte.is_ascii_digit()) {
        // Zero means that nothing was wrong.
        let number = code.parse().unwrap_or(u32::MAX);
        let known = NETWORK.iter().find(|(known, _)| *known == number);
        return match known {
            _ if number == 0 => None,
            Some((_, sentence)) => Some(format!("{sentence} (network error {code})")),
            None => Some(format!("The network reported error {code}")),
        };
    }
    Some(capitalised(error))
}

/// A carrier's own words, as a sentence begins.
fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_become_sentences_and_words_stay() {
        let said = |error| of(MessageStatus::Undelivered, Some(error)).unwrap_or_default();
        assert_eq!(said("ESME_RINVDSTADR"), "The carrier holds the number invalid");
        assert_eq!(said("0x0000000B"), "The carrier holds the number invalid");
        assert_eq!(said("0x00000400"), "The carrier's own error 0x00000400");
        assert_eq!(said("err:027"), "The phone was switched off or out of reach (network error 027)");
        assert_eq!(said("069"), "The network reported error 069");
        assert_eq!(said("the destination is invalid"), "The destination is invalid");
        assert_eq!(said("000"), "");
    }

    #[test]
    fn a_status_that_explains_itself_does_so_without_an_error() {
        assert!(of(MessageStatus::Unknown, None).unwrap().contains("it is not known"));
        assert!(of(MessageStatus::Expired, Some("0")).unwrap().contains("validity"));
        assert_eq!(of(MessageStatus::Delivered, None), None);
        assert_eq!(of_retry("0x58"), "Will be tried again: The carrier's rate limit was exceeded");
    }
}
