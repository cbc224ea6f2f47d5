//! Chance that can be repeated: every throw follows from the seed, what it is for, and the ordinal of the message.
//!
//! No throw depends on time or on the order in which connections are served.

use super::args::Chance;

/// What a throw decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Throw {
    AnswerJitter = 1,
    ReceiptJitter,
    LoseAnswer,
    DropSubmit,
    LoseReceipt,
    DuplicateReceipt,
    EarlyReceipt,
    ReorderReceipt,
    ReorderBy,
    Disconnect,
    DisconnectHow,
}

/// The dice of one SMSC.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dice {
    seed: u64,
}

impl Dice {
    pub(super) const fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// Whether it happens to the `ordinal`th message.
    pub(super) fn happens(self, chance: Chance, throw: Throw, ordinal: u64) -> bool {
        chance > Chance::NEVER && self.below(1_000_000, throw, ordinal) < u64::from(chance.parts())
    }

    /// A number below `limit`; 0 if that is 0.
    pub(super) fn below(self, limit: u64, throw: Throw, ordinal: u64) -> u64 {
        if limit == 0 {
            return 0;
        }
        let mixed = mix(mix(self.seed ^ (throw as u64) << 56).wrapping_add(ordinal));
        ((u128::from(mixed) * u128::from(limit)) >> 64) as u64
    }
}

/// The finaliser of SplitMix64.
const fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(seed: u64, throw: Throw) -> Vec<u64> {
        let chance = Chance::per_million(100_000);
        (0..10_000).filter(|ordinal| Dice::new(seed).happens(chance, throw, *ordinal)).collect()
    }

    #[test]
    fn the_same_seed_throws_the_same_and_another_seed_another() {
        assert_eq!(hits(1, Throw::LoseAnswer), hits(1, Throw::LoseAnswer));
        assert_ne!(hits(1, Throw::LoseAnswer), hits(2, Throw::LoseAnswer));
        assert_ne!(hits(1, Throw::LoseAnswer), hits(1, Throw::LoseReceipt));
    }

    #[test]
    fn a_tenth_is_about_a_tenth_and_the_ends_are_sure() {
        assert!((900..1_100).contains(&hits(5, Throw::Disconnect).len()));
        let dice = Dice::new(3);
        assert!((0..1_000).all(|ordinal| dice.happens(Chance::ALWAYS, Throw::DropSubmit, ordinal)));
        assert!((0..1_000).all(|ordinal| !dice.happens(Chance::NEVER, Throw::DropSubmit, ordinal)));
    }
}
