//! The sender that codes and other messages of the platform come from: no user may send from a name that reads like it.

use crate::error::{Error, Result};

/// Refuses a sender id that reads like the one of the platform's own messages, or begins like it. Case, spaces and signs make
/// no difference, nor do letters and digits that look alike.
///
/// # Errors
/// `sender_reserved`.
pub fn check_reserved(text: &str, notice_sender: &str) -> Result<()> {
    if reads_like(text, notice_sender) {
        return Err(Error::field("sender_ids", "sender_reserved", reason(text)));
    }
    Ok(())
}

/// A sender of the platform that is shorter is no beginning that others could be told by.
const SHORTEST_BEGINNING: usize = 4;

pub(super) fn reads_like(text: &str, notice_sender: &str) -> bool {
    let (text, own) = (letters(text), letters(notice_sender));
    text == own || (own.len() >= SHORTEST_BEGINNING && text.starts_with(&own))
}

/// Letters and digits as an eye takes them that does not look twice.
fn letters(text: &str) -> String {
    let looks_like = |sign: char| match sign.to_ascii_lowercase() {
        '0' => 'o',
        '1' | 'i' => 'l',
        '5' => 's',
        other => other,
    };
    text.chars().filter(char::is_ascii_alphanumeric).map(looks_like).collect()
}

pub(super) fn reason(text: &str) -> String {
    format!("The sender ID '{text}' is reserved for messages of the platform itself")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_or_begins_like_the_platforms_sender_reads_like_it() {
        for text in ["Talkdrum", "TALK-DRUM", "Ta1kdrum", "TaIkdrum", "Talkdrum NG", "ta1kdrum2fa"] {
            assert!(check_reserved(text, "Talkdrum").is_err(), "{text}");
        }
        for (text, own) in [("WEB5M5", "WEBSMS"), ("N0TICE", "Notice"), ("TD", "TD")] {
            assert!(check_reserved(text, own).is_err(), "{text}");
        }
        for (text, own) in
            [("Talk", "Talkdrum"), ("My Talkdrum", "Talkdrum"), ("TDX", "TD"), ("SHOP", "WEBSMS")]
        {
            assert!(check_reserved(text, own).is_ok(), "{text}");
        }
    }
}
