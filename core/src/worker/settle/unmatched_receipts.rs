//! Unmatched receipts: they come after a restart, after their message left memory, or for an `unknown` message.
//!
//! Messages that earlier runs sent are read back into memory in slices; what does not fit there goes to the reference
//! index. A receipt that still matches nothing is tried again for 72 hours; after a minute it may also settle an
//! `unknown` message to the same number from the same sender, if exactly one fits. References that were used again are
//! told apart by the number; after ten minutes a receipt whose number fits no message is matched by its reference
//! alone.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use crate::carrier::Reference;
use crate::error::{Error, Result};
use crate::model::campaign::audience_chunk::Chunk;
use crate::model::campaign::id::ChunkId;
use crate::model::message::id::{MessageId, PartId};
use crate::model::message::receipt_state::RECEIPTS_COME_FOR;
use crate::model::page::RecordScope;
use crate::notice;
use crate::store::message::reroute::Reroutes;
use crate::store::message::unmatched_receipt::{self, Unmatched};
use crate::store::message::{self, number_index};
use crate::store::{Lane, Store, Tx, chunk};
use crate::time::Time;
use crate::worker::settle::Settler;
use crate::worker::settle::late_receipts::{LateReceipts, Match};
use crate::worker::settle::receipt_index::AwaitedPart;

/// Parts awaited in memory at once; beyond it the oldest chunks go to the reference index.
const AWAITED_MAX: usize = 3_000_000;
/// Before an unmatched receipt may settle an unknown message by number, sender and time.
const BY_NUMBER_AFTER: Duration = Duration::from_mins(1);
/// Before a receipt is matched by its reference although it names another number: carriers may change numbers. By then
/// the number index knows every message that it could belong to.
const ANY_NUMBER_AFTER: Duration = Duration::from_mins(10);
/// Parts of one reference that left memory, the newest, whose numbers are compared.
const SAME_REFERENCE: i64 = 16;
/// Time between tries of an unmatched receipt.
const TRY_EVERY: Duration = Duration::from_secs(5);
/// Chunks with unknown messages that the number index does not know yet, read in one call.
const UNINDEXED_CHUNKS: i64 = 256;
/// Unknown messages to one number that are compared; with more of them none is matched.
const UNKNOWN_TO_ONE: i64 = 64;
/// Unmatched receipts tried in one call.
const RECEIPTS: i64 = 500;
/// Messages to one number that are read.
const RECIPIENTS: i64 = 1_000;
/// Chunks read back in one call.
const RELOAD_CHUNKS: i64 = 16;
/// Clocks of carriers and handsets drift: how far before the campaign a receipt may claim to be.
const CLOCK_DRIFT: Duration = Duration::from_hours(1);

/// The position in reading back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backfill {
    below: ChunkId,
}

impl Default for Backfill {
    fn default() -> Self {
        Self { below: ChunkId(i64::MAX) }
    }
}

/// A message that an unmatched receipt may belong to.
struct Candidate {
    message: MessageId,
    sender: String,
    since: Time,
}

impl Settler {
    /// Reads awaited messages of earlier runs back, newest first, some per call; false when all are read.
    pub async fn reload(&mut self, reload: &mut Backfill, now: Time) -> Result<bool> {
        let mut tx = self.store.read().await?;
        let carrier = self.carrier.name().to_owned();
        let chunks =
            chunk::awaiting_receipts(&mut tx, &carrier, now - RECEIPTS_COME_FOR, reload.below, RELOAD_CHUNKS)
                .await?;
        let mut replaced = Vec::new();
        for (id,) in &chunks {
            reload.below = *id;
            if self.awaiting.len() >= AWAITED_MAX {
                drop(tx);
                self.index(replaced).await?;
                return Ok(false);
            }
            let Some(row) = chunk::find(&mut tx, *id).await? else { continue };
            let terms = Arc::new(row.terms.clone());
            let reroutes = Reroutes::of(&mut tx, *id, &row.carrier).await?;
            let data = chunk::audience_data(&mut tx, row.audience_chunk_id).await?;
            let recipients = match Chunk::decode_without_fields(&data) {
                Err(error @ Error::Corrupt(_)) => {
                    tracing::error!(chunk = id.0, %error, "receipts of a chunk are not awaited");
                    continue;
                }
                decoded => decoded?,
            };
            for awaited in message::awaited_in(&mut tx, *id).await? {
                if !went_by(&reroutes, awaited.part_id, &carrier) {
                    continue;
                }
                let reference = Reference(awaited.carrier_ref.into());
                let part = awaited.part_id;
                // A message of this run with the same reference is newer, and may have had its receipt.
                let newer = self.awaiting.find(&reference).map(|(sent, _)| sent);
                let newer = newer.or_else(|| self.finished.find(&reference));
                if newer.is_some_and(|newer| newer.part != part) {
                    replaced.push((reference.0.to_string(), part));
                }
                if newer.is_none() {
                    let number = recipients.numbers().get(usize::from(part.message().place())).copied();
                    self.awaiting.insert(&reference, AwaitedPart::to(part, number), &terms);
                }
            }
        }
        drop(tx);
        self.index(replaced).await?;
        Ok(!chunks.is_empty())
    }

    /// Puts references into the index, where unmatched receipts are looked up.
    async fn index(&self, mut references: Vec<(String, PartId)>) -> Result<()> {
        if references.is_empty() {
            return Ok(());
        }
        references.sort_unstable();
        let input = (self.carrier.name().to_owned(), references);
        self.store
            .write(Lane::Background, input, |tx, (carrier, references)| {
                Box::pin(unmatched_receipt::index_references(tx, carrier, references))
            })
            .await
    }

    /// Moves the oldest awaited messages out of memory when there are too many.
    pub async fn evict(&mut self) -> Result<()> {
        while self.awaiting.len() > AWAITED_MAX {
            let Some(id) = self.awaiting.oldest_chunk() else { return Ok(()) };
            let mut tx = self.store.read().await?;
            let own = chunk::find(&mut tx, id).await?.map_or_else(String::new, |row| row.carrier);
            let reroutes = Reroutes::of(&mut tx, id, &own).await?;
            let references: Vec<(String, PartId)> = message::awaited_in(&mut tx, id)
                .await?
                .into_iter()
                .filter(|awaited| went_by(&reroutes, awaited.part_id, self.carrier.name()))
                .map(|awaited| (awaited.carrier_ref, awaited.part_id))
                .collect();
            drop(tx);
            self.index(references.clone()).await?;
            for (reference, part) in references {
                self.awaiting.remove(&Reference(reference.into()), part);
            }
            self.awaiting.drop_chunk(id);
        }
        Ok(())
    }

    /// Tries unmatched receipts again; returns how many found their message.
    pub async fn match_late(&mut self, now: Time) -> Result<usize> {
        let mut tx = self.store.read().await?;
        let receipts =
            unmatched_receipt::untried(&mut tx, self.carrier.name(), now - TRY_EVERY, RECEIPTS).await?;
        if receipts.is_empty() {
            return Ok(0);
        }
        let mut work = LateReceipts::new(self.carrier.name(), now);
        let mut search = Search::default();
        for late in receipts {
            if notice::is_ours(&mut tx, self.carrier.name(), &late.carrier_ref).await? {
                work.noticed.push(late);
                continue;
            }
            match self.find_late(&mut tx, &late, &mut search, now).await {
                Ok(Some(found)) => work.matched.push((late, found)),
                Ok(None) => work.try_again(&late),
                Err(error @ Error::Corrupt(_)) => {
                    tracing::error!(reference = %late.carrier_ref, %error, "the message of a receipt cannot be looked for");
                    work.try_again(&late);
                }
                Err(error) => return Err(error),
            }
        }
        drop(tx);
        work.write(&self.store).await
    }

    async fn find_late(
        &self,
        tx: &mut Tx,
        late: &Unmatched,
        search: &mut Search,
        now: Time,
    ) -> Result<Option<Match>> {
        let awaited = self.awaiting.find(&Reference(late.carrier_ref.as_str().into())).map(|(sent, _)| sent);
        let mut by_reference = awaited.map(|sent| sent.part);
        if let Some(sent) = awaited.filter(|sent| self.numbers.agree_late(late, sent.number)) {
            return Ok(Some(Match::Part(sent.part)));
        }
        let parts =
            unmatched_receipt::find_reference(tx, self.carrier.name(), &late.carrier_ref, SAME_REFERENCE)
                .await?;
        let mut damaged = None;
        for part in parts {
            by_reference = by_reference.or(Some(part));
            let number = match search.number_of(tx, part.message()).await {
                Err(error @ Error::Corrupt(_)) => {
                    damaged = Some(error.in_row("chunk", part.message().chunk()));
                    continue;
                }
                number => number?,
            };
            if self.numbers.agree_late(late, number) {
                return Ok(Some(Match::Part(part)));
            }
        }
        // It may be the one that cannot be compared, and then is no other's.
        if let Some(error) = damaged {
            return Err(error);
        }
        let Some(number) = late.recipient else { return Ok(None) };
        if now.since(late.received_at) < BY_NUMBER_AFTER {
            return Ok(None);
        }
        // A repeated receipt belongs to the message that has its reference, not to an unknown one.
        let (indexed, since) = (search.indexed(tx, number).await?, late.received_at - RECEIPTS_COME_FOR);
        if let Some(message) = message::with_reference(tx, indexed, &late.carrier_ref, since).await? {
            return Ok(Some(Match::Message(message)));
        }
        let possible = search.candidates(tx, self.carrier.name(), number).await?;
        let at = late.done_at.unwrap_or(late.received_at);
        let mut meant = possible.into_iter().filter(|candidate| {
            late.sender.as_ref().is_none_or(|sender| *sender == candidate.sender)
                && at >= candidate.since - CLOCK_DRIFT
        });
        // Exactly one must fit.
        Ok(match (meant.next(), meant.next()) {
            (Some(_), Some(_)) => None,
            (Some(candidate), None) => Some(Match::Message(candidate.message)),
            (None, _) if now.since(late.received_at) < ANY_NUMBER_AFTER => None,
            (None, _) => by_reference.map(Match::Part),
        })
    }
}

/// Whether a part's message went by this carrier: other carriers use the same references for other messages.
fn went_by(reroutes: &Reroutes, part: PartId, carrier: &str) -> bool {
    reroutes.carrier_of(part.message().place()) == carrier
}

/// Finds the unknown messages to a number: in the number index, and in chunks that are not indexed yet, which are read
/// once per call.
#[derive(Default)]
struct Search {
    chunks: HashMap<ChunkId, Sent>,
    /// Recipients of chunks that were read, by chunk.
    recipients: HashMap<ChunkId, Option<Chunk>>,
    /// By number; the inner `None` means too many to read.
    unindexed: Option<Option<HashMap<i64, Vec<MessageId>>>>,
    /// Messages that the index knows of, by number.
    indexed: HashMap<i64, Vec<MessageId>>,
}

/// What is known of a chunk's messages.
struct Sent {
    reroutes: Reroutes,
    sender: String,
    since: Time,
}

impl Search {
    /// The messages to a number that the index knows of. Each number is looked up once per call.
    async fn indexed(&mut self, tx: &mut Tx, number: i64) -> Result<&[MessageId]> {
        if self.unindexed.is_none() {
            // Read before the index: a message that is indexed meanwhile is found twice rather than missed.
            self.unindexed = Some(unindexed(tx).await?);
        }
        Ok(match self.indexed.entry(number) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                place.insert(number_index::indexed(tx, RecordScope::All, number, None, RECIPIENTS).await?)
            }
        })
    }

    /// The unknown messages to a number that went by a carrier; empty when not all of them can be read.
    async fn candidates(&mut self, tx: &mut Tx, carrier: &str, number: i64) -> Result<Vec<Candidate>> {
        let indexed = self.indexed(tx, number).await?;
        let indexed = message::unknown_among(tx, indexed, UNKNOWN_TO_ONE + 1).await?;
        let unindexed = self.unindexed.as_ref().and_then(Option::as_ref);
        let Some(unindexed) = unindexed.map(|by_number| by_number.get(&number)) else {
            return Ok(Vec::new());
        };
        let mut messages: BTreeSet<MessageId> = indexed.into_iter().collect();
        messages.extend(unindexed.into_iter().flatten());
        if messages.len() as i64 > UNKNOWN_TO_ONE {
            return Ok(Vec::new());
        }
        let mut candidates = Vec::new();
        for message in messages {
            let Some(sent) = self.sent(tx, message.chunk()).await? else { continue };
            if sent.reroutes.carrier_of(message.place()) == carrier {
                candidates.push(Candidate { message, sender: sent.sender.clone(), since: sent.since });
            }
        }
        Ok(candidates)
    }

    /// The number of a message, zero where it is not known any more. Each chunk is read once per call.
    async fn number_of(&mut self, tx: &mut Tx, message: MessageId) -> Result<u64> {
        if let Entry::Vacant(place) = self.recipients.entry(message.chunk()) {
            let read = match chunk::find(tx, message.chunk()).await? {
                Some(row) => Some(Chunk::decode_without_fields(
                    &chunk::audience_data(tx, row.audience_chunk_id).await?,
                )?),
                None => None,
            };
            place.insert(read);
        }
        let chunk = self.recipients.get(&message.chunk()).and_then(Option::as_ref);
        let number = chunk.and_then(|chunk| chunk.numbers().get(usize::from(message.place())));
        Ok(number.map_or(0, |number| number.digits()))
    }

    async fn sent(&mut self, tx: &mut Tx, id: ChunkId) -> Result<Option<&Sent>> {
        if let Entry::Vacant(place) = self.chunks.entry(id) {
            let Some(row) = chunk::find(tx, id).await? else { return Ok(None) };
            let reroutes = Reroutes::of(tx, id, &row.carrier).await?;
            let since = row.began_at.unwrap_or_default();
            place.insert(Sent { reroutes, sender: row.sender, since });
        }
        Ok(self.chunks.get(&id))
    }
}

/// The unknown messages that are not in the number index yet, by number; `None` when there are too many, or some cannot be read:
/// then the index is waited for, as exactly one of all must fit.
async fn unindexed(tx: &mut Tx) -> Result<Option<HashMap<i64, Vec<MessageId>>>> {
    let chunks = chunk::with_unknown_unindexed(tx, UNINDEXED_CHUNKS + 1).await?;
    if chunks.len() as i64 > UNINDEXED_CHUNKS {
        return Ok(None);
    }
    let mut by_number: HashMap<i64, Vec<MessageId>> = HashMap::new();
    for (id, audience_chunk) in chunks {
        let recipients = match Chunk::decode_without_fields(&chunk::audience_data(tx, audience_chunk).await?)
        {
            Err(error @ Error::Corrupt(_)) => {
                tracing::error!(chunk = id.0, %error, "receipts are not compared with unknown messages by number");
                return Ok(None);
            }
            decoded => decoded?,
        };
        for message in message::unknown_in(tx, id).await? {
            let Some(number) = recipients.numbers().get(usize::from(message.place())) else { continue };
            by_number.entry(i64::try_from(number.digits()).unwrap_or_default()).or_default().push(message);
        }
    }
    Ok(Some(by_number))
}

/// How many receipts are unmatched, for metrics.
pub async fn unmatched(store: &Store) -> Result<i64> {
    unmatched_receipt::count_unmatched(&mut store.read().await?).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::model::message::status::MessageStatus;
    use crate::testing::builder::{Spot, build};
    use crate::worker::jobs::number_index;

    both_databases! {
        async fn a_message_is_known_by_its_reference_whatever_its_audience_s_chunk_is_called(store: Store) {
            let first = build(&store, "ada").chunk(&[Spot::Answered(MessageStatus::Submitted)]).store().await;
            // The same audience once more: from here on chunks of audiences and of campaigns have other ids.
            first.run_again(&store).await;
            let last = build(&store, "ada").chunk(&[Spot::Answered(MessageStatus::Submitted)]).store().await;
            assert_ne!(last.chunks[0].0, last.audience_chunks[0].0);
            while number_index::tick(&store, Time(0)).await.unwrap() {}
            let mut tx = store.read().await.unwrap();
            for built in [&first, &last] {
                let number = built.numbers[0].digits().cast_signed();
                let message = MessageId::new(built.chunks[0], 0);
                let mut search = Search::default();
                let named = message.0.to_string();
                let indexed = search.indexed(&mut tx, number).await.unwrap();
                let found = message::with_reference(&mut tx, indexed, &named, Time(0)).await.unwrap();
                assert_eq!(found, Some(message));
                let found = message::with_reference(&mut tx, indexed, "another", Time(0)).await.unwrap();
                assert_eq!(found, None);
            }
        }

        async fn an_unknown_message_is_found_however_many_younger_ones_there_are(store: Store) {
            let built = build(&store, "ada").chunk(&[Spot::Answered(MessageStatus::Unknown)]).store().await;
            let number = built.numbers[0].digits().cast_signed();
            for _ in 0..80 {
                build(&store, "ben").chunk(&[Spot::Answered(MessageStatus::Unknown)]).store().await;
            }
            let found = async |number| {
                let mut tx = store.read().await.unwrap();
                let found = Search::default().candidates(&mut tx, "main", number).await.unwrap();
                found.into_iter().map(|candidate| candidate.message).collect::<Vec<_>>()
            };
            let meant = MessageId::new(built.chunks[0], 0);
            assert!(found(number).await.contains(&meant), "before it is indexed");
            while number_index::tick(&store, Time(0)).await.unwrap() {}
            assert!(found(number).await.contains(&meant), "once it is indexed");
            assert_eq!(found(1).await, vec![]);
        }
    }
}
