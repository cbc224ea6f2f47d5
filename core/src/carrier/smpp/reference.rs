//! Message ids in one canonical form, however the carrier writes them in answers and in receipts.
//!
//! The id of a submit_sm_resp and the id in its receipt give the same [`Reference`].

use super::config::MessageIdFormat;
use crate::carrier::Reference;

/// How an id is written in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notation {
    Raw,
    Decimal,
    Hex,
}

impl MessageIdFormat {
    /// The notation of submit_sm_resp.
    pub(super) const fn of_answers(self) -> Notation {
        match self {
            Self::Raw => Notation::Raw,
            Self::Decimal | Self::HexDeliver => Notation::Decimal,
            Self::Hex | Self::HexSubmit => Notation::Hex,
        }
    }

    /// The notation of receipts.
    pub(super) const fn of_receipts(self) -> Notation {
        match self {
            Self::Raw => Notation::Raw,
            Self::Decimal | Self::HexSubmit => Notation::Decimal,
            Self::Hex | Self::HexDeliver => Notation::Hex,
        }
    }
}

/// The canonical reference of an id: a number of at most 64 bits in plain decimal, anything else as lower-case text;
/// never with leading zeros or blanks around it.
pub(super) fn canonical(id: &[u8], notation: Notation) -> Reference {
    let id = id.trim_ascii();
    let radix = match notation {
        Notation::Raw => return text(id),
        Notation::Decimal => 10,
        Notation::Hex => 16,
    };
    let digits = match id {
        [b'0', b'x' | b'X', rest @ ..] if radix == 16 => rest,
        _ => id,
    };
    match number(digits, radix) {
        Some(number) if radix == 16 => Reference(decimal(number)),
        _ => text(id),
    }
}

fn number(digits: &[u8], radix: u64) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_u64, |number, digit| {
        let digit = match digit {
            b'0'..=b'9' => digit - b'0',
            b'a'..=b'f' if radix == 16 => digit - b'a' + 10,
            b'A'..=b'F' if radix == 16 => digit - b'A' + 10,
            _ => return None,
        };
        number.checked_mul(radix)?.checked_add(u64::from(digit))
    })
}

fn decimal(number: u64) -> Box<str> {
    number.to_string().into_boxed_str()
}

fn text(id: &[u8]) -> Reference {
    let zeros = id.iter().take_while(|octet| **octet == b'0').count();
    let significant = &id[zeros.min(id.len().saturating_sub(1))..];
    let mut text = match std::str::from_utf8(significant) {
        Ok(text) => text.to_owned(),
        Err(_) => significant.iter().map(|octet| char::from(*octet)).collect(),
    };
    text.make_ascii_lowercase();
    Reference(text.into_boxed_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(format: MessageIdFormat, answer: &str, receipt: &str) -> (String, String) {
        let answer = canonical(answer.as_bytes(), format.of_answers());
        let receipt = canonical(receipt.as_bytes(), format.of_receipts());
        (answer.0.into(), receipt.0.into())
    }

    #[test]
    fn answer_and_receipt_meet_in_every_format() {
        let cases = [
            (MessageIdFormat::Raw, "0ABC-12", "abc-12", "abc-12"),
            (MessageIdFormat::Raw, "0000123", "123", "123"),
            (MessageIdFormat::Decimal, "00099", "99", "99"),
            (MessageIdFormat::Hex, "00ff", "FF", "255"),
            (MessageIdFormat::HexSubmit, "DEADBEEF", "3735928559", "3735928559"),
            (MessageIdFormat::HexSubmit, "0x0a", "0000000010", "10"),
            (MessageIdFormat::HexDeliver, "3735928559", "00deadbeef", "3735928559"),
            (MessageIdFormat::HexSubmit, "FFFFFFFFFFFFFFFF", "18446744073709551615", "18446744073709551615"),
        ];
        for (format, answer, receipt, expected) in cases {
            let (left, right) = pair(format, answer, receipt);
            assert_eq!((left.as_str(), right.as_str()), (expected, expected), "{format:?}");
        }
    }

    #[test]
    fn what_is_no_number_of_64_bits_stays_text() {
        let (left, right) = pair(MessageIdFormat::Hex, "1FFFFFFFFFFFFFFFFF", "01fffffffffffffffff");
        assert_eq!((left.as_str(), right.as_str()), ("1fffffffffffffffff", "1fffffffffffffffff"));
        assert_eq!(&*canonical(b"550e8400-e29b-41d4-A716", Notation::Decimal).0, "550e8400-e29b-41d4-a716");
    }

    #[test]
    fn nothing_but_zeros_is_zero_and_nothing_is_empty() {
        assert_eq!(&*canonical(b"0000", Notation::Raw).0, "0");
        assert_eq!(&*canonical(b"0000", Notation::Hex).0, "0");
        assert_eq!(&*canonical(b"", Notation::Raw).0, "");
    }
}
