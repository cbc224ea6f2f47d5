//! The settler of one carrier: answers and receipts become message rows, counters and money.
//!
//! It works on batches of events. The quick path assumes each message's state (an answered one was in flight, an
//! awaited one was submitted) and writes at once; when the database disagrees, the same outcomes take the careful path,
//! which reads the states first ([`crate::campaign::settlement`]). Receipts are acknowledged to the carrier only after
//! the commit.

pub(super) mod batch;
pub mod deferred_receipts;
pub mod event_batcher;
pub mod receipt_index;
pub mod unmatched_receipts;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::carrier::{Answer, Event, Receipt, ReceiptToken, Reference, Refusal, SmsCarrier, Verdict};
use crate::error::{Error, Result};
use crate::model::message_id::MessageId;
use crate::model::outcome::{Batch, Change, LedgerEffect, MessageOutcome, MessageState, Terms, transition};
use crate::model::status::{MessageStatus, MoneyState};
use crate::notice::NoticeAnswer;
use crate::store::Store;
use crate::store::chunk::retry::Retry;
use crate::store::db::once::Once;
use crate::store::message::inbound::NewInbound;
use crate::store::message::unmatched_receipt::Unmatched;
use crate::store::message::{Applied, NewPart, PartReceipt};
use crate::time::Time;
use crate::worker::dispatch::open_chunks::{OpenChunk, OpenChunks};
use crate::worker::settle::batch::{Stored, Work};
use crate::worker::settle::deferred_receipts::DeferredReceipts;
use crate::worker::settle::receipt_index::{AwaitedPart, Awaiting, Finished, Numbers, PartId, WHOLE};

/// How long a receipt that came before its answer waits for it.
const EARLY: Duration = Duration::from_secs(2);
/// Receipts that wait at once; beyond it they are stored as unmatched.
const EARLY_MAX: usize = 20_000;
/// Pause before a throttled message is tried again.
const THROTTLED_PAUSE: Duration = Duration::from_secs(1);

/// One carrier's settler.
#[derive(Debug)]
pub struct Settler {
    pub(super) store: Store,
    /// Writes that are stored exactly once, also when a commit's answer is lost.
    pub(super) writes: Once,
    pub(super) carrier: Arc<dyn SmsCarrier>,
    pub(super) book: Arc<OpenChunks>,
    pub(super) awaiting: Awaiting,
    /// Parts that had their receipt recently: a carrier may send it again, or another one.
    pub(super) finished: Finished,
    /// Whether the carrier's receipts name the numbers of their messages.
    pub(super) numbers: Numbers,
    /// Parts whose reference the carrier used again, by the part that has it now. Kept until they are stored in the
    /// index, as memory only knows the newer part.
    replaced: HashMap<PartId, Vec<PartId>>,
    /// Receipts that match nothing yet, each with the time when it came.
    early: HashMap<Reference, Vec<(Time, Receipt)>>,
    early_count: usize,
    /// This run of the daemon.
    owner: i64,
    /// Receipts that are stored together and wait to be written to their messages in order.
    pub(super) scattered: DeferredReceipts,
}

/// The outcome of a message within one batch, before it is written.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) fact: MessageOutcome,
    pub(super) terms: Arc<Terms>,
    pub(super) before: Option<MessageState>,
    pub(super) price: talkdrum_api::money::Amount,
}

/// A batch before it is written.
#[derive(Debug, Default)]
struct Drafts {
    work: Work,
    drafts: Vec<Draft>,
    /// The index in `drafts` of each message that this batch has an outcome of.
    places: HashMap<MessageId, usize>,
    /// References whose final receipt came, with their parts.
    finished: Vec<(Reference, AwaitedPart)>,
    /// Receipts that had waited for an answer of this batch; they become events again if the write fails.
    woken: Vec<Event>,
    tokens: Vec<ReceiptToken>,
    /// Parts that took over the references of older parts.
    replacing: Vec<PartId>,
    /// The chunks of its answers, by id.
    chunks: HashMap<i64, Answered>,
}

/// The chunk of an answer.
#[derive(Clone, Debug)]
struct Answered {
    chunk: Arc<OpenChunk>,
    /// It was not in memory: what was accepted in earlier tries is not known.
    is_reloaded: bool,
}

impl Settler {
    /// A settler for `carrier`, working as the daemon run `owner`.
    pub fn new(store: Store, carrier: Arc<dyn SmsCarrier>, book: Arc<OpenChunks>, owner: i64) -> Self {
        let writes = Once::new(store.clone(), owner, format!("settle:{}", carrier.name()));
        book.history.add(writes.known());
        Self {
            store,
            writes,
            carrier,
            book,
            awaiting: Awaiting::default(),
            finished: Finished::default(),
            numbers: Numbers::default(),
            replaced: HashMap::new(),
            early: HashMap::new(),
            early_count: 0,
            owner,
            scattered: DeferredReceipts::default(),
        }
    }

    /// The same settler, which stops waiting for an unreachable database when `end` is cancelled.
    #[must_use]
    pub fn until(self, end: CancellationToken) -> Self {
        Self { writes: self.writes.until(end), ..self }
    }

    /// Settles events, and receipts that waited too long for their answers.
    ///
    /// # Errors
    /// Errors of the store. Answers exist nowhere else, so the events come back with the error, to be tried again.
    pub async fn settle(
        &mut self,
        mut events: Vec<Event>,
        now: Time,
    ) -> Result<Applied, (Error, Vec<Event>)> {
        let chunks = match self.chunks_of(&events, now).await {
            Ok(chunks) => chunks,
            Err(error) => return Err((error, events)),
        };
        let mut drafts = Drafts { work: self.work(now), chunks, ..Drafts::default() };
        // A receipt that waits for its answer is kept in `early` only.
        events.retain(|event| {
            self.take(event, &mut drafts, now).unwrap_or_else(|error| {
                tracing::error!(carrier = self.carrier.name(), %error, "an event could not be settled");
                self.give_up(std::slice::from_ref(event));
                false
            })
        });
        self.release_early(&mut drafts, now);
        let held = self.scattered.take_deferrable(&mut drafts.drafts);
        drafts.work.held = held.iter().map(|draft| draft.fact.clone()).collect();
        match self.write(&mut drafts).await {
            Ok(Stored { applied, row }) => {
                self.scattered.hold(held, row, now);
                for part in &drafts.replacing {
                    self.replaced.remove(part);
                }
                for (reference, sent) in &drafts.finished {
                    if self.awaiting.remove(reference, sent.part) {
                        self.finished.insert(reference, *sent);
                    }
                }
                for chunk in &applied.chunks_done {
                    self.book.close(*chunk);
                }
                self.book.unsettled().settle(&events);
                if !drafts.tokens.is_empty() {
                    self.carrier.acknowledge(drafts.tokens);
                }
                Ok(applied)
            }
            Err(error) => {
                events.append(&mut drafts.woken);
                Err((error, events))
            }
        }
    }

    /// Drops events that cannot be settled: the messages that they answer no longer count as unsettled.
    pub fn give_up(&mut self, events: &[Event]) {
        self.book.unsettled().settle(events);
        let is_among = |message| {
            events.iter().any(|event| matches!(event, Event::Answer(answer) if answer.message == message))
        };
        self.replaced.retain(|part, _| !is_among(part.message()));
    }

    /// Receipts that wait for their answers.
    pub const fn early(&self) -> usize {
        self.early_count
    }

    /// The chunks of the answered messages. A chunk that another run settled meanwhile, as after this run was taken for
    /// dead, has left memory and is read again: the answer and its reference exist nowhere else.
    async fn chunks_of(&self, events: &[Event], now: Time) -> Result<HashMap<i64, Answered>> {
        let mut chunks = HashMap::new();
        for event in events {
            let Event::Answer(answer) = event else { continue };
            if NoticeAnswer::of(answer).is_some() {
                continue;
            }
            let Entry::Vacant(place) = chunks.entry(answer.message.chunk()) else { continue };
            if let Some(chunk) = self.book.get(*place.key()) {
                place.insert(Answered { chunk, is_reloaded: false });
            } else if let Some(chunk) = self.book.look_up(&self.store, *place.key(), now).await? {
                place.insert(Answered { chunk: Arc::new(chunk), is_reloaded: true });
            }
        }
        Ok(chunks)
    }

    /// Adds an event to the drafts; false when it is a receipt that waits for its answer.
    fn take(&mut self, event: &Event, drafts: &mut Drafts, now: Time) -> Result<bool> {
        match event {
            Event::Answer(answer) => self.answer(answer, drafts, now).map(|()| true),
            Event::Receipt(receipt) => Ok(self.receipt(receipt, drafts, now)),
            Event::Inbound(inbound) => {
                drafts.tokens.push(inbound.token);
                drafts.work.inbound.push(NewInbound::from(inbound));
                Ok(true)
            }
        }
    }

    fn answer(&mut self, answer: &Answer, drafts: &mut Drafts, now: Time) -> Result<()> {
        if let Some(answer) = NoticeAnswer::of(answer) {
            drafts.work.notices.push(answer);
            return Ok(());
        }
        let message = answer.message;
        let Answered { chunk: open, is_reloaded } =
            drafts.chunks.get(&message.chunk()).cloned().ok_or_else(|| {
                Error::Corrupt(format!("an answer came for chunk {}, which does not exist", message.chunk()))
            })?;
        let terms = Arc::clone(&open.script.terms);
        let is_cut = open.segments(message.place()) > 1;
        let several = is_cut && answer.accepted.iter().all(|(part, _)| part != WHOLE);
        for (part, reference) in answer.accepted.iter() {
            let id = if several { PartId::new(message, part) } else { PartId::new(message, WHOLE) };
            if several {
                drafts.work.parts.push(NewPart { part_id: id.0, reference: reference.0.clone() });
                drafts.work.by_parts.insert(message);
            }
            // Without a reference in the answer there will be none in the receipt either.
            if !reference.0.is_empty() {
                let sent = AwaitedPart::to(id, open.number(message.place()));
                if let Some(older) = self.awaiting.insert(reference, sent, &terms) {
                    self.replaced.entry(id).or_default().push(older.part);
                }
                // Includes those of an earlier try to store this answer.
                if let Some(older) = self.replaced.get(&id) {
                    let older = older.iter().map(|part| (reference.0.to_string(), part.0));
                    drafts.work.replaced.extend(older);
                    drafts.replacing.push(id);
                }
            }
        }
        let (status, error) = match &answer.verdict {
            Verdict::Accepted => (MessageStatus::Submitted, None),
            Verdict::Refused(refusal) => (MessageStatus::Rejected, Some(refusal_code(refusal))),
            Verdict::Unanswered => (MessageStatus::Unknown, Some("house:unanswered".into())),
            // An earlier try may have sent other parts of it: it stays unknown.
            Verdict::Throttled(_) | Verdict::Unsent if is_reloaded && is_cut => return Ok(()),
            Verdict::Throttled(refusal) => {
                let due = now + THROTTLED_PAUSE;
                put_back(&open, answer, due, &refusal_code(refusal), drafts);
                return Ok(());
            }
            Verdict::Unsent => {
                put_back(&open, answer, now, "house:unsent", drafts);
                return Ok(());
            }
        };
        let reference = match answer.accepted.iter().next() {
            Some((_, reference)) if !several && !reference.0.is_empty() => Some(reference.0.clone()),
            _ => None,
        };
        let fact =
            MessageOutcome { message, status, reference, submitted_at: Some(now), done_at: None, error };
        drafts.places.insert(message, drafts.drafts.len());
        drafts.drafts.push(Draft { fact, terms, before: None, price: open.price(message)? });
        for (_, reference) in answer.accepted.iter() {
            self.wake_early(reference, drafts, now);
        }
        Ok(())
    }

    /// Settles the receipts that came before the answer with this reference; those with another number keep waiting.
    fn wake_early(&mut self, reference: &Reference, drafts: &mut Drafts, now: Time) {
        let Some(waiting) = self.early.remove(reference) else { return };
        let mut rest = Vec::new();
        for (since, receipt) in waiting {
            if self.about(&receipt).is_none() {
                rest.push((since, receipt));
                continue;
            }
            self.early_count -= 1;
            self.receipt(&receipt, drafts, now);
            drafts.woken.push(Event::Receipt(receipt));
        }
        if !rest.is_empty() {
            self.early.insert(reference.clone(), rest);
        }
    }

    /// The awaited part of a receipt: its reference is the same, and its number where the receipt names one.
    fn about(&mut self, receipt: &Receipt) -> Option<(AwaitedPart, Arc<Terms>)> {
        let (sent, terms) = self.awaiting.find(&receipt.reference)?;
        self.numbers.agree(receipt, sent).then_some((sent, terms))
    }

    /// False when the receipt waits for its answer.
    fn receipt(&mut self, receipt: &Receipt, drafts: &mut Drafts, now: Time) -> bool {
        let Some(status) = MessageStatus::from_receipt(receipt.state) else {
            drafts.tokens.push(receipt.token);
            return true;
        };
        let Some((sent, terms)) = self.about(receipt) else {
            return self.repeated(receipt, status, drafts, now);
        };
        let part = sent.part;
        drafts.tokens.push(receipt.token);
        if part.is_whole() {
            self.whole(receipt, part.message(), status, &terms, drafts, now);
        } else {
            drafts.work.part_receipts.push(of_part(receipt, part, status));
            drafts.work.by_parts.insert(part.message());
        }
        drafts.finished.push((receipt.reference.clone(), sent));
        true
    }

    /// A receipt without an awaited part: another one for a message that had its receipt, or one whose answer is still
    /// to come, perhaps under a reference that was used before. The former takes the careful path: a failure may still
    /// turn into a delivery, and a repetition says nothing new.
    fn repeated(&mut self, receipt: &Receipt, status: MessageStatus, drafts: &mut Drafts, now: Time) -> bool {
        let finished = self.finished.find(&receipt.reference);
        let Some(AwaitedPart { part, .. }) = finished.filter(|sent| self.numbers.agree(receipt, *sent))
        else {
            self.early.entry(receipt.reference.clone()).or_default().push((now, receipt.clone()));
            self.early_count += 1;
            return false;
        };
        drafts.tokens.push(receipt.token);
        if part.is_whole() {
            let error = if status == MessageStatus::Delivered { None } else { receipt.error.clone() };
            let done_at = Some(happened_at(receipt, now));
            let (message, reference, submitted_at) = (part.message(), None, None);
            drafts.work.careful.push(MessageOutcome {
                message,
                status,
                reference,
                submitted_at,
                done_at,
                error,
            });
        } else {
            drafts.work.part_receipts.push(of_part(receipt, part, status));
            drafts.work.by_parts.insert(part.message());
        }
        true
    }

    fn whole(
        &self,
        receipt: &Receipt,
        message: MessageId,
        status: MessageStatus,
        terms: &Arc<Terms>,
        drafts: &mut Drafts,
        now: Time,
    ) {
        let done_at = Some(happened_at(receipt, now));
        // The network's code only means something for a failure.
        let error = if status == MessageStatus::Delivered { None } else { receipt.error.clone() };
        let fact = MessageOutcome { message, status, reference: None, submitted_at: None, done_at, error };
        if let Some(draft) = drafts.places.get(&message).and_then(|place| drafts.drafts.get_mut(*place)) {
            // Answer and receipt in one batch: one row, written once.
            if comes_to_the_same(draft.before, draft.fact.status, status, terms.refund_undelivered) {
                draft.fact.status = status;
                draft.fact.done_at = fact.done_at;
                draft.fact.error = fact.error;
            } else {
                drafts.work.careful.push(fact);
            }
            return;
        }
        if terms.refund_undelivered && status.is_failure() {
            drafts.work.careful.push(fact);
            return;
        }
        drafts.places.insert(message, drafts.drafts.len());
        drafts.drafts.push(Draft {
            fact,
            terms: Arc::clone(terms),
            before: Some(MessageState { status: MessageStatus::Submitted, money: MoneyState::Captured }),
            price: talkdrum_api::money::Amount::ZERO,
        });
    }

    /// Stores receipts that waited too long for their answers as unmatched, and acknowledges them.
    fn release_early(&mut self, drafts: &mut Drafts, now: Time) {
        if self.early_count == 0 {
            return;
        }
        let crowded = self.early_count > EARLY_MAX;
        self.early.retain(|_, waiting| {
            let (late, rest): (Vec<_>, Vec<_>) =
                waiting.drain(..).partition(|(since, _)| crowded || now.since(*since) >= EARLY);
            self.early_count -= late.len();
            for (_, receipt) in late {
                drafts.tokens.push(receipt.token);
                drafts.work.unmatched.push(unmatched(&receipt, now));
                drafts.woken.push(Event::Receipt(receipt));
            }
            *waiting = rest;
            !waiting.is_empty()
        });
    }

    /// Empty work for one transaction.
    pub(super) fn work(&self, now: Time) -> Work {
        Work { carrier: self.carrier.name().into(), now, owner: self.owner, ..Work::default() }
    }

    async fn write(&self, drafts: &mut Drafts) -> Result<Stored> {
        let mut work = std::mem::take(&mut drafts.work);
        work.batch = batch_of(drafts.drafts.drain(..))?;
        self.store_work(work).await
    }

    /// Writes all of it, or nothing.
    pub(super) async fn store_work(&self, mut work: Work) -> Result<Stored> {
        let now = work.now;
        if !work.retries.is_empty() {
            let chunks = work.retry_chunks();
            work.granted = self.book.granted();
            work.granted.retain(|it| chunks.contains(&it.chunk));
        }
        let stored = work.store(&self.writes).await;
        self.book.heed(stored, &self.store, self.owner, now).await
    }
}

/// Queues a message again: the carrier reported that the rest of it was not sent.
fn put_back(open: &OpenChunk, answer: &Answer, due: Time, reason: &str, drafts: &mut Drafts) {
    let (tries, before) = open.again(answer.message);
    let accepted = answer
        .accepted
        .iter()
        .filter(|(part, _)| *part != WHOLE)
        .fold(0, |bits, (part, _)| bits | 1_i64 << part);
    drafts.work.retries.push(Retry {
        message_id: answer.message,
        tries: tries + 1,
        parts_done: i64::from(before) | accepted,
        due_at: due,
        reason: reason.to_owned(),
    });
}

/// The changes of drafts; those that say nothing new are left out.
pub(super) fn batch_of(drafts: impl IntoIterator<Item = Draft>) -> Result<Batch> {
    let mut batch = Batch::default();
    for Draft { fact, terms, before, price } in drafts {
        if let Some((after, movement)) = fact.follows(before, terms.refund_undelivered) {
            batch.push(Change { fact, before, after, movement, price }, &terms)?;
        }
    }
    Ok(batch)
}

/// When the network was done. Most receipts are dated to the minute: one of the current minute counts as now, so that
/// it is not dated before its message was submitted.
fn happened_at(receipt: &Receipt, now: Time) -> Time {
    match receipt.done_at {
        Some(done) if done.0 % 60_000 != 0 || now.since(done) >= Duration::from_mins(1) => done,
        _ => now,
    }
}

/// Whether taking `second` at once moves the same money as taking it after `first`. It does not when an accepted
/// message, which is paid for, then expired or was rejected: without the answer either means that it was never sent.
fn comes_to_the_same(
    before: Option<MessageState>,
    first: MessageStatus,
    second: MessageStatus,
    refund_undelivered: bool,
) -> bool {
    let Some((between, movement)) = transition(before, first, refund_undelivered) else { return false };
    let Some((after, LedgerEffect::None)) = transition(Some(between), second, refund_undelivered) else {
        return false;
    };
    transition(before, second, refund_undelivered) == Some((after, movement))
}

fn of_part(receipt: &Receipt, part: PartId, status: MessageStatus) -> PartReceipt {
    // The network's code only means something for a failure.
    let error = if status == MessageStatus::Delivered { None } else { receipt.error.clone() };
    PartReceipt { part_id: part.0, status, error }
}

fn refusal_code(refusal: &Refusal) -> Box<str> {
    if refusal.code == 0 { refusal.reason.as_ref().into() } else { format!("{:#x}", refusal.code).into() }
}

fn unmatched(receipt: &Receipt, now: Time) -> Unmatched {
    Unmatched {
        id: 0,
        carrier_ref: receipt.reference.0.to_string(),
        state: MessageStatus::from_receipt(receipt.state)
            .unwrap_or(MessageStatus::Unknown)
            .as_str()
            .to_owned(),
        recipient: receipt.to.and_then(|number| i64::try_from(number.digits()).ok()),
        sender: receipt.from.as_deref().map(str::to_owned),
        error: receipt.error.as_deref().map(str::to_owned),
        done_at: receipt.done_at,
        received_at: now,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use MessageStatus as S;

    #[test]
    fn a_receipt_is_written_with_its_answer_only_where_that_moves_the_same_money() {
        assert!(comes_to_the_same(None, S::Submitted, S::Delivered, false));
        assert!(comes_to_the_same(None, S::Submitted, S::Undelivered, false));
        // Accepted and so paid for; by itself either means that it was never sent.
        assert!(!comes_to_the_same(None, S::Submitted, S::Expired, false));
        assert!(!comes_to_the_same(None, S::Submitted, S::Rejected, false));
        // A refund is a transfer of its own.
        assert!(!comes_to_the_same(None, S::Submitted, S::Undelivered, true));
        // Nothing new is not written at all.
        assert!(!comes_to_the_same(None, S::Submitted, S::Submitted, false));
    }
}
