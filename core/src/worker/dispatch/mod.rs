//! The dispatcher of one carrier: claims chunks, stores intents, hands messages to the wire.
//!
//! ```text
//! pick whose turn it is ─▶ claim a chunk ─▶ intent: positions a..b ─▶ submit ─▶ (answers go to the settler)
//!                        └▶ claim small chunks whole ─────────────────▶
//! ```
//!
//! What is claimed and not settled is at most the carrier's window and [`Limits::run_ahead`]: that is what a crash may
//! leave unknown. The run-ahead holds what is claimed before the wire and, behind it, answers whose commit is not through.
//! A turn is at most [`Limits::turn`] messages and about a second (see [`pace`]), and after one of a campaign to many those
//! to a few are looked at, so that a code waits for one turn, whoever sends what; at its end nothing of it is claimed and
//! unsent.

mod chunk_cursor;
mod expiry;
mod fair_queue;
mod hold;
pub mod in_flight;
pub mod open_chunks;
pub mod requeue;
mod retry;
mod small_chunks;
mod turn_length;
mod went_back;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use self::went_back::Lost;
use crate::campaign::settlement;
use crate::carrier::{Capabilities, SmsCarrier, Submission};
use crate::content::Scratch;
use crate::error::{Error, Result};
use crate::model::message_id::MessageId;
use crate::model::outcome::MessageOutcome;
use crate::model::status::MessageStatus;
use crate::notice::{Notices, Wanted};
use crate::store::chunk::retry::Retry;
use crate::store::chunk::{self, Flow, Intent};
use crate::store::db::once::Once;
use crate::store::{Lane, Store};
use crate::time::{Clock, Time};
use crate::worker::dispatch::chunk_cursor::{Course, Turn, collect_intent, never_sent, place_of, suppressed};
use crate::worker::dispatch::fair_queue::{Picked, Rounds};
use crate::worker::dispatch::in_flight::Unsettled;
use crate::worker::dispatch::open_chunks::{OpenChunk, OpenChunks};
use crate::worker::dispatch::requeue::requeue;
use crate::worker::dispatch::small_chunks::Whole;
use crate::worker::dispatch::turn_length::Pace;

/// How often due retries are looked for while there is other work.
const RETRY_LOOK: Duration = Duration::from_millis(100);

/// How often the platform's own text messages are looked for while there is other work: a code waits no longer.
const NOTICE_LOOK: Duration = Duration::from_millis(200);

/// Before looking again for work after an intent was denied.
const DENIED_PAUSE: Duration = Duration::from_millis(20);

/// The bounds under which a dispatcher works.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Positions that may be claimed and not yet on the wire.
    pub run_ahead: i64,
    /// Positions that may be claimed and not settled, and so what a crash leaves unknown at most: the window and the
    /// run-ahead, which is three quarters of the window or 100 if that is more. README and the example configuration tell
    /// the same.
    pub unsettled: i64,
    /// Messages of the longest turn.
    pub turn: i64,
}

impl Limits {
    /// The bounds that follow from a carrier's window and rate (architecture: Intent, Claim).
    pub fn of(capabilities: &Capabilities) -> Self {
        let turn = if capabilities.rate == 0 { 4_096 } else { i64::from(capabilities.rate) };
        let window = i64::from(capabilities.window);
        // While a quick carrier answers a window, the commit of what it answered before and that of the next intent go by:
        // with half a window they were waited for.
        let run_ahead = (window * 3 / 4).max(100);
        Self { run_ahead, unsettled: window + run_ahead, turn }
    }
}

/// What a step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Something: call again at once.
    Worked,
    /// Nothing more may be claimed before some of what is out is settled ([`Unsettled::fell`]).
    Full,
    /// Nothing to do; the earliest retry is due then, if there is one.
    Idle(Option<Time>),
}

/// One carrier's dispatcher.
#[derive(Debug)]
pub struct Dispatcher {
    store: Store,
    /// What must be stored once, whatever becomes of a commit's answer.
    writes: Once,
    carrier: Arc<dyn SmsCarrier>,
    book: Arc<OpenChunks>,
    clock: Arc<dyn Clock>,
    owner: i64,
    limits: Limits,
    /// Chunks in hand with positions left.
    turns: BTreeMap<Flow, Turn>,
    current: Option<Flow>,
    /// Small chunks, claimed to their ends.
    whole: Whole,
    rounds: Rounds,
    pace: Pace,
    retries_looked_at: Time,
    /// The platform's own text messages, which go first.
    notices: Option<Notices>,
    notices_looked_at: Time,
    expired_looked_at: Time,
    /// What became of claimed messages and could not be written yet.
    owed: PendingOutcomes,
    /// Messages that are ready and not on the wire, while it is not known whether the database went back in time.
    outbox: Vec<Submission>,
    lost: Lost,
    scratch: Scratch,
}

/// Claimed messages that did not go out: they are in nobody's hands until this is written.
#[derive(Clone, Debug, Default)]
struct PendingOutcomes {
    facts: Vec<MessageOutcome>,
    /// To be queued again, on our own word that they never left.
    retries: Vec<Retry>,
}

impl PendingOutcomes {
    fn is_empty(&self) -> bool {
        self.facts.is_empty() && self.retries.is_empty()
    }
}

impl Dispatcher {
    /// A dispatcher for `carrier`, working as the daemon run `owner`.
    pub fn new(
        store: Store,
        carrier: Arc<dyn SmsCarrier>,
        book: Arc<OpenChunks>,
        clock: Arc<dyn Clock>,
        owner: i64,
    ) -> Self {
        let limits = Limits::of(carrier.capabilities());
        let writes = Once::new(store.clone(), owner, format!("dispatch:{}", carrier.name()));
        book.history.add(writes.known());
        let lost = Lost::since(&store, &book);
        Self {
            store,
            writes,
            carrier,
            book,
            clock,
            owner,
            limits,
            turns: BTreeMap::new(),
            current: None,
            whole: Whole::default(),
            rounds: Rounds::default(),
            pace: Pace::new(limits.turn),
            retries_looked_at: Time(0),
            notices: None,
            notices_looked_at: Time(0),
            expired_looked_at: Time(0),
            owed: PendingOutcomes::default(),
            outbox: Vec::new(),
            lost,
            scratch: Scratch::default(),
        }
    }

    /// The same, which waits no longer for a database that is away when `end` says so.
    #[must_use]
    pub fn until(self, end: CancellationToken) -> Self {
        Self { writes: self.writes.until(end), ..self }
    }

    /// Also sends the platform's own text messages.
    #[must_use]
    pub fn with_notices(self, notices: Option<Notices>) -> Self {
        Self { notices, ..self }
    }

    /// What the carrier was given and is not settled.
    pub fn unsettled(&self) -> &Unsettled {
        self.book.unsettled()
    }

    /// Does one bounded piece of work: at most one claim, one intent and one batch for the wire. `room` is what
    /// [`SmsCarrier::ready`] said.
    pub async fn step(&mut self, room: u32) -> Result<Step> {
        let now = self.clock.now();
        let step = self.step_at(room, now).await;
        self.book.heed(step, &self.store, self.owner, now).await
    }

    async fn step_at(&mut self, room: u32, now: Time) -> Result<Step> {
        if let Some(step) = self.look_back(now, true).await? {
            return Ok(step);
        }
        self.flush_outcomes(now).await?;
        let is_due = now.since(self.notices_looked_at) >= NOTICE_LOOK || now < self.notices_looked_at;
        if is_due || self.current.is_none() {
            self.notices_looked_at = now;
            if self.send_notices(room, now).await? {
                return Ok(Step::Worked);
            }
        }
        if now.since(self.retries_looked_at) >= RETRY_LOOK || now < self.retries_looked_at {
            self.retries_looked_at = now;
            if self.send_retries(room, now).await? {
                return Ok(Step::Worked);
            }
        }
        if self.send_whole(room, now).await? {
            return Ok(Step::Worked);
        }
        if self.current.is_none() {
            match self.pick(now).await? {
                Picked::Something => {}
                Picked::Full => return Ok(Step::Full),
                Picked::Nothing => return Ok(Step::Idle(self.next_retry_at(now).await?)),
            }
        }
        let Some(flow) = self.current else { return Ok(Step::Worked) };
        let Some(mut turn) = self.turns.remove(&flow) else {
            self.current = None;
            return Ok(Step::Worked);
        };
        if turn.chunk.promotional && self.book.is_quiet(now) {
            // Nothing of it may stay claimed over the night: a crash would leave it unknown.
            self.current = None;
            self.put_away(flow, turn, now).await?;
            return Ok(Step::Worked);
        }
        let course = self.advance(&mut turn, room, now).await;
        if turn.left <= 0 {
            self.current = None;
            self.pace.end(now);
        }
        match course {
            Ok(Course::Over) => self.current = None,
            Ok(Course::Denied) => {
                self.current = None;
                // Another cursor than the one that is known forbids it, too.
                self.book.compare(&self.store, self.owner).await?;
                // Whatever forbade it is looked at again soon, but not in a tight loop.
                return Ok(Step::Idle(Some(now + DENIED_PAUSE)));
            }
            Ok(Course::Full) => {
                self.turns.insert(flow, turn);
                return Ok(Step::Full);
            }
            // After an error too: what is claimed must still go out.
            Ok(Course::GoOn) | Err(_) => {
                self.turns.insert(flow, turn);
            }
        }
        course.map(|_| Step::Worked)
    }

    /// Moves a turn on: claims ahead, submits what is claimed.
    async fn advance(&mut self, turn: &mut Turn, room: u32, now: Time) -> Result<Course> {
        if turn.doubt && !self.clear_doubt(turn).await? {
            return Ok(Course::Denied);
        }
        let claimed = turn.pending.as_ref().map_or(turn.granted, |(to, _)| *to) - turn.next;
        turn.left = self.pace.left(turn.left, claimed, now);
        self.claim_ahead(turn);
        if turn.next >= turn.granted {
            if turn.pending.is_none() {
                return Ok(if turn.left <= 0 { Course::GoOn } else { Course::Full });
            }
            if !collect_intent(turn).await? {
                return Ok(Course::Denied);
            }
        }
        if turn.chunk.expires_at <= now {
            self.expire(turn, now).await?;
        } else {
            self.submit(turn, room, now).await?;
        }
        Ok(if turn.next >= turn.chunk.size { Course::Over } else { Course::GoOn })
    }

    /// Starts the next intent while earlier positions are still going out, unless too much is unsettled.
    fn claim_ahead(&self, turn: &mut Turn) {
        let ahead = turn.granted - turn.next;
        // Never beyond the turn: of a user who waits nothing is claimed.
        let wanted = (turn.chunk.size - turn.granted).min(turn.left - ahead);
        let room = self.room_for_claims(ahead).min(self.limits.run_ahead - ahead);
        // A few at a time would cost a commit each.
        let worthwhile = wanted.min((self.limits.run_ahead + 2) / 3);
        if turn.pending.is_some() || wanted <= 0 || room < worthwhile {
            return;
        }
        self.start_intent(turn, turn.granted + room.min(wanted), false);
    }

    fn start_intent(&self, turn: &mut Turn, to: i64, even_held: bool) {
        let intent = Intent {
            chunk: turn.chunk.id,
            attempt: turn.chunk.attempt,
            owner: self.owner,
            from: turn.granted,
            to,
            opt_outs: turn.opt_outs.version(),
            even_held,
        };
        let store = self.store.clone();
        let write = async move {
            store.write(Lane::Intent, intent, |tx, intent| Box::pin(chunk::store_intent(tx, *intent))).await
        };
        turn.pending = Some((intent.to, tokio::spawn(write)));
    }

    /// How many may be claimed besides what is out and the `ahead` of the wire, so that a crash leaves no more unknown.
    fn room_for_claims(&self, ahead: i64) -> i64 {
        self.limits.unsettled - self.book.unsettled().count() - ahead
    }

    /// Asks the database whether an intent whose answer was lost is stored. False when the chunk is.
    ///
    /// # Errors
    /// [`Error::WentBack`] when it forgot earlier ones.
    async fn clear_doubt(&self, turn: &mut Turn) -> Result<bool> {
        let input = (turn.chunk.id, self.owner, turn.chunk.attempt);
        let held = self
            .store
            .write(Lane::Intent, input, |tx, (chunk, owner, attempt)| {
                Box::pin(chunk::held_under(tx, *chunk, *owner, *attempt))
            })
            .await?;
        let Some(cursor) = held else { return Ok(false) };
        if cursor < turn.granted {
            let (chunk, granted) = (turn.chunk.id, turn.granted);
            return Err(Error::WentBack(format!(
                "chunk {chunk} was claimed up to {granted}, and is up to {cursor}"
            )));
        }
        turn.grant(cursor);
        turn.doubt = false;
        Ok(true)
    }

    async fn submit(&mut self, turn: &mut Turn, room: u32, now: Time) -> Result<()> {
        let mut batch = Vec::new();
        self.compose(turn, &mut i64::from(room), &mut batch, now);
        self.hand_over(batch).await?;
        self.flush_outcomes(now).await
    }

    /// Makes what is claimed of a turn ready for the wire, while there is `room` for short messages.
    fn compose(&mut self, turn: &mut Turn, room: &mut i64, batch: &mut Vec<Submission>, now: Time) {
        while turn.next < turn.granted && turn.left > 0 && *room > 0 {
            let place = place_of(turn.next);
            turn.next += 1;
            turn.left -= 1;
            let message = MessageId::new(turn.chunk.id, place);
            if let Some(reason) = turn.chunk.forbidden(place, &turn.opt_outs) {
                self.owed.facts.push(suppressed(message, reason, now));
                continue;
            }
            match turn.chunk.submission(place, 0, &mut self.scratch) {
                Ok(submission) => batch.push(submission),
                Err(error) => {
                    tracing::error!(chunk = turn.chunk.id, place, %error, "a quoted message cannot be encoded");
                    self.owed.facts.push(never_sent(message, MessageStatus::Rejected, now));
                }
            }
            *room -= i64::from(turn.chunk.segments(place));
        }
    }

    /// Gives messages to the wire, unless the database went back in time since they were claimed. After an error they wait
    /// in the outbox.
    async fn hand_over(&mut self, batch: Vec<Submission>) -> Result<()> {
        if self.outbox.is_empty() {
            self.outbox = batch;
        } else {
            self.outbox.extend(batch);
        }
        if self.outbox.is_empty() {
            return Ok(());
        }
        self.compare_on_new_connection().await?;
        if !self.must_forget() {
            let batch = std::mem::take(&mut self.outbox);
            self.book.unsettled().add(batch.len());
            self.carrier.submit(batch);
        }
        Ok(())
    }

    /// Sends the platform's own text messages, codes first. True when there were some.
    async fn send_notices(&mut self, room: u32, now: Time) -> Result<bool> {
        let Some(notices) = &self.notices else { return Ok(false) };
        let batch = notices.claim_sms(&self.writes, self.carrier.name(), Wanted::All, room, now).await?.batch;
        let found = !batch.is_empty();
        self.hand_over(batch).await?;
        Ok(found)
    }

    /// Sends the test messages among them, which a hold does not keep back. True when there were some.
    async fn send_tests(&mut self, room: u32, now: Time) -> Result<bool> {
        let Some(notices) = &self.notices else { return Ok(false) };
        let batch =
            notices.claim_sms(&self.writes, self.carrier.name(), Wanted::Tests, room, now).await?.batch;
        let found = !batch.is_empty();
        self.hand_over(batch).await?;
        Ok(found)
    }

    /// Ends in good order: what is claimed and was not handed over goes back to queued.
    pub async fn finish(&mut self) -> Result<()> {
        let now = self.clock.now();
        let finished = self.finish_at(now).await;
        self.book.heed(finished, &self.store, self.owner, now).await
    }

    async fn finish_at(&mut self, now: Time) -> Result<()> {
        if self.must_forget() {
            self.forget();
        }
        let known = self.put_back_whole(now).await;
        for turn in std::mem::take(&mut self.turns).into_values() {
            self.put_back(turn, now).await;
        }
        self.flush_outcomes(now).await?;
        known
    }

    async fn in_hand(&self, id: i64, now: Time) -> Result<Arc<OpenChunk>> {
        if let Some(open) = self.book.get(id) {
            return Ok(open);
        }
        let row = chunk::find(&mut self.store.read().await?, id)
            .await?
            .ok_or_else(|| Error::Corrupt(format!("chunk {id} does not exist")))?;
        self.book.open(&self.store, row, now).await
    }

    /// Writes what is owed. It stays owed when that fails.
    async fn flush_outcomes(&mut self, now: Time) -> Result<()> {
        if self.owed.is_empty() {
            return Ok(());
        }
        self.compare_on_new_connection().await?;
        let input = (self.carrier.name().to_owned(), self.owed.clone(), now);
        let applied = self
            .writes
            .write(Lane::Background, input, |tx, (carrier, owed, now)| {
                Box::pin(async move {
                    let mut applied = requeue(tx, carrier, &owed.retries, *now).await?;
                    applied.extend(settlement::settle(tx, &owed.facts, *now).await?);
                    Ok(applied)
                })
            })
            .await?;
        self.owed = PendingOutcomes::default();
        for chunk in applied.chunks_done {
            self.book.close(chunk);
        }
        Ok(())
    }
}
