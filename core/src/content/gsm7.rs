//! The GSM 7-bit default alphabet with its extension table (3GPP TS 23.038, section 6.2), one septet an octet.
//!
//! Invariant: [`encode`] and [`septets`] accept exactly the same texts, and the one writes as many octets as the
//! other counts. Packing seven bits to the octet is the carrier's affair.

use std::fmt;

/// The septet that announces a character of the extension table.
pub const ESCAPE: u8 = 0x1B;

/// The default alphabet by septet. The place of [`ESCAPE`] holds U+001B, which no text may contain.
const ALPHABET: [char; 128] = [
    '@', '£', '$', '¥', 'è', 'é', 'ù', 'ì', 'ò', 'Ç', '\n', 'Ø', 'ø', '\r', 'Å', 'å', //
    'Δ', '_', 'Φ', 'Γ', 'Λ', 'Ω', 'Π', 'Ψ', 'Σ', 'Θ', 'Ξ', '\u{1B}', 'Æ', 'æ', 'ß', 'É', //
    ' ', '!', '"', '#', '¤', '%', '&', '\'', '(', ')', '*', '+', ',', '-', '.', '/', //
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', ':', ';', '<', '=', '>', '?', //
    '¡', 'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L', 'M', 'N', 'O', //
    'P', 'Q', 'R', 'S', 'T', 'U', 'V', 'W', 'X', 'Y', 'Z', 'Ä', 'Ö', 'Ñ', 'Ü', '§', //
    '¿', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', //
    'p', 'q', 'r', 's', 't', 'u', 'v', 'w', 'x', 'y', 'z', 'ä', 'ö', 'ñ', 'ü', 'à', //
];

/// The extension table: the septet after [`ESCAPE`], and the character.
const EXTENSION: [(u8, char); 10] = [
    (0x0A, '\u{0C}'),
    (0x14, '^'),
    (0x28, '{'),
    (0x29, '}'),
    (0x2F, '\\'),
    (0x3C, '['),
    (0x3D, '~'),
    (0x3E, ']'),
    (0x40, '|'),
    (0x65, '€'),
];

/// In [`CODES`]: not in the alphabet.
const NONE: u8 = 0xFF;
/// In [`CODES`]: the septet follows an [`ESCAPE`].
const EXTENDED: u8 = 0x80;
/// The characters the table covers: all of the alphabet but `€`.
const COVERED: usize = 0x400;
/// The septet of `€` after [`ESCAPE`].
const EURO: u8 = 0x65;

static CODES: [u8; COVERED] = codes();

const fn codes() -> [u8; COVERED] {
    let mut codes = [NONE; COVERED];
    let mut septet = 0;
    while septet < ALPHABET.len() {
        if septet != ESCAPE as usize {
            codes[ALPHABET[septet] as usize] = septet as u8;
        }
        septet += 1;
    }
    let mut row = 0;
    while row < EXTENSION.len() {
        let (septet, c) = EXTENSION[row];
        if (c as usize) < COVERED {
            codes[c as usize] = EXTENDED | septet;
        }
        row += 1;
    }
    codes
}

/// In [`CLASSES`]: the byte needs a second look. It is no ASCII, not in the alphabet, or a carriage return.
const SLOW: u8 = 0x80;

/// What a byte of UTF-8 adds to the length: one septet, two, or a second look.
static CLASSES: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut classes = [SLOW; 256];
    let mut byte = 0;
    while byte < 128 {
        let code = CODES[byte];
        if code != NONE && byte != b'\r' as usize {
            classes[byte] = if code & EXTENDED == 0 { 1 } else { 2 };
        }
        byte += 1;
    }
    classes
}

/// The size of a stretch of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Size {
    /// Septets, UTF-16 units or octets.
    pub units: u32,
    /// Whether any character takes two units: where such a one straddles the end of a part, the part is cut early.
    pub wide: bool,
}

/// A text holds characters outside the alphabet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} cannot be sent as GSM-7 text", Named(.chars))]
pub struct NotGsm7 {
    /// The characters, each once, in order of appearance.
    pub chars: Vec<char>,
}

/// Characters as an error names them: `'😀' (U+1F600), 'ж' (U+0436) and 3 more`.
pub(super) struct Named<'a>(pub(super) &'a [char]);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 8;
        for (place, &c) in self.0.iter().take(SHOWN).enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            if c.is_control() || c.is_whitespace() {
                write!(f, "{comma}U+{:04X}", u32::from(c))?;
            } else {
                write!(f, "{comma}'{c}' (U+{:04X})", u32::from(c))?;
            }
        }
        match self.0.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

fn code(c: char) -> u8 {
    match CODES.get(c as usize) {
        Some(&code) => code,
        None if c == '€' => EXTENDED | EURO,
        None => NONE,
    }
}

/// The septets a character takes, one or two; `None` when it is not in the alphabet.
pub fn width(c: char) -> Option<u32> {
    match code(c) {
        NONE => None,
        code if code & EXTENDED == 0 => Some(1),
        _ => Some(2),
    }
}

/// The size of a text of ASCII in the alphabet without carriage returns, by one table look-up a byte; `None` for any
/// other text.
pub(super) fn quick(text: &str) -> Option<Size> {
    let (mut units, mut classes) = (0_u32, 0_u8);
    for &byte in text.as_bytes() {
        let class = CLASSES[usize::from(byte)];
        units += u32::from(class & 3);
        classes |= class;
    }
    (classes & SLOW == 0).then_some(Size { units, wide: classes & 2 != 0 })
}

/// The size of any text of the alphabet.
pub(super) fn size(text: &str) -> Result<Size, NotGsm7> {
    match quick(text) {
        Some(size) => Ok(size),
        None => slow(text),
    }
}

fn slow(text: &str) -> Result<Size, NotGsm7> {
    let mut size = Size::default();
    let mut chars = Vec::new();
    for c in text.chars() {
        match width(c) {
            Some(width) => {
                size.units += width;
                size.wide |= width == 2;
            }
            None if chars.contains(&c) => {}
            None => chars.push(c),
        }
    }
    if chars.is_empty() { Ok(size) } else { Err(NotGsm7 { chars }) }
}

/// The length of a text in septets; characters of the extension table count two.
///
/// # Errors
/// [`NotGsm7`] names the characters outside the alphabet.
pub fn septets(text: &str) -> Result<u32, NotGsm7> {
    size(text).map(|size| size.units)
}

/// Appends the septets of a text, one an octet.
///
/// # Errors
/// [`NotGsm7`] names the characters outside the alphabet; `out` is then as it was.
pub fn encode(text: &str, out: &mut Vec<u8>) -> Result<(), NotGsm7> {
    let start = out.len();
    out.reserve(text.len());
    for c in text.chars() {
        match code(c) {
            NONE => {
                out.truncate(start);
                return Err(slow(text).err().unwrap_or_else(|| NotGsm7 { chars: vec![c] }));
            }
            code if code & EXTENDED == 0 => out.push(code),
            code => out.extend([ESCAPE, code & !EXTENDED]),
        }
    }
    Ok(())
}

/// The text of unpacked septets. As the standard asks of a receiver: an unknown extension shows the character of the
/// default alphabet, a doubled or dangling escape a space. An octet above 0x7F is no septet and shows U+FFFD.
pub fn decode(septets: &[u8]) -> String {
    let mut text = String::with_capacity(septets.len());
    let mut rest = septets.iter().copied();
    while let Some(septet) = rest.next() {
        if septet != ESCAPE {
            text.push(plain(septet));
            continue;
        }
        text.push(match rest.next() {
            None | Some(ESCAPE) => ' ',
            Some(code) => {
                EXTENSION.iter().find(|(septet, _)| *septet == code).map_or_else(|| plain(code), |(_, c)| *c)
            }
        });
    }
    text
}

fn plain(septet: u8) -> char {
    ALPHABET.get(usize::from(septet)).copied().unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn encoded(text: &str) -> Vec<u8> {
        let mut out = Vec::new();
        encode(text, &mut out).unwrap();
        out
    }

    #[test]
    fn septets_are_those_of_the_standard() {
        assert_eq!(encoded("@£$¥èéùìòÇ\nØø\rÅå"), (0..16).collect::<Vec<u8>>());
        assert_eq!(encoded("Hello"), b"Hello");
        assert_eq!(encoded("¡¿§à"), [0x40, 0x60, 0x5F, 0x7F]);
        assert_eq!(encoded("€[\u{0C}"), [0x1B, 0x65, 0x1B, 0x3C, 0x1B, 0x0A]);
    }

    #[test]
    fn the_whole_alphabet_survives_a_round_trip() {
        let all: String = ALPHABET.iter().filter(|c| **c != '\u{1B}').collect();
        let extended: String = EXTENSION.iter().map(|(_, c)| *c).collect();
        assert_eq!(septets(&all), Ok(127));
        assert_eq!(septets(&extended), Ok(20));
        assert_eq!(decode(&encoded(&all)), all);
        assert_eq!(decode(&encoded(&extended)), extended);
    }

    #[test]
    fn characters_outside_are_named_once_and_in_order() {
        let refused = septets("ok 😀ж😀`\u{1B}").unwrap_err();
        assert_eq!(refused.chars, ['😀', 'ж', '`', '\u{1B}']);
        assert_eq!(
            refused.to_string(),
            "'😀' (U+1F600), 'ж' (U+0436), '`' (U+0060), U+001B cannot be sent as GSM-7 text"
        );
        let mut out = vec![1];
        assert_eq!(encode("ab😀", &mut out).unwrap_err().chars, ['😀']);
        assert_eq!(out, [1]);
    }

    #[test]
    fn a_long_list_of_characters_is_cut() {
        let refused = septets("абвгдежзик").unwrap_err();
        assert!(refused.to_string().contains("'з' (U+0437) and 2 more"), "{refused}");
    }

    #[test]
    fn a_receiver_shows_odd_septets_as_the_standard_asks() {
        assert_eq!(decode(&[0x1B, 0x41, 0x1B, 0x1B, 0x42, 0x1B]), "A B ");
        assert_eq!(decode(&[0x80]), "\u{FFFD}");
    }

    proptest! {
        #[test]
        fn counting_and_encoding_agree(text in "[ -~\n\r£éÅ€Δж😀\t]{0,80}") {
            let mut out = Vec::new();
            match (septets(&text), encode(&text, &mut out)) {
                (Ok(septets), Ok(())) => {
                    prop_assert_eq!(septets as usize, out.len());
                    prop_assert_eq!(decode(&out), text);
                }
                (Err(counting), Err(encoding)) => prop_assert_eq!(counting, encoding),
                (counting, encoding) => prop_assert!(false, "{counting:?} against {encoding:?}"),
            }
        }
    }
}
