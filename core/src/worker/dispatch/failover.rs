//! What a dispatcher does while its carrier takes nothing: what is due goes to another carrier, as far as that has room.
//!
//! A message that is led there stays one of its chunk; the other carrier's run has it in flight as a lent one
//! (`store/chunk/retry.rs`). One that waits there for too long, as that carrier is down or held by now, comes back. Which
//! carriers take over a trunk itself says of calls, and of texts their chunk, as it was quoted.

use std::time::Duration;

use super::{DispatchStep, Dispatcher};
#[cfg(test)]
use crate::carrier::vitals::Vitals;
use crate::carrier::{CallPolicy, Health, Submission};
use crate::error::Result;
use crate::model::message::reason::PlatformReason;
use crate::notice::DueTexts;
use crate::store::Lane;
use crate::store::carrier::breaker::{self, Release};
use crate::store::carrier::spare;
use crate::store::chunk::Flow;
use crate::store::chunk::retry::{self, LedAway, Retry};
use crate::time::Time;
use crate::time::backoff::doubled;
use crate::worker::breakers::ParkedCursor;
use crate::worker::dispatch::chunk_cursor::ChunkCursor;
use crate::worker::dispatch::open_chunks::OpenChunk;
use crate::worker::dispatch::requeue::Earlier;
use crate::worker::failover::{self, Channel, Spares};

/// The reason of a call that its trunk did not try.
const TRUNK_DOWN: &str = "call:trunk_down";
/// How long a message may wait at another carrier that does not take it.
pub(super) const WAITS: Duration = Duration::from_mins(1);
/// How often those are looked for.
pub(super) const RECALL_LOOK: Duration = Duration::from_secs(10);
/// Messages that come back at once.
pub(super) const RECALLED: i64 = 500;
/// Pause before a message that no other carrier may take is looked at again.
pub(super) const NOWHERE_PAUSE: Duration = Duration::from_mins(1);
/// How long a carrier of texts is down before others take over: a connection that is made again scatters no campaign.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);
/// Pause between two looks at what is to be led away from a carrier that refuses all.
const LEAD_PAUSE: Duration = Duration::from_millis(100);
/// Steps in a row while texts are led away.
const STEPS: usize = 16;
/// Steps of which no other carrier takes anything, after which there is a pause. The one after the first is of a single message:
/// what was queued again comes first, and may hide what has somewhere to go.
const VAIN_STEPS: usize = 2;
/// That pause; doubled for each round in a row.
const VAIN_PAUSE: Duration = Duration::from_secs(2);
/// Steps of a try: the first may hand nothing over, as what it claimed expired.
const TRY_STEPS: usize = 8;

/// Whether what is led away has somewhere to go: where nothing of a step has, there is a pause, which grows as long as nothing is
/// taken, so that no large campaign becomes as many single messages that wait.
#[derive(Debug, Default)]
pub(super) struct Leads {
    /// How many messages the next step may lead away.
    pub(super) room: u32,
    /// The lists of carriers of which one takes texts now: chunks of other lists are not claimed.
    pub(super) lists: Vec<String>,
    /// Messages of this round of steps that another carrier takes.
    placed: usize,
    /// Messages of this round that none takes.
    left: usize,
    /// Rounds in a row of which nothing was taken; 1 after one of which something was, and of a step nothing.
    in_vain: u32,
    /// When the next round may be.
    next_at: Option<Time>,
    /// What waits for the carrier's breakers.
    parked: ParkedCursor,
    /// Whether the last try of a carrier that refuses all was of what was not tried before.
    tries_new: bool,
}

impl Leads {
    fn may_go_on(&self, now: Time) -> bool {
        // A clock that was set back waits no longer than it would have.
        self.next_at.is_none_or(|at| now >= at || at.since(now) > NOWHERE_PAUSE)
    }

    const fn begin(&mut self) {
        (self.placed, self.left) = (0, 0);
    }

    /// Ends a round with so many steps of which nothing was taken, though there was something.
    fn end(&mut self, vain: usize, now: Time) {
        if self.placed > 0 {
            (self.in_vain, self.next_at) = (0, None);
        }
        if vain > 0 {
            let pause = doubled(VAIN_PAUSE, self.in_vain, NOWHERE_PAUSE);
            self.in_vain = self.in_vain.saturating_add(1);
            self.next_at = Some(now + pause);
        }
    }
}

impl Dispatcher {
    /// Does one bounded piece of work: at most one claim, one intent and one batch for the wire. `room` is the result
    /// of [`SmsCarrier::ready`](crate::carrier::SmsCarrier::ready). While the carrier refuses everything, others take over where there are
    /// some: campaigns try it with one message now and then. Codes always try it, as they go on by themselves.
    pub async fn step(&mut self, room: u32) -> Result<DispatchStep> {
        let now = self.clock.now();
        if !self.book.refusals().are_all(now) {
            return self.step_by_carrier(room).await;
        }
        let others = self.others(now).await?;
        if others.is_empty() {
            let expired = self.expire_in_time(now).await;
            self.book.heed(expired, &self.store, self.owner, now).await?;
            return self.step_by_carrier(room).await;
        }
        if self.book.refusals().is_try_due(now) {
            self.choose_try(now);
            self.is_try = true;
            let tried = self.try_carrier(room.min(1)).await;
            self.is_try = false;
            if tried? {
                return Ok(DispatchStep::Worked);
            }
        }
        let codes = self.send_codes(room, now).await;
        if let Some(step) = self.book.heed(codes, &self.store, self.owner, now).await? {
            return Ok(step);
        }
        self.lead_away(&others, now).await?;
        if self.leads.placed == 0 {
            let unclaimed = self.unclaim(now).await;
            self.book.heed(unclaimed, &self.store, self.owner, now).await?;
        }
        Ok(DispatchStep::Idle(Some(now + LEAD_PAUSE)))
    }

    /// Whether a message was handed to the carrier. The try stays due else, and what else there is to do has its turn.
    async fn try_carrier(&mut self, room: u32) -> Result<bool> {
        for _ in 0..TRY_STEPS {
            if self.step_by_carrier(room).await? != DispatchStep::Worked {
                break;
            }
            if !self.book.refusals().is_try_due(self.clock.now()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Queues again what is claimed where no other carrier took anything: as long as it waits here, a crash would leave it unknown,
    /// and an opt-out would not reach it.
    async fn unclaim(&mut self, now: Time) -> Result<()> {
        self.current = None;
        self.put_back_whole(now).await?;
        let is_claimed =
            |cursor: &ChunkCursor| cursor.doubt || cursor.pending.is_some() || cursor.next < cursor.granted;
        let claimed: Vec<Flow> =
            self.cursors.iter().filter(|(_, cursor)| is_claimed(cursor)).map(|(flow, _)| *flow).collect();
        for flow in claimed {
            if let Some(cursor) = self.cursors.remove(&flow) {
                self.put_away(flow, cursor, now).await?;
            }
        }
        self.flush_outcomes(now).await
    }

    /// Chooses what tries the carrier next: in turn a message that tried it before and one that did not, so that a message that is
    /// always refused is not the only one to try. Small chunks go first.
    fn choose_try(&mut self, now: Time) {
        self.leads.tries_new = !self.small.is_empty() || !self.leads.tries_new;
        self.retries_looked_at = if self.leads.tries_new { now } else { Time(0) };
    }

    /// Sends the platform's own texts, and gives up what expired; `None` when there were no such texts.
    async fn send_codes(&mut self, room: u32, now: Time) -> Result<Option<DispatchStep>> {
        if let Some(step) = self.look_back(now).await? {
            return Ok(Some(step));
        }
        self.expire_in_time(now).await?;
        self.recall(now).await?;
        let found = self.send_notices(DueTexts::All, room, now).await?;
        Ok(found.then_some(DispatchStep::Worked))
    }

    /// While the carrier takes nothing: gives up what expired, and leads messages to another carrier where there is one.
    pub async fn stand_aside(&mut self) -> Result<DispatchStep> {
        let now = self.clock.now();
        if !self.book.refusals().are_all(now) && self.note_up() {
            // Its window or its channels are taken, or it asked for a pause, no more.
            self.expire_late().await?;
            return Ok(DispatchStep::Worked);
        }
        self.note_down(now);
        self.expire_late().await?;
        let recalled = self.recall(now).await;
        self.book.heed(recalled, &self.store, self.owner, now).await?;
        let others = self.others(now).await?;
        self.lead_away(&others, now).await?;
        if self.leads.placed == 0 && self.down_since.is_some_and(|since| now.since(since) >= PATIENCE) {
            let unclaimed = self.unclaim(now).await;
            self.book.heed(unclaimed, &self.store, self.owner, now).await?;
        }
        Ok(DispatchStep::Worked)
    }

    /// Whether what other carriers led here waits: this one would refuse it, for good where no other is left. The other carriers
    /// take it back after [`WAITS`].
    pub(super) fn keeps_lent(&self, now: Time) -> bool {
        self.refuses_all(now) && !self.book.refusals().is_try_due(now)
    }

    /// Whether this carrier refuses all that it is given.
    pub(super) fn refuses_all(&self, now: Time) -> bool {
        self.book.refusals().are_all(now)
    }

    /// The carriers that may take over from this one now.
    async fn others(&mut self, now: Time) -> Result<Vec<String>> {
        match &self.carrier.capabilities().calls {
            Some(policy) => Ok(policy.failover.clone()),
            None => self.others_for_texts(now).await,
        }
    }

    /// Leads messages to these carriers, as far as they take messages and have room.
    async fn lead_away(&mut self, names: &[String], now: Time) -> Result<()> {
        let (channel, steps) = match self.carrier.capabilities().calls {
            Some(_) => (Channel::Calls, 1),
            None => (Channel::Texts, STEPS),
        };
        self.leads.begin();
        if channel == Channel::Texts && !self.leads.may_go_on(now) {
            return Ok(());
        }
        let mut spares = Spares::look(&self.store, names, channel, now).await?;
        if channel == Channel::Texts {
            self.call_up(&spares, now).await?;
        }
        let (mut vain, mut is_vain) = (0, false);
        for _ in 0..steps {
            if spares.room() == 0 || vain == VAIN_STEPS {
                break;
            }
            self.leads.lists.retain(|list| spares.have_any_of(list.lines()));
            self.leads.room = if is_vain { 1 } else { spares.room() };
            let (placed, left) = (self.leads.placed, self.leads.left);
            self.detour = Some(spares);
            let step = self.step_by_carrier(self.leads.room).await;
            spares = self.detour.take().unwrap_or_default();
            if self.leads.placed > placed {
                is_vain = false;
            } else if self.leads.left > left {
                (vain, is_vain) = (vain + 1, true);
                // The turn of others, whose messages may have somewhere to go.
                self.retries_looked_at = self.clock.now();
                let put_away = self.end_turn(now).await;
                self.book.heed(put_away, &self.store, self.owner, now).await?;
            }
            if step? != DispatchStep::Worked {
                break;
            }
        }
        self.leads.end(vain, now);
        Ok(())
    }

    /// Ends the turn of a chunk; what is claimed of it is queued again.
    async fn end_turn(&mut self, now: Time) -> Result<()> {
        let Some(flow) = self.current.take() else { return Ok(()) };
        match self.cursors.remove(&flow) {
            Some(cursor) => self.put_away(flow, cursor, now).await,
            None => Ok(()),
        }
    }

    /// Makes messages due that wait for the carrier's breakers and that others may take: as many as these have room for.
    async fn call_up(&mut self, spares: &Spares, now: Time) -> Result<()> {
        let limit = i64::from(spares.room());
        if limit == 0 || self.book.is_quiet(now) {
            return Ok(());
        }
        let awaited = breaker::awaited_at(&mut self.store.read().await?, self.carrier.name()).await?;
        for network in awaited {
            if !spares.take_to(&network) {
                continue;
            }
            let carrier = self.carrier.name().to_owned();
            let wanted = Release { carrier, network, limit, only_spared: true };
            self.leads.parked.release(&self.store, wanted, now).await?;
        }
        Ok(())
    }

    /// Whether promotional chunks wait now. Where they go to another carrier, the breakers there count.
    pub(super) fn holds_promotional(&self, now: Time) -> bool {
        match self.leads_texts() {
            true => self.book.is_quiet(now),
            false => self.book.holds_promotional(now),
        }
    }

    /// How its carrier fares, as a daemon tells others.
    #[cfg(test)]
    pub(crate) fn vitals(&self) -> Vitals {
        let why = self.book.refusals().why_all(self.clock.now());
        Vitals::of(self.carrier.as_ref()).refusing(why.as_deref())
    }

    /// Whether what its carrier does not take goes to others: the next look is sooner then.
    pub fn has_failover(&self) -> bool {
        self.failover().is_some() || self.has_spares
    }

    fn failover(&self) -> Option<CallPolicy> {
        self.carrier.capabilities().calls.clone().filter(|policy| !policy.failover.is_empty())
    }

    /// Notes that the carrier is up, if what takes messages of it is; returns whether it is.
    pub(super) fn note_up(&mut self) -> bool {
        let is_up = self.carrier.sending_health() == Health::Up;
        if is_up {
            (self.down_since, self.has_spares) = (None, false);
        }
        is_up
    }

    /// The carrier takes nothing; returns since when.
    fn note_down(&mut self, now: Time) -> Time {
        let since = self.down_since.filter(|since| *since <= now).unwrap_or(now);
        *self.down_since.insert(since)
    }

    /// The carriers that may take over texts; none before its own was down for long enough, or refuses all that it is given.
    async fn others_for_texts(&mut self, now: Time) -> Result<Vec<String>> {
        let since = self.note_down(now);
        let refuses_all = self.book.refusals().are_all(now);
        if now.since(since) < PATIENCE && !refuses_all {
            return Ok(Vec::new());
        }
        let lists = spare::lists_of(&mut self.store.read().await?, self.carrier.name()).await?;
        let mut names: Vec<String> =
            lists.iter().flat_map(|names| names.lines()).map(str::to_owned).collect();
        names.sort_unstable();
        names.dedup();
        names.retain(|name| name != self.carrier.name());
        self.leads.lists = lists;
        self.has_spares = !names.is_empty();
        if refuses_all && self.has_spares && self.book.refusals().is_news() {
            tracing::warn!(
                carrier = self.carrier.name(),
                "it refuses all that it is given: other carriers take over"
            );
        }
        Ok(names)
    }

    /// Whether texts are being led to other carriers: those that none may take over stay unclaimed.
    pub(super) fn leads_texts(&self) -> bool {
        self.detour.is_some() && self.carrier.capabilities().calls.is_none()
    }

    /// Whether no more messages of a chunk are claimed than there is room for.
    pub(super) const fn claims_few(&self) -> bool {
        self.is_try || self.detour.is_some()
    }

    /// The network whose breaker holds the message at `place` back. Where it goes to another carrier, the breakers there count.
    pub(super) fn held_by(&self, open: &OpenChunk, place: u16) -> Option<&str> {
        if self.leads_texts() && open.has_spares() {
            return None;
        }
        open.held_by(self.book.breakers(), place)
    }

    /// Whether one of the carriers that take texts now may take over from a chunk's own.
    pub(super) fn has_way(&self, open: &OpenChunk) -> bool {
        let names = || open.carriers.iter().map(String::as_str);
        self.detour.as_ref().is_some_and(|spares| spares.have_any_of(names()))
    }

    /// Before texts are led to other carriers: what was claimed and none takes over is queued again at its own.
    pub(super) async fn make_way(&mut self, now: Time) -> Result<()> {
        if !self.leads_texts() {
            return Ok(());
        }
        self.put_back_alone(now).await?;
        let alone = self.cursors.iter().filter(|(_, cursor)| !self.has_way(&cursor.chunk));
        let alone: Vec<Flow> = alone.map(|(flow, _)| *flow).collect();
        for flow in alone {
            self.current = self.current.filter(|current| *current != flow);
            if let Some(cursor) = self.cursors.remove(&flow) {
                self.put_away(flow, cursor, now).await?;
            }
        }
        self.flush_outcomes(now).await
    }

    /// Takes messages back that wait for too long at other carriers. Calls come back from a trunk that has no channel for
    /// them, too; texts wait where they are taken in their turn.
    pub(super) async fn recall(&mut self, now: Time) -> Result<()> {
        let is_due = now.since(self.recalled_at) >= RECALL_LOOK || now < self.recalled_at;
        if !is_due {
            return Ok(());
        }
        self.recalled_at = now;
        let mut tx = self.store.read().await?;
        // Also where no carrier takes over any more: messages that were led away before still wait.
        let led =
            if retry::is_any_led(&mut tx).await? { retry::carriers(&mut tx).await? } else { Vec::new() };
        drop(tx);
        for at in led {
            if self.takes_nothing(&at, now).await? {
                self.recall_from(&at, now).await?;
            }
        }
        Ok(())
    }

    /// Whether another carrier takes no texts now.
    pub(super) async fn takes_nothing(&self, at: &str, now: Time) -> Result<bool> {
        if at == self.carrier.name() {
            return Ok(false);
        }
        if self.carrier.capabilities().calls.is_some() {
            return Ok(true);
        }
        Ok(!Spares::look(&self.store, &[at.to_owned()], Channel::Texts, now).await?.are_up())
    }

    async fn recall_from(&self, at: &str, now: Time) -> Result<()> {
        let home = self.carrier.name().to_owned();
        // A trunk had the call and no channel for it; a text may go the same way again once that carrier is back.
        let is_tried = self.carrier.capabilities().calls.is_some();
        let led = LedAway { home, at: at.to_owned(), since: now - WAITS, is_tried, limit: RECALLED };
        let back = self
            .writes
            .write(Lane::Background, (led, now), |tx, (led, now)| Box::pin(retry::recall(tx, led, *now)))
            .await?;
        if back > 0 {
            let home = self.carrier.name();
            tracing::warn!(
                carrier = home,
                at,
                messages = back,
                "another carrier left messages waiting: they come back"
            );
        }
        Ok(())
    }

    /// Queues claimed messages for the carriers that take them.
    pub(super) fn divert(&mut self, batch: Vec<Submission>, spares: &mut Spares, now: Time) {
        let me = self.carrier.name().to_owned();
        let policy = self.carrier.capabilities().calls.clone();
        for submission in batch {
            let message = submission.message;
            let Some(open) = self.book.get(message.chunk()) else { continue };
            let Earlier { tries, parts_done, attempts, tried, caller: first } = open.again.of(message);
            let is_lent = open.carrier != me;
            let names = policy.as_ref().map_or(&open.carriers, |policy| &policy.failover);
            let (carrier, due_at, tried) = if parts_done > 0 {
                // Half of it went this way.
                (me.clone(), now + NOWHERE_PAUSE, tried)
            } else if is_lent {
                (open.carrier.clone(), now, failover::and(&tried, &me))
            } else if let Some(to) = spares.take(
                names,
                &failover::and(&tried, &me),
                open.promotional_network(&self.book, message.place()),
            ) {
                self.leads.placed += 1;
                (to, now, failover::and(&tried, &me))
            } else {
                self.leads.left += 1;
                // All have failed, or left this waiting: after the pause they are led to again, if its own is down still.
                (me.clone(), now + NOWHERE_PAUSE, me.clone())
            };
            let caller = first.or(policy.as_ref().and_then(|policy| policy.caller));
            self.pending_outcomes.retries.push(Retry {
                message_id: message,
                tries,
                parts_done: parts_done.into(),
                attempts: if policy.is_some() { attempts } else { 0 },
                due_at,
                reason: if policy.is_some() { TRUNK_DOWN } else { PlatformReason::Unsent.code() }.to_owned(),
                is_led: carrier != me,
                network: None,
                carrier,
                tried,
                caller: caller.and_then(|caller| i64::try_from(caller.digits()).ok()),
            });
        }
    }
}
