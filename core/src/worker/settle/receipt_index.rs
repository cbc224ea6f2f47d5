//! The messages that await receipts, by the carrier's reference, in memory.
//!
//! An entry is a 64-bit key of the reference, the part that it belongs to and the number that it was sent to: 25 bytes, 28 to
//! 57 with the room that tables keep. When there are too many, the oldest go to the store's reference index, a chunk at a
//! time; those of earlier runs are read back in slices.
//!
//! Carriers use references again. A receipt that names another number than the message with its reference belongs to
//! another message, whose answer is still to come or which left memory ([`Numbers`]).

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::hash::{BuildHasher as _, BuildHasherDefault, Hash, Hasher};
use std::sync::Arc;

use crate::carrier::{Receipt, Reference};
use crate::model::campaign::id::ChunkId;
use crate::model::message::id::PartId;
use crate::model::message::outcome::Terms;
use crate::phone::Msisdn;
use crate::store::message::unmatched_receipt::Unmatched;

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

/// Hashes keys that are already numbers: carriers count up, so one multiplication is enough.
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

/// A part whose receipt is awaited or came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AwaitedPart {
    /// The part.
    pub part: PartId,
    /// The digits of the number it went to; zero where that is not known.
    pub number: u64,
}

impl AwaitedPart {
    /// A part that went to this number.
    pub fn to(part: PartId, number: Option<Msisdn>) -> Self {
        Self { part, number: number.map_or(0, Msisdn::digits) }
    }
}

/// Whether a carrier's receipts name the numbers that its messages were sent to.
///
/// Most do. Some carriers change numbers, so that none of their receipts would match: after [`DOUBTED`] receipts with
/// another number, numbers are compared only while at least as many agreed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Numbers {
    right: u64,
    wrong: u64,
}

/// Receipts with another number after which a carrier's numbers are doubted.
const DOUBTED: u64 = 32;

impl Numbers {
    /// Whether a receipt may belong to this part, as far as its numbers tell. Some carriers swap handset and sender.
    pub fn agree(&mut self, receipt: &Receipt, sent: AwaitedPart) -> bool {
        let Some(to) = receipt.to.filter(|_| sent.number != 0) else { return true };
        let is_from = || receipt.from.as_deref().is_some_and(|from| same_number(from, sent.number));
        let is_right = to.digits() == sent.number || is_from();
        *(if is_right { &mut self.right } else { &mut self.wrong }) += 1;
        is_right || self.are_doubted()
    }

    /// The same for a receipt that was stored.
    pub fn agree_late(self, late: &Unmatched, number: u64) -> bool {
        let Some(to) = late.recipient.filter(|_| number != 0) else { return true };
        // A message is over when its number is erased: the receipt is of another with the same reference.
        if Msisdn::from_digits(number).is_none() {
            return false;
        }
        to.cast_unsigned() == number
            || late.sender.as_deref().is_some_and(|from| same_number(from, number))
            || self.are_doubted()
    }

    const fn are_doubted(self) -> bool {
        self.wrong > DOUBTED && self.wrong > self.right
    }
}

/// Whether a text is this number.
fn same_number(text: &str, number: u64) -> bool {
    crate::phone::parse(text).is_ok_and(|parsed| parsed.digits() == number)
}

/// What the awaited parts of a chunk have in common, and how many there are.
#[derive(Clone, Debug)]
struct Common {
    terms: Arc<Terms>,
    left: u32,
}

type PartsByKey = HashMap<Key, AwaitedPart, BuildHasherDefault<Spread>>;

/// Parts by their keys, in several tables: one that grows holds its old room beside the new, and is a small part of all.
#[derive(Debug, Default)]
struct Parts([PartsByKey; 16]);

/// The room for parts that each table keeps, however few it holds.
const ROOM_KEPT: usize = 4_096;

impl Parts {
    /// The table of a key, by bits of its hash that the table itself does not look at: it takes the lowest and the highest.
    fn table_of(&self, key: Key) -> usize {
        let hash = BuildHasherDefault::<Spread>::default().hash_one(key);
        (hash >> 32) as usize % self.0.len()
    }

    fn get(&self, key: Key) -> Option<&AwaitedPart> {
        self.0[self.table_of(key)].get(&key)
    }

    fn insert(&mut self, key: Key, part: AwaitedPart) -> Option<AwaitedPart> {
        self.0[self.table_of(key)].insert(key, part)
    }

    /// Takes a part out. A table of which an eighth is in use gives room back, but for as much again as it uses.
    fn remove(&mut self, key: Key) {
        let table = &mut self.0[self.table_of(key)];
        table.remove(&key);
        if table.capacity() > ROOM_KEPT && table.len() < table.capacity() / 8 {
            table.shrink_to(2 * table.len());
        }
    }

    fn len(&self) -> usize {
        self.0.iter().map(HashMap::len).sum()
    }
}

/// The awaited parts, by reference.
#[derive(Debug, Default)]
pub struct Awaiting {
    parts: Parts,
    chunks: BTreeMap<ChunkId, Common>,
}

impl Awaiting {
    /// Awaits a receipt. Of two parts with one reference the newer one is meant; returns the older one, whose receipt
    /// may still come.
    pub fn insert(
        &mut self,
        reference: &Reference,
        sent: AwaitedPart,
        terms: &Arc<Terms>,
    ) -> Option<AwaitedPart> {
        let replaced = self.parts.insert(Key::of(reference), sent);
        let chunk = sent.part.message().chunk();
        let common = self.chunks.entry(chunk).or_insert_with(|| Common { terms: Arc::clone(terms), left: 0 });
        common.left += 1;
        if let Some(older) = replaced {
            self.forget_one_of(older.part.message().chunk());
        }
        replaced.filter(|older| older.part != sent.part)
    }

    fn forget_one_of(&mut self, chunk: ChunkId) {
        if let Some(common) = self.chunks.get_mut(&chunk) {
            common.left -= 1;
            if common.left == 0 {
                self.chunks.remove(&chunk);
            }
        }
    }

    /// The part with a reference, and its campaign's terms.
    pub fn find(&self, reference: &Reference) -> Option<(AwaitedPart, Arc<Terms>)> {
        let sent = *self.parts.get(Key::of(reference))?;
        let common = self.chunks.get(&sent.part.message().chunk())?;
        Some((sent, Arc::clone(&common.terms)))
    }

    /// Stops awaiting this part; false when the reference belongs to another one by now.
    pub fn remove(&mut self, reference: &Reference, part: PartId) -> bool {
        let key = Key::of(reference);
        if self.parts.get(key).is_none_or(|sent| sent.part != part) {
            return false;
        }
        self.parts.remove(key);
        self.forget_one_of(part.message().chunk());
        true
    }

    /// How many parts are awaited.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a chunk's receipts are awaited here.
    pub fn has_chunk(&self, chunk: ChunkId) -> bool {
        self.chunks.contains_key(&chunk)
    }

    /// Forgets the count of a chunk whose references were all moved away.
    pub fn drop_chunk(&mut self, chunk: ChunkId) {
        self.chunks.remove(&chunk);
    }

    /// The oldest chunk with awaited receipts: the first to leave memory.
    pub fn oldest_chunk(&self) -> Option<ChunkId> {
        self.chunks.keys().next().copied()
    }
}

/// The last [`FINISHED_MAX`] parts that had a final receipt.
#[derive(Debug, Default)]
pub struct FinishedParts {
    parts: PartsByKey,
    order: VecDeque<Key>,
}

/// Parts remembered after their receipt: 48 bytes each.
const FINISHED_MAX: usize = 65_536;

impl FinishedParts {
    /// Remembers a part.
    pub fn insert(&mut self, reference: &Reference, sent: AwaitedPart) {
        let key = Key::of(reference);
        if self.parts.insert(key, sent).is_none() {
            self.order.push_back(key);
        }
        while self.order.len() > FINISHED_MAX {
            if let Some(oldest) = self.order.pop_front() {
                self.parts.remove(&oldest);
            }
        }
    }

    /// The part of a reference.
    pub fn find(&self, reference: &Reference) -> Option<AwaitedPart> {
        self.parts.get(&Key::of(reference)).copied()
    }
}

#[cfg(test)]
mod tests {
    use talkdrum_api::money::{Amount, Currency};

    use super::*;
    use crate::model::campaign::id::CampaignId;
    use crate::model::message::id::{MessageId, WHOLE};
    use crate::model::money::ledger::AccountId;

    fn reference(text: &str) -> Reference {
        Reference(text.into())
    }

    fn terms() -> Arc<Terms> {
        Arc::new(Terms {
            campaign: CampaignId(1),
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
        let part = PartId::new(MessageId::new(ChunkId(3), 7), WHOLE);
        let other = PartId::new(MessageId::new(ChunkId(4), 0), 2);
        awaiting.insert(&reference("12345"), AwaitedPart::to(part, None), &terms());
        awaiting.insert(&reference("a0-ff"), AwaitedPart::to(other, None), &terms());
        let (AwaitedPart { part: found, .. }, _) = awaiting.find(&reference("12345")).unwrap();
        assert_eq!((found, found.message(), found.is_whole()), (part, MessageId::new(ChunkId(3), 7), true));
        assert!(awaiting.find(&reference("12346")).is_none());
        assert_eq!(awaiting.oldest_chunk(), Some(ChunkId(3)));
        assert!(!awaiting.remove(&reference("12345"), other), "the reference stands for another part");
        assert!(awaiting.remove(&reference("12345"), part));
        assert!(!awaiting.remove(&reference("12345"), part));
        assert!(awaiting.find(&reference("12345")).is_none());
        assert_eq!((awaiting.len(), awaiting.oldest_chunk()), (1, Some(ChunkId(4))));
        let newer = PartId::new(MessageId::new(ChunkId(9), 0), WHOLE);
        awaiting.insert(&reference("a0-ff"), AwaitedPart::to(newer, None), &terms());
        assert_eq!(
            (awaiting.len(), awaiting.oldest_chunk()),
            (1, Some(ChunkId(9))),
            "a reference used twice means the newer"
        );
    }

    #[test]
    fn the_room_of_receipts_that_came_is_given_back() {
        let mut awaiting = Awaiting::default();
        let part = |n: u16| PartId::new(MessageId::new(ChunkId(3 + i64::from(n / 4_000)), n % 4_000), WHOLE);
        let keys = (0..60_000).map(|n: u16| (reference(&(u64::from(n) * 7_919).to_string()), part(n)));
        for (key, part) in keys.clone() {
            awaiting.insert(&key, AwaitedPart::to(part, None), &terms());
        }
        assert_eq!(awaiting.len(), 60_000);
        let room = |awaiting: &Awaiting| awaiting.parts.0.iter().map(HashMap::capacity).sum::<usize>();
        let fewest = awaiting.parts.0.iter().map(HashMap::len).min().unwrap();
        assert!(fewest > 3_000, "the tables share what is awaited: {fewest}");
        for (key, part) in keys.skip(16) {
            assert!(awaiting.remove(&key, part));
        }
        assert!(room(&awaiting) <= 16 * ROOM_KEPT, "{}", room(&awaiting));
        assert!((0..16).all(|n| awaiting.find(&reference(&(n * 7_919).to_string())).is_some()));
    }

    fn receipt(to: &str, from: &str) -> Receipt {
        Receipt {
            reference: reference("7"),
            to: crate::phone::parse(to).ok(),
            from: Some(from.into()),
            state: crate::model::message::receipt_state::ReceiptState::Delivered,
            error: None,
            done_at: None,
            token: crate::carrier::ReceiptToken { connection: 0, sequence: 0 },
        }
    }

    #[test]
    fn a_receipt_agrees_by_its_number_on_either_side_or_by_naming_none() {
        let part = PartId::new(MessageId::new(ChunkId(3), 7), WHOLE);
        let sent = AwaitedPart::to(part, crate::phone::parse("08031234567").ok());
        let mut numbers = Numbers::default();
        assert!(numbers.agree(&receipt("2348031234567", "WEBSMS"), sent));
        assert!(
            numbers.agree(&receipt("2348090000001", "08031234567"), sent),
            "source and destination swapped"
        );
        assert!(numbers.agree(&receipt("", "WEBSMS"), sent));
        assert!(numbers.agree(&receipt("2348051234567", "WEBSMS"), AwaitedPart::to(part, None)));
        assert!(!numbers.agree(&receipt("2348051234567", "WEBSMS"), sent));
    }

    #[test]
    fn numbers_that_are_nearly_always_others_are_compared_no_longer() {
        let part = PartId::new(MessageId::new(ChunkId(3), 7), WHOLE);
        let sent = AwaitedPart::to(part, crate::phone::parse("08031234567").ok());
        let mut numbers = Numbers::default();
        let wrong = receipt("2348051234567", "WEBSMS");
        let refused = (0..100).filter(|_| !numbers.agree(&wrong, sent)).count() as u64;
        assert_eq!(refused, DOUBTED);
        let mut numbers = Numbers::default();
        for _ in 0..100 {
            assert!(numbers.agree(&receipt("2348031234567", "WEBSMS"), sent));
        }
        assert_eq!((0..100).filter(|_| numbers.agree(&wrong, sent)).count(), 0);
    }
}
