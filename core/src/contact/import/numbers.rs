//! The numbers of an import as they are kept, to be sent to: ascending, each as its difference to the one before, in seven
//! bits a byte, the lowest first; the last byte of each has the eighth bit clear.

use crate::error::{Error, Result};
use crate::model::contact::{ImportStatus, ImportTarget};
use crate::store::contact::import::ImportRow;

/// Numbers of a user's imports that are kept: some two bytes each. What is imported beyond that is sent to by its group.
pub(super) const KEPT_NUMBERS_MAX: i64 = 10_000_000;

/// The stored form of ascending numbers.
pub(crate) fn encode(numbers: &[i64]) -> Vec<u8> {
    let mut data = Vec::with_capacity(numbers.len() * 2 + 8);
    let mut before = 0_u64;
    for number in numbers {
        let number = number.cast_unsigned();
        let mut rest = number.wrapping_sub(before);
        before = number;
        while rest > 0x7f {
            data.push((rest & 0x7f) as u8 | 0x80);
            rest >>= 7;
        }
        data.push(rest as u8);
    }
    data
}

/// The numbers of a stored form.
///
/// # Errors
/// `Corrupt` when it ends amid a number, or a number has more than 64 bits.
pub(crate) fn decode(data: &[u8]) -> Result<Vec<i64>> {
    let corrupt = || Error::Corrupt("the numbers of an import cannot be read".into());
    let mut numbers = Vec::with_capacity(data.len());
    let (mut before, mut difference, mut shift) = (0_u64, 0_u64, 0_u32);
    for byte in data {
        if shift > 63 {
            return Err(corrupt());
        }
        difference |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            before = before.wrapping_add(difference);
            numbers.push(before.cast_signed());
            (difference, shift) = (0, 0);
        }
    }
    if shift == 0 { Ok(numbers) } else { Err(corrupt()) }
}

/// Whether all numbers that an import wrote into a group are kept, so that it can be sent to.
pub(in crate::contact) fn are_kept(row: &ImportRow) -> bool {
    let written = row.added + row.updated + row.unchanged;
    row.target == ImportTarget::Group
        && row.status != ImportStatus::Running
        && written > 0
        && row.kept_numbers == written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_as_they_were_kept_in_about_two_bytes_each() {
        let numbers: Vec<i64> = (0..10_000).map(|n| 2_348_030_000_000 + n * 97).collect();
        let data = encode(&numbers);
        assert!(data.len() < 2 * numbers.len(), "{}", data.len());
        assert_eq!(decode(&data).unwrap(), numbers);
        let apart = [1, 127, 128, 255, 16_384, 999_999_999_999_999];
        assert_eq!(decode(&encode(&apart)).unwrap(), apart);
        assert_eq!(decode(&[]).unwrap(), Vec::<i64>::new());
    }

    #[test]
    fn damage_is_told() {
        assert!(decode(&[0x80]).is_err());
        assert!(decode(&[0xff; 11]).is_err());
    }
}
