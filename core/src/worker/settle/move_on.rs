//! Messages that go on to another carrier, as this one refused them for a reason of its own.
//!
//! Invariant: only what this carrier says that it did not take moves on, whole. What is unknown stays, and so does a
//! message of which a part was accepted, or may have been.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use super::{Answered, Settler, THROTTLED_PAUSE, refusal_code};
use crate::carrier::{Answer, Event, Verdict};
use crate::error::Result;
use crate::model::campaign::id::ChunkId;
use crate::store::chunk::retry::Retry;
use crate::time::Time;
use crate::worker::dispatch::open_chunks::OpenChunk;
use crate::worker::failover::{self, Channel, Spares};

/// How often a carrier may say in a row that it does not take a text for now, before the text moves on.
const PATIENT_TRIES: i64 = 5;
/// How often a text is refused for good by the same carrier, while those that may take over cannot be reached, before that
/// is its outcome.
const LOOKS: i64 = 10;
/// Pause before such a text is tried again.
const LOOK_PAUSE: Duration = Duration::from_mins(1);
/// The same where another carrier takes texts and has no room for this one; longer with each try, up to a minute.
const ROOM_PAUSE: Duration = Duration::from_secs(5);

impl Settler {
    /// The carriers that may take what this one failed to; none where it failed to take nothing.
    pub(super) async fn spares_for(
        &self,
        events: &[Event],
        chunks: &mut HashMap<ChunkId, Answered>,
        now: Time,
    ) -> Result<Spares> {
        let answers = || {
            events
                .iter()
                .filter_map(|event| if let Event::Answer(answer) = event { Some(answer) } else { None })
        };
        let is_failed =
            |answer: &Answer| matches!(&answer.verdict, Verdict::Called(call) if call.is_trunks_fault());
        if let Some(policy) = &self.carrier.capabilities().calls {
            let names = if answers().any(is_failed) { policy.failover.as_slice() } else { &[] };
            return Spares::look(&self.store, names, Channel::Calls, now).await;
        }
        let refused = answers().filter(|answer| is_carriers(answer));
        let refused: BTreeSet<ChunkId> = refused
            .map(|answer| answer.message.chunk())
            .filter(|chunk| chunks.get(chunk).is_some_and(|answered| answered.chunk.has_spares()))
            .collect();
        // Those that were rerouted meanwhile have others that take over, or none.
        self.book.renew(&self.store, refused.clone(), now).await?;
        for chunk in &refused {
            if let Some(answered) = chunks.get_mut(chunk).filter(|answered| !answered.is_reloaded)
                && let Some(renewed) = self.book.get(*chunk)
            {
                answered.chunk = renewed;
            }
        }
        let names: BTreeSet<&String> = refused
            .iter()
            .filter_map(|chunk| chunks.get(chunk))
            .flat_map(|answered| &answered.chunk.carriers)
            .filter(|name| *name != self.carrier.name())
            .collect();
        let names: Vec<String> = names.into_iter().cloned().collect();
        Spares::look(&self.store, &names, Channel::Texts, now).await
    }

    /// The text queued at another carrier, or here until one can take it; `None` where its answer stands, as the reason is not
    /// the carrier's, or all carriers were tried.
    pub(super) fn move_on(
        &self,
        open: &OpenChunk,
        answer: &Answer,
        is_reloaded: bool,
        spares: &mut Spares,
        now: Time,
    ) -> Option<Retry> {
        let (refusal, is_final) = match &answer.verdict {
            Verdict::Refused(refusal) => (refusal, true),
            Verdict::Throttled(refusal) => (refusal, false),
            _ => return None,
        };
        let earlier = open.again.of(answer.message);
        let is_whole = !is_reloaded && earlier.parts_done == 0 && answer.accepted.iter().next().is_none();
        if !(refusal.is_carriers && is_whole && open.has_spares()) || open.expires_at <= now {
            return None;
        }
        let (me, place) = (self.carrier.name(), answer.message.place());
        let refused = earlier.attempts + 1;
        let tried = failover::and(&earlier.tried, me);
        let reason = refusal_code(refusal).code().to_owned();
        let retry = Retry {
            message_id: answer.message,
            tries: earlier.tries + 1,
            parts_done: 0,
            attempts: refused,
            due_at: now + THROTTLED_PAUSE,
            reason,
            carrier: me.to_owned(),
            tried: earlier.tried.clone(),
            caller: None,
            network: None,
            is_led: false,
        };
        let network = open.promotional_network(&self.book, place);
        if (is_final || refused >= PATIENT_TRIES)
            && let Some(to) = spares.take(&open.carriers, &tried, network)
        {
            tracing::debug!(carrier = me, message = answer.message.0, to, "a text goes by another carrier");
            return Some(Retry { attempts: 0, due_at: now, carrier: to, tried, is_led: true, ..retry });
        }
        if !is_final {
            return Some(retry);
        }
        if spares.would_take(&open.carriers, &tried, network) {
            // It waits for room there, which comes.
            let pause = ROOM_PAUSE * u32::try_from(retry.tries.clamp(1, 12)).unwrap_or(12);
            return Some(Retry { attempts: earlier.attempts, due_at: now + pause, ..retry });
        }
        let is_left = open.carriers.iter().any(|name| !failover::has(&tried, name));
        (is_left && refused < LOOKS).then(|| Retry { due_at: now + LOOK_PAUSE, ..retry })
    }

    /// Notes whether the carrier takes messages, as these answers tell it. Once they are stored: an answer that waits for the
    /// database comes again and again.
    pub(super) fn note_refusals(&self, events: &[Event], now: Time) {
        for event in events {
            let Event::Answer(answer) = event else { continue };
            let (refusal, is_final) = match &answer.verdict {
                Verdict::Refused(refusal) => (refusal, true),
                Verdict::Throttled(refusal) => (refusal, false),
                Verdict::Accepted => {
                    self.note_taken();
                    continue;
                }
                Verdict::Unanswered | Verdict::Unsent | Verdict::Called(_) => continue,
            };
            let is_taken_in_part = answer.accepted.iter().next().is_some();
            if refusal.is_carriers && !is_taken_in_part {
                self.book.refusals().refused(answer.message, &refusal.reason, is_final, now);
            } else {
                self.note_taken();
            }
        }
    }

    fn note_taken(&self) {
        if self.book.refusals().ended() {
            tracing::info!(carrier = self.carrier.name(), "it does not refuse all that it is given any more");
        }
    }
}

/// Whether a carrier refused a text for a reason of its own.
fn is_carriers(answer: &Answer) -> bool {
    matches!(&answer.verdict, Verdict::Refused(refusal) | Verdict::Throttled(refusal) if refusal.is_carriers)
}
