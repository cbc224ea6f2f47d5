//! Back to queued: what was proven not to have been sent.
//!
//! The invariant: of a cancelled campaign nothing is queued again; it is given up, and its money goes back.

use std::collections::BTreeSet;

use crate::campaign::fact::Fact;
use crate::campaign::settlement;
use crate::campaign::status::MessageStatus;
use crate::carrier::MessageId;
use crate::clock::Time;
use crate::error::Result;
use crate::store::Tx;
use crate::store::chunk;
use crate::store::chunk::retry::{self, Retry};
use crate::store::message::Applied;

/// Queues messages again at a carrier; or gives them up, where the campaign was cancelled meanwhile.
pub(super) async fn requeue(tx: &mut Tx, carrier: &str, retries: &[Retry], now: Time) -> Result<Applied> {
    if retries.is_empty() {
        return Ok(Applied::default());
    }
    let chunks: BTreeSet<i64> = retries.iter().map(|retry| MessageId(retry.message_id).chunk()).collect();
    let cancelled = chunk::of_cancelled_campaigns(tx, &chunks).await?;
    let (given_up, again): (Vec<Retry>, Vec<Retry>) =
        retries.iter().cloned().partition(|retry| cancelled.contains(&MessageId(retry.message_id).chunk()));
    retry::insert(tx, carrier, &again).await?;
    let facts: Vec<Fact> = given_up
        .into_iter()
        .map(|retry| {
            Fact::of_house(
                MessageId(retry.message_id),
                MessageStatus::Cancelled,
                "house:cancelled",
                Some(now),
            )
        })
        .collect();
    settlement::settle(tx, &facts, now).await
}
