use super::*;
use crate::campaign::settlement;
use crate::ledger::verify::verify;
use crate::model::message::id::MessageId;
use crate::model::message::outcome::{MessageOutcome, MessageState};
use crate::model::message::status::{MessageStatus as S, MoneyState};
use crate::store::campaign::audience;
use crate::store::message::report::{self, Filter};
use crate::store::message::{self, answered};
use crate::testing::builder::{Built, START, Spot, build};
use crate::{args, both_databases};

const SPOTS: [Spot; 10] = [
    Spot::Answered(S::Delivered),
    Spot::Answered(S::Delivered),
    Spot::Answered(S::Undelivered),
    Spot::Answered(S::Rejected),
    Spot::Answered(S::Delivered),
    Spot::Answered(S::Submitted),
    Spot::Answered(S::Submitted),
    Spot::Answered(S::Unknown),
    Spot::Answered(S::Expired),
    Spot::Answered(S::Delivered),
];
const DELIVERED: i64 = 4;
const LATER: Duration = Duration::from_secs(60);

/// All answered: nothing changed the chunk since `at`.
async fn rest(store: &Store, built: &Built, at: Time) {
    let write = store.write(Lane::Interactive, (built.chunks[0], at), |tx, (chunk, at)| {
        Box::pin(async move {
            let open = "UPDATE campaigns SET chunks_open = 0 WHERE id = (SELECT campaign_id FROM campaign_chunks WHERE id = $1)";
            tx.run(open, args![*chunk]).await?;
            let done = "UPDATE campaign_chunks SET state = 'done', answered_at = $2 WHERE id = $1";
            tx.run_exactly(1, done, args![*chunk, *at]).await
        })
    });
    write.await.unwrap();
}

async fn resting(store: &Store, name: &str) -> Built {
    let built = build(store, name).chunk(&SPOTS).store().await;
    rest(store, &built, START).await;
    built
}

/// Goes on until nothing is left to do at this time.
async fn pack_at(store: &Store, now: Time) {
    while tick(store, now, 4).await.unwrap() {}
    while tick(store, now, 4).await.unwrap() {}
}

/// How many rows messages have, and of how many chunks some are packed.
async fn counts(store: &Store) -> (i64, i64) {
    let sql = "SELECT (SELECT COUNT(*) FROM messages), (SELECT COUNT(*) FROM packed_messages)";
    store.read().await.unwrap().one(sql, args![]).await.unwrap()
}

/// How many rows messages have, and how many are packed.
async fn rows_and_packed(store: &Store) -> (i64, i64) {
    let mut tx = store.read().await.unwrap();
    let (rows,): (i64,) = tx.one("SELECT COUNT(*) FROM messages", args![]).await.unwrap();
    (rows, packed_messages::all(&mut tx).await.unwrap().len() as i64)
}

fn ids(built: &Built) -> Vec<MessageId> {
    (0..SPOTS.len() as u16).map(|place| MessageId::new(built.chunks[0], place)).collect()
}

/// All that is asked of the messages of a chunk.
async fn seen(store: &Store, built: &Built) -> String {
    let (mut tx, chunk) = (store.read().await.unwrap(), built.chunks[0]);
    let mut records = report::messages(&mut tx, &ids(built)).await.unwrap();
    records.sort_by_key(|record| record.id);
    let mut settled = message::settled_in(&mut tx, chunk).await.unwrap();
    settled.sort_unstable();
    let mut seen = format!(
        "{records:#?} {settled:?} {:?} {:#?}",
        message::states(&mut tx, &ids(built)).await.unwrap(),
        answered::of_chunk(&mut tx, chunk).await.unwrap()
    );
    for status in [S::Delivered, S::Submitted, S::Undelivered] {
        seen += &format!("{:?}", audience::messages_in(&mut tx, chunk, status).await.unwrap());
    }
    for low in 0..=10 {
        for high in low..=10 {
            seen += &format!("{:?}", answered::in_statuses(&mut tx, chunk, (low, high)).await.unwrap());
        }
    }
    assert_eq!(verify(&mut tx).await.unwrap().0, Vec::<String>::new());
    seen
}

/// A receipt comes for a message.
async fn settle(store: &Store, message: MessageId, status: S) {
    let outcome = MessageOutcome {
        message,
        status,
        reference: None,
        submitted_at: None,
        done_at: Some(START + LATER),
        error: None,
        units: None,
    };
    let settled = store.write(Lane::Interactive, outcome, |tx, outcome| {
        Box::pin(async move {
            settlement::settle(tx, std::slice::from_ref(outcome), START + LATER).await.map(|_| ())
        })
    });
    settled.await.unwrap();
}

both_databases! {
    async fn what_is_packed_reads_as_before(store: Store) {
        let built = resting(&store, "ada").await;
        let before = seen(&store, &built).await;
        pack_at(&store, START + LATER).await;
        assert_eq!(rows_and_packed(&store).await, (6, DELIVERED));
        assert_eq!(seen(&store, &built).await, before);
    }

    async fn a_chunk_waits_until_it_rests(store: Store) {
        let open = build(&store, "ada").chunk(&SPOTS).store().await;
        let young = resting(&store, "bola").await;
        pack_at(&store, START).await;
        let all = 2 * SPOTS.len() as i64;
        assert_eq!(rows_and_packed(&store).await, (all, 0), "of young campaigns");
        rest(&store, &young, START + LATER).await;
        pack_at(&store, START + LATER + Duration::from_secs(1)).await;
        assert_eq!(rows_and_packed(&store).await, (all, 0), "open, and changed just now");
        pack_at(&store, START + LATER * 2).await;
        assert_eq!(rows_and_packed(&store).await, (all - DELIVERED, DELIVERED));
        rest(&store, &open, START + LATER).await;
        pack_at(&store, START + LATER * 3).await;
        assert_eq!(rows_and_packed(&store).await, (all - 2 * DELIVERED, 2 * DELIVERED));
    }

    async fn what_a_clock_ahead_of_its_time_wrote_is_old(store: Store) {
        let built = build(&store, "ada").chunk(&SPOTS).store().await;
        rest(&store, &built, START + Duration::from_hours(24 * 365)).await;
        pack_at(&store, START + LATER).await;
        assert_eq!(rows_and_packed(&store).await.1, DELIVERED);
        // It looks again in a year.
        let delivered = DELIVERED + 2;
        for place in [5, 6] {
            settle(&store, ids(&built)[place], S::Delivered).await;
        }
        let queued = store.write(Lane::Interactive, built.chunks[0], |tx, chunk| {
            let sql = "INSERT INTO packing_queue (chunk_id, due_at) VALUES ($1, $2)";
            Box::pin(tx.run_exactly(1, sql, args![*chunk, START + Duration::from_hours(24 * 365)]))
        });
        queued.await.unwrap();
        pack_at(&store, START + LATER * 2).await;
        assert_eq!(rows_and_packed(&store).await.1, delivered);
    }

    async fn what_is_delivered_later_is_packed_with_the_rest(store: Store) {
        let built = resting(&store, "ada").await;
        pack_at(&store, START + LATER).await;
        for place in [5, 6] {
            settle(&store, ids(&built)[place], S::Delivered).await;
        }
        // One has a reference that is no number, and one none.
        let named = store.write(Lane::Interactive, ids(&built)[5], |tx, id| {
            let sql = "UPDATE messages SET carrier_ref = CASE WHEN id = $1 THEN '00fa-7' END WHERE status = 4";
            Box::pin(tx.run_exactly(2, sql, args![*id]))
        });
        named.await.unwrap();
        let before = seen(&store, &built).await;
        assert!(before.contains("00fa-7"));
        pack_at(&store, START + LATER * 4).await;
        assert_eq!(rows_and_packed(&store).await, (4, DELIVERED + 2));
        assert_eq!(seen(&store, &built).await, before);
    }

    async fn a_chunk_that_waits_for_no_receipt_any_more_is_left_alone(store: Store) {
        let built = resting(&store, "ada").await;
        pack_at(&store, START + RECEIPTS_COME_FOR + LATER).await;
        for place in [5, 6] {
            settle(&store, ids(&built)[place], S::Delivered).await;
        }
        pack_at(&store, START + RECEIPTS_COME_FOR * 2).await;
        assert_eq!(rows_and_packed(&store).await, (6, DELIVERED));
    }

    async fn a_receipt_that_comes_again_changes_nothing_of_a_packed_message(store: Store) {
        let built = resting(&store, "ada").await;
        pack_at(&store, START + LATER).await;
        let before = seen(&store, &built).await;
        for status in [S::Undelivered, S::Delivered, S::Submitted, S::Unknown] {
            settle(&store, ids(&built)[0], status).await;
        }
        assert_eq!(seen(&store, &built).await, before);
        let state = MessageState { status: S::Delivered, money: MoneyState::Captured };
        let mut tx = store.read().await.unwrap();
        assert_eq!(message::states(&mut tx, &ids(&built)[..1]).await.unwrap()[&ids(&built)[0]], state);
        // The builder's references are the ids.
        for (place, found) in [(1, true), (2, true), (3, false)] {
            let id = ids(&built)[place];
            let named = message::with_reference(&mut tx, &ids(&built), &id.0.to_string(), START).await.unwrap();
            assert_eq!(named, found.then_some(id));
        }
        let of_other = ids(&built)[1].0.to_string();
        assert_eq!(message::with_reference(&mut tx, &ids(&built)[..1], &of_other, START).await.unwrap(), None);
        let later = START + Duration::from_millis(1);
        assert_eq!(message::with_reference(&mut tx, &ids(&built), &of_other, later).await.unwrap(), None, "long ago");
    }

    async fn two_daemons_that_pack_a_chunk_pack_it_once(store: Store) {
        let built = resting(&store, "ada").await;
        let before = seen(&store, &built).await;
        for at in [START + LATER, START + LATER * 3] {
            let judged = judge(&mut store.read().await.unwrap(), built.chunks[0], at).await;
            let Verdict::Pack(second) = judged.unwrap() else { panic!("it rests") };
            pack_at(&store, at).await;
            let packed = rows_and_packed(&store).await;
            let again = store.write(Lane::Background, second, |tx, second| {
                Box::pin(packed_messages::store(tx, second))
            });
            assert!(matches!(again.await, Err(Error::Stale)));
            assert_eq!(rows_and_packed(&store).await, packed);
            if at == START + LATER {
                assert_eq!(seen(&store, &built).await, before);
                for place in [5, 6] {
                    settle(&store, ids(&built)[place], S::Delivered).await;
                }
            }
        }
    }

    async fn a_chunk_is_claimed_by_one_daemon_and_again_when_that_came_to_nothing(store: Store) {
        resting(&store, "ada").await;
        let now = START + LATER;
        let claim = |now: Time| store.write(Lane::Background, now, |tx, now| {
            Box::pin(packed_messages::claim(tx, *now, *now + CLAIMED_FOR, 4))
        });
        let queue = store.write(Lane::Background, now, |tx, now| {
            Box::pin(packed_messages::queue_more(tx, *now, *now, 1, 4))
        });
        assert!(!queue.await.unwrap());
        let (one, other) = tokio::join!(claim(now), claim(now));
        assert_eq!(one.unwrap().len() + other.unwrap().len(), 1);
        assert_eq!(claim(now + CLAIMED_FOR - Duration::from_millis(1)).await.unwrap(), []);
        assert_eq!(claim(now + CLAIMED_FOR).await.unwrap().len(), 1);
        pack_at(&store, now + CLAIMED_FOR * 2).await;
        assert_eq!(rows_and_packed(&store).await.1, DELIVERED);
    }

    async fn a_chunk_that_fails_holds_up_no_other(store: Store) {
        let damaged = resting(&store, "ada").await;
        pack_at(&store, START + LATER).await;
        for place in [5, 6] {
            settle(&store, ids(&damaged)[place], S::Delivered).await;
        }
        for sql in [
            "UPDATE packed_messages SET messages = messages + 1",
            "UPDATE packed_messages SET packed = substr(packed, 1, 9)",
        ] {
            store.write(Lane::Interactive, sql, |tx, sql| Box::pin(tx.run(*sql, args![]))).await.unwrap();
            let queue = "UPDATE packing_queue SET due_at = 0";
            store.write(Lane::Interactive, queue, |tx, sql| Box::pin(tx.run(*sql, args![]))).await.unwrap();
            let (rows, packed) = counts(&store).await;
            resting(&store, if sql.contains("substr") { "bola" } else { "chidi" }).await;
            for _ in 0..4 {
                tick(&store, START + LATER * 2, 1).await.unwrap();
            }
            assert_eq!(counts(&store).await, (rows + 6, packed + 1), "{sql}");
        }
    }

    async fn a_message_that_is_packed_and_has_a_row_is_never_packed_twice(store: Store) {
        let built = resting(&store, "ada").await;
        pack_at(&store, START + LATER).await;
        let damage = store.write(Lane::Interactive, built.chunks[0], |tx, chunk| {
            let sql = "INSERT INTO messages (id, status, money, sequence, submitted_at, done_after) \
                       SELECT $1 * 4096 + n.place, 4, 1, 1, 7, 7 FROM (SELECT 0 AS place UNION ALL SELECT 1) AS n";
            Box::pin(tx.run_exactly(2, sql, args![*chunk]))
        });
        damage.await.unwrap();
        pack_at(&store, START + LATER * 3).await;
        assert_eq!(rows_and_packed(&store).await, (8, DELIVERED));
        let findings = verify(&mut store.read().await.unwrap()).await.unwrap().0;
        assert_eq!(findings, [format!("chunk {}: its counters do not agree with its messages", built.chunks[0])]);
        let judged = judge(&mut store.read().await.unwrap(), built.chunks[0], START + LATER * 3).await;
        assert!(matches!(judged, Err(Error::Corrupt(_))), "{judged:?}");
        // As of a reader between whose statements it was packed.
        let mut tx = store.read().await.unwrap();
        let places: Vec<u16> =
            answered::of_chunk(&mut tx, built.chunks[0]).await.unwrap().iter().map(|it| it.place).collect();
        assert_eq!(places, (0..10).collect::<Vec<u16>>());
        assert_eq!(report::messages(&mut tx, &ids(&built)).await.unwrap().len(), 10);
        assert_eq!(audience::messages_in(&mut tx, built.chunks[0], S::Delivered).await.unwrap().len(), 4);
    }

    async fn a_check_tells_of_packed_messages_that_are_damaged_or_gone(store: Store) {
        let built = resting(&store, "ada").await;
        pack_at(&store, START + LATER).await;
        let findings = || async { verify(&mut store.read().await.unwrap()).await.unwrap().0 };
        for (sql, expected) in [
            ("UPDATE packed_messages SET packed = substr(packed, 1, 9)", "its packed messages cannot be read, or some are missing"),
            ("DELETE FROM packed_messages", "its counters do not agree with its messages"),
        ] {
            store.write(Lane::Interactive, sql, |tx, sql| Box::pin(tx.run_exactly(1, *sql, args![]))).await.unwrap();
            assert_eq!(findings().await, [format!("chunk {}: {expected}", built.chunks[0])]);
        }
    }

    async fn of_messages_with_one_reference_the_newest_is_meant_packed_or_not(store: Store) {
        let old = build(&store, "ada").chunk(&[Spot::Answered(S::Submitted)]).store().await;
        let new = resting(&store, "bola").await;
        let newest = build(&store, "chidi").chunk(&[Spot::Answered(S::Submitted)]).store().await;
        let named = store.write(Lane::Interactive, (), |tx, ()| {
            Box::pin(tx.run("UPDATE messages SET carrier_ref = 'used again'", args![]))
        });
        named.await.unwrap();
        pack_at(&store, START + LATER).await;
        let [old, newest] = [old, newest].map(|built| MessageId::new(built.chunks[0], 0));
        let delivered = ids(&new)[4];
        let mut tx = store.read().await.unwrap();
        for (among, meant) in [
            (vec![old, delivered], delivered),
            (vec![newest, delivered, old], newest),
            (vec![ids(&new)[0], delivered, ids(&new)[2]], delivered),
            (vec![old], old),
        ] {
            let found = message::with_reference(&mut tx, &among, "used again", START).await.unwrap();
            assert_eq!(found, Some(meant), "{among:?}");
        }
    }

    async fn chunks_are_passed_over_once_and_small_ones_stay_rows(store: Store) {
        for name in ["ada", "bola", "chidi"] {
            let one = build(&store, name).chunk(&[Spot::Answered(S::Delivered)]).store().await;
            rest(&store, &one, START).await;
        }
        let large = resting(&store, "dapo").await;
        let step = |now: Time| store.write(Lane::Background, now, |tx, now| {
            Box::pin(packed_messages::queue_more(tx, *now, *now - UNCHANGED_FOR, 2, 2))
        });
        let queued = || async {
            let sql = "SELECT chunk_id FROM packing_queue";
            let rows: Vec<(ChunkId,)> = store.read().await.unwrap().all(sql, args![]).await.unwrap();
            rows
        };
        assert!(!step(START).await.unwrap(), "they are young");
        assert!(step(START + LATER).await.unwrap());
        assert_eq!(queued().await, []);
        assert!(step(START + LATER).await.unwrap());
        assert_eq!(queued().await, [(large.chunks[0],)]);
        assert!(!step(START + LATER).await.unwrap());
        // Its clock was years ahead of that of this daemon.
        let ahead = resting(&store, "efe").await;
        assert!(!step(START - Duration::from_hours(24 * 365)).await.unwrap());
        assert_eq!(queued().await, [(large.chunks[0],), (ahead.chunks[0],)]);
        pack_at(&store, START + LATER).await;
        assert_eq!(rows_and_packed(&store).await, (3 + 2 * 6, 2 * DELIVERED));
    }

    async fn what_is_read_of_packed_messages_is_read_by_key(store: Store) {
        let mut tx = store.read().await.unwrap();
        if tx.dialect() == crate::store::Dialect::Sqlite {
            for plan in packed_messages::plans(&mut tx).await.unwrap() {
                assert!(plan.iter().any(|line| line.contains("USING INTEGER PRIMARY KEY (rowid")), "{plan:#?}");
                assert!(!plan.iter().any(|line| line.starts_with("SCAN messages")), "{plan:#?}");
                assert!(!plan.iter().any(|line| line.starts_with("SCAN packed_messages")), "{plan:#?}");
            }
        }
    }

    async fn filters_find_packed_messages(store: Store) {
        let built = resting(&store, "ada").await;
        let shown = || async {
            let mut tx = store.read().await.unwrap();
            let mut shown = Vec::new();
            for filter in [Filter::All, Filter::Failed, Filter::Status(S::Delivered), Filter::Status(S::Queued)] {
                let page = crate::model::page::Page::first();
                for stretch in report::stretches(&mut tx, built.campaign, filter, page).await.unwrap() {
                    shown.push(report::places(&mut tx, &stretch, filter).await.unwrap());
                }
            }
            shown
        };
        let before = shown().await;
        pack_at(&store, START + LATER).await;
        assert_eq!(rows_and_packed(&store).await.1, DELIVERED);
        assert_eq!(shown().await, before);
    }
}
