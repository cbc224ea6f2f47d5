//! The dispatcher of one carrier: claims chunks, stores intents, hands messages to the wire.
//!
//! ```text
//! pick a user in turn ─▶ claim a chunk ─▶ intent: positions a..b ─▶ submit ─▶ (answers go to the settler)
//! ```
//!
//! Intents run ahead of the wire by at most [`Limits::run_ahead`]: that and the carrier's window bound what a crash
//! leaves unknown. A turn is at most [`Limits::turn`] messages, so that a small campaign never waits behind a large one.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;

use super::book::{Book, OpenChunk};
use crate::campaign::control::{self, Authority};
use crate::campaign::fact::Fact;
use crate::campaign::settlement;
use crate::campaign::status::MessageStatus;
use crate::carrier::{Capabilities, MessageId, SmsCarrier, Submission};
use crate::clock::{Clock, Time};
use crate::contact::suppression::Snapshot;
use crate::content::Scratch;
use crate::error::{Error, Result};
use crate::notice::Notices;
use crate::store::chunk::{self, Due, Intent, Retry};
use crate::store::{Lane, Store};

/// How often due retries are looked for while there is other work.
const RETRY_LOOK: Duration = Duration::from_millis(100);

/// Chunks given up in one call of [`Dispatcher::expire_late`].
const EXPIRED_CHUNKS: usize = 64;
/// Before a retry that was looked at too early is looked at again.
const RETRY_LATER: Duration = Duration::from_mins(1);
/// How often the platform's own text messages are looked for while there is other work: a code waits no longer.
const NOTICE_LOOK: Duration = Duration::from_millis(200);

/// Before looking again for work after an intent was denied.
const DENIED_PAUSE: Duration = Duration::from_millis(20);

/// The bounds under which a dispatcher works.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Positions that may be claimed and not yet on the wire.
    pub run_ahead: i64,
    /// Messages of one user before the next one's turn.
    pub turn: i64,
}

impl Limits {
    /// The bounds that follow from a carrier's window and rate (architecture: Intent, Claim).
    pub fn of(capabilities: &Capabilities) -> Self {
        let turn = if capabilities.rate == 0 { 4_096 } else { i64::from(capabilities.rate) };
        Self { run_ahead: i64::from(capabilities.window / 4).max(100), turn }
    }
}

/// What a step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Something: call again at once.
    Worked,
    /// Nothing to do; the earliest retry is due then, if there is one.
    Idle(Option<Time>),
}

/// A chunk in the middle of being sent.
#[derive(Debug)]
struct Turn {
    chunk: Arc<OpenChunk>,
    /// The next position for the wire.
    next: i64,
    /// Positions below it are claimed.
    granted: i64,
    /// An intent on its way to the disk, up to this position.
    pending: Option<(i64, JoinHandle<Result<bool>>)>,
    /// An intent of which nobody knows whether it was stored: the database is asked before anything else.
    doubt: bool,
    /// Messages left before the next user's turn.
    left: i64,
    /// Whom its user may not write to. An intent is stored only while this is still so.
    opt_outs: Snapshot,
}

/// What is to become of a turn after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Course {
    /// There is more to send.
    GoOn,
    /// Every position is on the wire.
    Over,
    /// The chunk must be let go: paused, cancelled, held, lost.
    Denied,
}

/// One carrier's dispatcher.
#[derive(Debug)]
pub struct Dispatcher {
    store: Store,
    carrier: Arc<dyn SmsCarrier>,
    book: Arc<Book>,
    clock: Arc<dyn Clock>,
    owner: i64,
    limits: Limits,
    /// By user: chunks in hand with positions left.
    turns: BTreeMap<i64, Turn>,
    current: Option<i64>,
    last_user: i64,
    retries_looked_at: Time,
    /// The platform's own text messages, which go first.
    notices: Option<Notices>,
    notices_looked_at: Time,
    /// What became of claimed messages and could not be written yet.
    owed: Owed,
    scratch: Scratch,
}

/// Claimed messages that did not go out: they are in nobody's hands until this is written.
#[derive(Clone, Debug, Default)]
struct Owed {
    facts: Vec<Fact>,
    /// To be queued again, on our own word that they never left.
    retries: Vec<Retry>,
}

impl Owed {
    fn is_empty(&self) -> bool {
        self.facts.is_empty() && self.retries.is_empty()
    }
}

impl Dispatcher {
    /// A dispatcher for `carrier`, working as the daemon run `owner`.
    pub fn new(
        store: Store,
        carrier: Arc<dyn SmsCarrier>,
        book: Arc<Book>,
        clock: Arc<dyn Clock>,
        owner: i64,
    ) -> Self {
        let limits = Limits::of(carrier.capabilities());
        Self {
            store,
            carrier,
            book,
            clock,
            owner,
            limits,
            turns: BTreeMap::new(),
            current: None,
            last_user: 0,
            retries_looked_at: Time(0),
            notices: None,
            notices_looked_at: Time(0),
            owed: Owed::default(),
            scratch: Scratch::default(),
        }
    }

    /// Also sends the platform's own text messages.
    #[must_use]
    pub fn with_notices(self, notices: Option<Notices>) -> Self {
        Self { notices, ..self }
    }

    /// Does one bounded piece of work: at most one claim, one intent and one batch for the wire. `room` is what
    /// [`SmsCarrier::ready`] said.
    pub async fn step(&mut self, room: u32) -> Result<Step> {
        let now = self.clock.now();
        self.pay(now).await?;
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
        if self.current.is_none() && !self.pick(now).await? {
            return Ok(Step::Idle(self.next_retry_at(now).await?));
        }
        let Some(user) = self.current else { return Ok(Step::Worked) };
        let Some(mut turn) = self.turns.remove(&user) else {
            self.current = None;
            return Ok(Step::Worked);
        };
        if turn.chunk.promotional && self.book.is_quiet(now) {
            // Nothing of it may stay claimed over the night: a crash would leave it unknown.
            self.current = None;
            self.put_away(turn, now).await?;
            return Ok(Step::Worked);
        }
        let course = self.advance(&mut turn, room, now).await;
        if turn.left <= 0 {
            self.current = None;
        }
        match course {
            Ok(Course::Over) => self.current = None,
            Ok(Course::Denied) => {
                self.current = None;
                // Whatever forbade it is looked at again soon, but not in a tight loop.
                return Ok(Step::Idle(Some(now + DENIED_PAUSE)));
            }
            // After an error too: what is claimed must still go out.
            Ok(Course::GoOn) | Err(_) => {
                self.turns.insert(user, turn);
            }
        }
        course.map(|_| Step::Worked)
    }

    /// Chooses whose turn it is: the users after the last one, in a circle. False when there is nothing to send.
    async fn pick(&mut self, now: Time) -> Result<bool> {
        let Some(user) = self.next_user(self.last_user, now).await? else {
            if self.last_user == 0 {
                return Ok(false);
            }
            self.last_user = 0;
            return Ok(true);
        };
        self.last_user = user;
        if let Some(turn) = self.turns.get_mut(&user) {
            turn.left = self.limits.turn;
            self.current = Some(user);
        }
        Ok(true)
    }

    /// The first user after `after` with something to send, whose next chunk is in hand then.
    async fn next_user(&mut self, after: i64, now: Time) -> Result<Option<i64>> {
        let in_hand = self.turns.range(after + 1..).next().map(|(user, _)| *user);
        let claimable = chunk::next_claimable(
            &mut self.store.read().await?,
            self.carrier.name(),
            self.owner,
            after,
            self.book.is_quiet(now),
        )
        .await?;
        match (in_hand, claimable) {
            (Some(user), None) => Ok(Some(user)),
            (Some(user), Some((other, _))) if user <= other => Ok(Some(user)),
            (_, Some((user, id))) => {
                self.claim(id, now).await?;
                Ok(Some(user))
            }
            (None, None) => Ok(None),
        }
    }

    async fn claim(&mut self, id: i64, now: Time) -> Result<()> {
        let claimed = self
            .store
            .write(Lane::Intent, (id, self.owner, now), |tx, (id, owner, now)| {
                Box::pin(chunk::claim(tx, *id, *owner, *now))
            })
            .await?;
        // `None`: another daemon was faster; the next pick looks again.
        let Some(row) = claimed else { return Ok(()) };
        let campaign = row.campaign_id;
        let open = match self.book.open(&self.store, row, now).await {
            Err(error @ (Error::Corrupt(_) | Error::Rule { .. })) => {
                return self.set_aside(campaign, &error).await;
            }
            opened => opened?,
        };
        let opt_outs = self.book.opt_outs(&self.store, open.user).await?;
        let turn = Turn {
            opt_outs,
            next: open.cursor,
            granted: open.cursor,
            pending: None,
            doubt: false,
            left: 0,
            chunk: open,
        };
        self.turns.insert(turn.chunk.user, turn);
        Ok(())
    }

    /// Pauses a campaign that cannot be read, so that the others go on.
    async fn set_aside(&self, campaign: i64, error: &Error) -> Result<()> {
        tracing::error!(campaign, %error, "a campaign cannot be sent: it is paused");
        let reason = format!("It cannot be sent: {error}");
        self.store
            .write(Lane::Interactive, (campaign, reason), |tx, (campaign, reason)| {
                Box::pin(control::pause(tx, *campaign, Authority::Admin, reason))
            })
            .await
    }

    /// Moves a turn on: claims ahead, submits what is claimed.
    async fn advance(&mut self, turn: &mut Turn, room: u32, now: Time) -> Result<Course> {
        if turn.doubt && !self.clear_doubt(turn).await? {
            return Ok(Course::Denied);
        }
        self.claim_ahead(turn, self.limits.run_ahead);
        if turn.next == turn.granted && !collect_intent(turn).await? {
            return Ok(Course::Denied);
        }
        if turn.chunk.expires_at <= now {
            self.expire(turn, now).await?;
        } else {
            self.submit(turn, room, now).await?;
        }
        Ok(if turn.next >= turn.chunk.size { Course::Over } else { Course::GoOn })
    }

    /// Starts the next intent while earlier positions are still going out.
    fn claim_ahead(&self, turn: &mut Turn, run_ahead: i64) {
        let room = run_ahead - (turn.granted - turn.next);
        if turn.pending.is_some() || turn.granted >= turn.chunk.size || room < (run_ahead + 1) / 2 {
            return;
        }
        let intent = Intent {
            chunk: turn.chunk.id,
            attempt: turn.chunk.attempt,
            owner: self.owner,
            from: turn.granted,
            to: turn.chunk.size.min(turn.granted + room),
            opt_outs: turn.opt_outs.version(),
        };
        let store = self.store.clone();
        let write = async move {
            store.write(Lane::Intent, intent, |tx, intent| Box::pin(chunk::store_intent(tx, *intent))).await
        };
        turn.pending = Some((intent.to, tokio::spawn(write)));
    }

    /// Asks the database whether an intent whose answer was lost is stored. False when the chunk is.
    async fn clear_doubt(&self, turn: &mut Turn) -> Result<bool> {
        let input = (turn.chunk.id, self.owner, turn.chunk.attempt);
        let held = self
            .store
            .write(Lane::Intent, input, |tx, (chunk, owner, attempt)| {
                Box::pin(chunk::held_under(tx, *chunk, *owner, *attempt))
            })
            .await?;
        let Some(cursor) = held else { return Ok(false) };
        turn.granted = cursor;
        turn.doubt = false;
        Ok(true)
    }

    async fn submit(&mut self, turn: &mut Turn, room: u32, now: Time) -> Result<()> {
        let mut batch = Vec::new();
        let mut unfit = Vec::new();
        let mut room = i64::from(room);
        while turn.next < turn.granted && turn.left > 0 && room > 0 {
            let place = place_of(turn.next);
            if !turn.opt_outs.is_empty() && turn.chunk.opted_out(place, &turn.opt_outs) {
                unfit.push(never_sent(MessageId::new(turn.chunk.id, place), MessageStatus::Suppressed, now));
                turn.next += 1;
                turn.left -= 1;
                continue;
            }
            match turn.chunk.submission(place, 0, &mut self.scratch) {
                Ok(submission) => batch.push(submission),
                Err(error) => {
                    tracing::error!(chunk = turn.chunk.id, place, %error, "a quoted message cannot be encoded");
                    unfit.push(never_sent(
                        MessageId::new(turn.chunk.id, place),
                        MessageStatus::Rejected,
                        now,
                    ));
                }
            }
            room -= i64::from(turn.chunk.segments(place));
            turn.next += 1;
            turn.left -= 1;
        }
        self.hand_over(batch);
        self.owed.facts.extend(unfit);
        self.pay(now).await
    }

    fn hand_over(&self, batch: Vec<Submission>) {
        if !batch.is_empty() {
            self.carrier.submit(batch);
        }
    }

    /// Gives up what is claimed of a campaign whose messages are of no use any more, and refunds it.
    async fn expire(&mut self, turn: &mut Turn, now: Time) -> Result<()> {
        let late = turn.next..turn.granted;
        turn.left -= late.end - late.start;
        let chunk = turn.chunk.id;
        let facts =
            late.map(|place| never_sent(MessageId::new(chunk, place_of(place)), MessageStatus::Expired, now));
        self.owed.facts.extend(facts);
        turn.next = turn.granted;
        self.pay(now).await
    }

    /// Sends the platform's own text messages, codes first. True when there were some.
    async fn send_notices(&self, room: u32, now: Time) -> Result<bool> {
        let Some(notices) = &self.notices else { return Ok(false) };
        let batch = notices.claim_sms(self.carrier.name(), room, now).await?.batch;
        let found = !batch.is_empty();
        self.hand_over(batch);
        Ok(found)
    }

    /// Gives up what has expired while the carrier takes nothing, so that nobody's money waits for it: chunks in hand,
    /// chunks nobody claimed yet, and retries. A bounded number a call.
    pub async fn expire_late(&mut self) -> Result<()> {
        let now = self.clock.now();
        self.pay(now).await?;
        self.expire_retries(now).await?;
        let mut after = 0;
        for _ in 0..EXPIRED_CHUNKS {
            let Some(user) = self.next_user(after, now).await? else { return Ok(()) };
            let Some(mut turn) = self.turns.remove(&user) else {
                after = user;
                continue;
            };
            if turn.chunk.expires_at > now {
                self.turns.insert(user, turn);
                after = user;
                continue;
            }
            match self.expire_all(&mut turn, now).await {
                Ok(true) => {}
                // Paused or lost: it is let go of, as when it is to be sent.
                Ok(false) => after = user,
                Err(error) => {
                    self.turns.insert(user, turn);
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// Claims the rest of a chunk and gives it up. False when it may not be touched.
    async fn expire_all(&mut self, turn: &mut Turn, now: Time) -> Result<bool> {
        if turn.doubt && !self.clear_doubt(turn).await? {
            return Ok(false);
        }
        while turn.next < turn.chunk.size {
            self.claim_ahead(turn, turn.chunk.size);
            if turn.next == turn.granted && !collect_intent(turn).await? {
                return Ok(false);
            }
            self.expire(turn, now).await?;
        }
        Ok(true)
    }

    async fn expire_retries(&mut self, now: Time) -> Result<()> {
        let due = Due {
            now,
            started_before: self.book.may_have_expired(now),
            quiet: false,
            limit: self.limits.run_ahead,
        };
        for retry in self.claim_retries(due).await? {
            let message = MessageId(retry.message_id);
            match self.in_hand(message.chunk(), now).await {
                Ok(open) if open.expires_at <= now => {
                    self.owed.facts.push(never_sent(message, MessageStatus::Expired, now));
                }
                _ => self.owed.retries.push(Retry { due_at: (now + RETRY_LATER).0, ..retry }),
            }
        }
        self.pay(now).await
    }

    async fn claim_retries(&self, due: Due) -> Result<Vec<Retry>> {
        let input = (self.carrier.name().to_owned(), self.owner, due);
        self.store
            .write(Lane::Intent, input, |tx, (carrier, owner, due)| {
                Box::pin(chunk::claim_retries(tx, carrier, *owner, *due))
            })
            .await
    }

    async fn next_retry_at(&self, now: Time) -> Result<Option<Time>> {
        let quiet = self.book.is_quiet(now);
        let mut tx = self.store.read().await?;
        Ok(chunk::next_retry_at(&mut tx, self.carrier.name(), self.owner, quiet).await?.map(Time))
    }

    /// Sends what is due again. True when there was something.
    async fn send_retries(&mut self, room: u32, now: Time) -> Result<bool> {
        if self.next_retry_at(now).await?.is_none_or(|due| due > now) {
            return Ok(false);
        }
        let limit = i64::from(room).min(self.limits.run_ahead);
        let quiet = self.book.is_quiet(now);
        let retries = self.claim_retries(Due { now, started_before: Time(i64::MAX), quiet, limit }).await?;
        let mut batch = Vec::with_capacity(retries.len());
        let found = !retries.is_empty();
        for retry in retries {
            let message = MessageId(retry.message_id);
            match self.in_hand_with_opt_outs(message.chunk(), now).await {
                Ok((open, opt_outs)) => batch.extend(self.again(&open, &retry, &opt_outs, now)),
                Err(error) => {
                    tracing::warn!(code = error.code(), %error, "a retry waits: its chunk could not be read");
                    self.owed.retries.push(Retry { due_at: (now + RETRY_LOOK * 10).0, ..retry });
                }
            }
        }
        self.hand_over(batch);
        self.pay(now).await?;
        Ok(found)
    }

    /// A message that is sent again; or, when it is too late for that, what becomes of it.
    fn again(
        &mut self,
        open: &OpenChunk,
        retry: &Retry,
        opt_outs: &Snapshot,
        now: Time,
    ) -> Option<Submission> {
        let message = MessageId(retry.message_id);
        // Of a message whose first parts were accepted the rest follows: nobody reads half a message.
        if retry.parts_done == 0 && open.opted_out(message.place(), opt_outs) {
            self.owed.facts.push(never_sent(message, MessageStatus::Suppressed, now));
            return None;
        }
        if open.expires_at <= now {
            self.owed.facts.push(never_sent(message, MessageStatus::Expired, now));
            return None;
        }
        let parts_done = u16::try_from(retry.parts_done).unwrap_or_default();
        open.note_again(message, retry.tries, parts_done);
        let submission = open.submission(message.place(), parts_done, &mut self.scratch);
        if let Err(error) = &submission {
            tracing::error!(chunk = open.id, %error, "a quoted message cannot be encoded");
            self.owed.facts.push(never_sent(message, MessageStatus::Rejected, now));
        }
        submission.ok()
    }

    /// Ends in good order: what is claimed and was not handed over goes back to queued.
    pub async fn finish(&mut self) -> Result<()> {
        let now = self.clock.now();
        for turn in std::mem::take(&mut self.turns).into_values() {
            self.put_back(turn, now).await;
        }
        self.pay(now).await
    }

    /// A chunk with a look at the opt-outs that is younger than the claim on its retries.
    async fn in_hand_with_opt_outs(&self, id: i64, now: Time) -> Result<(Arc<OpenChunk>, Snapshot)> {
        let open = self.in_hand(id, now).await?;
        let opt_outs = self.book.opt_outs(&self.store, open.user).await?;
        Ok((open, opt_outs))
    }

    /// Lets go of a chunk that must wait; what is claimed of it goes back to queued.
    async fn put_away(&mut self, mut turn: Turn, now: Time) -> Result<()> {
        let known = if turn.doubt {
            self.clear_doubt(&mut turn).await
        } else if turn.pending.is_some() {
            collect_intent(&mut turn).await.map(|_| true)
        } else {
            Ok(true)
        };
        match known {
            Ok(true) => self.put_back(turn, now).await,
            // Somebody else has it.
            Ok(false) => {}
            Err(error) => {
                self.turns.insert(turn.chunk.user, turn);
                return Err(error);
            }
        }
        self.pay(now).await
    }

    async fn put_back(&mut self, turn: Turn, now: Time) {
        let mut granted = turn.granted;
        if let Some((to, write)) = turn.pending
            && matches!(write.await, Ok(Ok(true)))
        {
            granted = to;
        }
        self.owed.retries.extend((turn.next..granted).map(|place| Retry {
            message_id: MessageId::new(turn.chunk.id, place_of(place)).0,
            tries: 0,
            parts_done: 0,
            due_at: now.0,
            reason: "house:unsent".to_owned(),
        }));
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
    async fn pay(&mut self, now: Time) -> Result<()> {
        if self.owed.is_empty() {
            return Ok(());
        }
        let input = (self.carrier.name().to_owned(), self.owed.clone(), now);
        let applied = self
            .store
            .write(Lane::Background, input, |tx, (carrier, owed, now)| {
                Box::pin(async move {
                    chunk::insert_retries(tx, carrier, &owed.retries).await?;
                    settlement::settle(tx, &owed.facts, *now).await
                })
            })
            .await?;
        self.owed = Owed::default();
        for chunk in applied.chunks_done {
            self.book.close(chunk);
        }
        Ok(())
    }
}

/// Waits for the pending intent. False when the claim is lost or the campaign must not go on.
async fn collect_intent(turn: &mut Turn) -> Result<bool> {
    let Some((to, write)) = turn.pending.take() else { return Ok(turn.granted > turn.next) };
    match write.await {
        Ok(Ok(true)) => {
            turn.granted = to;
            Ok(true)
        }
        Ok(Ok(false)) => Ok(false),
        Ok(Err(error)) => {
            turn.doubt = true;
            Err(error)
        }
        Err(panic) => {
            turn.doubt = true;
            Err(Error::Corrupt(format!("storing an intent panicked: {panic}")))
        }
    }
}

fn place_of(position: i64) -> u16 {
    // Positions are below 4,096 by the database's own check.
    u16::try_from(position).unwrap_or(u16::MAX)
}

/// A message that was claimed and is given up before it reached the wire.
fn never_sent(message: MessageId, status: MessageStatus, now: Time) -> Fact {
    let error = match status {
        MessageStatus::Expired => "house:expired",
        MessageStatus::Suppressed => "house:opted_out",
        _ => "house:unfit",
    };
    Fact {
        message,
        status,
        reference: None,
        submitted_at: None,
        done_at: Some(now),
        error: Some(error.into()),
    }
}
