//! Retries: messages that were proven not to have been sent, queued again and sent again.
//!
//! Invariant: a claimed retry is submitted, or kept as a pending outcome or a pending retry; it is never dropped.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use super::{Dispatcher, RETRY_LOOK};
use crate::carrier::Submission;
use crate::contact::suppression::OptOutSnapshot;
use crate::error::Result;
use crate::model::campaign::id::{CampaignId, ChunkId};
use crate::model::message::id::MessageId;
use crate::model::message::reason::PlatformReason;
use crate::phone::Msisdn;
use crate::store::Lane;
use crate::store::chunk::retry::{DueRetries, Retry};
use crate::store::chunk::{Flow, retry as store};
use crate::time::Time;
use crate::worker::dispatch::chunk_cursor::{
    ChunkCursor, GivenUp, collect_intent, never_sent, place_of, suppressed,
};
use crate::worker::dispatch::failover::NOWHERE_PAUSE;
use crate::worker::dispatch::open_chunks::OpenChunk;
use crate::worker::dispatch::requeue::Earlier;

/// Pause before a retry is looked at again whose campaign's clip is not there.
const UNPREPARED_PAUSE: Duration = Duration::from_secs(30);

/// Retries that are due later than this are none to sleep for: there is another look long before.
const LOOK_AHEAD: Duration = Duration::from_secs(10);

impl Dispatcher {
    /// Sends retries that are due. True when there were some.
    pub(super) async fn send_retries(&mut self, room: u32, now: Time) -> Result<bool> {
        if self.next_retry_at(now).await?.is_none_or(|due| due > now) {
            return Ok(false);
        }
        let limit = i64::from(room).min(self.room_for_retries());
        if limit <= 0 {
            return Ok(false);
        }
        let quiet = self.book.is_quiet(now);
        let wanted = DueRetries {
            now,
            started_before: Time(i64::MAX),
            quiet,
            limit,
            even_held: false,
            only_spared: self.leads_texts(),
            only_own: self.refuses_all(now),
        };
        let mut retries = self.claim_retries(wanted).await?;
        if retries.is_empty() && wanted.only_own && self.detour.is_none() && !self.keeps_lent(now) {
            // One message that another carrier led here tries this carrier.
            retries = self.claim_retries(DueRetries { limit: 1, only_own: false, ..wanted }).await?;
        }
        // They are claimed: what cannot be read now is tried with what is known.
        let chunks = retries.iter().map(|retry| retry.message_id.chunk()).collect();
        if let Err(error) = self.book.renew(&self.store, chunks, now).await {
            tracing::warn!(code = error.code(), %error, "chunks of retries were not read again");
        }
        let mut batch = Vec::with_capacity(retries.len());
        let found = !retries.is_empty();
        // By campaign: whether what its calls say is there.
        let mut prepared: HashMap<CampaignId, bool> = HashMap::new();
        for retry in retries {
            let message = retry.message_id;
            let open = self.in_hand_with_opt_outs(message.chunk(), now).await;
            if let Ok((open, _)) = &open {
                let is_ready = match prepared.entry(open.script.terms.campaign) {
                    Entry::Occupied(known) => *known.get(),
                    Entry::Vacant(place) => {
                        *place.insert(self.is_prepared(open, now).await.unwrap_or_else(|error| {
                            tracing::warn!(code = error.code(), %error, "retries wait for what their calls say");
                            false
                        }))
                    }
                };
                if !is_ready {
                    self.pending_outcomes.retries.push(Retry { due_at: now + UNPREPARED_PAUSE, ..retry });
                    continue;
                }
            }
            match open {
                Ok((open, opt_outs)) => batch.extend(self.again(&open, &retry, &opt_outs, now)),
                Err(error) => {
                    tracing::warn!(code = error.code(), %error, "a retry waits: its chunk could not be read");
                    self.pending_outcomes.retries.push(Retry { due_at: now + RETRY_LOOK * 10, ..retry });
                }
            }
        }
        self.hand_over(batch).await?;
        self.flush_outcomes(now).await?;
        Ok(found)
    }

    /// How many retries may be claimed on top of the claimed messages of chunks.
    pub(super) fn room_for_retries(&self) -> i64 {
        let ahead: i64 = self.cursors.values().map(|cursor| cursor.granted - cursor.next).sum();
        self.room_for_claims(ahead + self.small.ahead()).min(self.limits.run_ahead)
    }

    pub(super) async fn next_retry_at(&self, now: Time) -> Result<Option<Time>> {
        let quiet = self.book.is_quiet(now);
        let mut tx = self.store.read().await?;
        let which = (quiet, self.keeps_lent(now));
        store::next_at(&mut tx, self.carrier.name(), self.owner, which, now + LOOK_AHEAD).await
    }

    pub(super) async fn claim_retries(&self, due: DueRetries) -> Result<Vec<Retry>> {
        let input = (self.carrier.name().to_owned(), self.owner, due);
        self.writes
            .write(Lane::Intent, input, |tx, (carrier, owner, due)| {
                Box::pin(store::claim(tx, carrier, *owner, *due))
            })
            .await
    }

    /// The submission of a message that is sent again; `None`, with a pending outcome, when it must not go out any
    /// more.
    fn again(
        &mut self,
        open: &OpenChunk,
        retry: &Retry,
        opt_outs: &OptOutSnapshot,
        now: Time,
    ) -> Option<Submission> {
        let message = retry.message_id;
        // A message whose first parts were accepted is completed in any case: half of it could not be read.
        if retry.parts_done == 0
            && let Some(reason) = open.forbidden(message.place(), opt_outs)
        {
            self.pending_outcomes.outcomes.push(suppressed(message, reason, now));
            return None;
        }
        if open.expires_at <= now {
            self.pending_outcomes.outcomes.push(never_sent(message, GivenUp::Expired, now));
            return None;
        }
        if retry.parts_done == 0
            && let Some(network) = self.held_by(open, message.place())
        {
            // One of another carrier's chunk waits there, long enough that it does not go to and fro.
            let (home, is_led) = (open.carrier.clone(), open.carrier != self.carrier.name());
            let waits = match is_led {
                true => {
                    Retry { carrier: home, due_at: now + NOWHERE_PAUSE, attempts: 0, is_led, ..retry.clone() }
                }
                false => waiting_for(network, open, retry.clone()),
            };
            self.pending_outcomes.retries.push(waits);
            if !is_led {
                self.book.breakers().park();
            }
            return None;
        }
        let parts_done = u16::try_from(retry.parts_done).unwrap_or_default();
        let caller = retry.caller.and_then(|digits| u64::try_from(digits).ok()).and_then(Msisdn::from_digits);
        let (tries, attempts, tried) = (retry.tries, retry.attempts, retry.tried.clone());
        open.again.note(message, Earlier { tries, parts_done, attempts, tried, caller });
        let submission = open.submission(message.place(), parts_done, &mut self.scratch);
        let submission = submission.map(|it| Submission {
            tries: u32::try_from(retry.tries).unwrap_or(u32::MAX),
            caller,
            ..it
        });
        if let Err(error) = &submission {
            tracing::error!(chunk = open.id.0, %error, "a quoted message cannot be encoded");
            self.pending_outcomes.outcomes.push(never_sent(message, GivenUp::Unfit, now));
        }
        submission.ok()
    }

    /// A chunk with opt-outs that were read after the claim on its retries.
    async fn in_hand_with_opt_outs(
        &self,
        id: ChunkId,
        now: Time,
    ) -> Result<(Arc<OpenChunk>, OptOutSnapshot)> {
        let open = self.in_hand(id, now).await?;
        let opt_outs = self.book.opt_outs(&self.store, open.user).await?;
        Ok((open, opt_outs))
    }

    /// Drops a chunk that must wait; its claimed messages are queued again.
    pub(super) async fn put_away(&mut self, flow: Flow, mut cursor: ChunkCursor, now: Time) -> Result<()> {
        let known = if cursor.doubt {
            self.clear_doubt(&mut cursor).await
        } else if cursor.pending.is_some() {
            collect_intent(&mut cursor).await.map(|_| true)
        } else {
            Ok(true)
        };
        match known {
            Ok(true) => self.put_back(cursor, now).await,
            // Another run has it.
            Ok(false) => {}
            Err(error) => {
                self.cursors.insert(flow, cursor);
                return Err(error);
            }
        }
        self.flush_outcomes(now).await
    }

    pub(super) async fn put_back(&mut self, cursor: ChunkCursor, now: Time) {
        let mut granted = cursor.granted;
        if let Some((to, write)) = cursor.pending
            && matches!(write.await, Ok(Ok(true)))
        {
            granted = to;
        }
        self.pending_outcomes.retries.extend(unsent(
            cursor.chunk.id,
            self.carrier.name(),
            cursor.next..granted,
            now,
        ));
    }

    /// Queues messages again that an error kept in the outbox: they may have expired meanwhile, and opt-outs came.
    pub(super) fn put_back_outbox(&mut self, now: Time) {
        for submission in std::mem::take(&mut self.outbox) {
            let message = submission.message;
            if let Some(notice) = message.notice() {
                self.pending_outcomes.notices.push(notice);
                continue;
            }
            let Some(open) = self.book.get(message.chunk()) else {
                self.outbox.push(submission);
                continue;
            };
            let Earlier { tries, parts_done, attempts, tried, caller } = open.again.of(message);
            if parts_done == 0
                && let Some(number) = open.number(message.place())
            {
                self.book.breakers().give_back(number, message, false);
            }
            let place = i64::from(message.place());
            let retries = unsent(open.id, self.carrier.name(), place..place + 1, now);
            self.pending_outcomes.retries.extend(retries.map(|it| Retry {
                tries,
                parts_done: parts_done.into(),
                attempts,
                tried: tried.clone(),
                caller: caller.and_then(|caller| i64::try_from(caller.digits()).ok()),
                ..it
            }));
        }
    }
}

#[cfg(test)]
impl Dispatcher {
    /// Keeps claimed messages in the outbox, as an error of the database does just before they are submitted.
    pub(crate) fn keep_back(&mut self, claimed: Vec<Submission>) {
        self.outbox.extend(claimed);
    }
}

/// A message that waits for the breaker of a network: it is made due when that lets it through, and else is due when it
/// expires, as then its money is released.
pub(super) fn waiting_for(network: &str, chunk: &OpenChunk, retry: Retry) -> Retry {
    Retry { due_at: chunk.expires_at, network: Some(network.to_owned()), ..retry }
}

/// Retries at `carrier` for claimed places of a chunk that were not submitted.
pub(super) fn unsent(
    chunk: ChunkId,
    carrier: &str,
    places: Range<i64>,
    due_at: Time,
) -> impl Iterator<Item = Retry> {
    places.map(move |place| Retry {
        message_id: MessageId::new(chunk, place_of(place)),
        tries: 0,
        parts_done: 0,
        attempts: 0,
        due_at,
        reason: PlatformReason::Unsent.code().to_owned(),
        carrier: carrier.to_owned(),
        tried: String::new(),
        caller: None,
        is_led: false,
        network: None,
    })
}
