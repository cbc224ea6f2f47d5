//! Giving up expired messages, whether or not the carrier takes any.
//!
//! Invariant: only claimed messages are given up, so none of them is on the wire.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use super::Dispatcher;
use crate::campaign::settlement;
use crate::error::Result;
use crate::model::campaign::id::ChunkId;
use crate::model::message::id::MessageId;
use crate::store::Lane;
use crate::store::chunk::expiry::{self, ExpiredChunk};
use crate::store::chunk::retry::{self, DueRetries, Retry};
use crate::store::chunk::{self, Flow};
use crate::time::Time;
use crate::worker::dispatch::chunk_cursor::{
    ChunkCursor, Course, GivenUp, collect_intent, never_sent, place_of,
};
use crate::worker::dispatch::failover::{PATIENCE, RECALL_LOOK, RECALLED, WAITS};

/// Chunks given up, and campaigns begun, in one call of [`Dispatcher::expire_late`].
const EXPIRED_CHUNKS: u8 = 64;
/// How often expired messages are given up under a hold, and at a carrier that refuses all.
const EXPIRY_LOOK: Duration = Duration::from_secs(5);
/// Pause before a retry that has not expired yet is checked again.
const RETRY_LATER: Duration = Duration::from_mins(1);

/// When expired messages were last looked for.
#[derive(Debug, Default)]
pub(super) struct ExpiryLooks {
    at: Time,
    parts_at: Time,
}

impl Dispatcher {
    /// Gives up expired messages while the carrier takes none, so that their money does not stay reserved: claimed
    /// chunks, unclaimed chunks and retries. A bounded number per call.
    pub async fn expire_late(&mut self) -> Result<()> {
        let now = self.clock.now();
        let begins = self.down_since.is_some_and(|since| now.since(since) >= PATIENCE);
        let expired = self.expire_late_at(begins, now).await;
        self.book.heed(expired, &self.store, self.owner, now).await
    }

    /// Does so now and then, and begins campaigns.
    pub(super) async fn expire_in_time(&mut self, now: Time) -> Result<()> {
        if now.since(self.expiry.at) < EXPIRY_LOOK && now >= self.expiry.at {
            return Ok(());
        }
        self.expiry.at = now;
        self.expire_late_at(true, now).await
    }

    async fn expire_late_at(&mut self, begins: bool, now: Time) -> Result<()> {
        if self.look_back(now).await?.is_some() {
            return Ok(());
        }
        self.expire_whole(now);
        self.flush_outcomes(now).await?;
        self.expire_retries(now).await?;
        self.expire_parts(now).await?;
        let in_hand = self.cursors.iter().filter(|(_, cursor)| cursor.chunk.expires_at <= now);
        for flow in in_hand.map(|(flow, _)| *flow).collect::<Vec<Flow>>() {
            if !self.expire_in_hand(flow, now).await? {
                return Ok(());
            }
        }
        self.expire_unclaimed(begins, now).await
    }

    /// Gives up unclaimed chunks that have expired. If it `begins` campaigns, those with chunks here that have not begun begin now: their
    /// validity ends though this carrier takes nothing.
    async fn expire_unclaimed(&mut self, begins: bool, now: Time) -> Result<()> {
        let mut tx = self.store.read().await?;
        let (began_before, limit) = (self.book.began_before(begins, now), i64::from(EXPIRED_CHUNKS));
        let found = expiry::expired(&mut tx, self.carrier.name(), self.owner, began_before, limit).await?;
        drop(tx);
        let (expired, new): (Vec<ExpiredChunk>, Vec<ExpiredChunk>) =
            found.into_iter().partition(|it| it.has_begun);
        if !new.is_empty() {
            let chunks: Vec<ChunkId> = new.iter().map(|chunk| chunk.id).collect();
            self.store
                .write(Lane::Background, (chunks, now), |tx, (chunks, now)| {
                    Box::pin(expiry::begin(tx, chunks, *now))
                })
                .await?;
        }
        for chunk in expired {
            let flow = chunk.flow();
            if let Some(other) = self.cursors.remove(&flow) {
                self.current = self.current.filter(|current| *current != flow);
                self.put_away(flow, other, now).await?;
            }
            self.claim(flow, chunk.id, now).await?;
            if !self.expire_in_hand(flow, now).await? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Gives up the chunk in hand of a flow, if it has expired. False when no more may be claimed now.
    async fn expire_in_hand(&mut self, flow: Flow, now: Time) -> Result<bool> {
        let is_late = |cursor: &ChunkCursor| cursor.chunk.expires_at <= now;
        if !self.cursors.get(&flow).is_some_and(is_late) {
            return Ok(true);
        }
        let Some(mut cursor) = self.cursors.remove(&flow) else { return Ok(true) };
        match self.expire_all(&mut cursor, now).await {
            // Denied: paused or lost. The chunk is dropped, as when it is to be sent.
            Ok(Course::Denied) => self.book.compare(&self.store, self.owner).await.map(|()| true),
            Ok(Course::Full) => {
                self.cursors.insert(flow, cursor);
                Ok(false)
            }
            Ok(Course::Over | Course::GoOn) => Ok(true),
            Err(error) => {
                self.cursors.insert(flow, cursor);
                Err(error)
            }
        }
    }

    /// Gives up what expired at other carriers that accepted some parts of it and take nothing now, as one that left the
    /// configuration: half of a message goes no other way.
    pub(super) async fn expire_parts(&mut self, now: Time) -> Result<()> {
        let is_due = now.since(self.expiry.parts_at) >= RECALL_LOOK || now < self.expiry.parts_at;
        if !is_due {
            return Ok(());
        }
        self.expiry.parts_at = now;
        let carriers = retry::carriers_with_parts(&mut self.store.read().await?).await?;
        for at in carriers {
            if self.takes_nothing(&at, now).await? {
                self.expire_parts_at(&at, now).await?;
            }
        }
        Ok(())
    }

    async fn expire_parts_at(&self, at: &str, now: Time) -> Result<()> {
        let (home, started_before) = (self.carrier.name(), self.book.may_have_expired(now));
        let mut tx = self.store.read().await?;
        let waiting = retry::parts_at(&mut tx, at, home, now - WAITS, started_before, RECALLED).await?;
        drop(tx);
        let chunks: BTreeSet<ChunkId> = waiting.iter().map(|message| message.chunk()).collect();
        let mut expired = BTreeSet::new();
        for chunk in chunks {
            let open = match self.book.get(chunk) {
                Some(open) => Some(open),
                None => self.book.look_up(&self.store, chunk, now).await?.map(Arc::new),
            };
            if open.is_some_and(|open| open.expires_at <= now) {
                expired.insert(chunk);
            }
        }
        let late: Vec<MessageId> =
            waiting.into_iter().filter(|message| expired.contains(&message.chunk())).collect();
        if late.is_empty() {
            return Ok(());
        }
        let applied = self
            .writes
            .write(Lane::Background, (at.to_owned(), late, now), |tx, (at, late, now)| {
                Box::pin(async move {
                    chunk::lock_all(tx, late.iter().map(|message| message.chunk()).collect()).await?;
                    let taken = retry::take_at(tx, at, late).await?;
                    let expired = taken.into_iter().map(|it| never_sent(it, GivenUp::Expired, *now));
                    settlement::settle(tx, &expired.collect::<Vec<_>>(), *now).await
                })
            })
            .await?;
        for chunk in applied.chunks_done {
            self.book.close(chunk);
        }
        Ok(())
    }

    /// Claims the rest of a chunk and gives it up, a run-ahead at a time.
    async fn expire_all(&mut self, cursor: &mut ChunkCursor, now: Time) -> Result<Course> {
        if cursor.doubt && !self.clear_doubt(cursor).await? {
            return Ok(Course::Denied);
        }
        while cursor.next < cursor.chunk.size {
            if cursor.next >= cursor.granted {
                let room = self.room_for_claims(0).min(self.limits.run_ahead);
                if cursor.pending.is_none() && room <= 0 {
                    return Ok(Course::Full);
                }
                if cursor.pending.is_none() {
                    self.start_intent(cursor, cursor.chunk.size.min(cursor.granted + room), true);
                }
                if !collect_intent(cursor).await? {
                    return Ok(Course::Denied);
                }
            }
            self.expire(cursor, now).await?;
        }
        Ok(Course::Over)
    }

    async fn expire_retries(&mut self, now: Time) -> Result<()> {
        let limit = self.room_for_retries();
        if limit <= 0 {
            return Ok(());
        }
        let started_before = self.book.may_have_expired(now);
        let due = DueRetries {
            now,
            started_before,
            quiet: false,
            limit,
            even_held: true,
            only_spared: false,
            only_own: false,
        };
        for retry in self.claim_retries(due).await? {
            let message = retry.message_id;
            match self.in_hand(message.chunk(), now).await {
                Ok(open) if open.expires_at <= now => {
                    self.pending_outcomes.outcomes.push(never_sent(message, GivenUp::Expired, now));
                }
                _ => self.pending_outcomes.retries.push(Retry { due_at: now + RETRY_LATER, ..retry }),
            }
        }
        self.flush_outcomes(now).await
    }

    /// Gives up the claimed messages of an expired turn; their money is released.
    pub(super) async fn expire(&mut self, cursor: &mut ChunkCursor, now: Time) -> Result<()> {
        let late = cursor.next..cursor.granted;
        cursor.left -= late.end - late.start;
        let chunk = cursor.chunk.id;
        let outcomes =
            late.map(|place| never_sent(MessageId::new(chunk, place_of(place)), GivenUp::Expired, now));
        self.pending_outcomes.outcomes.extend(outcomes);
        cursor.next = cursor.granted;
        self.flush_outcomes(now).await
    }
}
