//! The packed form in which the number index keeps what was merged together (a run): about five bytes a recipient.
//!
//! ```text
//! version 1, then of each recipient, in order of number and recipient:
//! varint of the difference to the number before, of the first to that of the bucket
//! varint of the difference to the first recipient of the run
//! ```

use crate::error::{Error, Result};
use crate::model::varint::{read_varint, write_varint};

/// How many numbers are packed together, in a bucket: so few that what a search reads of a run is short, and so many that what a
/// large campaign writes is not tiny.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BucketWidth {
    /// Those with all but the last five digits in common: in runs as they were merged. A subscriber's range of ten million has a
    /// hundred of these.
    Wide,
    /// Those with all but the last four digits in common: in compacted runs, which have about as many recipients in a narrow bucket
    /// as the others have in a wide one.
    Narrow,
}

impl BucketWidth {
    /// The bucket of a number. Narrow buckets are negative, so that both kinds share a table.
    pub const fn bucket_of(self, number: i64) -> i64 {
        match self {
            Self::Wide => number / WIDE,
            Self::Narrow => -1 - number / NARROW,
        }
    }
}

const WIDE: i64 = 100_000;
const NARROW: i64 = 10_000;

/// The numbers of a bucket: the first and how many; `None` where there are no such numbers.
const fn numbers_of(bucket: i64) -> Option<(i64, i64)> {
    let (index, count) = if bucket >= 0 { (bucket, WIDE) } else { (-1 - bucket, NARROW) };
    match index.checked_mul(count) {
        Some(first) => Some((first, count)),
        None => None,
    }
}

const VERSION: u8 = 1;

/// A number and a recipient that has it: audience chunk times 4,096 plus place.
pub type NumberPosting = (i64, i64);

/// Packs postings of one bucket, in order, none with a recipient before `first`.
pub fn pack(bucket: i64, first: i64, postings: &[NumberPosting]) -> Vec<u8> {
    let mut packed = Vec::with_capacity(1 + 6 * postings.len());
    packed.push(VERSION);
    let mut previous = numbers_of(bucket).map_or(0, |(number, _)| number);
    for (number, recipient) in postings {
        write_varint((number - previous).cast_unsigned(), &mut packed);
        write_varint((recipient - first).cast_unsigned(), &mut packed);
        previous = *number;
    }
    packed
}

/// Packs postings in order, none with a recipient before `first`, each bucket by itself.
pub fn pack_all(width: BucketWidth, first: i64, postings: &[NumberPosting]) -> Vec<(i64, Vec<u8>)> {
    let bucket = |posting: &NumberPosting| width.bucket_of(posting.0);
    let by_bucket = postings.chunk_by(|one, next| bucket(one) == bucket(next));
    by_bucket.map(|of_one| (bucket(&of_one[0]), pack(bucket(&of_one[0]), first, of_one))).collect()
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

/// The recipients that have a number, of what [`pack`] wrote of a bucket.
///
/// # Errors
/// As of [`unpack`]; damage behind the number is not seen.
pub fn recipients_of(number: i64, bucket: i64, first: i64, packed: &[u8]) -> Result<Vec<i64>> {
    let mut recipients = Vec::new();
    for_each(bucket, first, packed, |(held, recipient)| {
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
    let Some((mut number, count)) = numbers_of(bucket) else { return Err(damaged()) };
    let last = number.saturating_add(count - 1);
    while !rest.is_empty() {
        let mut next = |base: i64| base.checked_add_unsigned(read_varint(&mut rest)?);
        let (Some(held), Some(recipient)) = (next(number), next(first)) else { return Err(damaged()) };
        number = held;
        if number > last {
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
            bucket in -100_000_000_000_i64..100_000_000_000,
            first in 0_i64..1 << 50,
            rows in proptest::collection::vec((0_i64..49, 0_i64..1 << 40), 0..200),
        ) {
            let (start, count) = numbers_of(bucket).unwrap();
            let mut rows: Vec<NumberPosting> =
                rows.into_iter().map(|(suffix, place)| (start + suffix * 2_083 % count, first + place)).collect();
            rows.sort_unstable();
            let packed = pack(bucket, first, &rows);
            prop_assert_eq!(&unpack(bucket, first, &packed).unwrap(), &rows);
            for suffix in [0, 2_083, 7_777, 9_999, count - 16, count - 1] {
                let number = start + suffix;
                let held: Vec<i64> = rows.iter().filter(|(it, _)| *it == number).map(|(_, it)| *it).collect();
                prop_assert_eq!(recipients_of(number, bucket, first, &packed).unwrap(), held);
            }
        }

        #[test]
        fn other_bytes_are_an_error_or_postings_of_the_bucket(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            for (bucket, width) in [(23_480_312, BucketWidth::Wide), (-234_803_123, BucketWidth::Narrow)] {
                if let Ok(rows) = unpack(bucket, 4_096, &bytes) {
                    prop_assert!(rows.iter().all(|(number, _)| width.bucket_of(*number) == bucket));
                    prop_assert!(rows.is_sorted_by_key(|(number, _)| *number));
                }
            }
        }
    }

    #[test]
    fn a_recipient_of_a_large_run_takes_five_bytes() {
        let rows: Vec<NumberPosting> =
            (0..100).map(|n| (2_348_031_200_000 + n * 997, 900_000 - n * 7_919)).collect();
        assert!(pack(BucketWidth::Wide.bucket_of(rows[0].0), 1, &rows).len() <= 1 + 5 * rows.len());
    }

    #[test]
    fn damage_is_told_of() {
        let packed = pack(23_480_312, 4_096, &[(2_348_031_234_567, 5_000), (2_348_031_234_568, 5_001)]);
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
        let wide = vec![23_480_312, 23_480_313, 9_999_999_999];
        let narrow = vec![-234_803_121, -234_803_130, -234_803_131, -100_000_000_000];
        for (width, expected) in [(BucketWidth::Wide, wide), (BucketWidth::Narrow, narrow)] {
            let packed = pack_all(width, 1, &rows);
            assert_eq!(packed.iter().map(|(bucket, _)| *bucket).collect::<Vec<_>>(), expected);
            let read = packed.iter().flat_map(|(bucket, body)| unpack(*bucket, 1, body).unwrap());
            assert_eq!(read.collect::<Vec<_>>(), rows);
        }
        assert!(numbers_of(i64::MIN).is_none() && numbers_of(i64::MAX).is_none());
    }
}
