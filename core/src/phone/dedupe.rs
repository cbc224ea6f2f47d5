//! Which numbers were already taken: a set of [`Msisdn`] for campaigns of millions.
//!
//! Open addressing with linear probing over plain `u64` slots, zero meaning free (no number is zero). At most three
//! slots of four are used: 11 to 21 bytes a number, 16 MiB for a million. While it doubles, the old slots live
//! beside the new ones, half as many again.
//!
//! A country's mobile numbers are few compared with a list of many millions: there blocks of 65,536 neighbouring numbers become
//! bitmaps of 8 KiB, where that takes less than slots do. Ten million Nigerian numbers take 58 MiB in place of 128
//! (192 while they doubled), in about the same time.
//!
//! Two invariants: from a number's home slot to where it stands no slot is free; no number of a block with a bitmap has a slot.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use super::Msisdn;

const SMALLEST: usize = 64;
/// Slots (32 MiB) from which on dense blocks are given a bitmap before the slots double. Tests come there sooner.
const MANY_SLOTS: usize = if cfg!(test) { 1 << 10 } else { 1 << 22 };
/// Numbers of a block: its bitmap has a bit for each.
const BLOCK: u64 = 1 << 16;
/// Numbers in slots, 16 bytes each, that take as much memory as the bitmap of their block.
const DENSE: usize = BLOCK as usize / 8 / 16;

/// A bit for each number of a block.
type Bitmap = Box<[u64; BLOCK as usize / 64]>;

/// The numbers seen so far. The order of probing is keyed at random, so no list can be made that slows it down;
/// answers do not depend on the key.
#[derive(Clone, Debug)]
pub struct SeenNumbers {
    slots: Vec<u64>,
    /// Slots that are taken.
    in_slots: usize,
    /// By block, where there are many numbers of it.
    bitmaps: HashMap<u64, Bitmap>,
    /// Different numbers in all.
    taken: usize,
    key: u64,
}

impl Default for SeenNumbers {
    fn default() -> Self {
        Self::new()
    }
}

impl SeenNumbers {
    /// An empty set.
    pub fn new() -> Self {
        let key = RandomState::new().hash_one(0_u64) | 1;
        Self { slots: vec![0; SMALLEST], in_slots: 0, bitmaps: HashMap::new(), taken: 0, key }
    }

    /// The memory that it takes, in bytes.
    pub fn bytes(&self) -> usize {
        self.slots.len() * size_of::<u64>() + self.bitmaps.len() * size_of::<[u64; BLOCK as usize / 64]>()
    }

    /// Takes the number. `false` when it was already there: a duplicate.
    #[inline]
    pub fn insert(&mut self, number: Msisdn) -> bool {
        let number = number.digits();
        let is_new = match self.bitmaps.get_mut(&(number / BLOCK)) {
            Some(bitmap) => set(bitmap, number),
            None => self.insert_in_slots(number),
        };
        self.taken += usize::from(is_new);
        is_new
    }

    fn insert_in_slots(&mut self, number: u64) -> bool {
        let place = self.find(number);
        if self.slots[place] == number {
            return false;
        }
        self.slots[place] = number;
        self.in_slots += 1;
        if self.in_slots * 4 > self.slots.len() * 3 {
            self.grow();
        }
        true
    }

    /// Whether the number was taken.
    pub fn contains(&self, number: Msisdn) -> bool {
        let number = number.digits();
        match self.bitmaps.get(&(number / BLOCK)) {
            Some(bitmap) => is_set(bitmap, number),
            None => self.slots[self.find(number)] == number,
        }
    }

    /// How many different numbers were taken.
    pub const fn len(&self) -> usize {
        self.taken
    }

    /// Whether none was.
    pub const fn is_empty(&self) -> bool {
        self.taken == 0
    }

    /// The slot that holds the number, or the free one it would go to.
    #[inline]
    fn find(&self, number: u64) -> usize {
        let last = self.slots.len() - 1;
        let mut place = self.home(number);
        while self.slots[place] != 0 && self.slots[place] != number {
            place = (place + 1) & last;
        }
        place
    }

    /// Two multiplications with the high half folded in between: numbers in sequence, the usual list, land far apart.
    #[inline]
    fn home(&self, number: u64) -> usize {
        let mixed = (number ^ self.key).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(self.key);
        // The slots are a power of two, at least 64: the shift is below 64 and the result within them.
        (mixed >> (64 - self.slots.len().trailing_zeros())) as usize
    }

    fn grow(&mut self) {
        let mut size = self.slots.len() * 2;
        if self.slots.len() >= MANY_SLOTS {
            self.move_dense_blocks();
            // Room for what stays, twice over.
            size = (self.in_slots * 2).next_power_of_two().max(SMALLEST);
        }
        for number in std::mem::replace(&mut self.slots, vec![0; size]) {
            if number != 0 {
                let place = self.find(number);
                self.slots[place] = number;
            }
        }
    }

    /// Gives a bitmap to each block with enough numbers in slots, and frees their slots. The places of the others are no longer
    /// to be found: the caller has them all placed again.
    fn move_dense_blocks(&mut self) {
        let mut counts: HashMap<u64, usize> = HashMap::new();
        for number in self.slots.iter().filter(|number| **number != 0) {
            *counts.entry(number / BLOCK).or_default() += 1;
        }
        counts.retain(|_, count| *count >= DENSE);
        for slot in &mut self.slots {
            if *slot != 0 && counts.contains_key(&(*slot / BLOCK)) {
                let bitmap =
                    self.bitmaps.entry(*slot / BLOCK).or_insert_with(|| Box::new([0; BLOCK as usize / 64]));
                set(bitmap, *slot);
                *slot = 0;
                self.in_slots -= 1;
            }
        }
    }
}

/// Where the bit of a number is: the word, and the bit within it.
const fn bit(number: u64) -> (usize, u64) {
    ((number % BLOCK / 64) as usize, 1 << (number % 64))
}

fn is_set(bitmap: &Bitmap, number: u64) -> bool {
    let (word, bit) = bit(number);
    bitmap[word] & bit != 0
}

/// Sets a number's bit. `false` when it was set.
fn set(bitmap: &mut Bitmap, number: u64) -> bool {
    let (word, bit) = bit(number);
    let is_new = bitmap[word] & bit == 0;
    bitmap[word] |= bit;
    is_new
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    fn number(digits: u64) -> Msisdn {
        Msisdn::from_digits(digits).unwrap()
    }

    #[test]
    fn a_number_is_new_once() {
        let mut seen = SeenNumbers::new();
        assert!(seen.is_empty());
        assert!(seen.insert(number(2_348_031_234_567)));
        assert!(!seen.insert(number(2_348_031_234_567)));
        assert!(seen.contains(number(2_348_031_234_567)));
        assert!(!seen.contains(number(2_348_031_234_568)));
        assert_eq!(seen.len(), 1);
    }

    #[test]
    fn numbers_in_sequence_all_find_room_in_the_memory_promised() {
        let mut seen = SeenNumbers::new();
        for digits in 0..100_000 {
            assert!(seen.insert(number(2_348_030_000_000 + digits)));
        }
        assert_eq!(seen.len(), 100_000);
        assert!((0..100_000).all(|digits| !seen.insert(number(2_348_030_000_000 + digits))));
        assert!(seen.bytes() <= 100_000 * 22);
    }

    #[test]
    fn many_neighbours_take_a_bit_each_and_scattered_numbers_stay_in_slots() {
        let mut seen = SeenNumbers::new();
        let scattered = |n: u64| number(44_700_000_000 + n * 70_000);
        let near = |n: u64| number(2_348_030_000_000 + n * 3);
        for n in 0..2_000 {
            assert!(seen.insert(scattered(n)) && seen.insert(near(n)));
        }
        assert_eq!((seen.len(), seen.bitmaps.len(), seen.in_slots), (4_000, 1, 2_000));
        assert!((0..2_000).all(|n| !seen.insert(scattered(n)) && !seen.insert(near(n))));
        assert!((0..2_000).all(|n| seen.contains(scattered(n)) && seen.contains(near(n))));
        assert!((0..2_000).all(|n| !seen.contains(number(2_348_030_000_001 + n * 3))));
    }

    proptest! {
        #[test]
        fn it_agrees_with_a_hash_set(digits in prop::collection::vec(1_000_000_u64..1_002_000, 0..3000)) {
            let (mut seen, mut model) = (SeenNumbers::new(), HashSet::new());
            for digits in digits {
                prop_assert_eq!(seen.insert(number(digits)), model.insert(digits));
            }
            prop_assert_eq!(seen.len(), model.len());
        }
    }
}
