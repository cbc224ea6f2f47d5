//! The alphabets of SMPP's data_coding: septets into what a carrier's default alphabet is, and handsets' messages
//! into text.
//!
//! No octet string fails to become text; what cannot be shown is shown as `?` or U+FFFD.

use super::config::Alphabet;

/// GSM 03.38 default alphabet (3GPP TS 23.038, 6.2.1), by septet.
const GSM7: [char; 128] = [
    '@', '£', '$', '¥', 'è', 'é', 'ù', 'ì', 'ò', 'Ç', '\n', 'Ø', 'ø', '\r', 'Å', 'å', 'Δ', '_', 'Φ', 'Γ',
    'Λ', 'Ω', 'Π', 'Ψ', 'Σ', 'Θ', 'Ξ', '\u{1b}', 'Æ', 'æ', 'ß', 'É', ' ', '!', '"', '#', '¤', '%', '&', '\'',
    '(', ')', '*', '+', ',', '-', '.', '/', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', ':', ';', '<',
    '=', '>', '?', '¡', 'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L', 'M', 'N', 'O', 'P', 'Q',
    'R', 'S', 'T', 'U', 'V', 'W', 'X', 'Y', 'Z', 'Ä', 'Ö', 'Ñ', 'Ü', '§', '¿', 'a', 'b', 'c', 'd', 'e', 'f',
    'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p', 'q', 'r', 's', 't', 'u', 'v', 'w', 'x', 'y', 'z', 'ä',
    'ö', 'ñ', 'ü', 'à',
];

/// The escape septet that leads into the extension table.
pub(super) const ESCAPE: u8 = 0x1B;

/// The extension table (6.2.1.1).
fn extension(septet: u8) -> Option<char> {
    Some(match septet {
        0x0A => '\u{c}',
        0x14 => '^',
        0x28 => '{',
        0x29 => '}',
        0x2F => '\\',
        0x3C => '[',
        0x3D => '~',
        0x3E => ']',
        0x40 => '|',
        0x65 => '€',
        _ => return None,
    })
}

/// Unpacked septets as characters. A septet the extension table lacks shows as its base character (6.2.1.1, note 2).
fn gsm7_chars(septets: &[u8]) -> impl Iterator<Item = char> {
    let mut septets = septets.iter().copied();
    std::iter::from_fn(move || {
        let septet = septets.next()?;
        if septet != ESCAPE {
            return Some(base(septet));
        }
        let Some(second) = septets.next() else { return Some(' ') };
        Some(extension(second).unwrap_or_else(|| base(second)))
    })
}

fn base(septet: u8) -> char {
    GSM7.get(usize::from(septet)).copied().unwrap_or('?')
}

/// Appends unpacked septets as the octets of a carrier's default alphabet.
pub(super) fn put_default_alphabet(out: &mut Vec<u8>, septets: &[u8], alphabet: Alphabet) {
    let limit = match alphabet {
        Alphabet::Gsm7 => return out.extend_from_slice(septets),
        Alphabet::Latin1 => 0xFF,
        Alphabet::Ascii => 0x7F,
    };
    let octet = |character| u8::try_from(u32::from(character)).ok().filter(|octet| *octet <= limit);
    out.extend(gsm7_chars(septets).map(|character| octet(character).unwrap_or(b'?')));
}

/// How the octets of a handset's message are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    /// GSM 03.38, a septet an octet.
    Gsm7,
    /// ASCII.
    Ascii,
    /// ISO 8859-1.
    Latin1,
    /// UTF-16 or UCS-2, the high octet first.
    Ucs2,
    /// No text: octets become hexadecimal.
    Binary,
}

talkdrum_api::column!(Script, str, |code| Some(Script::from_code(code)));

impl Script {
    /// Every one.
    pub const ALL: [Self; 5] = [Self::Gsm7, Self::Ascii, Self::Latin1, Self::Ucs2, Self::Binary];

    /// By data_coding (SMPP 3.4, 5.2.19; 3GPP TS 23.038, 4 for the message classes), on a carrier with this default.
    pub(super) const fn of(data_coding: u8, alphabet: Alphabet) -> Self {
        match data_coding {
            0x00 => match alphabet {
                Alphabet::Gsm7 => Self::Gsm7,
                Alphabet::Latin1 => Self::Latin1,
                Alphabet::Ascii => Self::Ascii,
            },
            0x01 => Self::Ascii,
            0x03 => Self::Latin1,
            0x08 | 0x18..=0x1B => Self::Ucs2,
            0x10..=0x13 | 0xF0..=0xF3 => Self::Gsm7,
            _ => Self::Binary,
        }
    }

    /// Its name in the database.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Gsm7 => "gsm7",
            Self::Ascii => "ascii",
            Self::Latin1 => "latin1",
            Self::Ucs2 => "ucs2",
            Self::Binary => "binary",
        }
    }

    /// The one of a name; what has none is shown octet by octet.
    pub fn from_code(code: &str) -> Self {
        Self::ALL.into_iter().find(|script| script.code() == code).unwrap_or(Self::Binary)
    }

    /// What the octets say.
    pub fn text(self, octets: &[u8]) -> String {
        match self {
            Self::Gsm7 => gsm7_chars(octets).collect(),
            Self::Ascii => ascii(octets),
            Self::Latin1 => latin1(octets),
            Self::Ucs2 => ucs2(octets),
            Self::Binary => octets.iter().map(|octet| format!("{octet:02X}")).collect(),
        }
    }
}

fn ascii(octets: &[u8]) -> String {
    octets.iter().map(|octet| if octet.is_ascii() { char::from(*octet) } else { '?' }).collect()
}

fn latin1(octets: &[u8]) -> String {
    octets.iter().map(|octet| char::from(*octet)).collect()
}

fn ucs2(octets: &[u8]) -> String {
    let units = octets.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
    char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn converted(septets: &[u8], alphabet: Alphabet) -> Vec<u8> {
        let mut out = Vec::new();
        put_default_alphabet(&mut out, septets, alphabet);
        out
    }

    #[test]
    fn septets_stay_as_they_are_for_a_gsm_carrier() {
        assert_eq!(converted(&[0x00, 0x1B, 0x65, 0x41], Alphabet::Gsm7), [0x00, 0x1B, 0x65, 0x41]);
    }

    #[test]
    fn septets_become_latin_1_or_ascii_for_carriers_that_want_it() {
        // "@é[ü" and the two that Latin-1 lacks, the euro and Delta.
        let septets = [0x00, 0x05, 0x1B, 0x3C, 0x7E, 0x1B, 0x65, 0x10];
        assert_eq!(converted(&septets, Alphabet::Latin1), b"@\xE9[\xFC??");
        assert_eq!(converted(&septets, Alphabet::Ascii), b"@?[???");
    }

    fn text(octets: &[u8], data_coding: u8, alphabet: Alphabet) -> String {
        Script::of(data_coding, alphabet).text(octets)
    }

    #[test]
    fn every_script_is_known_by_its_name() {
        for script in Script::ALL {
            assert_eq!(Script::from_code(script.code()), script);
        }
        assert_eq!(Script::from_code("cuneiform"), Script::Binary);
    }

    #[test]
    fn inbound_text_is_read_by_its_data_coding() {
        assert_eq!(text(&[0x00, 0x1B, 0x65, 0x53], 0, Alphabet::Gsm7), "@€S");
        assert_eq!(text(b"STOP", 1, Alphabet::Gsm7), "STOP");
        assert_eq!(text(b"caf\xE9", 3, Alphabet::Gsm7), "café");
        assert_eq!(text(b"caf\xE9", 0, Alphabet::Latin1), "café");
        assert_eq!(text(&[0x04, 0x1F, 0xD8, 0x3D, 0xDE, 0x00], 8, Alphabet::Gsm7), "П😀");
        assert_eq!(text(&[0xD8, 0x3D], 8, Alphabet::Gsm7), "\u{FFFD}");
        assert_eq!(text(&[0xDE, 0xAD], 4, Alphabet::Gsm7), "DEAD");
    }

    #[test]
    fn a_dangling_escape_and_an_octet_beyond_the_table_do_no_harm() {
        assert_eq!(text(&[0x41, 0x1B], 0, Alphabet::Gsm7), "A ");
        assert_eq!(text(&[0x41, 0xFF], 0, Alphabet::Gsm7), "A?");
    }
}
