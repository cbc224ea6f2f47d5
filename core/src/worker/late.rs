//! Receipts that come late: after a restart, after memory let go of their message, or to a message nobody knows of.
//!
//! What was sent before this run is read back into memory in slices; what no longer fits there goes to the reference
//! index. A receipt that still matches nothing is tried again and again for 72 hours; after a minute it may also settle
//! an `unknown` message to the same number from the same sender, if exactly one of the newest could be meant.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use super::awaiting::PartId;
use super::settle::Settler;
use crate::campaign::audience::Chunk;
use crate::campaign::detour::Detours;
use crate::campaign::fact::Fact;
use crate::campaign::settlement;
use crate::campaign::status::MessageStatus;
use crate::carrier::{MessageId, Reference};
use crate::clock::Time;
use crate::error::Result;
use crate::notice;
use crate::store::message::PartReceipt;
use crate::store::receipt::{self, Unmatched};
use crate::store::report::Scope;
use crate::store::{Lane, Store, Tx, chunk, message, search};

/// How long a receipt may come after its message, and how long one that matches nothing is kept.
pub const MEMORY: Duration = Duration::from_hours(72);
/// Parts awaited in memory at once; beyond it the oldest chunks go to the reference index.
const AWAITED_MAX: usize = 3_000_000;
/// Before an unmatched receipt may settle an unknown message by number, sender and time.
const BY_NUMBER_AFTER: Duration = Duration::from_mins(1);
/// Between tries of an unmatched receipt.
const TRY_EVERY: Duration = Duration::from_secs(5);
/// Chunks with unknown messages looked at for one call.
const UNKNOWN_CHUNKS: i64 = 64;
/// Unmatched receipts looked at in one call.
const RECEIPTS: i64 = 500;
/// Recipients of one number that are looked at.
const RECIPIENTS: i64 = 1_000;
/// Chunks read back in one call.
const RELOAD_CHUNKS: i64 = 16;
/// Clocks of carriers and handsets drift: how far before the campaign a receipt may claim to be.
const CLOCK_DRIFT: Duration = Duration::from_hours(1);

/// Where reading back stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reload {
    below: i64,
}

impl Default for Reload {
    fn default() -> Self {
        Self { below: i64::MAX }
    }
}

/// A message that an unmatched receipt may be about.
struct Candidate {
    message: MessageId,
    sender: String,
    since: Time,
}

/// What a receipt turned out to be about.
enum Match {
    Part(PartId),
    Message(MessageId),
}

impl Settler {
    /// Reads some awaited messages of earlier runs back, newest first; false when all are.
    pub async fn reload(&mut self, reload: &mut Reload, now: Time) -> Result<bool> {
        let mut tx = self.store.read().await?;
        let carrier = self.carrier.name().to_owned();
        let chunks =
            chunk::awaiting_receipts(&mut tx, &carrier, now - MEMORY, reload.below, RELOAD_CHUNKS).await?;
        for (id,) in &chunks {
            reload.below = *id;
            if self.awaiting.len() >= AWAITED_MAX {
                return Ok(false);
            }
            let Some(row) = chunk::find(&mut tx, *id).await? else { continue };
            let terms = Arc::new(row.terms()?);
            let detours = Detours::of(&mut tx, *id, &row.carrier).await?;
            for awaited in message::awaited_in(&mut tx, *id).await? {
                if !went_by(&detours, awaited.part_id, &carrier) {
                    continue;
                }
                let reference = Reference(awaited.carrier_ref.into());
                // What this run sent under the same reference is newer; and it may hold the receipt.
                if self.awaiting.find(&reference).is_none() && self.finished.find(&reference).is_none() {
                    self.awaiting.insert(&reference, PartId(awaited.part_id), &terms);
                }
            }
        }
        Ok(!chunks.is_empty())
    }

    /// Moves the oldest awaited messages out of memory when there are too many.
    pub async fn evict(&mut self) -> Result<()> {
        while self.awaiting.len() > AWAITED_MAX {
            let Some(id) = self.awaiting.oldest_chunk() else { return Ok(()) };
            let mut tx = self.store.read().await?;
            let own = chunk::find(&mut tx, id).await?.map_or_else(String::new, |row| row.carrier);
            let detours = Detours::of(&mut tx, id, &own).await?;
            let mut references: Vec<(String, i64)> = message::awaited_in(&mut tx, id)
                .await?
                .into_iter()
                .filter(|awaited| went_by(&detours, awaited.part_id, self.carrier.name()))
                .map(|awaited| (awaited.carrier_ref, awaited.part_id))
                .collect();
            drop(tx);
            references.sort_unstable();
            let input = (self.carrier.name().to_owned(), references);
            self.store
                .write(Lane::Background, input.clone(), |tx, (carrier, references)| {
                    Box::pin(receipt::index_references(tx, carrier, references))
                })
                .await?;
            for (reference, _) in input.1 {
                self.awaiting.remove(&Reference(reference.into()));
            }
            self.awaiting.drop_chunk(id);
        }
        Ok(())
    }

    /// Tries unmatched receipts again; returns how many found their message.
    pub async fn match_late(&mut self, now: Time) -> Result<usize> {
        let mut tx = self.store.read().await?;
        let receipts = receipt::untried(&mut tx, self.carrier.name(), now - TRY_EVERY, RECEIPTS).await?;
        if receipts.is_empty() {
            return Ok(0);
        }
        let mut work = Late { now, carrier: self.carrier.name().into(), ..Late::default() };
        let mut candidates = None;
        for late in receipts {
            if notice::is_ours(&mut tx, self.carrier.name(), &late.carrier_ref).await? {
                work.noticed.push(late);
                continue;
            }
            let found = self.find_late(&mut tx, &late, &mut candidates, now).await?;
            match (found, MessageStatus::from_name(&late.state)) {
                (Some(found), Some(status)) => work.matched(&late, &found, status),
                _ if now.since(Time(late.received_at)) > MEMORY => work.forgotten.push(late.id),
                _ => work.tried.push(late.id),
            }
        }
        drop(tx);
        let matched = work.facts.len() + work.parts.len();
        self.store.write(Lane::Background, work, |tx, work| Box::pin(work.write(tx))).await?;
        Ok(matched)
    }

    async fn find_late(
        &self,
        tx: &mut Tx,
        late: &Unmatched,
        candidates: &mut Option<HashMap<i64, Vec<Candidate>>>,
        now: Time,
    ) -> Result<Option<Match>> {
        if let Some((part, _)) = self.awaiting.find(&Reference(late.carrier_ref.as_str().into())) {
            return Ok(Some(Match::Part(part)));
        }
        if let Some(part) = receipt::find_reference(tx, self.carrier.name(), &late.carrier_ref).await? {
            return Ok(Some(Match::Part(PartId(part))));
        }
        let Some(number) = late.recipient else { return Ok(None) };
        if now.since(Time(late.received_at)) < BY_NUMBER_AFTER {
            return Ok(None);
        }
        // A repetition is about the message that has its reference, not about one that nobody knows of.
        if let Some(message) = named_before(tx, number, &late.carrier_ref).await? {
            return Ok(Some(Match::Message(message)));
        }
        if candidates.is_none() {
            *candidates = Some(unknown_messages(tx, self.carrier.name()).await?);
        }
        let possible = candidates.as_ref().and_then(|candidates| candidates.get(&number));
        let at = Time(late.done_at.unwrap_or(late.received_at));
        let mut meant = possible.into_iter().flatten().filter(|candidate| {
            late.sender.as_ref().is_none_or(|sender| *sender == candidate.sender)
                && at >= candidate.since - CLOCK_DRIFT
        });
        // Exactly one, or nobody knows which was meant.
        let (first, second) = (meant.next(), meant.next());
        Ok(if second.is_some() { None } else { first.map(|candidate| Match::Message(candidate.message)) })
    }
}

/// Whether a part's message went by a carrier: references of others mean something else there.
fn went_by(detours: &Detours, part: i64, carrier: &str) -> bool {
    detours.carrier_of(PartId(part).message().place()) == carrier
}

/// The message to this number that has this reference: its receipt came before.
async fn named_before(tx: &mut Tx, number: i64, reference: &str) -> Result<Option<MessageId>> {
    let messages = search::indexed(tx, Scope::All, number, 0, RECIPIENTS).await?;
    Ok(message::with_reference(tx, &messages, reference).await?.map(MessageId))
}

/// The unknown messages of a carrier by number, newest chunks first.
async fn unknown_messages(tx: &mut Tx, carrier: &str) -> Result<HashMap<i64, Vec<Candidate>>> {
    let mut by_number: HashMap<i64, Vec<Candidate>> = HashMap::new();
    for (id,) in chunk::with_unknown(tx, i64::MAX, UNKNOWN_CHUNKS).await? {
        let Some(row) = chunk::find(tx, id).await? else { continue };
        let detours = Detours::of(tx, id, &row.carrier).await?;
        if !detours.knows(carrier) {
            continue;
        }
        let recipients = Chunk::decode(&chunk::audience_data(tx, row.audience_chunk_id).await?)?;
        for (message,) in message::unknown_in(tx, id).await? {
            let message = MessageId(message);
            if detours.carrier_of(message.place()) != carrier {
                continue;
            }
            let Some(number) = recipients.numbers().get(usize::from(message.place())) else { continue };
            let since = Time(row.started_at.unwrap_or_default());
            let candidate = Candidate { message, sender: row.sender.clone(), since };
            by_number.entry(i64::try_from(number.digits()).unwrap_or_default()).or_default().push(candidate);
        }
    }
    Ok(by_number)
}

/// What one call writes.
#[derive(Debug, Default)]
struct Late {
    now: Time,
    carrier: String,
    /// Receipts of the platform's own text messages.
    noticed: Vec<Unmatched>,
    facts: Vec<Fact>,
    parts: Vec<PartReceipt>,
    forgotten: Vec<i64>,
    tried: Vec<i64>,
}

impl Late {
    fn matched(&mut self, late: &Unmatched, found: &Match, status: MessageStatus) {
        self.forgotten.push(late.id);
        let message = match found {
            Match::Part(part) if !part.is_whole() => {
                let error =
                    late.error.as_deref().filter(|_| status != MessageStatus::Delivered).map(Into::into);
                self.parts.push(PartReceipt { part_id: part.0, status, error });
                return;
            }
            Match::Part(part) => part.message(),
            Match::Message(message) => *message,
        };
        self.facts.push(Fact {
            message,
            status,
            reference: Some(late.carrier_ref.as_str().into()),
            submitted_at: None,
            done_at: Some(Time(late.done_at.unwrap_or(late.received_at))),
            error: late.error.as_deref().filter(|_| status != MessageStatus::Delivered).map(Into::into),
        });
    }

    async fn write(&self, tx: &mut Tx) -> Result<()> {
        for late in &self.noticed {
            let reference = (self.carrier.as_str(), late.carrier_ref.as_str());
            notice::receipt(tx, reference, &late.state, late.error.as_deref(), self.now).await?;
        }
        let noticed: Vec<i64> = self.noticed.iter().map(|late| late.id).collect();
        receipt::forget(tx, &noticed).await?;
        message::update_parts(tx, &self.parts).await?;
        let by_parts: BTreeSet<MessageId> =
            self.parts.iter().map(|part| PartId(part.part_id).message()).collect();
        settlement::settle(tx, &self.facts, self.now).await?;
        settlement::settle_by_parts(tx, &by_parts.into_iter().collect::<Vec<_>>(), self.now).await?;
        receipt::forget(tx, &self.forgotten).await?;
        receipt::mark_tried(tx, &self.tried, self.now).await
    }
}

/// How many receipts match nothing, for metrics.
pub async fn unmatched(store: &Store) -> Result<i64> {
    receipt::count_unmatched(&mut store.read().await?).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::testing::builder::{Spot, build};
    use crate::worker::index;

    both_databases! {
        async fn a_message_is_known_by_its_reference_whatever_its_audience_s_chunk_is_called(store: Store) {
            let first = build(&store, "ada").chunk(&[Spot::Answered(MessageStatus::Submitted)]).store().await;
            // The same audience once more: from here on chunks of audiences and of campaigns have other ids.
            first.run_again(&store).await;
            let last = build(&store, "ada").chunk(&[Spot::Answered(MessageStatus::Submitted)]).store().await;
            assert_ne!(last.chunks, last.audience_chunks);
            while index::tick(&store, Time(0)).await.unwrap() {}
            let mut tx = store.read().await.unwrap();
            for built in [&first, &last] {
                let number = built.numbers[0].digits().cast_signed();
                let message = MessageId::new(built.chunks[0], 0);
                let found = named_before(&mut tx, number, &message.0.to_string()).await.unwrap();
                assert_eq!(found, Some(message));
                assert_eq!(named_before(&mut tx, number, "another").await.unwrap(), None);
            }
        }
    }
}
