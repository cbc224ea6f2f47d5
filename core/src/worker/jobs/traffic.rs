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
use crate::error::Result;
use crate::model::campaign::audience_chunk::Chunk;
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

/// Counts some chunks; true when there may be more. `costs` are the carriers' prices by their names.
pub async fn tick(
    store: &Store,
    networks: &NetworkTable,
    costs: &BTreeMap<String, Cost>,
    now: Time,
) -> Result<bool> {
    let chunks = table::uncounted(&mut store.read().await?, now - UNCHANGED_FOR, CHUNKS).await?;
    let more = chunks.len() as i64 == CHUNKS;
    for chunk in chunks {
        let counted = count(&mut store.read().await?, &chunk, networks, costs).await?;
        store
            .write(Lane::Background, (chunk, counted), |tx, (chunk, (rows, tally))| {
                Box::pin(table::store(tx, chunk, rows, tally))
            })
            .await?;
    }
    Ok(more)
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
mod tests {
    use super::*;
    use crate::carrier::voice::{CallOutcome, EndedBy};
    use crate::model::message::id::MessageId;
    use crate::model::message::status::MessageStatus as S;
    use crate::store::message::reroute;
    use crate::store::stats::traffic::TrafficSelection;
    use crate::store::voice::call::CallRow;
    use crate::testing::builder::{Spot, UNIT_PRICE, build};
    use crate::testing::database::for_each_database;

    #[test]
    fn a_day_begins_at_midnight_in_lagos() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap().as_millisecond();
        assert_eq!(date(day_of(at("2026-11-21T22:59:59Z"))), "2026-11-21");
        assert_eq!(date(day_of(at("2026-11-21T23:00:00Z"))), "2026-11-22");
    }

    #[tokio::test]
    async fn what_a_carrier_took_is_counted_once_and_at_the_price_of_its_day() {
        for_each_database(|store| async move {
            let spots =
                [S::Delivered, S::Submitted, S::Undelivered, S::Rejected, S::Unknown].map(Spot::Answered);
            let built = build(&store, "ada").chunk(&spots).store().await;
            store
                .write(Lane::Interactive, built.chunks[0], |tx, chunk| {
                    Box::pin(async move {
                        tx.run(
                            "UPDATE campaign_chunks SET sequence = 2, answered_at = 1000 WHERE id = $1",
                            crate::args![*chunk],
                        )
                        .await?;
                        table::queue(tx, vec![*chunk]).await
                    })
                })
                .await
                .unwrap();
            let carrier: (String,) = store
                .read()
                .await
                .unwrap()
                .one("SELECT carrier FROM campaign_chunks LIMIT 1", crate::args![])
                .await
                .unwrap();
            let costs = |segment: i64| {
                let cost = Cost {
                    currency: talkdrum_api::money::Currency::Naira,
                    segment: Amount(segment),
                    networks: BTreeMap::new(),
                };
                BTreeMap::from([(carrier.0.clone(), cost)])
            };
            let now = Time(10_000_000_000_000);
            let networks = NetworkTable::builtin();
            assert!(!tick(&store, networks, &costs(2_000_000), now).await.unwrap());
            let wanted = TrafficSelection { to: "9999-12-31".into(), ..TrafficSelection::default() };
            let read = || async {
                let sums = table::sums(&mut store.read().await.unwrap(), &wanted, 0, 100).await.unwrap();
                let total = |read: fn(&table::Sum) -> i64| sums.iter().map(read).sum::<i64>();
                (total(|it| it.messages), total(|it| it.segments), total(|it| it.cost.unwrap_or_default().0))
            };
            let (messages, segments, cost) = read().await;
            assert_eq!((messages, cost), (3, segments * 2_000_000));
            // Something moves: it is counted again, at the price it had.
            store
                .write(Lane::Interactive, built.chunks[0], |tx, chunk| {
                    Box::pin(async move {
                        tx.run("UPDATE campaign_chunks SET sequence = sequence + 2", crate::args![]).await?;
                        table::queue(tx, vec![*chunk]).await
                    })
                })
                .await
                .unwrap();
            tick(&store, networks, &costs(9_000_000), now).await.unwrap();
            assert_eq!(read().await, (messages, segments, cost));
            // By another table of networks it is counted in other rows, and not in both.
            let other = NetworkTable::from_csv("prefix,network,as_of\n234,one,2026-11-01\n").unwrap();
            store
                .write(Lane::Interactive, built.chunks[0], |tx, chunk| {
                    Box::pin(async move {
                        tx.run("UPDATE campaign_chunks SET sequence = sequence + 2", crate::args![]).await?;
                        table::queue(tx, vec![*chunk]).await
                    })
                })
                .await
                .unwrap();
            tick(&store, &other, &costs(2_000_000), now).await.unwrap();
            assert_eq!(read().await, (messages, segments, cost));
            assert!(table::uncounted(&mut store.read().await.unwrap(), now, 9).await.unwrap().is_empty());
        })
        .await;
    }

    #[tokio::test]
    async fn calls_count_by_their_pulses_for_the_trunk_that_placed_them() {
        for_each_database(|store| async move {
            let spots = [S::Delivered, S::Delivered, S::Delivered, S::Undelivered].map(Spot::Answered);
            let built = build(&store, "ada").pages(3).refund_undelivered().chunk(&spots).store().await;
            let chunk = built.chunks[0];
            let row = |place: u16, pulses: i64| CallRow {
                message_id: MessageId::new(chunk, place),
                attempts: 1,
                tries: 1,
                outcome: if pulses > 0 { CallOutcome::Answered } else { CallOutcome::Busy },
                code: None,
                ringing_at: None,
                answered_at: None,
                ended_at: Time(1),
                up_ms: pulses * 60_000,
                heard_ms: 0,
                pulses,
                digits: String::new(),
                ended_by: EndedBy::Callee,
                answer: None,
            };
            let rows = vec![row(0, 1), row(1, 2), row(2, 3), row(3, 0)];
            store
                .write(Lane::Interactive, (chunk, rows), |tx, (chunk, rows)| {
                    Box::pin(async move {
                        call::put(tx, rows).await?;
                        reroute::lead_places(tx, &[(MessageId::new(*chunk, 2), "spare")]).await?;
                        let sql = "UPDATE campaign_chunks SET sequence = 2, answered_at = 1000 WHERE id = $1";
                        tx.run(sql, crate::args![*chunk]).await?;
                        table::queue(tx, vec![*chunk]).await
                    })
                })
                .await
                .unwrap();
            let cost = |pulse| Cost {
                currency: talkdrum_api::money::Currency::Naira,
                segment: Amount(pulse),
                networks: BTreeMap::new(),
            };
            let costs = BTreeMap::from([("spare".to_owned(), cost(7))]);
            tick(&store, NetworkTable::builtin(), &costs, Time(10_000_000_000_000)).await.unwrap();
            let wanted = TrafficSelection { to: "9999-12-31".into(), ..TrafficSelection::default() };
            let sums = table::sums(&mut store.read().await.unwrap(), &wanted, 0, 100).await.unwrap();
            let of = |is_spare: bool| {
                let own = sums.iter().filter(|sum| (sum.carrier == "spare") == is_spare);
                own.fold((0, 0, 0, 0), |all, sum| {
                    let cost = sum.cost.unwrap_or_default().0;
                    (all.0 + sum.messages, all.1 + sum.segments, all.2 + sum.revenue.0, all.3 + cost)
                })
            };
            let price = UNIT_PRICE.0;
            assert_eq!(of(true), (1, 3, 3 * price, 21));
            assert_eq!(of(false), (2, 3, 3 * price, 0), "a call that was not answered costs nothing");
        })
        .await;
    }
}
