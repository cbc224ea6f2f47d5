//! Packing the delivered messages of chunks that rest (`store/message/packed_messages.rs`): a few bytes each in place of a row.
//!
//! A chunk is first looked at when it may rest, and then again for as long as receipts may come. What is delivered after that stays a
//! row, and so do few messages. Reading and packing are done outside the transaction that writes; a chunk is one transaction. What fails, or is
//! cut off by a crash, is tried again after [`CLAIMED_FOR`].

use std::time::Duration;

use crate::error::{Error, Result};
use crate::model::campaign::id::ChunkId;
use crate::model::message::receipt_state::RECEIPTS_COME_FOR;
use crate::store::message::packed_messages::{self, Packing};
use crate::store::{Lane, Store, Tx};
use crate::time::Time;

/// A chunk rests when nothing changed it for so long: nearly all receipts have come by then.
const UNCHANGED_FOR: Duration = if cfg!(test) { Duration::from_secs(2) } else { Duration::from_hours(1) };
/// When a chunk is looked at again that is not sent yet, waits for receipts, or cannot be packed.
const LOOK_AGAIN_AFTER: Duration =
    if cfg!(test) { Duration::from_secs(10) } else { Duration::from_hours(24) };
/// For so long no other daemon looks at a chunk that one looks at.
const CLAIMED_FOR: Duration = if cfg!(test) { Duration::from_secs(5) } else { Duration::from_mins(10) };
/// Fewer messages stay rows.
const MESSAGES_MIN: usize = if cfg!(test) { 2 } else { 64 };
/// Chunks that go into the queue at once, or are passed over.
const QUEUED_AT_ONCE: i64 = 1_000;

/// What is done about a chunk.
#[derive(Debug)]
enum Verdict {
    Pack(Packing),
    LookAgain(Time),
    Leave,
}

/// Packs the messages of some chunks, at most `most`; true when there may be more to do.
///
/// # Errors
/// Those of the database, once the other chunks were packed. A chunk that cannot be packed stays as it is, with a line in the log.
pub async fn tick(store: &Store, now: Time, most: i64) -> Result<bool> {
    let claim = store.write(Lane::Background, (now, most), |tx, (now, most)| {
        Box::pin(async move {
            let claimed = packed_messages::claim(tx, *now, *now + CLAIMED_FOR, *most).await?;
            let (before, at_least) = (*now - UNCHANGED_FOR, MESSAGES_MIN as i64);
            let more = match claimed.is_empty() {
                true => packed_messages::queue_more(tx, *now, before, at_least, QUEUED_AT_ONCE).await?,
                false => claimed.len() as i64 == *most,
            };
            Ok((claimed, more))
        })
    });
    let (claimed, more) = claim.await?;
    let mut failed = None;
    for chunk in claimed {
        match pack(store, chunk, now).await {
            Ok(()) => {}
            // It changed meanwhile.
            Err(Error::Stale) => {}
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    failed.map_or(Ok(more), Err)
}

async fn pack(store: &Store, chunk: ChunkId, now: Time) -> Result<()> {
    let mut tx = store.read().await?;
    let judged = judge(&mut tx, chunk, now).await;
    drop(tx);
    let verdict = match judged {
        Err(error @ Error::Corrupt(_)) => {
            tracing::error!(chunk = chunk.0, %error, "the messages of a chunk are not packed");
            Verdict::LookAgain(now + LOOK_AGAIN_AFTER)
        }
        judged => judged?,
    };
    let written = store.write(Lane::Background, (chunk, verdict), |tx, (chunk, verdict)| {
        Box::pin(async move {
            match verdict {
                Verdict::Pack(packing) => packed_messages::store(tx, packing).await,
                Verdict::LookAgain(at) => packed_messages::look_again(tx, *chunk, Some(*at)).await,
                Verdict::Leave => packed_messages::look_again(tx, *chunk, None).await,
            }
        })
    });
    written.await
}

async fn judge(tx: &mut Tx, chunk: ChunkId, now: Time) -> Result<Verdict> {
    let Some(activity) = packed_messages::activity(tx, chunk).await? else { return Ok(Verdict::Leave) };
    let answered_at = activity.answered_at.unwrap_or_default();
    if !activity.is_done {
        return Ok(Verdict::LookAgain(now + LOOK_AGAIN_AFTER));
    }
    // What a clock that was ahead wrote is old.
    if (now - UNCHANGED_FOR..now + LOOK_AGAIN_AFTER).contains(&answered_at) {
        return Ok(Verdict::LookAgain(now + UNCHANGED_FOR));
    }
    let waits = activity.awaited > 0 && (now - RECEIPTS_COME_FOR..now).contains(&answered_at);
    let due_at = waits.then(|| now + LOOK_AGAIN_AFTER);
    // In this order: what another daemon packs between the two is missed, which the write notices, and never found twice.
    let before = packed_messages::of_chunk(tx, chunk).await?;
    let more = packed_messages::unpacked(tx, chunk).await?;
    if more.len() >= MESSAGES_MIN {
        return Ok(Verdict::Pack(Packing::of(chunk, before, more, due_at)?));
    }
    Ok(due_at.map_or(Verdict::Leave, Verdict::LookAgain))
}

#[cfg(test)]
mod tests;
