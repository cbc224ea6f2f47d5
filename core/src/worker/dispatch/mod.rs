//! The dispatcher of one carrier: claims chunks, stores intents, hands messages to the carrier.
//!
//! ```text
//! pick whose turn it is ─▶ claim a chunk ─▶ intent: positions a..b ─▶ submit ─▶ (answers go to the settler)
//!                        └▶ claim small chunks whole ─────────────────▶
//! ```
//!
//! At most the carrier's window plus [`Limits::run_ahead`] messages are claimed and not settled: that is what a crash may leave unknown.
//! The run-ahead covers messages that are claimed and not yet on the wire, and answers whose commit is under way. A turn is at most
//! [`Limits::turn`] messages and about a second (see `turn_length`); after a turn of a large campaign small ones come first, so that a
//! code waits for at most one turn of another user. At the end of a turn none of its messages is claimed and unsent.

mod chunk_cursor;
mod expiry;
mod failover;
mod fair_queue;
mod hold;
pub mod in_flight;
mod limits;
mod notices;
pub mod open_chunks;
mod prepare;
pub(in crate::worker) mod refusals;
pub mod requeue;
mod rerouted;
mod retry;
mod small_chunks;
mod turn_length;
mod went_back;

pub use limits::Limits;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use self::went_back::Lost;
use crate::campaign::settlement;
use crate::carrier::{SmsCarrier, Submission};
use crate::content::Scratch;
use crate::error::{Error, Result};
use crate::model::campaign::id::ChunkId;
use crate::model::message::id::MessageId;
use crate::model::message::outcome::MessageOutcome;
use crate::model::message::reason::PlatformReason;
use crate::model::platform::id::{NoticeId, RunId};
use crate::notice::{DueTexts, Notices};
use crate::store::chunk::retry::Retry;
use crate::store::chunk::{self, Flow, Intent};
use crate::store::db::once::Once;
use crate::store::platform::notice;
use crate::store::{Lane, Store};
use crate::time::{Clock, Time};
use crate::worker::dispatch::chunk_cursor::{
    ChunkCursor, Course, GivenUp, collect_intent, never_sent, place_of, suppressed,
};
use crate::worker::dispatch::expiry::ExpiryLooks;
use crate::worker::dispatch::failover::Leads;
use crate::worker::dispatch::fair_queue::{Picked, Rounds};
use crate::worker::dispatch::in_flight::Unsettled;
use crate::worker::dispatch::open_chunks::{OpenChunk, OpenChunks};
use crate::worker::dispatch::requeue::requeue;
use crate::worker::dispatch::retry::unsent;
use crate::worker::dispatch::small_chunks::SmallChunks;
use crate::worker::dispatch::turn_length::TurnLength;
use crate::worker::failover::Spares;

/// How often due retries are queried while there is other work.
const RETRY_LOOK: Duration = Duration::from_millis(100);

/// How often the platform's own text messages are queried while there is other work: a code waits no longer than this.
const NOTICE_LOOK: Duration = Duration::from_millis(200);

/// Pause after a denied intent.
const DENIED_PAUSE: Duration = Duration::from_millis(20);

/// What a step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DispatchStep {
    /// Something: call again at once.
    Worked,
    /// Nothing more may be claimed before some of the submitted messages are settled ([`Unsettled::fell`]).
    Full,
    /// Nothing to do; holds the time when the earliest retry is due, if there is one.
    Idle(Option<Time>),
}

/// One carrier's dispatcher.
#[derive(Debug)]
pub struct Dispatcher {
    store: Store,
    /// Writes that are stored exactly once, also when a commit's answer is lost.
    writes: Once,
    carrier: Arc<dyn SmsCarrier>,
    book: Arc<OpenChunks>,
    clock: Arc<dyn Clock>,
    owner: RunId,
    limits: Limits,
    /// Claimed chunks with places left, by flow.
    cursors: BTreeMap<Flow, ChunkCursor>,
    current: Option<Flow>,
    /// Small chunks that are claimed whole.
    small: SmallChunks,
    rounds: Rounds,
    turn_length: TurnLength,
    retries_looked_at: Time,
    /// The platform's own text messages, which go first.
    notices: Option<Notices>,
    notices_looked_at: Time,
    expiry: ExpiryLooks,
    recalled_at: Time,
    /// Since when the carrier takes nothing; `None` while it does.
    down_since: Option<Time>,
    /// It is down, and others may take over texts of it.
    has_spares: bool,
    leads: Leads,
    /// The carriers that take what is claimed meanwhile, as this one takes nothing.
    detour: Option<Spares>,
    /// Whether a step is a try of a carrier that refuses all.
    is_try: bool,
    /// Outcomes of claimed messages that are not stored yet.
    pending_outcomes: PendingOutcomes,
    /// Messages that are ready and wait until it is known that the database did not go back in time. What an error keeps here is
    /// queued again.
    outbox: Vec<Submission>,
    lost: Lost,
    scratch: Scratch,
}

/// Outcomes and retries of claimed messages that were not submitted. These messages have no owner until this commit.
#[derive(Clone, Debug, Default)]
struct PendingOutcomes {
    outcomes: Vec<MessageOutcome>,
    /// Messages to queue again: the dispatcher knows that they were not submitted.
    retries: Vec<Retry>,
    /// The platform's own messages to queue again, where they still are in this dispatcher's hands.
    notices: Vec<NoticeId>,
}

impl PendingOutcomes {
    fn is_empty(&self) -> bool {
        self.outcomes.is_empty() && self.retries.is_empty() && self.notices.is_empty()
    }
}

impl Dispatcher {
    /// A dispatcher for `carrier`, working as the daemon run `owner`.
    pub fn new(
        store: Store,
        carrier: Arc<dyn SmsCarrier>,
        book: Arc<OpenChunks>,
        clock: Arc<dyn Clock>,
        owner: RunId,
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
            cursors: BTreeMap::new(),
            current: None,
            small: SmallChunks::default(),
            rounds: Rounds::default(),
            turn_length: TurnLength::new(limits.turn),
            retries_looked_at: Time(0),
            notices: None,
            notices_looked_at: Time(0),
            expiry: ExpiryLooks::default(),
            recalled_at: Time(0),
            down_since: None,
            has_spares: false,
            leads: Leads::default(),
            detour: None,
            is_try: false,
            pending_outcomes: PendingOutcomes::default(),
            outbox: Vec::new(),
            lost,
            scratch: Scratch::default(),
        }
    }

    /// The same dispatcher, which stops waiting for an unreachable database when `end` is cancelled.
    #[must_use]
    pub fn until(self, end: CancellationToken) -> Self {
        Self { writes: self.writes.until(end), ..self }
    }

    /// Also sends the platform's own text messages.
    #[must_use]
    pub fn with_notices(self, notices: Option<Notices>) -> Self {
        Self { notices, ..self }
    }

    /// The messages that were submitted and are not settled.
    pub fn unsettled(&self) -> &Unsettled {
        self.book.unsettled()
    }

    /// A [`step`](Self::step) by the carrier itself, or by its detour.
    async fn step_by_carrier(&mut self, room: u32) -> Result<DispatchStep> {
        let now = self.clock.now();
        let step = self.step_at(room, now).await;
        self.book.heed(step, &self.store, self.owner, now).await
    }

    async fn step_at(&mut self, room: u32, now: Time) -> Result<DispatchStep> {
        if self.detour.is_none() {
            self.note_up();
        }
        if let Some(step) = self.look_back(now).await? {
            return Ok(step);
        }
        self.flush_outcomes(now).await?;
        self.recall(now).await?;
        self.expire_parts(now).await?;
        if self.detour.is_some() {
            self.make_way(now).await?;
        }
        let is_due = now.since(self.notices_looked_at) >= NOTICE_LOOK || now < self.notices_looked_at;
        // The platform's own go on to other carriers by themselves (`notice/failover.rs`).
        if self.detour.is_none() && (is_due || self.current.is_none()) {
            self.notices_looked_at = now;
            if self.send_notices(DueTexts::All, room, now).await? {
                return Ok(DispatchStep::Worked);
            }
        }
        if now.since(self.retries_looked_at) >= RETRY_LOOK || now < self.retries_looked_at {
            self.retries_looked_at = now;
            if self.send_retries(room, now).await? {
                return Ok(DispatchStep::Worked);
            }
        }
        if self.send_whole(room, now).await? {
            return Ok(DispatchStep::Worked);
        }
        if self.current.is_none() {
            match self.pick(now).await? {
                Picked::Something => {}
                Picked::Full => return Ok(DispatchStep::Full),
                Picked::Nothing => return Ok(DispatchStep::Idle(self.next_retry_at(now).await?)),
            }
        }
        let Some(flow) = self.current else { return Ok(DispatchStep::Worked) };
        let Some(mut cursor) = self.cursors.remove(&flow) else {
            self.current = None;
            return Ok(DispatchStep::Worked);
        };
        if cursor.chunk.promotional && self.holds_promotional(now) {
            // None of it may stay claimed while it waits: a crash would leave it unknown.
            self.current = None;
            self.put_away(flow, cursor, now).await?;
            return Ok(DispatchStep::Worked);
        }
        let course = self.advance(&mut cursor, room, now).await;
        if cursor.left <= 0 {
            self.current = None;
            self.turn_length.end(now);
        }
        match course {
            Ok(Course::Over) => self.current = None,
            Ok(Course::Denied) => {
                self.current = None;
                // The intent is also denied when the database has another cursor than the one that is known.
                self.book.compare(&self.store, self.owner).await?;
                // The chunk is tried again soon, but not in a tight loop.
                return Ok(DispatchStep::Idle(Some(now + DENIED_PAUSE)));
            }
            Ok(Course::Full) => {
                self.cursors.insert(flow, cursor);
                return Ok(DispatchStep::Full);
            }
            // Kept after an error as well: what is claimed must still go out.
            Ok(Course::GoOn) | Err(_) => {
                self.cursors.insert(flow, cursor);
            }
        }
        course.map(|_| DispatchStep::Worked)
    }

    /// Advances a turn: claims ahead, submits what is claimed.
    async fn advance(&mut self, cursor: &mut ChunkCursor, room: u32, now: Time) -> Result<Course> {
        if cursor.doubt && !self.clear_doubt(cursor).await? {
            return Ok(Course::Denied);
        }
        let claimed = cursor.pending.as_ref().map_or(cursor.granted, |(to, _)| *to) - cursor.next;
        cursor.left = self.turn_length.left(cursor.left, claimed, now);
        self.claim_ahead(cursor, room);
        if cursor.next >= cursor.granted {
            if cursor.pending.is_none() {
                return Ok(if cursor.left <= 0 { Course::GoOn } else { Course::Full });
            }
            if !collect_intent(cursor).await? {
                return Ok(Course::Denied);
            }
        }
        if cursor.chunk.expires_at <= now {
            self.expire(cursor, now).await?;
        } else {
            self.submit(cursor, room, now).await?;
        }
        Ok(if cursor.next >= cursor.chunk.size { Course::Over } else { Course::GoOn })
    }

    /// Starts the next intent while earlier positions are still going out, unless too much is unsettled. Of calls, of what goes
    /// to other carriers, and for a try, no more are claimed than are taken now, `carrier_room`.
    fn claim_ahead(&self, cursor: &mut ChunkCursor, carrier_room: u32) {
        let ahead = cursor.granted - cursor.next;
        // Never beyond the turn: while other users have their turns, none of this user's messages are claimed.
        let wanted = (cursor.chunk.size - cursor.granted).min(cursor.left - ahead);
        let mut room = self.room_for_claims(ahead).min(self.limits.run_ahead - ahead);
        if !self.limits.whole || self.claims_few() {
            room = room.min(i64::from(carrier_room) - ahead);
        }
        // A carrier that takes over may have room for one.
        let worthwhile = if self.claims_few() { 1 } else { wanted.min(self.limits.fewest) };
        if cursor.pending.is_some() || wanted <= 0 || room < worthwhile {
            return;
        }
        self.start_intent(cursor, cursor.granted + room.min(wanted), false);
    }

    fn start_intent(&self, cursor: &mut ChunkCursor, to: i64, even_held: bool) {
        let intent = Intent {
            chunk: cursor.chunk.id,
            attempt: cursor.chunk.attempt,
            owner: self.owner,
            from: cursor.granted,
            to,
            opt_outs: cursor.opt_outs.version(),
            even_held,
        };
        let store = self.store.clone();
        let write = async move {
            store.write(Lane::Intent, intent, |tx, intent| Box::pin(chunk::store_intent(tx, *intent))).await
        };
        cursor.pending = Some((intent.to, tokio::spawn(write)));
    }

    /// How many more messages may be claimed, with `ahead` claimed and not submitted, so that a crash leaves no more
    /// than the limit unknown.
    fn room_for_claims(&self, ahead: i64) -> i64 {
        self.limits.unsettled - self.book.unsettled().count() - ahead
    }

    /// Asks the database whether an intent whose answer was lost is stored. False when this run lost the chunk.
    ///
    /// # Errors
    /// [`Error::WentBack`] when the database does not have earlier intents.
    async fn clear_doubt(&self, cursor: &mut ChunkCursor) -> Result<bool> {
        let input = (cursor.chunk.id, self.owner, cursor.chunk.attempt);
        let held = self
            .store
            .write(Lane::Intent, input, |tx, (chunk, owner, attempt)| {
                Box::pin(chunk::owned_under(tx, *chunk, *owner, *attempt))
            })
            .await?;
        let Some(stored) = held else { return Ok(false) };
        if stored < cursor.granted {
            let (chunk, granted) = (cursor.chunk.id, cursor.granted);
            return Err(Error::WentBack(format!(
                "chunk {chunk} was claimed up to {granted}, and is up to {stored}"
            )));
        }
        cursor.grant(stored);
        cursor.doubt = false;
        Ok(true)
    }

    async fn submit(&mut self, cursor: &mut ChunkCursor, room: u32, now: Time) -> Result<()> {
        let mut batch = Vec::new();
        self.compose(cursor, &mut i64::from(room), &mut batch, now);
        self.hand_over(batch).await?;
        self.flush_outcomes(now).await
    }

    /// Encodes the claimed messages of a turn into `batch`, as long as `room` (in short messages) lasts.
    fn compose(&mut self, cursor: &mut ChunkCursor, room: &mut i64, batch: &mut Vec<Submission>, now: Time) {
        while cursor.next < cursor.granted && cursor.left > 0 && *room > 0 {
            let place = place_of(cursor.next);
            cursor.next += 1;
            cursor.left -= 1;
            let message = MessageId::new(cursor.chunk.id, place);
            if let Some(reason) = cursor.chunk.forbidden(place, &cursor.opt_outs) {
                self.pending_outcomes.outcomes.push(suppressed(message, reason, now));
                continue;
            }
            if let Some(network) = self.held_by(&cursor.chunk, place) {
                let waits = unsent(cursor.chunk.id, self.carrier.name(), cursor.next - 1..cursor.next, now);
                let waits: Vec<Retry> =
                    waits.map(|it| retry::waiting_for(network, &cursor.chunk, it)).collect();
                self.pending_outcomes.retries.extend(waits);
                self.book.breakers().park();
                continue;
            }
            match cursor.chunk.submission(place, 0, &mut self.scratch) {
                Ok(submission) => batch.push(submission),
                Err(error) => {
                    tracing::error!(chunk = cursor.chunk.id.0, place, %error, "a quoted message cannot be encoded");
                    self.pending_outcomes.outcomes.push(never_sent(message, GivenUp::Unfit, now));
                }
            }
            *room -= i64::from(cursor.chunk.segments(place));
        }
    }

    /// Submits messages to the carrier, unless the database went back in time since they were claimed. After an error
    /// they wait in the outbox until they are queued again.
    async fn hand_over(&mut self, batch: Vec<Submission>) -> Result<()> {
        self.outbox.extend(batch);
        if self.outbox.is_empty() {
            return Ok(());
        }
        self.compare_on_new_connection().await?;
        if !self.must_forget() {
            let batch = std::mem::take(&mut self.outbox);
            if let Some(mut spares) = self.detour.take() {
                self.divert(batch, &mut spares, self.clock.now());
                self.detour = Some(spares);
                return Ok(());
            }
            self.book.unsettled().add(batch.len());
            self.book.refusals().tried(self.clock.now());
            self.carrier.submit(batch);
        }
        Ok(())
    }

    /// Ends cleanly: messages that are claimed and were not submitted are queued again.
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
        for cursor in std::mem::take(&mut self.cursors).into_values() {
            self.put_back(cursor, now).await;
        }
        self.put_back_outbox(now);
        self.flush_outcomes(now).await?;
        known
    }

    async fn in_hand(&self, id: ChunkId, now: Time) -> Result<Arc<OpenChunk>> {
        if let Some(open) = self.book.get(id) {
            return Ok(open);
        }
        let row = chunk::find(&mut self.store.read().await?, id)
            .await?
            .ok_or_else(|| Error::Corrupt(format!("chunk {id} does not exist")))?;
        self.book.open(&self.store, row, now).await
    }

    /// Stores the pending outcomes. They stay pending when that fails.
    async fn flush_outcomes(&mut self, now: Time) -> Result<()> {
        if self.pending_outcomes.is_empty() {
            return Ok(());
        }
        self.compare_on_new_connection().await?;
        let input = (self.pending_outcomes.clone(), now);
        let applied = self
            .writes
            .write(Lane::Background, input, |tx, (pending, now)| {
                Box::pin(async move {
                    let retries = pending.retries.iter().map(|retry| retry.message_id.chunk());
                    let outcomes = pending.outcomes.iter().map(|outcome| outcome.message.chunk());
                    chunk::lock_all(tx, retries.chain(outcomes).collect()).await?;
                    let mut applied = requeue(tx, &pending.retries, *now).await?;
                    applied.extend(settlement::settle(tx, &pending.outcomes, *now).await?);
                    for id in &pending.notices {
                        notice::put_back(tx, *id, *now, 0, PlatformReason::Unsent.code()).await?;
                    }
                    Ok(applied)
                })
            })
            .await?;
        for retry in std::mem::take(&mut self.pending_outcomes).retries {
            if let Some(open) = self.book.get(retry.message_id.chunk()) {
                open.again.note_unsent(retry.message_id, retry.tries);
            }
        }
        for chunk in applied.chunks_done {
            self.book.close(chunk);
        }
        Ok(())
    }
}
