//! An E.164 number as an integer.

use std::fmt;

/// A subscriber number in E.164 (ITU-T E.164: country code and national number, at most 15 digits), without `+`.
///
/// It can only be made from a number that was validated; eight bytes, ordered, cheap to copy and to hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Msisdn(u64);

impl Msisdn {
    /// A number whose digits were validated elsewhere: by this room's parser, or by being read back from the store.
    /// `None` unless it has 7 to 15 digits.
    pub const fn from_digits(digits: u64) -> Option<Self> {
        if digits >= 1_000_000 && digits <= 999_999_999_999_999 { Some(Self(digits)) } else { None }
    }

    /// The digits as an integer.
    pub const fn digits(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Msisdn {
    /// The digits alone, as carriers take them: `2348031234567`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}
