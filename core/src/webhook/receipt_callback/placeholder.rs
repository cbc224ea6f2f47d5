//! The placeholders of an address, such as `%d`: Kannel's letters, with what Kannel fills in for a delivery report.

use std::fmt::Write as _;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::LONGEST_FILLED;
use crate::model::webhook::receipt_callback::{ReceiptCallback, ReceiptEvent};
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
    /// Whether each placeholder that takes some of its words takes it whole: more than any text has for all of them.
    pub(super) has_longest_words: bool,
    /// When it happened.
    pub(super) at: Time,
}

impl Told {
    /// As long as any is, whatever its script: each byte of it takes three once it is escaped.
    pub(super) fn longest() -> Self {
        Self {
            event: ReceiptEvent::Refused,
            message_id: i64::MAX,
            carrier_ref: ":".repeat(LONGEST_REFERENCE),
            text: ":".repeat(LONGEST_TEXT),
            has_longest_words: true,
            // In the year 9999.
            at: Time(253_370_764_800_000),
        }
    }
}

/// Bytes of a carrier's id that are told: SMPP's longest is 64.
pub(super) const LONGEST_REFERENCE: usize = 65;
/// Bytes of the event in words.
pub(super) const LONGEST_TEXT: usize = 250;
/// What stands for itself in a value; a space becomes `+`.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b' ');

/// The address with its placeholders filled in. Those of messages from handsets are empty, and what is no placeholder
/// stays as it is. `None` when it is longer than [`LONGEST_FILLED`] by then: no more is filled in than that.
pub(super) fn filled(callback: &ReceiptCallback, told: &Told) -> Option<String> {
    let mut url = String::with_capacity(callback.url.len());
    let mut rest = callback.url.chars();
    while let Some(sign) = rest.next() {
        let letter = if sign == '%' { rest.next() } else { None };
        match letter {
            Some(letter) => fill(&mut url, letter, callback, told),
            None => url.push(sign),
        }
        if url.len() > LONGEST_FILLED {
            return None;
        }
    }
    Some(url)
}

fn fill(url: &mut String, letter: char, callback: &ReceiptCallback, told: &Told) {
    let details = &callback.details;
    let words = || told.text.split_whitespace();
    // Those that have no such word fill in nothing.
    let word = |place| words().nth(if told.has_longest_words { 0 } else { place }).unwrap_or_default();
    // Writing to a String cannot fail.
    let _ = match letter {
        'd' => write!(url, "{}", told.event.bit()),
        'A' | 'a' | 'b' => escape(url, &told.text),
        'k' => escape(url, word(0)),
        's' => escape(url, word(1)),
        'r' => {
            let rest = words().skip(usize::from(!told.has_longest_words));
            rest.enumerate().try_for_each(|(place, word)| {
                url.push_str(if place > 0 { "+" } else { "" });
                escape(url, word)
            })
        }
        'F' => escape(url, &told.carrier_ref),
        'I' => write!(url, "{}", told.message_id),
        'i' => escape(url, "talkdrum"),
        'p' => escape(url, &details.to),
        'q' => international(url, &details.to),
        'P' => escape(url, &details.from),
        'Q' => international(url, &details.from),
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
        for (place, part) in piece.split(' ').enumerate() {
            url.push_str(if place > 0 { "+" } else { "" });
            url.push_str(part);
        }
    }
    Ok(())
}

/// A number that begins with `00`, with `+` in its place.
fn international(url: &mut String, number: &str) -> std::fmt::Result {
    match number.strip_prefix("00") {
        Some(rest) => escape(url, "+").and_then(|()| escape(url, rest)),
        None => escape(url, number),
    }
}

/// The time in UTC as Kannel writes it, `2026-11-27+06:40:43`.
fn clock(at: Time) -> String {
    let whole = at.to_rfc3339();
    whole.get(..19).map_or_else(String::new, |second| second.replace('T', "+"))
}
