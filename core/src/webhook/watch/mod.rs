//! The watch: compares a customer's campaigns as stored with what was reported of them.
//!
//! A campaign is checked every two seconds while it changes, less and less often while it does not, and no more once
//! all its messages are final or their receipts are a week overdue. When a chunk's counters changed, its statuses are
//! read and compared place by place with those that were reported.
//!
//! Invariant: an event and the note that it was reported are one transaction, so a crash repeats or loses nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::campaign::report::{self, progress};
use crate::error::{Error, Result};
use crate::model::message::id::MessageId;
use crate::model::message::status::MessageStatus;
use crate::model::page::RecordScope;
use crate::model::webhook::event::{EventType, MESSAGES_AN_EVENT, NewEvent};
use crate::phone::NetworkTable;
use crate::store::message::answered;
use crate::store::message::report as messages;
use crate::store::message::report::unanswered;
use crate::store::webhook::watch::{ChangedChunk, Watched};
use crate::store::webhook::{delivery, watch as rows};
use crate::store::{Lane, Store, Tx};
use crate::time::Time;
use crate::time::backoff::doubled;

/// Campaigns checked together.
const CAMPAIGNS_AT_ONCE: i64 = 200;
/// Chunks reported in one transaction: what it writes stays under about 4 MB.
const CHUNKS_AT_ONCE: i64 = 4;
/// Interval between checks while a campaign changes.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// When a campaign that cannot be read is looked at again.
const LOOK_DAMAGED: Duration = Duration::from_hours(1);
/// The longest interval.
const LOOK_SELDOM: Duration = Duration::from_secs(300);
/// Receipts that come later than this are not reported.
pub(super) const RECEIPTS_UNTIL: Duration = Duration::from_secs(7 * 24 * 3_600);
/// No transaction is open for this long: all that was confirmed before is visible.
const SETTLED_AFTER: Duration = Duration::from_secs(60);

/// The result of checking one campaign.
#[derive(Clone, Debug)]
struct Look {
    watched: Watched,
    events: Vec<NewEvent>,
    /// Chunks with the status of each place now.
    chunks: Vec<(ChangedChunk, Vec<u8>)>,
    /// Whether there are more changed chunks.
    more: bool,
}

/// Checks the campaigns that are due; true when there are more now.
///
/// # Errors
/// When the database fails.
pub async fn tick(store: &Store, networks: &NetworkTable, now: Time) -> Result<bool> {
    store.write(Lane::Background, now, |tx, now| Box::pin(discover(tx, *now))).await?;
    let mut tx = store.read().await?;
    let due = rows::due(&mut tx, now, CAMPAIGNS_AT_ONCE).await?;
    drop(tx);
    let mut more = due.len() as i64 == CAMPAIGNS_AT_ONCE;
    for watched in due {
        let looked = look(&mut store.read().await?, networks, watched.clone(), now).await;
        let written = match looked {
            Err(error @ Error::Corrupt(_)) => {
                tracing::error!(campaign = watched.campaign_id.0, %error, "webhooks are told of a campaign later");
                put_off(store, watched, now).await
            }
            looked => {
                let look = looked?;
                more |= look.more;
                let input = (look, now);
                store.write(Lane::Background, input, |tx, (look, now)| Box::pin(tell(tx, look, *now))).await
            }
        };
        match written {
            Err(Error::Stale) => {}
            written => written?,
        }
    }
    Ok(more)
}

/// Has a campaign looked at later that cannot be read, with what is told of it as it was.
async fn put_off(store: &Store, watched: Watched, now: Time) -> Result<()> {
    let put_off = store.write(Lane::Background, (watched, now), |tx, (watched, now)| {
        Box::pin(async move {
            rows::looked(tx, watched, watched.told_status, *now + LOOK_DAMAGED, watched.quiet_looks).await?;
            if is_late(watched, *now) { rows::forget(tx, watched.campaign_id).await } else { Ok(()) }
        })
    });
    put_off.await
}

/// Whether receipts that come now are not reported any more.
fn is_late(watched: &Watched, now: Time) -> bool {
    watched.completed_at.is_some_and(|at| now.since(at) > RECEIPTS_UNTIL)
}

async fn discover(tx: &mut Tx, now: Time) -> Result<()> {
    rows::discover(tx, now).await?;
    rows::advance(tx, now - SETTLED_AFTER).await
}

/// Reads a campaign and its changed chunks, and makes the events.
async fn look(tx: &mut Tx, networks: &NetworkTable, watched: Watched, now: Time) -> Result<Look> {
    let mut events = Vec::new();
    let status = watched.status;
    // The end of a campaign is reported after its last messages, so the chunks are read before the status.
    let moved = rows::moved(tx, vec![watched.campaign_id], CHUNKS_AT_ONCE).await?;
    let more = moved.len() as i64 == CHUNKS_AT_ONCE;
    let wants_messages = delivery::is_wanted(tx, watched.user_id, EventType::MessagesUpdated).await?;
    let mut chunks = Vec::new();
    let mut changed: Vec<MessageId> = Vec::new();
    for chunk in moved {
        let statuses = statuses(tx, &chunk).await?;
        if wants_messages {
            changed.extend(differences(&chunk, &statuses));
        }
        chunks.push((chunk, statuses));
    }
    for ids in changed.chunks(MESSAGES_AN_EVENT) {
        let shown = report::rows(tx, RecordScope::Own(watched.user_id), ids, networks).await?;
        events.push(NewEvent::messages(watched.user_id, &shown, now)?);
    }
    if !more
        && Some(status) != watched.told_status
        && delivery::is_wanted(tx, watched.user_id, EventType::of_campaign(status)).await?
        && let Some(campaign) = progress::views(tx, &[watched.campaign_id]).await?.pop()
    {
        events.push(NewEvent::campaign(&campaign, status, now)?);
    }
    Ok(Look { watched, events, chunks, more })
}

/// The status of each place of a chunk; 0 for queued and submitting, which are not reported.
async fn statuses(tx: &mut Tx, chunk: &ChangedChunk) -> Result<Vec<u8>> {
    let answered = answered::of_chunk(tx, chunk.chunk_id).await?;
    let size = usize::try_from(chunk.size).unwrap_or(0);
    let mut statuses = vec![0; size];
    let answered: BTreeMap<u16, MessageStatus> =
        answered.into_iter().map(|message| (message.place, message.status)).collect();
    let retried: BTreeSet<u16> =
        messages::chunk_retries(tx, chunk.chunk_id).await?.into_iter().map(|(id, _)| id.place()).collect();
    for (place, status) in (0..).zip(statuses.iter_mut()) {
        let now = answered.get(&place).copied().unwrap_or_else(|| {
            unanswered(place, retried.contains(&place), chunk.cursor, chunk.tail_cancelled)
        });
        *status = match now {
            MessageStatus::Queued | MessageStatus::Submitting => 0,
            now => now as u8,
        };
    }
    Ok(statuses)
}

/// The messages whose status differs from the reported one.
fn differences(chunk: &ChangedChunk, statuses: &[u8]) -> Vec<MessageId> {
    let told = chunk.told.as_deref().unwrap_or_default();
    (0_u16..)
        .zip(statuses)
        .filter(|(place, status)| **status != 0 && told.get(usize::from(*place)) != Some(status))
        .map(|(place, _)| MessageId::new(chunk.chunk_id, place))
        .collect()
}

/// Stores the events, and that they were reported.
async fn tell(tx: &mut Tx, look: &Look, now: Time) -> Result<()> {
    let (watched, quiet) = (&look.watched, look.events.is_empty() && look.chunks.is_empty());
    let quiet_looks = if quiet { watched.quiet_looks + 1 } else { 0 };
    let wait = doubled(LOOK_EVERY, quiet_looks, LOOK_SELDOM);
    let (told_status, look_at) =
        if look.more { (watched.told_status, now) } else { (Some(watched.status), now + wait) };
    rows::looked(tx, watched, told_status, look_at, quiet_looks).await?;
    for event in &look.events {
        delivery::insert(tx, event, now).await?;
    }
    for (chunk, statuses) in &look.chunks {
        rows::told(tx, chunk, statuses).await?;
    }
    if !look.more && watched.status.is_over() && (watched.open == 0 || is_late(watched, now)) && quiet {
        rows::forget(tx, watched.campaign_id).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
