//! Which numbers were already taken: a set of [`Msisdn`] for campaigns of millions.
//!
//! Open addressing with linear probing over plain `u64` slots, zero meaning free (no number is zero). At most three
//! slots of four are used: 11 to 21 bytes a number, 16 MiB for a million that are scattered over the world. While it doubles, the
//! old slots live beside the new ones, half as many again.
//!
//! The numbers of a country stand near to each other. From 786,433 numbers on, a block of 16.8 million neighbours that has many of
//! them keeps them packed ([`PackedBlock`]): ten million numbers of 39 Nigerian prefixes take 22 to 28 MiB in place of 128, and 33 at
//! most in place of 192 while slots are placed again.
//!
//! Two invariants: from a number's home slot to where it stands no slot is free; a number of a packed block has a slot only when
//! the block has no place for it.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use super::Msisdn;
use super::packed_block::{PackedBlock, Place};

const SMALLEST: usize = 64;
/// Slots (8 MiB) from which on blocks with many numbers are packed before the slots double. Tests come there sooner.
const MANY_SLOTS: usize = if cfg!(test) { 1 << 10 } else { 1 << 20 };
/// Numbers in slots, 21 bytes each when these have doubled, that take as much memory as a packed block at its smallest.
const DENSE: usize = if cfg!(test) { 1 << 9 } else { PackedBlock::SMALLEST_BYTES / 21 };

/// The numbers seen so far. The order of probing is keyed at random, so no list can be made that slows it down;
/// answers do not depend on the key.
#[derive(Clone, Debug)]
pub struct SeenNumbers {
    slots: Vec<u64>,
    /// Slots that are taken.
    in_slots: usize,
    /// By block, where there are many numbers of it.
    packed: HashMap<u64, PackedBlock>,
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
        Self { slots: vec![0; SMALLEST], in_slots: 0, packed: HashMap::new(), taken: 0, key: random_key() }
    }

    /// The memory that it takes, in bytes.
    pub fn bytes(&self) -> usize {
        self.slots.len() * size_of::<u64>() + self.packed.values().map(PackedBlock::bytes).sum::<usize>()
    }

    /// Takes the number. `false` when it was already there: a duplicate.
    #[inline]
    pub fn insert(&mut self, number: Msisdn) -> bool {
        let number = number.digits();
        let is_new =
            match self.packed.get_mut(&PackedBlock::block_of(number)).map(|block| block.insert(number)) {
                Some(Place::New) => true,
                Some(Place::Known) => false,
                Some(Place::Elsewhere) | None => self.insert_in_slots(number),
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
        let packed = self.packed.get(&PackedBlock::block_of(number)).and_then(|block| block.contains(number));
        packed.unwrap_or_else(|| self.slots[self.find(number)] == number)
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

    /// Makes room: in packed blocks for the numbers that they have a place for, and at least two slots for each of the others.
    fn grow(&mut self) {
        if self.slots.len() >= MANY_SLOTS {
            self.pack_dense_blocks();
        }
        self.packed.values_mut().for_each(PackedBlock::grow_when_filled);
        for slot in self.slots.iter_mut().filter(|slot| **slot != 0) {
            let place = self.packed.get_mut(&PackedBlock::block_of(*slot)).map(|block| block.insert(*slot));
            if place == Some(Place::New) {
                *slot = 0;
                self.in_slots -= 1;
            }
        }
        let size = (self.in_slots * 2).next_power_of_two().max(SMALLEST);
        // The loop above takes slots in the order of their homes, so the numbers that a block has no place for are neighbours:
        // under the same key they would land side by side.
        self.key = random_key();
        for number in std::mem::replace(&mut self.slots, vec![0; size]) {
            if number != 0 {
                let place = self.find(number);
                self.slots[place] = number;
            }
        }
    }

    /// Has each block packed that has many numbers in slots.
    fn pack_dense_blocks(&mut self) {
        let mut counts: HashMap<u64, usize> = HashMap::new();
        for number in self.slots.iter().filter(|number| **number != 0) {
            *counts.entry(PackedBlock::block_of(*number)).or_default() += 1;
        }
        for (block, count) in counts.into_iter().filter(|(_, count)| *count >= DENSE) {
            let new = || PackedBlock::new([random_key(), random_key(), random_key()], count);
            self.packed.entry(block).or_insert_with(new);
        }
    }
}

fn random_key() -> u64 {
    RandomState::new().hash_one(0_u64) | 1
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
        assert!(seen.bytes() <= PackedBlock::SMALLEST_BYTES + MANY_SLOTS * 8, "{}", seen.bytes());
    }

    #[test]
    fn numbers_of_many_blocks_take_at_most_22_bytes_each() {
        let mut seen = SeenNumbers::new();
        for block in 0..50_000 {
            assert!(seen.insert(number(7_000_000 + block * 19_000_000_000)));
        }
        assert!(seen.packed.is_empty());
        assert!(seen.bytes() <= 50_000 * 22);
    }

    #[test]
    fn many_neighbours_are_packed_and_scattered_numbers_stay_in_slots() {
        let mut seen = SeenNumbers::new();
        let scattered = |n: u64| number(7_000_000 + n * 20_000_000_000);
        let near = |n: u64| number(2_348_030_000_000 + n * 3);
        for n in 0..5_000 {
            assert!(seen.insert(scattered(n)) && seen.insert(near(n)));
        }
        assert_eq!((seen.len(), seen.packed.len()), (10_000, 1));
        assert!(
            (4_990..5_100).contains(&seen.in_slots),
            "but for one in 256, whose remainder is zero: {}",
            seen.in_slots
        );
        assert!((0..5_000).all(|n| !seen.insert(scattered(n)) && !seen.insert(near(n))));
        assert!((0..5_000).all(|n| seen.contains(scattered(n)) && seen.contains(near(n))));
        assert!((0..5_000).all(|n| !seen.contains(number(2_348_030_000_001 + n * 3))));
    }

    #[test]
    fn a_crowded_block_loses_no_number_on_the_way_to_a_bitmap() {
        let mut seen = SeenNumbers::new();
        // In no order, so that buckets are full by and by, and a twentieth of the block's numbers.
        let mixed = |n: u64| number((139_950 << 24) + n * 7_654_321 % (1 << 23) * 2 + n % 3 / 2);
        let (mut model, mut most_in_slots) = (HashSet::new(), 0);
        for n in 0..800_000 {
            assert_eq!(seen.insert(mixed(n)), model.insert(mixed(n)), "{n}");
            most_in_slots = most_in_slots.max(seen.in_slots);
        }
        assert_eq!((seen.len(), seen.packed.len()), (model.len(), 1));
        assert!(most_in_slots > 3_000, "full buckets: {most_in_slots}");
        assert_eq!(seen.packed.values().map(PackedBlock::bytes).sum::<usize>(), 1 << 21, "a bitmap");
        assert!((0..800_000).all(|n| seen.contains(mixed(n)) && !seen.insert(mixed(n))));
        let others = (0..1_u64 << 23).step_by(5).map(|n| number((139_950 << 24) + n * 2));
        assert!(others.into_iter().all(|number| seen.contains(number) == model.contains(&number)));
    }

    proptest! {
        #[test]
        fn it_agrees_with_a_hash_set(digits in prop::collection::vec(1_000_000_u64..1_003_000, 0..5000)) {
            let (mut seen, mut model) = (SeenNumbers::new(), HashSet::new());
            for digits in digits {
                prop_assert_eq!(seen.insert(number(digits)), model.insert(digits));
            }
            prop_assert_eq!(seen.len(), model.len());
        }
    }
}
