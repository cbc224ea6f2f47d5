//! The settler of one carrier: answers and receipts become message rows, counters and money.
//!
//! It works on batches of events. The quick path assumes each message's state (an answered one was in flight, an
//! awaited one was submitted) and writes at once; when the database disagrees, the same outcomes take the careful path,
//! which reads the states first ([`crate::campaign::settlement`]). Receipts are acknowledged to the carrier only after
//! the commit.

pub(super) mod batch;
mod breakers;
mod calls;
pub mod deferred_receipts;
pub mod event_batcher;
pub mod late_call;
mod late_receipts;
mod move_on;
pub mod receipt_index;
mod receipts;
mod settled_counter;
pub mod unmatched_receipts;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::time::Duration;

use talkdrum_api::purpose::OptOutReach;
use tokio_util::sync::CancellationToken;

use crate::carrier::voice::CallResult;
use crate::carrier::{Answer, Event, Receipt, ReceiptToken, Reference, Refusal, SmsCarrier, Verdict};
use crate::error::{Error, Result};
use crate::model::campaign::id::ChunkId;
use crate::model::message::id::{MessageId, PartId, WHOLE};
use crate::model::message::outcome::{MessageChange, MessageOutcome, MessageState, OutcomeBatch, Terms};
use crate::model::message::reason::{PlatformReason, Reason};
use crate::model::message::status::{Counters, MessageStatus};
use crate::model::platform::id::RunId;
use crate::notice::NoticeAnswer;
use crate::store::Store;
use crate::store::chunk::retry::Retry;
use crate::store::db::once::Once;
use crate::store::message::inbound::NewInbound;
use crate::store::message::{Applied, NewPart};
use crate::time::Time;
use crate::worker::breakers::{Heard, ParkedCursor};
use crate::worker::dispatch::open_chunks::{OpenChunk, OpenChunks};
use crate::worker::dispatch::requeue::Earlier;
use crate::worker::failover::{self, Spares};
use crate::worker::settle::batch::{Stored, Work};
use crate::worker::settle::calls::CallCourse;
use crate::worker::settle::deferred_receipts::DeferredReceipts;
use crate::worker::settle::receipt_index::{AwaitedPart, Awaiting, FinishedParts, Numbers};
use crate::worker::settle::settled_counter::SettledCounter;

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
    pub(super) finished: FinishedParts,
    /// Whether the carrier's receipts name the numbers of their messages.
    pub(super) numbers: Numbers,
    /// Parts whose reference the carrier used again, by the part that has it now. Kept until they are stored in the
    /// index, as memory only knows the newer part.
    replaced: HashMap<PartId, Vec<PartId>>,
    /// Receipts that match nothing yet, each with the time when it came.
    early: HashMap<Reference, Vec<(Time, Receipt)>>,
    early_count: usize,
    /// This run of the daemon.
    owner: RunId,
    /// What its events made of messages.
    settled: SettledCounter,
    /// Receipts that are stored together and wait to be written to their messages in order.
    pub(super) deferred: DeferredReceipts,
    parked: ParkedCursor,
}

/// The outcome of a message within one batch, before it is written.
#[derive(Clone, Debug)]
pub(super) struct OutcomeDraft {
    pub(super) outcome: MessageOutcome,
    pub(super) terms: Arc<Terms>,
    pub(super) before: Option<MessageState>,
    pub(super) price: talkdrum_api::money::Amount,
}

/// A batch before it is written.
#[derive(Debug, Default)]
struct Drafts {
    work: Work,
    drafts: Vec<OutcomeDraft>,
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
    chunks: HashMap<ChunkId, Answered>,
    /// The carriers that may take what this one failed to.
    spares: Spares,
    /// Final receipts, for the breakers.
    heard: Vec<Heard>,
}

/// The chunk of an answer.
#[derive(Clone, Debug)]
struct Answered {
    chunk: Arc<OpenChunk>,
    /// It was not in memory: what was accepted in earlier tries is not known.
    is_reloaded: bool,
}

/// What settles a message: its status, why, and what is charged where that is not all of it.
type Settled = (MessageStatus, Option<Reason>, Option<u8>);

impl Settler {
    /// A settler for `carrier`, working as the daemon run `owner`.
    pub fn new(store: Store, carrier: Arc<dyn SmsCarrier>, book: Arc<OpenChunks>, owner: RunId) -> Self {
        let writes = Once::new(store.clone(), owner, format!("settle:{}", carrier.name()));
        book.history.add(writes.known());
        Self {
            settled: SettledCounter::of(carrier.name()),
            store,
            writes,
            carrier,
            book,
            awaiting: Awaiting::default(),
            finished: FinishedParts::default(),
            numbers: Numbers::default(),
            replaced: HashMap::new(),
            early: HashMap::new(),
            early_count: 0,
            owner,
            deferred: DeferredReceipts::default(),
            parked: ParkedCursor::default(),
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
        let mut chunks = match self.chunks_of(&events, now).await {
            Ok(chunks) => chunks,
            Err(error) => return Err((error, events)),
        };
        let spares = match self.spares_for(&events, &mut chunks, now).await {
            Ok(spares) => spares,
            Err(error) => return Err((error, events)),
        };
        let mut drafts = Drafts { work: self.work(now), chunks, spares, ..Drafts::default() };
        // A receipt that waits for its answer is kept in `early` only.
        events.retain(|event| {
            self.take(event, &mut drafts, now).unwrap_or_else(|error| {
                tracing::error!(carrier = self.carrier.name(), %error, "an event could not be settled");
                self.give_up(std::slice::from_ref(event));
                false
            })
        });
        self.release_early(&mut drafts, now);
        let mut counted = Counters::default();
        for draft in &drafts.drafts {
            counted.add(draft.outcome.status, 1);
        }
        let deferred = self.deferred.take_deferrable(&mut drafts.drafts);
        drafts.work.deferred = deferred.iter().map(|draft| draft.outcome.clone()).collect();
        match self.write(&mut drafts).await {
            Ok(Stored { applied, row }) => {
                self.settled.add(&counted);
                self.note_refusals(&events, now);
                self.book.breakers().count(&drafts.heard, now);
                self.deferred.defer(deferred, row, now);
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
    async fn chunks_of(&self, events: &[Event], now: Time) -> Result<HashMap<ChunkId, Answered>> {
        let mut chunks = HashMap::new();
        for event in events {
            let message = match event {
                Event::Answer(answer) if NoticeAnswer::of(answer).is_none() => answer.message,
                Event::OptOut(message) => *message,
                _ => continue,
            };
            let Entry::Vacant(place) = chunks.entry(message.chunk()) else { continue };
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
            Event::OptOut(message) => {
                let Answered { chunk, .. } = chunk_of(*message, drafts)?;
                let numbers = drafts
                    .work
                    .opt_outs
                    .entry((chunk.user, OptOutReach::in_answer_to(chunk.purpose)))
                    .or_default();
                numbers.extend(chunk.number(message.place()));
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
        let Answered { chunk: open, is_reloaded } = chunk_of(message, drafts)?;
        let terms = Arc::clone(&open.script.terms);
        let is_cut = open.segments(message.place()) > 1;
        if let Some(retry) = self.move_on(&open, answer, is_reloaded, &mut drafts.spares, now) {
            self.queue_again(&open, retry, drafts);
            return Ok(());
        }
        let several = is_cut && answer.accepted.iter().all(|(part, _)| part != WHOLE);
        for (part, reference) in answer.accepted.iter() {
            let id = if several { PartId::new(message, part) } else { PartId::new(message, WHOLE) };
            if several {
                drafts.work.parts.push(NewPart { part_id: id, reference: reference.0.clone() });
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
                    let older = older.iter().map(|part| (reference.0.to_string(), *part));
                    drafts.work.replaced.extend(older);
                    drafts.replacing.push(id);
                }
            }
        }
        let (status, error, units) = match &answer.verdict {
            Verdict::Accepted => (MessageStatus::Submitted, None, None),
            Verdict::Refused(refusal) => (MessageStatus::Rejected, Some(refusal_code(refusal)), None),
            Verdict::Unanswered => (MessageStatus::Unknown, Some(PlatformReason::Unanswered.into()), None),
            Verdict::Called(call) => match self.called(&open, message, call, drafts, now)? {
                Some(settled) => settled,
                None => return Ok(()),
            },
            // An earlier try may have sent other parts of it: it stays unknown.
            Verdict::Throttled(_) | Verdict::Unsent if is_reloaded && is_cut => return Ok(()),
            Verdict::Throttled(refusal) => {
                let due = now + THROTTLED_PAUSE;
                let retry = self.put_back(&open, answer, due, refusal_code(refusal).code());
                self.queue_again(&open, retry, drafts);
                return Ok(());
            }
            Verdict::Unsent => {
                let retry = self.put_back(&open, answer, now, PlatformReason::Unsent.code());
                self.queue_again(&open, retry, drafts);
                return Ok(());
            }
        };
        let done_at = matches!(answer.verdict, Verdict::Called(_)).then_some(now);
        let reference = match answer.accepted.iter().next() {
            Some((_, reference)) if !several && !reference.0.is_empty() => Some(reference.0.clone()),
            _ => None,
        };
        let outcome =
            MessageOutcome { message, status, reference, submitted_at: Some(now), done_at, error, units };
        drafts.places.insert(message, drafts.drafts.len());
        drafts.drafts.push(OutcomeDraft { outcome, terms, before: None, price: open.price(message)? });
        for (_, reference) in answer.accepted.iter() {
            self.wake_early(reference, drafts, now);
        }
        Ok(())
    }

    /// What follows from the end of a call: a status with its reason and pulses, or nothing where it is called again.
    fn called(
        &self,
        open: &OpenChunk,
        message: MessageId,
        call: &CallResult,
        drafts: &mut Drafts,
        now: Time,
    ) -> Result<Option<Settled>> {
        let terms = calls::terms(message, open.script.as_call(), self.carrier.capabilities().calls.as_ref())?;
        let earlier = open.again.of(message);
        let (course, row) = calls::ended(message, call, terms, &earlier, &mut drafts.spares, now);
        drafts.work.calls.push(row);
        let me = self.carrier.name();
        let first = Retry {
            message_id: message,
            tries: earlier.tries + 1,
            parts_done: 0,
            attempts: earlier.attempts,
            due_at: now,
            reason: String::new(),
            carrier: open.carrier.clone(),
            // Its next attempt begins at its own trunk again. The chunk may have been rerouted meanwhile: a list that is not
            // empty, though it names none, lets its new trunk take it back.
            tried: if open.carrier == me { String::new() } else { "\n".to_owned() },
            caller: None,
            is_led: open.carrier != me,
            network: None,
        };
        drafts.work.retries.push(match course {
            CallCourse::Settled { status, error, pulses } => {
                return Ok(Some((status, error.map(Into::into), pulses)));
            }
            CallCourse::Again { due, reason, attempts } => {
                // An attempt that does not count is the same one yet: no trunk is tried twice in it.
                let tried = match attempts == earlier.attempts {
                    true => failover::and(&earlier.tried, me),
                    false => first.tried.clone(),
                };
                Retry { due_at: due, reason: reason.to_owned(), attempts, tried, ..first }
            }
            CallCourse::Elsewhere { to, reason } => {
                tracing::info!(carrier = me, message = message.0, to, "a call goes over another trunk");
                let caller = earlier.caller.or(terms.1.caller);
                Retry {
                    reason: reason.to_owned(),
                    is_led: true,
                    carrier: to,
                    tried: failover::and(&earlier.tried, me),
                    caller: caller.and_then(|caller| i64::try_from(caller.digits()).ok()),
                    ..first
                }
            }
        });
        Ok(None)
    }

    /// Queues a text again. One that was to show whether its network delivers again, and of which nothing was taken, did not.
    fn queue_again(&self, open: &OpenChunk, retry: Retry, drafts: &mut Drafts) {
        let message = retry.message_id;
        if retry.parts_done == 0
            && let Some(number) = open.number(message.place())
        {
            self.book.breakers().give_back(number, message, retry.is_led);
        }
        drafts.work.retries.push(retry);
    }

    /// A message that is queued again: the carrier reported that the rest of it was not sent. A call of another trunk's goes
    /// back to it.
    fn put_back(&self, open: &OpenChunk, answer: &Answer, due: Time, reason: &str) -> Retry {
        let Earlier { tries, parts_done: before, attempts, tried, caller } = open.again.of(answer.message);
        let accepted = answer
            .accepted
            .iter()
            .filter(|(part, _)| *part != WHOLE)
            .fold(0, |bits, (part, _)| bits | 1_i64 << part);
        let me = self.carrier.name();
        let is_led = open.script.as_call().is_some() && open.carrier != me;
        Retry {
            message_id: answer.message,
            tries: tries + 1,
            parts_done: i64::from(before) | accepted,
            attempts,
            due_at: due,
            reason: reason.to_owned(),
            carrier: if is_led { open.carrier.clone() } else { me.to_owned() },
            tried: if is_led { failover::and(&tried, me) } else { tried },
            caller: caller.and_then(|caller| i64::try_from(caller.digits()).ok()),
            is_led,
            network: None,
        }
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

/// The changes of drafts; those that say nothing new are left out.
pub(super) fn batch_of(drafts: impl IntoIterator<Item = OutcomeDraft>) -> Result<OutcomeBatch> {
    let mut batch = OutcomeBatch::default();
    for OutcomeDraft { outcome, terms, before, price } in drafts {
        if let Some((after, effect)) = outcome.follows(before, terms.refund_undelivered) {
            batch.push(MessageChange { outcome, before, after, effect, price }, &terms)?;
        }
    }
    Ok(batch)
}

/// The chunk of a message that a report is about.
fn chunk_of(message: MessageId, drafts: &Drafts) -> Result<Answered> {
    let chunk = message.chunk();
    let missing = || Error::Corrupt(format!("an answer came for chunk {chunk}, which does not exist"));
    drafts.chunks.get(&chunk).cloned().ok_or_else(missing)
}

fn refusal_code(refusal: &Refusal) -> Reason {
    if refusal.code == 0 { refusal.reason.as_ref().into() } else { format!("{:#x}", refusal.code).into() }
}
