//! Rescue: what a dead run of the daemon left in flight becomes `unknown`, and its chunks can be claimed again. Receipts
//! that it had taken in go to their messages.

use std::collections::HashSet;

use crate::campaign::fact::Fact;
use crate::campaign::settlement;
use crate::campaign::status::MessageStatus;
use crate::carrier::MessageId;
use crate::clock::Time;
use crate::error::Result;
use crate::store::chunk::{self, Held};
use crate::store::{Lane, Store, Tx, daemon, held_receipt, message};

/// A run whose heartbeat is older than this is dead (PostgreSQL; on SQLite the file's lock says so).
pub const SILENCE_MS: i64 = 15_000;
/// Chunks settled in one call.
const CHUNKS: i64 = 64;
/// Rows of held receipts written in one call.
const ROWS: i64 = 8;

/// Declares silent runs dead and settles chunks that dead runs held; returns how many messages became unknown, and
/// whether there may be more.
pub async fn tick(store: &Store, me: i64, now: Time) -> Result<(usize, bool)> {
    store
        .write(Lane::Interactive, (me, now), |tx, (me, now)| {
            Box::pin(daemon::declare_dead(tx, *me, SILENCE_MS, *now))
        })
        .await?;
    let held = chunk::held_by_the_dead(&mut store.read().await?, me, CHUNKS).await?;
    let more = i64::try_from(held.len()).unwrap_or(CHUNKS) == CHUNKS;
    let mut unknown = 0;
    for chunk in held {
        unknown += store
            .write(Lane::Interactive, (chunk, now), |tx, (chunk, now)| Box::pin(let_go(tx, *chunk, *now)))
            .await?;
    }
    let more_held = write_held(store, me, now).await?;
    Ok((unknown, more || more_held))
}

/// Writes receipts to their messages that dead runs had taken in and not yet written; true when there may be more.
async fn write_held(store: &Store, me: i64, now: Time) -> Result<bool> {
    let held = held_receipt::of_the_dead(&mut store.read().await?, me, ROWS).await?;
    let more = i64::try_from(held.len()).unwrap_or(ROWS) == ROWS;
    for row in &held {
        match write_row(store, row, now).await {
            Err(error) if !error.is_passing() => {
                // It stays for a person to look at; the others are not to suffer for it.
                tracing::error!(row = row.id, code = error.code(), %error, "held receipts cannot be written");
            }
            other => other?,
        }
    }
    Ok(more)
}

async fn write_row(store: &Store, row: &held_receipt::Held, now: Time) -> Result<()> {
    let input = (row.id, row.facts()?, now);
    store
        .write(Lane::Background, input, |tx, (row, facts, now)| {
            Box::pin(async move {
                // Nobody else takes it then, who may look for the same.
                if held_receipt::let_go(tx, &[*row]).await? == 1 {
                    settlement::settle(tx, facts, *now).await?;
                }
                Ok(())
            })
        })
        .await
}

/// Gives the chunks of a run that stops in good order back. What is still in flight then becomes unknown as after a
/// crash.
pub async fn stop(store: &Store, me: i64, now: Time) -> Result<usize> {
    let mut unknown = 0;
    loop {
        let held = chunk::held_by(&mut store.read().await?, me, CHUNKS).await?;
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

/// Gives the chunks of one carrier back, when this run closed it and goes on. What is still in flight then becomes
/// unknown as after a crash.
pub async fn leave(store: &Store, me: i64, carrier: &str, now: Time) -> Result<usize> {
    let mut unknown = 0;
    loop {
        let held = chunk::held_at(&mut store.read().await?, me, carrier, CHUNKS).await?;
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

/// A position below the cursor with neither a message nor a retry is unknown; then the chunk is nobody's.
async fn let_go(tx: &mut Tx, held: Held, now: Time) -> Result<usize> {
    if !chunk::seize(tx, held.id, held.owner).await? {
        return Ok(0);
    }
    // Read again now that it is seized: the run may have died after its last write was listed.
    let Some(row) = chunk::find(tx, held.id).await? else { return Ok(0) };
    let accounted: HashSet<i64> = message::settled_in(tx, held.id)
        .await?
        .into_iter()
        .map(|(id,)| id)
        .chain(chunk::retry::of_chunk(tx, held.id).await?.into_iter().map(|retry| retry.message_id))
        .collect();
    let facts: Vec<Fact> = (0..row.cursor)
        .map(|place| MessageId::new(held.id, u16::try_from(place).unwrap_or(u16::MAX)))
        .filter(|message| !accounted.contains(&message.0))
        .map(|message| Fact::of_house(message, MessageStatus::Unknown, "house:crashed", None))
        .collect();
    settlement::settle(tx, &facts, now).await?;
    chunk::give_back(tx, held.id, held.owner).await?;
    Ok(facts.len())
}
