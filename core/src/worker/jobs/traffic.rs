//! Statistics, counted after the send: revenue and cost of each chunk's accepted messages by day and network, and the
//! outcomes of all ([`Tally`]). Of calls those that were answered count, by their pulses, for the trunk that placed them.
//!
//! A chunk's sequence is read before its messages, and noted as counted. A change after that raises the sequence, and the
//! chunk is counted again.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::{TimeZone, offset};
use talkdrum_api::money::Amount;

use crate::campaign::report::count_chunk::count_chunk;
use crate::carrier::policy::Cost;
use crate::error::{Error, Result};
use crate::model::campaign::audience_chunk::Chunk;
use crate::model::campaign::id::ChunkId;
use crate::model::message::delivery_counts::Tally;
use crate::model::message::status::{MessageStatus, MoneyState};
use crate::phone::NetworkTable;
use crate::store::message::answered::{self, AnsweredMessage};
use crate::store::message::reroute::Reroutes;
use crate::store::stats::traffic as table;
use crate::store::stats::traffic::{TrafficRow, Uncounted};
use crate::store::voice::call;
use crate::store::{Lane, Store, Tx, chunk};
use crate::time::Time;

/// Chunks counted in one call.
const CHUNKS: i64 = 16;
/// A chunk is counted when it has not changed for this long.
const UNCHANGED_FOR: Duration = Duration::from_secs(30);
/// When a chunk that cannot be read is counted again.
const AGAIN_AFTER: Duration = Duration::from_hours(24);

/// Counts some chunks; true when there may be more. `costs` are the carriers' prices by their names.
///
/// # Errors
/// Those of the database. A chunk that cannot be read is put off, with a line in the log.
pub async fn tick(
    store: &Store,
    networks: &NetworkTable,
    costs: &BTreeMap<String, Cost>,
    now: Time,
) -> Result<bool> {
    let chunks = table::uncounted(&mut store.read().await?, now, now - UNCHANGED_FOR, CHUNKS).await?;
    let more = chunks.len() as i64 == CHUNKS;
    for chunk in chunks {
        let counted = count(&mut store.read().await?, &chunk, networks, costs).await;
        match counted {
            Err(error @ (Error::Corrupt(_) | Error::Rule { .. })) => {
                tracing::error!(chunk = chunk.id.0, %error, "the traffic of a chunk is not counted");
                put_off(store, chunk.id, now + AGAIN_AFTER).await?;
            }
            counted => {
                let input = (chunk, counted?);
                store
                    .write(Lane::Background, input, |tx, (chunk, (rows, tally))| {
                        Box::pin(table::store(tx, chunk, rows, tally))
                    })
                    .await?;
            }
        }
    }
    Ok(more)
}

async fn put_off(store: &Store, chunk: ChunkId, due_at: Time) -> Result<()> {
    let put_off = store.write(Lane::Background, (chunk, due_at), |tx, (chunk, due_at)| {
        Box::pin(table::put_off(tx, *chunk, *due_at))
    });
    put_off.await
}

async fn count(
    tx: &mut Tx,
    uncounted: &Uncounted,
    networks: &NetworkTable,
    costs: &BTreeMap<String, Cost>,
) -> Result<(Vec<TrafficRow>, Tally)> {
    let recipients =
        Chunk::decode_without_fields(&chunk::audience_data(tx, uncounted.audience_chunk_id).await?)?;
    let reroutes = Reroutes::of(tx, uncounted.id, &uncounted.carrier).await?;
    let mut sums: BTreeMap<(i64, u8, &str), (i64, i64, Amount)> = BTreeMap::new();
    let messages = answered::of_chunk(tx, uncounted.id).await?;
    let calls = call::pulses_in(tx, uncounted.id).await?;
    for taken in messages.iter().filter(|message| is_taken(message)) {
        let Some(recipient) = recipients.recipient(usize::from(taken.place)) else { continue };
        let network = networks.lookup(recipient.number);
        let day = day_of(taken.submitted_at.or(uncounted.answered_at).unwrap_or_default().0);
        let carrier = reroutes.carrier_of(taken.place);
        // A call is paid for, here and there, by the pulses that it was up.
        let pulses = calls.get(&taken.place).copied();
        if pulses == Some(0) {
            continue;
        }
        let sum = sums.entry((day, network.0, carrier)).or_default();
        sum.0 += 1;
        sum.1 += pulses.unwrap_or_else(|| i64::from(recipient.segments.max(1)));
        if matches!(taken.money, MoneyState::Captured | MoneyState::Charged) {
            let pages = pulses.and_then(|pulses| u64::try_from(pulses).ok());
            let price = uncounted.unit_price.times(pages.unwrap_or_else(|| u64::from(recipient.pages)))?;
            sum.2 = sum.2.plus(price)?;
        }
    }
    let row =
        |((day, network, carrier), (messages, segments, revenue)): ((i64, u8, &str), (i64, i64, Amount))| {
            let cost = costs.get(carrier);
            let network = networks.name(crate::phone::NetworkId(network)).to_owned();
            TrafficRow {
                day: date(day),
                carrier: carrier.to_owned(),
                messages,
                segments,
                revenue,
                segment_cost: cost.map(|cost| cost.of(&network)),
                cost_currency: cost.map(|cost| cost.currency),
                network,
            }
        };
    let tally = count_chunk(&recipients, &messages, networks);
    Ok((sums.into_iter().map(row).collect(), tally))
}

/// Whether the carrier took a message: charged ones, those refunded because they were not delivered, and those that a
/// receipt proves taken.
fn is_taken(message: &AnsweredMessage) -> bool {
    use MessageStatus as S;
    let is_charged = matches!(message.money, MoneyState::Captured | MoneyState::Charged);
    match message.status {
        S::Submitted | S::Delivered | S::Undelivered => true,
        S::Expired => is_charged || message.money == MoneyState::Refunded,
        S::Queued | S::Submitting | S::Rejected | S::Unknown | S::Cancelled | S::Suppressed => is_charged,
    }
}

/// The day in Nigeria, which is an hour ahead of UTC all year, as days since 1970.
const fn day_of(millis: i64) -> i64 {
    (millis + 3_600_000).div_euclid(86_400_000)
}

fn date(day: i64) -> String {
    let stamp = Timestamp::from_millisecond(day.saturating_mul(86_400_000)).unwrap_or_default();
    TimeZone::fixed(offset(0)).to_datetime(stamp).date().to_string()
}

#[cfg(test)]
mod tests;
