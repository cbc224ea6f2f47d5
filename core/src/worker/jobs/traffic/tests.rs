use super::*;
use crate::carrier::voice::{CallOutcome, EndedBy};
use crate::model::message::id::MessageId;
use crate::model::message::status::MessageStatus as S;
use crate::store::message::reroute;
use crate::store::stats::traffic::TrafficSelection;
use crate::store::voice::call::{CallRow, Stored};
use crate::testing::builder::{Spot, UNIT_PRICE, build};
use crate::testing::database::for_each_database;

#[test]
fn a_day_begins_at_midnight_in_lagos() {
    let at = |text: &str| text.parse::<Timestamp>().unwrap().as_millisecond();
    assert_eq!(date(day_of(at("2026-11-21T22:59:59Z"))), "2026-11-21");
    assert_eq!(date(day_of(at("2026-11-21T23:00:00Z"))), "2026-11-22");
}

/// Changes all chunks, long ago, and has these counted.
async fn change(store: &Store, chunks: Vec<ChunkId>) {
    let changed = store.write(Lane::Interactive, chunks, |tx, chunks| {
        Box::pin(async move {
            let sql = "UPDATE campaign_chunks SET sequence = sequence + 2, answered_at = 1000";
            tx.run(sql, crate::args![]).await?;
            table::queue(tx, chunks.clone()).await
        })
    });
    changed.await.unwrap();
}

#[tokio::test]
async fn what_a_carrier_took_is_counted_once_and_at_the_price_of_its_day() {
    for_each_database(|store| async move {
        let spots = [S::Delivered, S::Submitted, S::Undelivered, S::Rejected, S::Unknown].map(Spot::Answered);
        let built = build(&store, "ada").chunk(&spots).store().await;
        change(&store, built.chunks.clone()).await;
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
        change(&store, built.chunks.clone()).await;
        tick(&store, networks, &costs(9_000_000), now).await.unwrap();
        assert_eq!(read().await, (messages, segments, cost));
        // By another table of networks it is counted in other rows, and not in both.
        let other = NetworkTable::from_csv("prefix,network,as_of\n234,one,2026-11-01\n").unwrap();
        change(&store, built.chunks.clone()).await;
        tick(&store, &other, &costs(2_000_000), now).await.unwrap();
        assert_eq!(read().await, (messages, segments, cost));
        assert!(table::uncounted(&mut store.read().await.unwrap(), now, now, 9).await.unwrap().is_empty());
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
            outcome: Stored(if pulses > 0 { CallOutcome::Answered } else { CallOutcome::Busy }),
            code: None,
            ringing_at: None,
            answered_at: None,
            ended_at: Time(1),
            up_ms: pulses * 60_000,
            heard_ms: 0,
            pulses,
            digits: String::new(),
            ended_by: Stored(EndedBy::Callee),
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

#[tokio::test]
async fn a_chunk_that_cannot_be_read_holds_up_no_other_and_is_counted_later() {
    for_each_database(|store| async move {
        let damaged = build(&store, "ada").chunk(&[Spot::Answered(S::Delivered)]).store().await;
        let whole = build(&store, "bola").chunk(&[Spot::Answered(S::Delivered)]).store().await;
        change(&store, vec![damaged.chunks[0], whole.chunks[0]]).await;
        let count = |now| {
            let store = store.clone();
            async move {
                while tick(&store, NetworkTable::builtin(), &BTreeMap::new(), now).await.unwrap() {}
                let wanted = TrafficSelection { to: "9999-12-31".into(), ..TrafficSelection::default() };
                let sums = table::sums(&mut store.read().await.unwrap(), &wanted, 0, 100).await.unwrap();
                sums.iter().map(|sum| sum.messages).sum::<i64>()
            }
        };
        let now = Time(10_000_000_000_000);
        damaged.turn_first_chunk(&store).await;
        assert_eq!(count(now).await, 1);
        damaged.turn_first_chunk(&store).await;
        assert_eq!(count(now + AGAIN_AFTER / 2).await, 1, "it is not read all the time");
        assert_eq!(count(now + AGAIN_AFTER).await, 2);
    })
    .await;
}
