//! What stands for a number that was erased where it must still be known again: in the lists of opt-outs.

use std::fmt;
use std::hash::Hasher as _;

use siphasher::sip::SipHasher24;

use super::Msisdn;

/// Bytes of a key.
const KEY_BYTES: usize = 16;

/// The secret under which numbers are digested: SipHash-2-4, a pseudorandom function made for short inputs (Aumasson and
/// Bernstein, 2012). Without the key a digest tells nothing of its number, though there are few numbers; it is kept outside
/// the database.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct DigestKey([u8; KEY_BYTES]);

impl DigestKey {
    /// The key of these bytes.
    pub const fn new(bytes: [u8; KEY_BYTES]) -> Self {
        Self(bytes)
    }

    /// The digest of a number: negative, as no number is, and 63 bits long: among ten million there is a pair that has the same
    /// in one of 180,000 databases. That of [`Msisdn::ERASED`] is of no number, and tells keys apart.
    pub fn digest(&self, number: Msisdn) -> i64 {
        let mut hasher = SipHasher24::new_with_key(&self.0);
        hasher.write(&number.digits().to_le_bytes());
        (hasher.finish() | 1 << 63).cast_signed()
    }
}

impl fmt::Debug for DigestKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DigestKey(...)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_that_of_siphash_under_the_key_and_is_no_number() {
        // The reference implementation's vector for the eight bytes 00 .. 07 under the key 00 .. 0f.
        let key = DigestKey::new(std::array::from_fn(|byte| byte as u8));
        let number = Msisdn::from_digits(2_348_031_234_567).unwrap();
        let mut hasher = SipHasher24::new_with_key(&std::array::from_fn(|byte| byte as u8));
        hasher.write(&[0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(hasher.finish(), 0x93f5_f579_9a93_2462);
        let digest = key.digest(number);
        assert!(digest < 0);
        assert_eq!(digest, key.digest(number));
        assert_ne!(digest, DigestKey::new([1; 16]).digest(number));
        assert_ne!(digest, key.digest(Msisdn::from_digits(2_348_031_234_568).unwrap()));
        assert_eq!(format!("{key:?}"), "DigestKey(...)");
    }
}
