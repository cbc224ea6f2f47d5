//! The fast path: Nigerian mobile numbers recognised from their digits, without libphonenumber.
//!
//! The one invariant: what is accepted here libphonenumber accepts as the same mobile number. The table of prefixes
//! is its metadata 9.0.42 written out; a test asks it about every prefix and fails when they part.

use super::Msisdn;

/// Nigeria's country code shifted before the ten digits of the national number.
pub(super) const COUNTRY: u64 = 234 * TEN_DIGITS;
const TEN_DIGITS: u64 = 10_000_000_000;

/// One bit for each four-digit beginning of a national number, from 7000 to 9999.
const MOBILE: [u64; 47] = mobile_prefixes();

const fn mobile_prefixes() -> [u64; 47] {
    let mut bits = [0; 47];
    let mut prefix = 7000;
    while prefix < 10_000 {
        let (first, next, last) = (prefix / 1000, prefix / 10 % 100, prefix % 10);
        let mobile = match (first, next) {
            (7, 2) => last != 3,
            (7, next) => next == 1 || (next >= 3 && next <= 29),
            (8, 19) => last <= 1,
            (8, next) => next >= 1 && next <= 18,
            (9, next) => next >= 1 && next <= 16,
            _ => false,
        };
        if mobile {
            bits[(prefix - 7000) / 64] |= 1 << ((prefix - 7000) % 64);
        }
        prefix += 1;
    }
    bits
}

/// Whether the ten digits after +234 are those of a mobile phone.
const fn is_mobile(national: u64) -> bool {
    let prefix = national / 1_000_000;
    if prefix < 7000 || prefix > 9999 {
        return false;
    }
    let place = (prefix - 7000) as usize;
    MOBILE[place / 64] >> (place % 64) & 1 == 1
}

/// The number in `count` digits of the value `digits`, leading zeros counted, if it is a Nigerian mobile number in
/// one of its usual forms: `0803...`, `803...`, `234803...`, `2340803...`, `00234803...`, `009234803...`. After a
/// `plus` only the forms with the country code are right.
#[inline]
pub(super) const fn mobile(plus: bool, digits: u64, count: usize) -> Option<Msisdn> {
    let front = digits / TEN_DIGITS;
    let formed = match count {
        10 | 11 => front == 0 && !plus,
        13 => front == 234,
        14 => front == 2340,
        15 => front == 234 && !plus,
        16 => front == 9234 && !plus,
        _ => false,
    };
    let national = digits % TEN_DIGITS;
    if formed && is_mobile(national) { Msisdn::from_digits(COUNTRY + national) } else { None }
}

/// Reads a Nigerian mobile number written in ASCII digits, with an optional `+` before and spaces, dashes and
/// brackets between. Anything else is `None`, which only means: ask the slow path.
#[inline]
pub(super) fn read(text: &[u8]) -> Option<Msisdn> {
    let (plus, rest) = match text {
        [b'+', rest @ ..] => (true, rest),
        _ => (false, text),
    };
    let (mut digits, mut count) = (0_u64, 0_usize);
    for &byte in rest {
        let digit = byte.wrapping_sub(b'0');
        if digit < 10 {
            digits = digits.wrapping_mul(10).wrapping_add(u64::from(digit));
            count += 1;
        } else if !matches!(byte, b' ' | b'-' | b'(' | b')') {
            return None;
        }
    }
    mobile(plus, digits, count)
}

#[cfg(test)]
mod tests {
    use rlibphonenumber::{PhoneNumber, PhoneNumberType, Region};

    use super::*;

    #[test]
    fn the_prefix_table_is_that_of_libphonenumber() {
        for prefix in 7000_u64..10_000 {
            let national = prefix * 1_000_000 + 123_456;
            let number = PhoneNumber::parse(format!("0{national}"), Some(Region::NG)).unwrap();
            let mobile = number.get_type() == PhoneNumberType::Mobile;
            assert_eq!(is_mobile(national), mobile, "0{prefix}: bring mobile_prefixes() up to date");
        }
    }

    #[test]
    fn a_plus_needs_the_country_code() {
        assert!(read(b"+2348031234567").is_some());
        assert!(read(b"+23408031234567").is_some());
        for text in [&b"+8031234567"[..], b"+08031234567", b"+002348031234567", b"+0092348031234567"] {
            assert_eq!(read(text), None);
        }
    }

    #[test]
    fn a_run_of_digits_that_wraps_around_is_not_taken_for_a_number() {
        assert_eq!(read(&[b'8'; 4096]), None);
        assert_eq!(read(b"1844674407370955161608031234567"), None);
    }
}
