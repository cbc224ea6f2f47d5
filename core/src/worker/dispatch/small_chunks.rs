//! Small chunks, claimed whole and many at a time. Single sends consist of them.
//!
//! Invariant: each message of a claimed chunk is either ready to submit or a pending retry. Where it is not known whether
//! a claim was stored, the database is asked before anything else is claimed. All of them count towards the run-ahead.

use std::collections::VecDeque;
use std::collections::hash_map::{Entry, HashMap};

use super::Dispatcher;
use super::retry::unsent;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::campaign::id::ChunkId;
use crate::model::message::id::MessageId;
use crate::store::Lane;
use crate::store::chunk::small_chunks::WholeRow;
use crate::store::chunk::{Claimable, FEW, small_chunks as store};
use crate::time::Time;
use crate::worker::dispatch::chunk_cursor::{ChunkCursor, GivenUp, never_sent, place_of};

/// Chunks read together.
pub(super) const LINE: i64 = 256;
/// The result of trying to claim a line of chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claimed {
    /// The first one cannot be claimed whole, or none of them may go out.
    Nothing,
    /// The chunks up to this user's were claimed.
    UpTo(UserId),
    /// Too many submitted messages are not settled.
    Full,
}

/// Chunks that were claimed whole and are not submitted.
#[derive(Debug, Default)]
pub(super) struct SmallChunks {
    /// Chunks of which it is not known whether the claim was stored.
    doubtful: Vec<Claimable>,
    /// Claimed, to be decoded.
    claimed: Vec<WholeRow>,
    /// Ready to submit.
    ready: VecDeque<ChunkCursor>,
}

impl SmallChunks {
    /// Messages that are claimed, or may be claimed.
    pub(super) fn ahead(&self) -> i64 {
        let doubtful: i64 = self.doubtful.iter().map(|it| it.size).sum();
        let claimed: i64 = self.claimed.iter().map(|it| it.chunk.size).sum();
        doubtful + claimed + self.ready.iter().map(|cursor| cursor.granted - cursor.next).sum::<i64>()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.doubtful.is_empty() && self.claimed.is_empty() && self.ready.is_empty()
    }
}

impl Dispatcher {
    /// Claims the chunks at the head of a line whole, as far as they are small (a larger one is worth commits of its
    /// own), untouched, and within the limits.
    pub(super) async fn claim_whole(&mut self, line: &[Claimable], now: Time) -> Result<Claimed> {
        // For other carriers no more than they have room for.
        let room = if self.detour.is_some() { self.leads.room.into() } else { i64::MAX };
        let bound = self.limits.run_ahead.min(self.turn_length.turn()).min(room);
        let small = line.iter().take_while(|it| it.is_untouched && it.size <= i64::from(FEW));
        let wanted = within(small.clone(), bound);
        let sizes = |chunks: &[Claimable]| chunks.iter().map(|it| it.size).sum::<i64>();
        if wanted.is_empty() || !self.limits.whole || self.is_try {
            return Ok(Claimed::Nothing);
        }
        let room = self.room_for_claims(self.small.ahead());
        // A few at a time would cost a commit each.
        if room < sizes(&wanted).min((self.limits.run_ahead + 1) / 2) {
            return Ok(Claimed::Full);
        }
        let wanted = within(small, bound.min(room));
        let Some(last) = wanted.last().map(|it| it.user_id) else { return Ok(Claimed::Full) };
        let ids = wanted.iter().map(|it| it.id).collect::<Vec<_>>();
        let claimed = self
            .store
            .write(Lane::Intent, (self.carrier.name().to_owned(), ids, self.owner, now), |tx, input| {
                let (carrier, ids, owner, now) = input;
                Box::pin(store::claim(tx, carrier, ids, *owner, *now))
            })
            .await;
        match claimed {
            Ok(rows) if rows.is_empty() => Ok(Claimed::Nothing),
            Ok(rows) => {
                self.small.claimed.extend(rows);
                Ok(Claimed::UpTo(last))
            }
            Err(error) => {
                self.small.doubtful = wanted;
                Err(error)
            }
        }
    }

    /// Asks the database for claims whose answer was lost.
    async fn clear_whole_doubt(&mut self) -> Result<()> {
        if self.small.doubtful.is_empty() {
            return Ok(());
        }
        let ids: Vec<ChunkId> = self.small.doubtful.iter().map(|it| it.id).collect();
        let held = self
            .store
            .write(
                Lane::Intent,
                (self.carrier.name().to_owned(), ids, self.owner),
                |tx, (carrier, ids, owner)| Box::pin(store::held(tx, carrier, ids.clone(), *owner)),
            )
            .await?;
        self.small.doubtful.clear();
        self.small.claimed.extend(held);
        Ok(())
    }

    /// Decodes the claimed chunks and makes them ready to submit. After an error they are still to be decoded.
    async fn open_whole(&mut self, now: Time) -> Result<()> {
        self.clear_whole_doubt().await?;
        if self.small.claimed.is_empty() {
            return Ok(());
        }
        // Opt-outs and the Do-Not-Disturb list are read after the claim.
        let mut opt_outs = HashMap::new();
        for user in self.small.claimed.iter().map(|row| row.chunk.user_id) {
            if let Entry::Vacant(place) = opt_outs.entry(user) {
                place.insert(self.book.opt_outs(&self.store, user).await?);
            }
        }
        let dnd = if self.small.claimed.iter().any(|row| row.chunk.minds_dnd) {
            Some(self.book.dnd(&self.store).await?)
        } else {
            None
        };
        for WholeRow { chunk, data } in std::mem::take(&mut self.small.claimed) {
            let (id, campaign, size) = (chunk.id, chunk.terms.campaign, chunk.size);
            let opt_outs = opt_outs.get(&chunk.user_id).cloned().unwrap_or_default();
            let dnd = dnd.clone().filter(|_| chunk.minds_dnd);
            match self.book.insert(&chunk, &data, dnd, now) {
                Ok(open) => self.small.ready.push_back(ChunkCursor::whole(open, opt_outs)),
                Err(error @ Error::WentBack(_)) => return Err(error),
                Err(error) => {
                    self.pending_outcomes.retries.extend(unsent(id, self.carrier.name(), 0..size, now));
                    if let Err(error) = self.set_aside(campaign, &error).await {
                        tracing::error!(campaign = campaign.0, %error, "a campaign that cannot be sent was not paused");
                    }
                }
            }
        }
        Ok(())
    }

    /// Submits chunks that are claimed whole, as far as `room` allows. True when there were some.
    pub(super) async fn send_whole(&mut self, room: u32, now: Time) -> Result<bool> {
        if self.small.is_empty() {
            return Ok(false);
        }
        self.open_whole(now).await?;
        self.expire_whole(now);
        let mut batch = Vec::new();
        let mut room = i64::from(room);
        while room > 0
            && let Some(mut cursor) = self.small.ready.pop_front()
        {
            if cursor.chunk.promotional && self.holds_promotional(now) {
                self.queue_again(&cursor, now);
                continue;
            }
            self.compose(&mut cursor, &mut room, &mut batch, now);
            if cursor.next < cursor.granted {
                self.small.ready.push_front(cursor);
            }
        }
        self.hand_over(batch).await?;
        self.flush_outcomes(now).await?;
        Ok(true)
    }

    /// Gives up expired chunks.
    pub(super) fn expire_whole(&mut self, now: Time) {
        let (late, ready) = std::mem::take(&mut self.small.ready)
            .into_iter()
            .partition::<VecDeque<_>, _>(|cursor| cursor.chunk.expires_at <= now);
        self.small.ready = ready;
        let outcomes = late.iter().flat_map(|cursor| {
            let message = |place| MessageId::new(cursor.chunk.id, place_of(place));
            (cursor.next..cursor.granted).map(move |place| never_sent(message(place), GivenUp::Expired, now))
        });
        self.pending_outcomes.outcomes.extend(outcomes);
    }

    /// Queues chunks again that are claimed whole and not submitted.
    ///
    /// # Errors
    /// When the database cannot be asked what was claimed; it is asked again later.
    pub(super) async fn put_back_whole(&mut self, now: Time) -> Result<()> {
        let known = self.clear_whole_doubt().await;
        for row in std::mem::take(&mut self.small.claimed) {
            self.pending_outcomes.retries.extend(unsent(
                row.chunk.id,
                self.carrier.name(),
                0..row.chunk.size,
                now,
            ));
        }
        for cursor in std::mem::take(&mut self.small.ready) {
            self.queue_again(&cursor, now);
        }
        known
    }

    /// Queues chunks again that are claimed whole and that no other carrier takes over.
    pub(super) async fn put_back_alone(&mut self, now: Time) -> Result<()> {
        self.open_whole(now).await?;
        let ready = std::mem::take(&mut self.small.ready).into_iter();
        let (led, alone) = ready.partition::<VecDeque<_>, _>(|cursor| self.has_way(&cursor.chunk));
        self.small.ready = led;
        for cursor in alone {
            self.queue_again(&cursor, now);
        }
        Ok(())
    }

    /// Queues again what is claimed of a chunk and was not submitted.
    pub(super) fn queue_again(&mut self, cursor: &ChunkCursor, now: Time) {
        let places = cursor.next..cursor.granted;
        self.pending_outcomes.retries.extend(unsent(cursor.chunk.id, self.carrier.name(), places, now));
    }
}

/// The first of these chunks that have at most `bound` messages together.
fn within<'a>(chunks: impl Iterator<Item = &'a Claimable>, bound: i64) -> Vec<Claimable> {
    let mut messages = 0;
    let fits = |it: &&Claimable| {
        messages += it.size;
        messages <= bound
    };
    chunks.take_while(fits).copied().collect()
}
