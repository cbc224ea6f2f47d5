//! The packed form in which the number index keeps what was merged together (a run): about five bytes a recipient.
//!
//! ```text
//! version 1, then of each recipient, in order of number and recipient:
//! varint of the difference to the number before, of the first to that of the bucket
//! varint of the difference to the first recipient of the run
//! ```

use crate::error::{Error, Result};
use crate::model::varint::{read_varint, write_varint};

/// Numbers whose recipients are packed together: those with all but the last five digits in common. A subscriber's range of ten
/// million has a hundred of these, so that one read for a search is short, and one written by a large campaign is not tiny.
const NUMBERS_IN_BUCKET: i64 = 100_000;

const VERSION: u8 = 1;

/// A number and a recipient that has it: audience chunk times 4,096 plus place.
pub type NumberPosting = (i64, i64);

/// The bucket of a number.
pub const fn bucket_of(number: i64) -> i64 {
    number / NUMBERS_IN_BUCKET
}

/// Packs postings of one bucket, in order, none with a recipient before `first`.
pub fn pack(first: i64, postings: &[NumberPosting]) -> Vec<u8> {
    let mut packed = Vec::with_capacity(1 + 6 * postings.len());
    packed.push(VERSION);
    let mut previous = postings.first().map_or(0, |(number, _)| bucket_of(*number) * NUMBERS_IN_BUCKET);
    for (number, recipient) in postings {
        write_varint((number - previous).cast_unsigned(), &mut packed);
        write_varint((recipient - first).cast_unsigned(), &mut packed);
        previous = *number;
    }
    packed
}

/// Packs postings in order, none with a recipient before `first`, each bucket by itself.
pub fn pack_all(first: i64, postings: &[NumberPosting]) -> Vec<(i64, Vec<u8>)> {
    let by_bucket = postings.chunk_by(|(one, _), (next, _)| bucket_of(*one) == bucket_of(*next));
    by_bucket.map(|of_one| (bucket_of(of_one[0].0), pack(first, of_one))).collect()
}

/// Reads what [`pack`] wrote.
///
/// # Errors
/// [`Error::Corrupt`] where it did not write it.
pub fn unpack(bucket: i64, first: i64, packed: &[u8]) -> Result<Vec<NumberPosting>> {
    let mut postings = Vec::with_capacity(packed.len() / 3);
    for_each(bucket, first, packed, |posting| {
        postings.push(posting);
        true
    })?;
    Ok(postings)
}

/// The recipients that have a number, of what [`pack`] wrote of its bucket.
///
/// # Errors
/// As of [`unpack`]; damage behind the number is not seen.
pub fn recipients_of(number: i64, first: i64, packed: &[u8]) -> Result<Vec<i64>> {
    let mut recipients = Vec::new();
    for_each(bucket_of(number), first, packed, |(held, recipient)| {
        if held == number {
            recipients.push(recipient);
        }
        held <= number
    })?;
    Ok(recipients)
}

/// Gives out postings in order for as long as they are wanted.
fn for_each(
    bucket: i64,
    first: i64,
    packed: &[u8],
    mut wants_more: impl FnMut(NumberPosting) -> bool,
) -> Result<()> {
    let damaged = || Error::Corrupt("packed recipients of the number index cannot be read".into());
    let Some((&VERSION, mut rest)) = packed.split_first() else { return Err(damaged()) };
    let Some(mut number) = bucket.checked_mul(NUMBERS_IN_BUCKET) else { return Err(damaged()) };
    while !rest.is_empty() {
        let mut next = |base: i64| base.checked_add_unsigned(read_varint(&mut rest)?);
        let (Some(held), Some(recipient)) = (next(number), next(first)) else { return Err(damaged()) };
        number = held;
        if bucket_of(number) != bucket {
            return Err(damaged());
        }
        if !wants_more((number, recipient)) {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_packed_is_read_back_whole_and_by_number(
            bucket in 0_i64..100_000_000_000,
            first in 0_i64..1 << 50,
            rows in proptest::collection::vec((0_i64..49, 0_i64..1 << 40), 0..200),
        ) {
            let mut rows: Vec<NumberPosting> =
                rows.into_iter().map(|(suffix, place)| (bucket * 100_000 + suffix * 2_083 % 100_000, first + place)).collect();
            rows.sort_unstable();
            let packed = pack(first, &rows);
            prop_assert_eq!(&unpack(bucket, first, &packed).unwrap(), &rows);
            for suffix in [0, 2_083, 7_777, 99_984, 99_999] {
                let number = bucket * 100_000 + suffix;
                let held: Vec<i64> = rows.iter().filter(|(it, _)| *it == number).map(|(_, it)| *it).collect();
                prop_assert_eq!(recipients_of(number, first, &packed).unwrap(), held);
            }
        }

        #[test]
        fn other_bytes_are_an_error_or_postings_of_the_bucket(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            if let Ok(rows) = unpack(23_480_312, 4_096, &bytes) {
                prop_assert!(rows.iter().all(|(number, _)| bucket_of(*number) == 23_480_312));
                prop_assert!(rows.is_sorted_by_key(|(number, _)| *number));
            }
        }
    }

    #[test]
    fn a_recipient_of_a_large_run_takes_five_bytes() {
        let rows: Vec<NumberPosting> =
            (0..100).map(|n| (2_348_031_200_000 + n * 997, 900_000 - n * 7_919)).collect();
        assert!(pack(1, &rows).len() <= 1 + 5 * rows.len());
    }

    #[test]
    fn damage_is_told_of() {
        let packed = pack(4_096, &[(2_348_031_234_567, 5_000), (2_348_031_234_568, 5_001)]);
        for damaged in [&[][..], &packed[..packed.len() - 1], &[2, 0, 0]] {
            assert!(matches!(unpack(23_480_312, 4_096, damaged), Err(Error::Corrupt(_))), "{damaged:?}");
        }
        assert!(unpack(23_480_312, 4_096, &[VERSION]).unwrap().is_empty());
        assert!(matches!(unpack(i64::MAX, 4_096, &[VERSION, 0, 0]), Err(Error::Corrupt(_))));
    }

    #[test]
    fn the_ends_of_a_bucket_and_the_longest_number_are_kept() {
        let rows = [
            (2_348_031_200_000, 1),
            (2_348_031_299_999, 2),
            (2_348_031_300_000, 3),
            (999_999_999_999_999, i64::MAX),
        ];
        let packed = pack_all(1, &rows);
        let buckets: Vec<i64> = packed.iter().map(|(bucket, _)| *bucket).collect();
        assert_eq!(buckets, [23_480_312, 23_480_313, 9_999_999_999]);
        let read = packed.iter().flat_map(|(bucket, body)| unpack(*bucket, 1, body).unwrap());
        assert_eq!(read.collect::<Vec<_>>(), rows);
    }
}
