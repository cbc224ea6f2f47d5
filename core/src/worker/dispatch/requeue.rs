//! Queueing messages again that were proven not to have been sent.
//!
//! Messages of a cancelled campaign are not queued again: they are given up, and their money is released. Nor is a
//! message that has a row by now: the messages of a run that was taken for dead are `unknown`, and the run may wake up
//! and learn that one was never sent.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::campaign::settlement;
use crate::error::Result;
use crate::model::campaign::id::ChunkId;
use crate::model::message::id::MessageId;
use crate::model::message::outcome::MessageOutcome;
use crate::model::message::reason::{PlatformReason, Reason};
use crate::model::message::status::MessageStatus;
use crate::phone::Msisdn;
use crate::store::Tx;
use crate::store::chunk;
use crate::store::chunk::retry::{self, Retry};
use crate::store::message::{self, Applied, reroute};
use crate::time::Time;

/// What was tried of a message before it is sent again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Earlier {
    /// How often it was tried.
    pub tries: i64,
    /// Bit n is set when part n was accepted then.
    pub parts_done: u16,
    /// Calls placed that count as attempts; of a text, how often the carrier refused it for a reason of its own.
    pub attempts: i64,
    /// Carriers that failed in this attempt, one a line.
    pub tried: String,
    /// The number that the first of them calls from.
    pub caller: Option<Msisdn>,
}

/// What was tried of messages of a chunk that are being sent again. Where the database went back in time, what waits there again is
/// not sent: see [`retry::take_sent`].
#[derive(Debug, Default)]
pub struct SentAgain(Mutex<HashMap<MessageId, Earlier>>);

impl SentAgain {
    fn known(&self) -> MutexGuard<'_, HashMap<MessageId, Earlier>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A message is sent again.
    pub fn note(&self, message: MessageId, earlier: Earlier) {
        self.known().insert(message, earlier);
    }

    /// A message that was to be sent again after so many tries was not: it is queued again.
    pub fn note_unsent(&self, message: MessageId, tries: i64) {
        if let Some(earlier) = self.known().get_mut(&message).filter(|earlier| earlier.tries == tries) {
            earlier.tries -= 1;
        }
    }

    /// What was tried of a message before.
    pub fn of(&self, message: MessageId) -> Earlier {
        self.known().get(&message).cloned().unwrap_or_default()
    }

    /// The messages that were sent again, each with its tries before that.
    pub fn tries(&self) -> Vec<(i64, i64)> {
        self.known().iter().map(|(message, earlier)| (message.0, earlier.tries)).collect()
    }
}

/// Queues messages again at their carriers, or gives them up where the campaign was cancelled meanwhile. An unknown message
/// that is proven unsent is rejected, and its money is released or refunded.
pub(crate) async fn requeue(tx: &mut Tx, retries: &[Retry], now: Time) -> Result<Applied> {
    if retries.is_empty() {
        return Ok(Applied::default());
    }
    let chunks: BTreeSet<ChunkId> = retries.iter().map(|retry| retry.message_id.chunk()).collect();
    let cancelled = chunk::of_cancelled_campaigns(tx, &chunks).await?;
    let messages: Vec<MessageId> = retries.iter().map(|retry| retry.message_id).collect();
    let settled = message::states(tx, &messages).await?;
    let (known, open): (Vec<Retry>, Vec<Retry>) =
        retries.iter().cloned().partition(|retry| settled.contains_key(&retry.message_id));
    let (given_up, again): (Vec<Retry>, Vec<Retry>) =
        open.into_iter().partition(|retry| cancelled.contains(&retry.message_id.chunk()));
    retry::insert(tx, &again).await?;
    let led = again.iter().filter(|retry| retry.is_led);
    let led: Vec<(MessageId, &str)> = led.map(|retry| (retry.message_id, retry.carrier.as_str())).collect();
    reroute::lead_places(tx, &led).await?;
    let outcomes: Vec<MessageOutcome> = given_up
        .into_iter()
        .map(|retry| {
            MessageOutcome::by_platform(
                retry.message_id,
                MessageStatus::Cancelled,
                PlatformReason::Cancelled,
                Some(now),
            )
        })
        .collect();
    let mut applied = settlement::settle(tx, &outcomes, now).await?;
    let never_left: Vec<MessageOutcome> = known
        .iter()
        .filter(|retry| retry.parts_done == 0)
        .filter(|retry| {
            let state = settled.get(&retry.message_id);
            state.is_some_and(|state| state.status == MessageStatus::Unknown)
        })
        .map(|retry| MessageOutcome {
            message: retry.message_id,
            status: MessageStatus::Rejected,
            reference: None,
            submitted_at: Some(now),
            done_at: Some(now),
            error: Some(match PlatformReason::of_stored(&retry.reason) {
                Some(PlatformReason::Unsent) => PlatformReason::Unsent.into(),
                _ => Reason::from(retry.reason.as_str()),
            }),
            units: None,
        })
        .collect();
    applied.extend(settlement::settle(tx, &never_left, now).await?);
    Ok(applied)
}
