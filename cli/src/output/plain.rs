//! Text of strangers on a terminal: control characters and marks that turn the direction of writing are shown, not
//! obeyed.

use std::borrow::Cow;

/// The text with every such character written as JSON writes it (`\u001b`), but for line ends and tabs. JSON stays the
/// same JSON: there these characters can only stand within strings.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains(is_active) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        let ends_line = sign == '\r' && signs.peek() == Some(&'\n');
        if is_active(sign) && !ends_line {
            shown.push_str(&format!("\\u{:04x}", u32::from(sign)));
        } else {
            shown.push(sign);
        }
    }
    Cow::Owned(shown)
}

/// A text of one line, for a cell of a table: line feeds and tabs are shown, too.
pub(crate) fn one_line(text: &str) -> String {
    plain(text).replace('\n', "\\n").replace('\t', "\\t")
}

/// Controls (C0, DEL, C1) and the bidirectional marks that reorder what stands around them.
fn is_active(sign: char) -> bool {
    (sign.is_control() && !matches!(sign, '\n' | '\t'))
        || matches!(sign, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_shown() {
        assert_eq!(plain("\x1b[2Ja\u{9b}31m\u{202e}b\x7f\r"), "\\u001b[2Ja\\u009b31m\\u202eb\\u007f\\u000d");
        assert_eq!(plain("a\r\nb"), "a\r\nb");
        assert!(matches!(plain("Ọjà ₦5\n\t👍🏽"), Cow::Borrowed(_)));
        assert_eq!(one_line("a\nb\tc\x07"), "a\\nb\\tc\\u0007");
    }

    #[test]
    fn json_stays_the_same_json() {
        let text = "a\u{9b}b\u{202e}c\nd";
        let json = serde_json::json!({ "text": text }).to_string();
        let shown: serde_json::Value = serde_json::from_str(&plain(&json)).unwrap();
        assert!(!plain(&json).contains('\u{9b}'));
        assert_eq!(shown["text"], text);
    }
}
