//! The placeholders of an address, such as `%d`: Kannel's letters, with what Kannel fills in for a delivery report.

use std::fmt::Write as _;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::model::receipt_callback::{ReceiptCallback, ReceiptEvent};
use crate::time::Time;

/// What is told of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Told {
    /// The event.
    pub(super) event: ReceiptEvent,
    /// The message's id.
    pub(super) message_id: i64,
    /// The carrier's id of it.
    pub(super) carrier_ref: String,
    /// The event in words, in the form of SMPP's receipts or Kannel's `ACK/`.
    pub(super) text: String,
    /// When it happened.
    pub(super) at: Time,
}

impl Told {
    /// As long as any is.
    pub(super) fn longest() -> Self {
        Self {
            event: ReceiptEvent::Refused,
            message_id: i64::MAX,
            carrier_ref: "x".repeat(LONGEST_REFERENCE),
            text: "x".repeat(LONGEST_TEXT),
            at: Time(0),
        }
    }
}

/// Characters of a carrier's id that are told: SMPP's longest is 64.
pub(super) const LONGEST_REFERENCE: usize = 65;
/// Characters of the event in words.
pub(super) const LONGEST_TEXT: usize = 250;
/// What stands for itself in a value; a space becomes `+`.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b' ');

/// The address with its placeholders filled in. Those of messages from handsets are empty, and what is no placeholder
/// stays as it is.
pub(super) fn filled(callback: &ReceiptCallback, told: &Told) -> String {
    let mut url = String::with_capacity(callback.url.len());
    let mut rest = callback.url.chars();
    while let Some(sign) = rest.next() {
        let letter = if sign == '%' { rest.next() } else { None };
        match letter {
            Some(letter) => fill(&mut url, letter, callback, told),
            None => url.push(sign),
        }
    }
    url
}

fn fill(url: &mut String, letter: char, callback: &ReceiptCallback, told: &Told) {
    let details = &callback.details;
    let words = || told.text.split_whitespace();
    // Writing to a String cannot fail.
    let _ = match letter {
        'd' => write!(url, "{}", told.event.bit()),
        'A' | 'a' | 'b' => escape(url, &told.text),
        'k' => escape(url, words().next().unwrap_or_default()),
        's' => escape(url, words().nth(1).unwrap_or_default()),
        'r' => escape(url, &words().skip(1).collect::<Vec<_>>().join(" ")),
        'F' => escape(url, &told.carrier_ref),
        'I' => write!(url, "{}", told.message_id),
        'i' => escape(url, "talkdrum"),
        'p' => escape(url, &details.to),
        'q' => escape(url, &international(&details.to)),
        'P' => escape(url, &details.from),
        'Q' => escape(url, &international(&details.from)),
        'n' => escape(url, &details.service),
        'o' => escape(url, &details.account),
        'B' => escape(url, &details.billing),
        'R' => escape(url, &callback.url),
        't' => write!(url, "{}", clock(told.at)),
        'T' => write!(url, "{}", told.at.millis() / 1_000),
        // A report has no coding and no class of its own.
        'c' | 'm' | 'M' => write!(url, "-1"),
        'C' => write!(url, "UTF-8"),
        'O' => write!(url, "00"),
        'D' | 'f' | 'S' | 'u' | 'v' | 'V' => Ok(()),
        '%' => write!(url, "%"),
        other => write!(url, "%{other}"),
    };
}

fn escape(url: &mut String, text: &str) -> std::fmt::Result {
    for piece in utf8_percent_encode(text, ESCAPED) {
        // Only a piece that stands for itself holds a space.
        url.push_str(&piece.replace(' ', "+"));
    }
    Ok(())
}

/// A number that begins with `00`, with `+` in its place.
fn international(number: &str) -> String {
    number.strip_prefix("00").map_or_else(|| number.to_owned(), |rest| format!("+{rest}"))
}

/// The time in UTC as Kannel writes it, `2026-11-27+06:40:43`.
fn clock(at: Time) -> String {
    let whole = at.to_rfc3339();
    whole.get(..19).map_or_else(String::new, |second| second.replace('T', "+"))
}
