//! Addresses on the wire: who a message is from, with its type of number and numbering plan.
//!
//! An address never exceeds the 20 characters of SMPP 3.4 (4.4.1) and never holds a NUL.

use super::config::SmppConfig;

/// The longest address.
const ADDRESS_LEN_MAX: usize = 20;

/// Appends source_addr_ton, source_addr_npi and source_addr.
///
/// Unless the configuration fixes them: names are 5/0, short codes 3/0, numbers 1/1 and lose their `+`.
pub(super) fn put_source(out: &mut Vec<u8>, from: &str, config: &SmppConfig) {
    let digits = from.strip_prefix('+').unwrap_or(from);
    let is_number = !digits.is_empty() && digits.bytes().all(|octet| octet.is_ascii_digit());
    let is_short =
        is_number && digits.len() == from.len() && digits.len() <= config.short_code_digits_max.into();
    let (ton, npi) = match (is_number, is_short) {
        (false, _) => (5, 0),
        (true, true) => (3, 0),
        (true, false) => (1, 1),
    };
    out.push(config.source_ton.unwrap_or(ton));
    out.push(config.source_npi.unwrap_or(npi));
    let address = if is_number { digits } else { from };
    out.extend(address.chars().take(ADDRESS_LEN_MAX).map(octet));
    out.push(0);
}

fn octet(character: char) -> u8 {
    u8::try_from(u32::from(character)).ok().filter(|octet| *octet != 0).unwrap_or(b'?')
}

/// Appends a number's decimal digits.
pub(super) fn put_digits(out: &mut Vec<u8>, number: u64) {
    let mut digits = [0; 20];
    out.extend_from_slice(written(number, &mut digits));
}

/// A number's decimal digits, in `digits`.
pub(super) fn written(mut number: u64, digits: &mut [u8; 20]) -> &[u8] {
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            return &digits[at..];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(from: &str, config: &SmppConfig) -> Vec<u8> {
        let mut out = Vec::new();
        put_source(&mut out, from, config);
        out
    }

    #[test]
    fn the_type_of_number_follows_the_sender() {
        let config = SmppConfig::default();
        assert_eq!(source("Talkdrum", &config), b"\x05\x00Talkdrum\x00");
        assert_eq!(source("32811", &config), b"\x03\x0032811\x00");
        assert_eq!(source("2348031234567", &config), b"\x01\x012348031234567\x00");
        assert_eq!(source("+2348031234567", &config), b"\x01\x012348031234567\x00");
    }

    #[test]
    fn a_carrier_may_want_its_own() {
        let config = SmppConfig { source_ton: Some(2), source_npi: Some(1), ..SmppConfig::default() };
        assert_eq!(source("Talkdrum", &config), b"\x02\x01Talkdrum\x00");
    }

    #[test]
    fn a_sender_cannot_break_the_pdu() {
        let long = source("abcdefghijklmnopqrstuvwxyz", &SmppConfig::default());
        assert_eq!(long, b"\x05\x00abcdefghijklmnopqrst\x00");
        assert_eq!(source("a\0b₦é", &SmppConfig::default()), b"\x05\x00a?b?\xE9\x00");
    }

    #[test]
    fn digits_are_written_as_they_are_printed() {
        for number in [0, 7, 10, 2_348_031_234_567, u64::MAX] {
            let mut out = Vec::new();
            put_digits(&mut out, number);
            assert_eq!(out, number.to_string().as_bytes());
        }
    }
}
