//! The carrier's policy for messages that stay `unknown`: after a while their money is captured or released.
//!
//! Invariant: only money that is still reserved moves, in the transaction that records why; the status stays `unknown`,
//! so that a later receipt still tells what happened.

use std::time::Duration;

use crate::campaign::settlement;
use crate::carrier::policy::UnknownThen;
use crate::error::Result;
use crate::model::campaign::id::ChunkId;
use crate::model::message::outcome::MessageOutcome;
use crate::model::message::reason::PlatformReason;
use crate::model::message::status::MessageStatus;
use crate::store::message::reroute::Reroutes;
use crate::store::{Lane, Store, chunk, message};
use crate::time::Time;

/// Chunks read in one call.
const CHUNKS: i64 = 64;

/// The position in the pass through the chunks: newest first, then from the newest again.
#[derive(Clone, Copy, Debug)]
pub struct Look(ChunkId);

impl Default for Look {
    fn default() -> Self {
        Self(ChunkId(i64::MAX))
    }
}

/// Settles some of a carrier's messages that are unknown for `after` or longer; returns how many.
pub async fn tick(
    store: &Store,
    carrier: &str,
    (after, then): (Duration, UnknownThen),
    look: &mut Look,
    now: Time,
) -> Result<usize> {
    let error = match then {
        UnknownThen::Keep => return Ok(0),
        UnknownThen::Capture => PlatformReason::UnknownCaptured,
        UnknownThen::Release => PlatformReason::UnknownReleased,
    };
    let chunks = chunk::with_unknown_of(&mut store.read().await?, carrier, look.0, CHUNKS).await?;
    *look = chunks.last().map_or_else(Look::default, |(id, _)| Look(*id));
    let mut settled = 0;
    for (id, own) in chunks {
        let mut tx = store.read().await?;
        let reroutes = Reroutes::of(&mut tx, id, &own).await?;
        let mut messages = message::written_off(&mut tx, id, now - after).await?;
        drop(tx);
        messages.retain(|id| reroutes.carrier_of(id.place()) == carrier);
        if messages.is_empty() {
            continue;
        }
        let outcomes: Vec<MessageOutcome> = messages
            .into_iter()
            .map(|id| MessageOutcome::by_platform(id, MessageStatus::Unknown, error, None))
            .collect();
        settled += outcomes.len();
        store
            .write(Lane::Background, (outcomes, now), |tx, (outcomes, now)| {
                Box::pin(settlement::settle(tx, outcomes, *now))
            })
            .await?;
    }
    Ok(settled)
}
