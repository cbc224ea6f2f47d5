//! A set of neighbouring numbers, in a byte or two each or, where they are many, a bit for each that there could be: what
//! [`SeenNumbers`](super::SeenNumbers) keeps the numbers of a country in.
//!
//! A number has 24 bits, its place in the block. Mixed in a way that can be undone, they part into a bucket and a remainder of 8
//! bits: the remainder alone is stored, as its bucket tells the rest (quotienting; Knuth, The Art of Computer Programming, volume
//! 3, section 6.4, exercise 13). A bucket is one word of eight remainders.

/// Bits of a number within its block.
const NUMBER_BITS: u32 = 24;
const NUMBER: u64 = (1 << NUMBER_BITS) - 1;
/// Words of a bitmap with a bit for each number.
const BITMAP: usize = 1 << (NUMBER_BITS - u64::BITS.trailing_zeros());
/// Buckets of the smallest set: one for each value of the 16 bits that are not stored.
const SMALLEST: usize = 1 << (NUMBER_BITS - u8::BITS);
/// Numbers of a bucket, on average, at which a set grows: until then the bucket is full for some 3 of 100 numbers.
const FILLED: usize = 5;
/// A one in each byte of a word.
const ONES: u64 = u64::MAX / 255;

/// The factors by which numbers are mixed. They are odd, so that mixing can be undone, and secret, so that no list can be made whose
/// numbers all share a bucket. With two factors instead of three, about one set in twenty has no place for more than a tenth of a
/// list at even distances.
pub(super) type Keys = [u64; 3];

/// What became of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// It has a place now.
    New,
    /// It had one.
    Known,
    /// It has none: its bucket is full, or its remainder is zero.
    Elsewhere,
}

/// A set of numbers of one block. Until it is a bitmap it has no place for some of them ([`Place::Elsewhere`]).
#[derive(Clone, Debug)]
pub(super) struct PackedBlock {
    /// Buckets, whose bytes are remainders, zero meaning free: 2^16 or 2^17. Or a bitmap, of [`BITMAP`] words.
    words: Vec<u64>,
    taken: usize,
    keys: Keys,
}

impl PackedBlock {
    /// The bytes that the smallest set takes.
    pub(super) const SMALLEST_BYTES: usize = SMALLEST * size_of::<u64>();

    /// The block that a number is of.
    pub(super) const fn block_of(number: u64) -> u64 {
        number >> NUMBER_BITS
    }

    /// An empty set with room for so many numbers.
    pub(super) fn new(keys: Keys, count: usize) -> Self {
        let size = (count / FILLED + 1).next_power_of_two().clamp(SMALLEST, BITMAP);
        Self { words: vec![0; size], taken: 0, keys }
    }

    /// The memory that it takes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.words.len() * size_of::<u64>()
    }

    /// Takes a number.
    #[inline]
    pub(super) fn insert(&mut self, number: u64) -> Place {
        if self.is_bitmap() {
            let (word, bit) = bit(number);
            let is_new = self.words[word] & bit == 0;
            self.words[word] |= bit;
            return if is_new { Place::New } else { Place::Known };
        }
        let (bucket, remainder) = self.find(number);
        let bucket = &mut self.words[bucket];
        if remainder == 0 {
            Place::Elsewhere
        } else if has(*bucket, remainder) {
            Place::Known
        } else if is_full(*bucket) {
            Place::Elsewhere
        } else {
            *bucket = *bucket << 8 | u64::from(remainder);
            self.taken += 1;
            Place::New
        }
    }

    /// Whether it holds the number; `None` when it may be elsewhere.
    pub(super) fn contains(&self, number: u64) -> Option<bool> {
        if self.is_bitmap() {
            let (word, bit) = bit(number);
            return Some(self.words[word] & bit != 0);
        }
        let (bucket, remainder) = self.find(number);
        let bucket = self.words[bucket];
        if remainder == 0 {
            None
        } else if has(bucket, remainder) {
            Some(true)
        } else if is_full(bucket) {
            None
        } else {
            Some(false)
        }
    }

    /// Grows when it is filled: to twice the buckets, in the end to a bitmap. There may be places then for numbers that are
    /// elsewhere.
    pub(super) fn grow_when_filled(&mut self) {
        if self.is_bitmap() || self.taken < self.words.len() * FILLED {
            return;
        }
        let size = self.words.len() * 2;
        self.taken = 0;
        for (bucket, remainders) in std::mem::replace(&mut self.words, vec![0; size]).into_iter().enumerate()
        {
            for remainder in remainders.to_le_bytes().into_iter().filter(|remainder| *remainder != 0) {
                self.insert(self.number(bucket, remainder));
            }
        }
    }

    fn is_bitmap(&self) -> bool {
        self.words.len() == BITMAP
    }

    /// The bucket of a number, and its remainder: numbers in sequence, the usual list, land far apart.
    #[inline]
    fn find(&self, number: u64) -> (usize, u8) {
        let mut mixed = number & NUMBER;
        for key in self.keys {
            mixed = mixed.wrapping_mul(key) & NUMBER;
            mixed ^= mixed >> (NUMBER_BITS / 2);
        }
        (mixed as usize & (self.words.len() - 1), (mixed >> (NUMBER_BITS - u8::BITS)) as u8)
    }

    /// The number, in its block, that has this bucket and remainder.
    fn number(&self, bucket: usize, remainder: u8) -> u64 {
        let mut mixed = (bucket % SMALLEST) as u64 | u64::from(remainder) << (NUMBER_BITS - u8::BITS);
        for key in self.keys.into_iter().rev() {
            mixed ^= mixed >> (NUMBER_BITS / 2);
            mixed = mixed.wrapping_mul(inverse(key)) & NUMBER;
        }
        mixed
    }
}

/// What undoes a multiplication by an odd number (Newton's method: each step doubles the bits that are right, three at first).
fn inverse(odd: u64) -> u64 {
    (0..5).fold(odd, |inverse, _| inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse))))
}

/// Where the bit of a number is: the word, and the bit within it.
const fn bit(number: u64) -> (usize, u64) {
    ((number & NUMBER) as usize / 64, 1 << (number % 64))
}

/// Whether one of the word's bytes is this one: whether one of their differences is zero.
const fn has(bucket: u64, remainder: u8) -> bool {
    let differences = bucket ^ (ONES * remainder as u64);
    differences.wrapping_sub(ONES) & !differences & (ONES << 7) != 0
}

const fn is_full(bucket: u64) -> bool {
    bucket >> (u64::BITS - u8::BITS) != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: Keys = [0x9E37_79B9_7F4A_7C15, 0xD1B5_4A32_D192_ED03, 0xA24B_AED4_963E_E407];

    #[test]
    fn numbers_keep_their_places_as_the_set_grows_to_a_bitmap_and_no_other_is_found() {
        let mut block = PackedBlock::new(KEYS, 1);
        let number = |n: u64| 2_348_030_000_000 + n * 3;
        let mut taken = Vec::new();
        for size in [SMALLEST, SMALLEST * 2] {
            assert_eq!(block.bytes(), size * 8);
            for n in taken.len() as u64.. {
                if block.taken == size * FILLED {
                    break;
                }
                taken.push(block.insert(number(n)));
                assert_ne!(taken[n as usize], Place::Known, "{n}");
            }
            let elsewhere = taken.iter().filter(|place| **place == Place::Elsewhere).count();
            assert!(elsewhere * 20 < taken.len(), "{elsewhere} of {}", taken.len());
            let check = |block: &PackedBlock| {
                for (n, place) in taken.iter().enumerate() {
                    let held = block.contains(number(n as u64));
                    if *place == Place::New {
                        assert_eq!(held, Some(true), "{n}");
                    } else {
                        assert_ne!(held, Some(true), "{n}");
                    }
                    assert_ne!(block.contains(number(n as u64) + 1), Some(true), "beside {n}");
                }
            };
            check(&block);
            block.grow_when_filled();
            check(&block);
        }
        assert!(block.is_bitmap());
        assert_eq!(block.insert(number(0)), Place::Known);
        assert_eq!(block.insert(number(0) + 1), Place::New);
        assert_eq!((block.contains(number(0) + 1), block.contains(number(0) + 2)), (Some(true), Some(false)));
    }

    #[test]
    fn a_full_bucket_has_no_place_until_the_set_grows() {
        let mut block = PackedBlock::new(KEYS, 1);
        let of_keys = PackedBlock::new(KEYS, 1);
        let number = |remainder: u8| of_keys.number(5, remainder);
        assert_eq!(block.find(number(9)), (5, 9));
        assert_eq!(block.insert(number(0)), Place::Elsewhere, "its remainder is zero");
        assert_eq!(block.contains(number(0)), None);
        for remainder in 1..=8 {
            assert_eq!(block.insert(number(remainder)), Place::New);
            assert_eq!(block.insert(number(remainder)), Place::Known);
        }
        assert_eq!((block.insert(number(9)), block.insert(number(8))), (Place::Elsewhere, Place::Known));
        assert_eq!(block.contains(number(9)), None);
        assert_eq!(block.contains(of_keys.number(6, 9)), Some(false), "the bucket beside it is free");
        block.grow_when_filled();
        assert_eq!(block.bytes(), PackedBlock::SMALLEST_BYTES, "it is not filled");
        block.taken = SMALLEST * FILLED;
        block.grow_when_filled();
        assert_eq!(block.bytes(), PackedBlock::SMALLEST_BYTES * 2);
        assert_eq!(block.contains(number(9)), Some(false));
        assert_eq!(block.insert(number(9)), Place::New);
        assert!((1..=9).all(|remainder| block.contains(number(remainder)) == Some(true)));
        assert!((10..=255).all(|remainder| block.contains(number(remainder)) != Some(true)));
    }

    #[test]
    fn a_set_begins_with_room_for_what_it_is_to_hold() {
        let words = |count| PackedBlock::new(KEYS, count).words.len();
        assert_eq!((words(1), words(400_000), words(700_000)), (SMALLEST, SMALLEST * 2, BITMAP));
        let mut bitmap = PackedBlock::new(KEYS, 700_000);
        assert_eq!(
            (bitmap.insert(7), bitmap.insert(7), bitmap.insert(NUMBER)),
            (Place::New, Place::Known, Place::New)
        );
        assert_eq!((bitmap.contains(7), bitmap.contains(8)), (Some(true), Some(false)));
    }
}
