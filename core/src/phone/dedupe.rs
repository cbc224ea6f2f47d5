//! Which numbers were already taken: a set of [`Msisdn`] for campaigns of millions.
//!
//! Open addressing with linear probing over plain `u64` slots, zero meaning free (no number is zero). At most three
//! slots of four are used: 11 to 21 bytes a number, 16 MiB for a million. While it doubles, the old slots live
//! beside the new ones, half as many again.
//!
//! The one invariant: from a number's home slot to where it stands no slot is free.

use std::hash::{BuildHasher, RandomState};

use super::Msisdn;

const SMALLEST: usize = 64;

/// The numbers seen so far. The order of probing is keyed at random, so no list can be made that slows it down;
/// answers do not depend on the key.
#[derive(Clone, Debug)]
pub struct SeenNumbers {
    slots: Vec<u64>,
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
        Self::with_capacity(0)
    }

    /// An empty set that takes `numbers` without growing.
    pub fn with_capacity(numbers: usize) -> Self {
        let slots = (numbers.saturating_mul(4) / 3 + 1).next_power_of_two().max(SMALLEST);
        Self { slots: vec![0; slots], taken: 0, key: RandomState::new().hash_one(0_u64) | 1 }
    }

    /// The memory that it takes, in bytes.
    pub fn bytes(&self) -> usize {
        self.slots.len() * size_of::<u64>()
    }

    /// Takes the number. `false` when it was already there: a duplicate.
    #[inline]
    pub fn insert(&mut self, number: Msisdn) -> bool {
        let number = number.digits();
        let place = self.find(number);
        if self.slots[place] == number {
            return false;
        }
        self.slots[place] = number;
        self.taken += 1;
        if self.taken * 4 > self.slots.len() * 3 {
            self.grow();
        }
        true
    }

    /// Whether the number was taken.
    pub fn contains(&self, number: Msisdn) -> bool {
        self.slots[self.find(number.digits())] == number.digits()
    }

    /// How many different numbers were taken.
    pub const fn len(&self) -> usize {
        self.taken
    }

    /// Whether none was.
    pub const fn is_empty(&self) -> bool {
        self.taken == 0
    }

    /// Bytes of memory behind the set.
    pub const fn memory_bytes(&self) -> usize {
        self.slots.capacity() * size_of::<u64>()
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
        let doubled = vec![0; self.slots.len() * 2];
        for number in std::mem::replace(&mut self.slots, doubled) {
            if number != 0 {
                let place = self.find(number);
                self.slots[place] = number;
            }
        }
    }
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
        assert!(seen.memory_bytes() <= 100_000 * 22);
    }

    #[test]
    fn room_asked_for_is_enough() {
        let mut seen = SeenNumbers::with_capacity(1000);
        let before = seen.memory_bytes();
        for digits in 0..1000 {
            seen.insert(number(10_000_000 + digits));
        }
        assert_eq!(seen.memory_bytes(), before);
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
