//! The messages whose receipts are awaited, by the carrier's reference, in memory.
//!
//! One entry is a 64-bit key of the reference and the part it belongs to, about 24 bytes with the table's own. What does not fit any more goes to
//! the store's reference index, a chunk at a time; what was sent before this daemon started is read back in slices.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::sync::Arc;

use crate::campaign::fact::Terms;
pub use crate::carrier::WHOLE;
use crate::carrier::{MessageId, Reference};

/// A message's part: message id times 16 plus part, as the `message_parts` table has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartId(pub i64);

impl PartId {
    /// Part `part` of a message; [`WHOLE`] for a message of one part.
    pub const fn new(message: MessageId, part: u8) -> Self {
        Self(message.0 * 16 + part as i64)
    }

    /// The message.
    pub const fn message(self) -> MessageId {
        MessageId(self.0 >> 4)
    }

    /// Whether this stands for a whole message.
    pub const fn is_whole(self) -> bool {
        self.0 & 15 == WHOLE as i64
    }
}

/// The 64-bit key of a reference: its value when it is a number, a hash of its text otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key(u64);

impl Key {
    /// The key of a canonical reference.
    pub fn of(reference: &Reference) -> Self {
        reference.0.parse().map_or_else(
            |_| {
                let mut hasher = std::collections::hash_map::DefaultHasher::new();
                reference.0.hash(&mut hasher);
                Self(hasher.finish())
            },
            Self,
        )
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0);
    }
}

/// Spreads keys that are already numbers: a carrier counts up, so one multiplication is enough.
#[derive(Clone, Copy, Debug, Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        let mixed = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }
}

/// What the awaited messages of a chunk have in common.
#[derive(Clone, Debug)]
struct Common {
    terms: Arc<Terms>,
    left: u32,
}

/// The map.
#[derive(Debug, Default)]
pub struct Awaiting {
    parts: HashMap<Key, PartId, BuildHasherDefault<Spread>>,
    chunks: BTreeMap<i64, Common>,
}

impl Awaiting {
    /// Awaits a receipt. A carrier that uses a reference twice means the newer message.
    pub fn insert(&mut self, reference: &Reference, part: PartId, terms: &Arc<Terms>) {
        let replaced = self.parts.insert(Key::of(reference), part);
        let chunk = part.message().chunk();
        let common = self.chunks.entry(chunk).or_insert_with(|| Common { terms: Arc::clone(terms), left: 0 });
        common.left += 1;
        if let Some(older) = replaced {
            self.forget_one_of(older.message().chunk());
        }
    }

    fn forget_one_of(&mut self, chunk: i64) {
        if let Some(common) = self.chunks.get_mut(&chunk) {
            common.left -= 1;
            if common.left == 0 {
                self.chunks.remove(&chunk);
            }
        }
    }

    /// The part a receipt is about, with its campaign's terms.
    pub fn find(&self, reference: &Reference) -> Option<(PartId, Arc<Terms>)> {
        let part = *self.parts.get(&Key::of(reference))?;
        let common = self.chunks.get(&part.message().chunk())?;
        Some((part, Arc::clone(&common.terms)))
    }

    /// Awaits it no longer; returns what was awaited.
    pub fn remove(&mut self, reference: &Reference) -> Option<PartId> {
        let part = self.parts.remove(&Key::of(reference))?;
        self.forget_one_of(part.message().chunk());
        Some(part)
    }

    /// How many parts are awaited.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Whether a chunk's receipts are awaited here.
    pub fn has_chunk(&self, chunk: i64) -> bool {
        self.chunks.contains_key(&chunk)
    }

    /// Forgets the count of a chunk whose references were all moved away.
    pub fn drop_chunk(&mut self, chunk: i64) {
        self.chunks.remove(&chunk);
    }

    /// The oldest chunk with awaited receipts: the first to leave memory.
    pub fn oldest_chunk(&self) -> Option<i64> {
        self.chunks.keys().next().copied()
    }
}

/// The parts that had a final receipt lately, the newest [`FINISHED_MAX`].
#[derive(Debug, Default)]
pub struct Finished {
    parts: HashMap<Key, PartId, BuildHasherDefault<Spread>>,
    order: VecDeque<Key>,
}

/// Parts remembered after their receipt: 40 bytes each.
const FINISHED_MAX: usize = 65_536;

impl Finished {
    /// Remembers a part.
    pub fn insert(&mut self, reference: &Reference, part: PartId) {
        let key = Key::of(reference);
        if self.parts.insert(key, part).is_none() {
            self.order.push_back(key);
        }
        while self.order.len() > FINISHED_MAX {
            if let Some(oldest) = self.order.pop_front() {
                self.parts.remove(&oldest);
            }
        }
    }

    /// The part of a reference.
    pub fn find(&self, reference: &Reference) -> Option<PartId> {
        self.parts.get(&Key::of(reference)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::AccountId;
    use crate::money::{Amount, Currency};

    fn reference(text: &str) -> Reference {
        Reference(text.into())
    }

    fn terms() -> Arc<Terms> {
        Arc::new(Terms {
            campaign: 1,
            reserve: AccountId(9),
            wallet: AccountId(8),
            currency: Currency::Naira,
            unit_price: Amount(1),
            refund_undelivered: false,
        })
    }

    #[test]
    fn a_receipt_finds_its_message_until_it_is_awaited_no_longer() {
        let mut awaiting = Awaiting::default();
        let part = PartId::new(MessageId::new(3, 7), WHOLE);
        awaiting.insert(&reference("12345"), part, &terms());
        awaiting.insert(&reference("a0-ff"), PartId::new(MessageId::new(4, 0), 2), &terms());
        let (found, _) = awaiting.find(&reference("12345")).unwrap();
        assert_eq!((found, found.message(), found.is_whole()), (part, MessageId::new(3, 7), true));
        assert!(awaiting.find(&reference("12346")).is_none());
        assert_eq!(awaiting.oldest_chunk(), Some(3));
        awaiting.remove(&reference("12345"));
        awaiting.remove(&reference("12345"));
        assert!(awaiting.find(&reference("12345")).is_none());
        assert_eq!((awaiting.len(), awaiting.oldest_chunk()), (1, Some(4)));
        awaiting.insert(&reference("a0-ff"), PartId::new(MessageId::new(9, 0), WHOLE), &terms());
        assert_eq!(
            (awaiting.len(), awaiting.oldest_chunk()),
            (1, Some(9)),
            "a reference used twice means the newer"
        );
    }
}
