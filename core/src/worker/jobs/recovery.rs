//! Rescue: messages that a dead run of the daemon left in flight become `unknown`, and its chunks can be claimed again.
//! Receipts that it had stored and not yet applied are written to their messages. Calls that verify numbers and that it had
//! under way are ended, and given back as far as they were not answered.

use std::collections::{BTreeSet, HashSet};
use std::time::Duration;

use crate::campaign::settlement;
use crate::error::Result;
use crate::model::message::id::MessageId;
use crate::model::message::outcome::MessageOutcome;
use crate::model::message::reason::PlatformReason;
use crate::model::message::status::MessageStatus;
use crate::model::platform::id::RunId;
use crate::sender::own_number;
use crate::store::chunk::{self, OrphanedChunk, retry};
use crate::store::message::{self, deferred_receipt};
use crate::store::operations::daemon;
use crate::store::{Lane, Store, Tx};
use crate::time::Time;

/// The default lease: a run whose heartbeat is older than this is dead (PostgreSQL; on SQLite the lock on the file
/// tells).
pub const LEASE: Duration = Duration::from_secs(15);
/// Chunks settled in one call.
const CHUNKS: i64 = 64;
/// Rows of deferred receipts written in one call.
const ROWS: i64 = 8;

/// Declares runs dead that were silent for a whole `lease`, unless it is `None`, and settles what dead runs held; returns
/// how many messages became unknown, and whether there may be more to do.
pub async fn tick(
    store: &Store,
    me: RunId,
    lease: impl Into<Option<Duration>>,
    now: Time,
) -> Result<(usize, bool)> {
    if let Some(lease) = lease.into() {
        store
            .write(Lane::Interactive, (me, lease, now), |tx, (me, lease, now)| {
                Box::pin(daemon::declare_dead(tx, *me, *lease, *now))
            })
            .await?;
    }
    let held = chunk::owned_by_the_dead(&mut store.read().await?, me, CHUNKS).await?;
    let more = i64::try_from(held.len()).unwrap_or(CHUNKS) == CHUNKS;
    let mut unknown = 0;
    for chunk in held {
        unknown += store
            .write(Lane::Interactive, (chunk, now), |tx, (chunk, now)| Box::pin(let_go(tx, *chunk, *now)))
            .await?;
    }
    let (lost, more_lent) = take_back_lent(store, me, now).await?;
    let more_deferred = write_deferred(store, me, now).await?;
    let more_calls = own_number::settle_of_the_dead(store, me, now).await?;
    Ok((unknown + lost, more || more_lent || more_deferred || more_calls))
}

/// Retries that dead runs had taken from chunks held by other runs become unknown.
async fn take_back_lent(store: &Store, me: RunId, now: Time) -> Result<(usize, bool)> {
    let lent = retry::lent_by_the_dead(&mut store.read().await?, me, CHUNKS).await?;
    let more = i64::try_from(lent.len()).unwrap_or(CHUNKS) == CHUNKS;
    let mut unknown = 0;
    for message in lent {
        unknown += store
            .write(Lane::Interactive, (message, now), |tx, (message, now)| Box::pin(lose(tx, *message, *now)))
            .await?;
    }
    store.write(Lane::Background, me, |tx, me| Box::pin(retry::forget_lent(tx, *me))).await?;
    Ok((unknown, more))
}

/// Messages of other carriers' chunks that are still in flight by one that this run closed become unknown.
async fn leave_lent(store: &Store, me: RunId, carrier: &str, now: Time) -> Result<usize> {
    store.write(Lane::Background, me, |tx, me| Box::pin(retry::forget_lent(tx, *me))).await?;
    let mut unknown = 0;
    loop {
        let lent = retry::lent_at(&mut store.read().await?, me, carrier, CHUNKS).await?;
        if lent.is_empty() {
            return Ok(unknown);
        }
        for message in lent {
            let input = (message, me, carrier.to_owned(), now);
            unknown += store
                .write(Lane::Interactive, input, |tx, (message, me, carrier, now)| {
                    Box::pin(async move {
                        chunk::lock_all(tx, BTreeSet::from([message.chunk()])).await?;
                        match retry::take_back_from(tx, *message, *me, carrier).await? {
                            true => forsake(tx, *message, *now).await,
                            false => Ok(0),
                        }
                    })
                })
                .await?;
        }
    }
}

async fn lose(tx: &mut Tx, message: MessageId, now: Time) -> Result<usize> {
    // Before it is looked whether it is queued again: a claim of it holds the chunk, too.
    chunk::lock_all(tx, BTreeSet::from([message.chunk()])).await?;
    match retry::take_back(tx, message).await? {
        true => forsake(tx, message, now).await,
        false => Ok(0),
    }
}

/// A message that was taken back from the run that had it in flight is unknown, unless it was answered or queued again.
async fn forsake(tx: &mut Tx, message: MessageId, now: Time) -> Result<usize> {
    let queued = retry::of_chunk(tx, message.chunk()).await?.iter().any(|it| it.message_id == message);
    if queued || message::states(tx, &[message]).await?.contains_key(&message) {
        return Ok(0);
    }
    let outcome = MessageOutcome::by_platform(message, MessageStatus::Unknown, PlatformReason::Crashed, None);
    settlement::settle(tx, &[outcome], now).await.map(|_| 1)
}

/// At the start of a run, tries receipts again that were set aside: the cause may be corrected.
pub async fn take_up_again(store: &Store) -> Result<()> {
    store
        .write(Lane::Interactive, (), |tx, ()| Box::pin(deferred_receipt::take_up_again(tx)))
        .await
        .map(|_| ())
}

/// Writes receipts to their messages that dead runs had deferred; true when there may be more.
pub(crate) async fn write_deferred(store: &Store, me: RunId, now: Time) -> Result<bool> {
    let held = deferred_receipt::of_the_dead(&mut store.read().await?, me, ROWS).await?;
    let more = i64::try_from(held.len()).unwrap_or(ROWS) == ROWS;
    for row in held {
        match row.outcomes() {
            Ok(outcomes) => write_row(store, &row, outcomes, now).await?,
            Err(error) => {
                tracing::error!(row = row.id.0, code = error.code(), %error, "held receipts are set aside");
                store
                    .write(Lane::Background, (row.id, now), |tx, (id, now)| {
                        Box::pin(deferred_receipt::set_aside(tx, *id, *now))
                    })
                    .await?;
            }
        }
    }
    Ok(more)
}

/// Writes the receipts of a row to their messages and deletes it. A receipt that cannot be written is set aside, so
/// that it does not hold up the others.
async fn write_row(
    store: &Store,
    row: &deferred_receipt::OrphanedReceipts,
    outcomes: Vec<MessageOutcome>,
    now: Time,
) -> Result<()> {
    match write(store, row, outcomes.clone(), Vec::new(), now).await {
        Err(error) if !error.is_passing() => {
            tracing::error!(row = row.id.0, code = error.code(), %error, "held receipts are written one by one");
        }
        other => return other,
    }
    let mut aside = Vec::new();
    for outcome in outcomes {
        let written = store
            .write(Lane::Background, (outcome.clone(), now), |tx, (outcome, now)| {
                Box::pin(async move { settlement::settle(tx, std::slice::from_ref(outcome), *now).await })
            })
            .await;
        match written {
            Err(error) if !error.is_passing() => {
                tracing::error!(code = error.code(), %error, receipt = ?outcome, "a receipt is set aside");
                aside.push(outcome);
            }
            other => other.map(|_| ())?,
        }
    }
    write(store, row, Vec::new(), aside, now).await
}

/// Deletes a row, writes `outcomes` and keeps `aside`, in one transaction, if no other run has taken the row.
async fn write(
    store: &Store,
    row: &deferred_receipt::OrphanedReceipts,
    outcomes: Vec<MessageOutcome>,
    aside: Vec<MessageOutcome>,
    now: Time,
) -> Result<()> {
    store
        .write(Lane::Background, (row.clone(), outcomes, aside, now), |tx, (row, outcomes, aside, now)| {
            Box::pin(async move {
                // Only one run deletes the row; another one may be at the same rescue.
                if deferred_receipt::let_go(tx, &[row.id]).await? == 1 {
                    settlement::settle(tx, outcomes, *now).await?;
                    deferred_receipt::keep_aside(tx, row.owner, aside, *now).await?;
                }
                Ok(())
            })
        })
        .await
}

/// Gives back the chunks of a run that stops cleanly. Messages that are still in flight become unknown, as after a
/// crash.
pub async fn stop(store: &Store, me: RunId, now: Time) -> Result<usize> {
    let mut unknown = 0;
    loop {
        let held = chunk::owned_by(&mut store.read().await?, me, CHUNKS).await?;
        if held.is_empty() {
            return Ok(unknown);
        }
        for chunk in held {
            unknown += store
                .write(Lane::Interactive, (chunk, now), |tx, (chunk, now)| Box::pin(let_go(tx, *chunk, *now)))
                .await?;
        }
    }
}

/// Gives back the chunks of one carrier when this run closed it, or after its database went back in time; the run goes
/// on. Messages that are still in flight become unknown, as after a crash.
pub async fn leave(store: &Store, me: RunId, carrier: &str, now: Time) -> Result<usize> {
    let mut unknown = 0;
    loop {
        let held = chunk::owned_at(&mut store.read().await?, me, carrier, CHUNKS).await?;
        if held.is_empty() {
            return Ok(unknown + leave_lent(store, me, carrier, now).await?);
        }
        for chunk in held {
            unknown += store
                .write(Lane::Interactive, (chunk, now), |tx, (chunk, now)| Box::pin(let_go(tx, *chunk, *now)))
                .await?;
        }
    }
}

/// Gives a chunk back: places below the cursor with neither a message row nor a retry become unknown. Returns how many.
async fn let_go(tx: &mut Tx, held: OrphanedChunk, now: Time) -> Result<usize> {
    chunk::lock_all(tx, BTreeSet::from([held.id])).await?;
    if !chunk::seize(tx, held.id, held.owner).await? {
        return Ok(0);
    }
    // Read again now that it is fenced: the run may have written after the list was read.
    let Some(row) = chunk::find(tx, held.id).await? else { return Ok(0) };
    let accounted: HashSet<MessageId> = message::settled_in(tx, held.id)
        .await?
        .into_iter()
        .chain(retry::of_chunk(tx, held.id).await?.into_iter().map(|retry| retry.message_id))
        .chain(retry::lent_of_chunk(tx, held.id).await?)
        .collect();
    let outcomes: Vec<MessageOutcome> = (0..row.cursor)
        .map(|place| MessageId::new(held.id, u16::try_from(place).unwrap_or(u16::MAX)))
        .filter(|message| !accounted.contains(message))
        .map(|message| {
            MessageOutcome::by_platform(message, MessageStatus::Unknown, PlatformReason::Crashed, None)
        })
        .collect();
    settlement::settle(tx, &outcomes, now).await?;
    chunk::give_back(tx, held.id, held.owner).await?;
    Ok(outcomes.len())
}
