//! An E.164 number as an integer.

use std::fmt;

/// A subscriber number in E.164 (ITU-T E.164: country code and national number, at most 15 digits), without `+`.
///
/// It can only be made from a number that was validated; eight bytes, ordered, cheap to copy and to hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Msisdn(u64);

/// The smallest number: seven digits.
const SHORTEST: u64 = 1_000_000;
/// Nigeria's calling code.
const HOME: u64 = 234;
/// What is left of a Nigerian number's 13 digits after this are the country and the four that name a network, as in 2347025.
const AFTER_NETWORK: u64 = 1_000_000;
/// Those four, in a number of 13 digits. No calling code has as many.
const NETWORK: std::ops::RangeInclusive<u64> = 1_000..=9_999;

impl Msisdn {
    /// A number that was erased, of which nothing is left.
    pub const ERASED: Self = Self(0);

    /// What stands in an audience for this number once it was erased, so that figures by network and country stay: the four digits
    /// after 234, as in 8031, where it is Nigerian, else the calling code. No number is equal to it; it is never sent to.
    #[must_use]
    pub const fn erased(self) -> Self {
        if self.is_erased() {
            return self;
        }
        let network = (self.0 / AFTER_NETWORK).wrapping_sub(HOME * 10_000);
        if is_network(network) { Self(network) } else { Self(self.calling_code()) }
    }

    /// Whether it stands for a number that was erased.
    pub const fn is_erased(self) -> bool {
        self.0 < SHORTEST
    }

    /// A number as an audience holds it: [`Self::from_digits`], or what stands for an erased one.
    pub const fn from_audience(digits: u64) -> Option<Self> {
        if digits < SHORTEST { Some(Self(digits)) } else { Self::from_digits(digits) }
    }

    /// The first number of the block that is left of an erased Nigerian one: its network was that of the number. Of numbers that
    /// were erased before November 2026 six digits are left, as in 234803.
    pub(super) const fn first_of_block(self) -> Option<Self> {
        match self.0 {
            network if is_network(network) => Some(Self((HOME * 10_000 + network) * AFTER_NETWORK)),
            234_000..=234_999 => Some(Self(self.0 * 10 * AFTER_NETWORK)),
            _ => None,
        }
    }

    /// A number whose digits were validated elsewhere: by this room's parser, or by being read back from the store.
    /// `None` unless it has 7 to 15 digits.
    pub const fn from_digits(digits: u64) -> Option<Self> {
        if digits >= SHORTEST && digits <= 999_999_999_999_999 { Some(Self(digits)) } else { None }
    }

    /// The calling code of its country or network (ITU-T E.164, annex): 234 for Nigeria, 1 for North America.
    pub const fn calling_code(self) -> u64 {
        if is_network(self.0) {
            return HOME;
        }
        let mut leading = self.0;
        while leading >= 1_000 {
            leading /= 10;
        }
        let two = leading / 10;
        match two {
            10..=19 | 70..=79 => two / 10,
            20
            | 27
            | 30..=34
            | 36
            | 39..=41
            | 43..=49
            | 51..=58
            | 60..=66
            | 81
            | 82
            | 84
            | 86
            | 90..=95
            | 98 => two,
            _ => leading,
        }
    }

    /// Whether it is outside Nigeria, where the prices of a page at home do not hold.
    pub const fn is_abroad(self) -> bool {
        self.calling_code() != HOME
    }

    /// The digits as an integer.
    pub const fn digits(self) -> u64 {
        self.0
    }
}

/// Whether this is what [`Msisdn::erased`] leaves of a Nigerian number.
const fn is_network(digits: u64) -> bool {
    digits >= *NETWORK.start() && digits <= *NETWORK.end()
}

impl fmt::Display for Msisdn {
    /// The digits alone, as carriers take them: `2348031234567`; `erased` where they were erased.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_erased() { f.pad("erased") } else { fmt::Display::fmt(&self.0, f) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_erased_number_is_shown_as_such_and_cannot_be_read() {
        let home = Msisdn(2_348_031_234_567);
        assert!(!home.is_erased());
        for (erased, left) in [
            (Msisdn::ERASED, 0),
            (home.erased(), 8_031),
            (home.erased().erased(), 8_031),
            (Msisdn(234_803).erased(), 234_803),
            (Msisdn(23_412_345_678).erased(), 234),
            (Msisdn(447_911_123_456).erased(), 44),
            (Msisdn(14_155_550_123).erased(), 1),
            (Msisdn(29_012_345).erased(), 290),
        ] {
            assert_eq!((erased.digits(), erased.to_string()), (left, "erased".to_owned()));
            assert!(erased.is_erased());
            assert_eq!(Msisdn::from_digits(left), None);
            assert_eq!(Msisdn::from_audience(left), Some(erased));
            assert_eq!(erased.is_abroad(), ![8_031, 234_803, 234].contains(&left), "{left}");
        }
        assert_eq!(home.erased().calling_code(), 234);
        assert_eq!(Msisdn(447_911_123_456).erased().calling_code(), 44);
    }

    #[test]
    fn a_calling_code_has_one_two_or_three_digits() {
        for (digits, code) in [
            (2_348_031_234_567, 234),
            (447_911_123_456, 44),
            (14_155_552_671, 1),
            (79_161_234_567, 7),
            (27_821_234_567, 27),
            (233_241_234_567, 233),
            (35_312_345_678, 353),
            (8_613_812_345_678, 86),
            (85_261_234_567, 852),
        ] {
            let number = Msisdn::from_digits(digits).unwrap();
            assert_eq!((number.calling_code(), number.is_abroad()), (code, code != 234), "{number}");
        }
    }
}
