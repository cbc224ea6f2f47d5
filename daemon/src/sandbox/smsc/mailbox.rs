//! What waits for a client, bound or not: receipts and messages from handsets.
//!
//! What was given out and not acknowledged comes back when its connection ends; and a waiting receipt
//! costs 12 octets, so that millions may wait.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::pdu::{Fate, Piece};
use super::schedule::Schedule;

/// Receipts that may wait for one client; more are lost, and counted.
pub(super) const WAITING_MAX: usize = 8_000_000;

/// Senders that are remembered one by one; a receipt for a message from any further one names none.
const SENDERS_MAX: usize = 2_048;

/// A receipt that waits, in 12 octets: 50 bits of handset, 2 of fate, 11 of sender, 32 of message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Waiting([u32; 3]);

impl Waiting {
    pub(super) const fn new(handset: u64, fate: Fate, sender: u16, message: u32) -> Self {
        let packed = handset | (fate as u64) << 50 | (sender as u64) << 52;
        Self([(packed >> 32) as u32, packed as u32, message])
    }

    const fn packed(self) -> u64 {
        (self.0[0] as u64) << 32 | self.0[1] as u64
    }

    pub(super) const fn handset(self) -> u64 {
        self.packed() & ((1 << 50) - 1)
    }

    pub(super) const fn fate(self) -> Fate {
        match (self.packed() >> 50) & 3 {
            0 => Fate::Delivered,
            1 => Fate::Undelivered,
            _ => Fate::Expired,
        }
    }

    pub(super) const fn sender(self) -> u16 {
        (self.packed() >> 52) as u16
    }

    /// Its place after the first message.
    pub(super) const fn message(self) -> u32 {
        self.0[2]
    }
}

/// A message from a handset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FromHandset {
    /// The handset.
    pub from: String,
    /// The number it wrote to.
    pub to: String,
    /// In several parts when it has more than 70 characters.
    pub text: String,
}

/// Octets of a message in one piece, and of each of several.
const WHOLE_MAX: usize = 140;
const PART_MAX: usize = 134;

impl FromHandset {
    /// The pieces. Cut wherever one is full, as some handsets do: a character may lie across two.
    pub(super) fn pieces(&self, reference: u8) -> Vec<Piece> {
        let octets: Vec<u8> = self.text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let piece = |header: Vec<u8>, octets: &[u8]| Piece {
            from: self.from.clone(),
            to: self.to.clone(),
            header,
            octets: octets.to_vec(),
        };
        if octets.len() <= WHOLE_MAX {
            return vec![piece(Vec::new(), &octets)];
        }
        let total = octets.len().div_ceil(PART_MAX).min(255) as u8;
        let parts = octets.chunks(PART_MAX).zip(1..=total);
        parts.map(|(octets, place)| piece(vec![5, 0, 3, reference, total, place], octets)).collect()
    }
}

/// Something for a client.
#[derive(Clone, Debug)]
pub(super) enum Letter {
    Receipt(Waiting),
    Inbound(Arc<Piece>),
}

#[derive(Debug, Default)]
struct Inside {
    later: Schedule<Waiting>,
    ready: VecDeque<Waiting>,
    inbound: VecDeque<Arc<Piece>>,
    /// Messages in parts so far.
    in_parts: u8,
}

/// What waits for one system_id.
#[derive(Debug, Default)]
pub(super) struct Mailbox {
    inside: Mutex<Inside>,
    pub(super) bell: Notify,
}

impl Mailbox {
    /// Puts receipts in, each due at its millisecond; returns how many found no room.
    pub(super) fn put(&self, receipts: &mut Vec<(u64, Waiting)>, now: u64) -> usize {
        let mut inside = lock(&self.inside);
        let room = WAITING_MAX.saturating_sub(inside.later.len() + inside.ready.len());
        let lost = receipts.len().saturating_sub(room);
        for (at, receipt) in receipts.drain(..).take(room) {
            if at <= now {
                inside.ready.push_back(receipt);
            } else {
                inside.later.push(at, receipt);
            }
        }
        drop(inside);
        self.bell.notify_waiters();
        lost
    }

    pub(super) fn put_inbound(&self, message: &FromHandset) {
        let mut inside = lock(&self.inside);
        inside.in_parts = inside.in_parts.wrapping_add(1);
        let pieces = message.pieces(inside.in_parts);
        inside.inbound.extend(pieces.into_iter().map(Arc::new));
        drop(inside);
        self.bell.notify_waiters();
    }

    /// Takes back what a connection did not have acknowledged; it is due again at once.
    pub(super) fn put_back(&self, letters: impl Iterator<Item = Letter>) {
        let mut inside = lock(&self.inside);
        for letter in letters {
            match letter {
                Letter::Receipt(receipt) => inside.ready.push_back(receipt),
                Letter::Inbound(message) => inside.inbound.push_back(message),
            }
        }
        drop(inside);
        self.bell.notify_waiters();
    }

    /// Takes out up to `count` letters that are due, and says when the next one is.
    pub(super) fn take(&self, count: usize, now: u64, into: &mut Vec<Letter>) -> Option<u64> {
        let mut inside = lock(&self.inside);
        while let Some(due) = inside.later.pop(now) {
            inside.ready.extend(due);
        }
        let Inside { later, ready, inbound, .. } = &mut *inside;
        let messages = count.min(inbound.len());
        into.extend(inbound.drain(..messages).map(Letter::Inbound));
        let receipts = (count - messages).min(ready.len());
        into.extend(ready.drain(..receipts).map(Letter::Receipt));
        later.next()
    }

    /// Receipts that wait.
    pub(super) fn len(&self) -> usize {
        let inside = lock(&self.inside);
        inside.later.len() + inside.ready.len()
    }
}

/// The senders of messages, each kept once.
#[derive(Debug, Default)]
pub(super) struct Senders(Mutex<Vec<Arc<Sender>>>);

/// Type of number, numbering plan, address.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Sender {
    pub(super) ton: u8,
    pub(super) npi: u8,
    pub(super) address: Box<[u8]>,
}

impl Senders {
    /// The number of a sender.
    pub(super) fn number(&self, (ton, npi, address): (u8, u8, &[u8])) -> u16 {
        let mut senders = lock(&self.0);
        let known = |sender: &Arc<Sender>| (sender.ton, sender.npi, &*sender.address) == (ton, npi, address);
        let place = senders.iter().position(known).unwrap_or_else(|| {
            if senders.len() + 1 < SENDERS_MAX {
                senders.push(Arc::new(Sender { ton, npi, address: address.into() }));
            }
            senders.len() - 1
        });
        place as u16
    }

    pub(super) fn sender(&self, number: u16) -> Option<Arc<Sender>> {
        lock(&self.0).get(usize::from(number)).cloned()
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_waiting_receipt_is_12_octets_and_forgets_nothing() {
        assert_eq!(size_of::<Waiting>(), 12);
        for fate in [Fate::Delivered, Fate::Undelivered, Fate::Expired] {
            let waiting = Waiting::new(999_999_999_999_999, fate, 2_047, u32::MAX);
            assert_eq!((waiting.handset(), waiting.fate()), (999_999_999_999_999, fate));
            assert_eq!((waiting.sender(), waiting.message()), (2_047, u32::MAX));
        }
    }

    #[test]
    fn letters_come_when_they_are_due_and_come_back_if_not_acknowledged() {
        let mailbox = Mailbox::default();
        let receipt = |message| Waiting::new(2_348_031_234_567, Fate::Delivered, 0, message);
        assert_eq!(mailbox.put(&mut vec![(0, receipt(1)), (50, receipt(2))], 10), 0);
        let mut letters = Vec::new();
        assert_eq!(mailbox.take(10, 10, &mut letters), Some(50));
        assert_eq!(letters.len(), 1);
        mailbox.put_back(letters.drain(..));
        assert_eq!(mailbox.take(10, 50, &mut letters), None);
        let messages: Vec<_> = letters
            .iter()
            .map(|letter| match letter {
                Letter::Receipt(receipt) => receipt.message(),
                Letter::Inbound(message) => panic!("{message:?}"),
            })
            .collect();
        assert_eq!(messages, [1, 2]);
    }

    #[test]
    fn a_sender_is_kept_once() {
        let senders = Senders::default();
        let number = senders.number((5, 0, b"Talkdrum"));
        assert_eq!(senders.number((5, 0, b"Talkdrum")), number);
        assert_ne!(senders.number((1, 1, b"234")), number);
        assert_eq!(&*senders.sender(number).unwrap().address, b"Talkdrum");
    }
}
