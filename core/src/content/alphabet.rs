//! The two alphabets of text behind one door: clean a stretch of text, size it, encode it.
//!
//! Invariant: sizes and encodings are additive. A message is cleaned stretch by stretch (the fixed text once, each
//! value as it comes), so that measuring a million recipients touches only their values, and the sum agrees with the
//! encoding of the whole.

use super::body::Encoding;
use super::error::ContentError;
use super::gsm7::{self, NotGsm7, Size};
use super::lookalike;

/// How a text message travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alphabet {
    Gsm7,
    Ucs2,
}

impl Alphabet {
    pub(super) const fn encoding(self) -> Encoding {
        match self {
            Self::Gsm7 => Encoding::Gsm7,
            Self::Ucs2 => Encoding::Ucs2,
        }
    }

    /// A stretch of text as it is sent, and its size. `buffer` holds the result where it is not the text itself;
    /// `note` hears of look-alikes.
    ///
    /// # Errors
    /// What the alphabet cannot carry.
    pub(super) fn clean<'a>(
        self,
        text: &'a str,
        buffer: &'a mut String,
        note: impl FnMut(char, &'static str),
    ) -> Result<(&'a str, Size), ContentError> {
        match self {
            Self::Gsm7 => {
                if let Some(size) = gsm7::quick(text) {
                    return Ok((text, size));
                }
                buffer.clear();
                lookalike::push(text, buffer, note);
                let size = gsm7::size(buffer)
                    .map_err(|NotGsm7 { chars }| ContentError::NotGsm7 { field: None, chars })?;
                Ok((buffer, size))
            }
            Self::Ucs2 => {
                let text = line_feeds(text, buffer);
                Ok((text, units(text)?))
            }
        }
    }

    /// Appends a clean stretch of text: unpacked septets, or UTF-16BE.
    pub(super) fn encode(self, clean: &str, out: &mut Vec<u8>) -> Result<(), ContentError> {
        match self {
            Self::Gsm7 => gsm7::encode(clean, out)
                .map_err(|NotGsm7 { chars }| ContentError::NotGsm7 { field: None, chars }),
            Self::Ucs2 => {
                out.extend(clean.encode_utf16().flat_map(u16::to_be_bytes));
                Ok(())
            }
        }
    }
}

/// A text with its line ends made line feeds, in `buffer` where that changes it.
pub(super) fn line_feeds<'a>(text: &'a str, buffer: &'a mut String) -> &'a str {
    if !text.contains('\r') {
        return text;
    }
    buffer.clear();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\r' {
            chars.next_if_eq(&'\n');
            buffer.push('\n');
        } else {
            buffer.push(c);
        }
    }
    buffer
}

/// The size of a text in UTF-16 units; control characters other than line feeds and tabs are refused.
fn units(text: &str) -> Result<Size, ContentError> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n')) {
        return Ok(Size { units: text.len() as u32, wide: false });
    }
    let mut size = Size::default();
    for c in text.chars() {
        if c.is_control() && c != '\n' && c != '\t' {
            return Err(ContentError::Control { field: None, char: c });
        }
        size.units += c.len_utf16() as u32;
        size.wide |= c.len_utf16() == 2;
    }
    Ok(size)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn clean(alphabet: Alphabet, text: &str) -> Result<(String, u32), ContentError> {
        let mut buffer = String::from("left over");
        alphabet.clean(text, &mut buffer, |_, _| ()).map(|(text, size)| (text.to_owned(), size.units))
    }

    #[test]
    fn text_is_cleaned_by_look_alikes() {
        assert_eq!(clean(Alphabet::Gsm7, "₦5 – €\r\n"), Ok(("N5 - €\n".to_owned(), 8)));
        assert_eq!(
            clean(Alphabet::Gsm7, "a😀"),
            Err(ContentError::NotGsm7 { field: None, chars: vec!['😀'] })
        );
    }

    #[test]
    fn unicode_keeps_its_characters_and_refuses_controls() {
        assert_eq!(clean(Alphabet::Ucs2, "₦5 😀\r\n\r"), Ok(("₦5 😀\n\n".to_owned(), 7)));
        assert_eq!(clean(Alphabet::Ucs2, "a\0"), Err(ContentError::Control { field: None, char: '\0' }));
        assert_eq!(
            clean(Alphabet::Ucs2, "a\u{85}"),
            Err(ContentError::Control { field: None, char: '\u{85}' })
        );
    }

    proptest! {
        #[test]
        fn the_size_is_that_of_the_encoding(text in any::<String>()) {
            for (alphabet, unit) in [(Alphabet::Gsm7, 1), (Alphabet::Ucs2, 2)] {
                let mut buffer = String::new();
                if let Ok((clean, size)) = alphabet.clean(&text, &mut buffer, |_, _| ()) {
                    let mut out = Vec::new();
                    alphabet.encode(clean, &mut out).unwrap();
                    prop_assert_eq!(out.len(), size.units as usize * unit);
                }
            }
        }
    }
}
