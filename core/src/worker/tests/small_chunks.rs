//! Small chunks, claimed whole: many of them share a claim, and none is lost or sent twice when its answer is.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use crate::campaign::control::{self, Authority};
use crate::carrier::SmsCarrier;
use crate::ledger::verify::verify;
use crate::model::campaign::id::ChunkId;
use crate::model::platform::id::RunId;
use crate::operate::Hold;
use crate::store::chunk::{self, small_chunks};
use crate::store::{Column, Dialect, Lane, Store, WriteFaults};
use crate::testing::builder::{START, Spot, build};
use crate::testing::worker::{Run, accepted};
use crate::worker::dispatch::{DispatchStep, Limits};
use crate::{args, both_databases};

/// Counts writes; loses the answer of one when it is told to.
#[derive(Debug, Default)]
struct Wire {
    writes: AtomicU32,
    loses: AtomicBool,
}

impl WriteFaults for Wire {
    fn crash_before(&self) -> bool {
        self.writes.fetch_add(1, Ordering::SeqCst);
        false
    }

    fn crash_after(&self) -> bool {
        self.loses.swap(false, Ordering::SeqCst)
    }
}

async fn start(store: &Store) -> (Run, Arc<Wire>) {
    let wire = Arc::new(Wire::default());
    let faults: Arc<dyn WriteFaults> = Arc::<Wire>::clone(&wire);
    let run = Run::start(&store.with_faults(faults)).await;
    wire.writes.store(0, Ordering::SeqCst);
    (run, wire)
}

async fn claimed(store: &Store) -> i64 {
    let sum = "SELECT CAST(SUM(cursor) AS BIGINT) FROM campaign_chunks";
    let (sum,): (i64,) = store.read().await.unwrap().one(sum, args![]).await.unwrap();
    sum
}

both_databases! {
    async fn a_claim_whose_answer_was_lost_is_not_that_of_another_carrier_of_the_run(store: Store) {
        build(&store, "ada").chunk(&[Spot::Tail; 2]).store().await;
        let run = Run::start(&store).await;
        let (chunk,): (ChunkId,) =
            store.read().await.unwrap().one("SELECT id FROM campaign_chunks", args![]).await.unwrap();
        // It was rerouted before the claim of `main` was stored, and the run has the other carrier, too.
        let held = store.write(Lane::Interactive, (chunk, run.owner, START), |tx, (chunk, owner, now)| {
            Box::pin(async {
                tx.run("UPDATE campaign_chunks SET carrier = 'spare'", args![]).await?;
                let claimed = small_chunks::claim(tx, "spare", &[*chunk], *owner, *now).await?;
                let by_main = small_chunks::held(tx, "main", vec![*chunk], *owner).await?;
                let by_spare = small_chunks::held(tx, "spare", vec![*chunk], *owner).await?;
                Ok((claimed.len(), by_main.len(), by_spare.len()))
            })
        });
        assert_eq!(held.await.unwrap(), (1, 0, 1));
    }

    async fn single_sends_of_several_users_share_one_claim_and_go_out_once(store: Store) {
        for user in ["ada", "ben", "ada", "eve", "ada"] {
            build(&store, user).chunk(&[Spot::Tail; 2]).store().await;
        }
        let (mut run, wire) = start(&store).await;
        let sent = run.dispatch().await;
        assert_eq!(wire.writes.load(Ordering::SeqCst), 1, "one claim for all");
        let chunks: Vec<ChunkId> = sent.iter().map(|one| one.message.chunk()).collect();
        let mut different = chunks.clone();
        different.sort_unstable();
        different.dedup();
        assert_eq!((chunks.len(), different.len()), (10, 5));
        run.settle(sent.iter().map(|one| accepted(one.message, &one.message.0.to_string())).collect()).await;
        assert!(run.dispatch().await.is_empty());
        assert_eq!(verify(&mut store.read().await.unwrap()).await.unwrap().0, Vec::<String>::new());
    }

    async fn a_claim_whose_answer_was_lost_is_asked_for_and_sent_once(store: Store) {
        for _ in 0..3 {
            build(&store, "ada").chunk(&[Spot::Tail; 2]).store().await;
        }
        let (mut run, wire) = start(&store).await;
        wire.loses.store(true, Ordering::SeqCst);
        assert!(run.dispatcher.step(100).await.is_err());
        assert_eq!(claimed(&store).await, 6, "it was stored all the same");
        assert_eq!(run.dispatch().await.len(), 6);
        assert!(run.dispatch().await.is_empty());
    }

    async fn a_chunk_that_was_rerouted_meanwhile_is_not_claimed_for_the_carrier_before(store: Store) {
        let built = build(&store, "ada").chunk(&[Spot::Tail; 2]).store().await;
        let claimed = store
            .write(Lane::Intent, built.chunks.clone(), |tx, chunks| {
                Box::pin(async move {
                    let whole = small_chunks::claim(tx, "spare", chunks, RunId(77), crate::time::Time(9)).await?;
                    let one = chunk::claim(tx, "spare", chunks[0], RunId(77), crate::time::Time(9)).await?;
                    Ok((whole.len(), one.is_some()))
                })
            })
            .await;
        assert_eq!(claimed.unwrap(), (0, false));
    }

    async fn a_claim_whose_commit_is_still_under_way_is_waited_for(store: Store) {
        let built = build(&store, "ada").chunk(&[Spot::Tail; 2]).store().await;
        let chunks = built.chunks.clone();
        let claiming = store.write(Lane::Intent, chunks.clone(), |tx, chunks| {
            Box::pin(async move {
                small_chunks::claim(tx, "main", chunks, RunId(77), crate::time::Time(9)).await?;
                // Its commit takes its time.
                tokio::time::sleep(Duration::from_millis(600)).await;
                Ok(())
            })
        });
        let asking = async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            store
                .write(Lane::Intent, chunks.clone(), |tx, chunks| Box::pin(small_chunks::held(tx, "main", chunks.clone(), RunId(77))))
                .await
        };
        let (claimed, held) = tokio::join!(claiming, asking);
        claimed.unwrap();
        let held: Vec<ChunkId> = held.unwrap().iter().map(|row| row.chunk.id).collect();
        assert_eq!(held, chunks);
    }

    async fn no_more_small_chunks_are_claimed_than_may_be_unsettled(store: Store) {
        for _ in 0..120 {
            build(&store, "ada").chunk(&[Spot::Tail; 3]).store().await;
        }
        let mut run = Run::start(&store).await;
        let limits = Limits::of(run.carrier.capabilities());
        let mut open = Vec::new();
        let mut stored = 0;
        while stored < 360 {
            while run.dispatcher.step(7).await.unwrap() == DispatchStep::Worked {}
            open.append(&mut *run.carrier.submitted.lock().unwrap());
            let claimed = claimed(&store).await;
            assert!(claimed - stored <= limits.unsettled, "{claimed} claimed, {stored} stored");
            let answered = open.split_off(open.len() - open.len().min(61));
            assert!(!answered.is_empty(), "it stands still");
            stored += i64::try_from(answered.len()).unwrap();
            run.settle(answered.iter().map(|one| accepted(one.message, &one.message.0.to_string())).collect()).await;
        }
    }

    async fn of_many_single_sends_and_a_large_campaign_neither_waits_for_the_other(store: Store) {
        for _ in 0..200 {
            build(&store, "ada").chunk(&[Spot::Tail]).store().await;
        }
        build(&store, "ben").chunk(&vec![Spot::Tail; 4_096]).chunk(&vec![Spot::Tail; 4_096]).store().await;
        let late = build(&store, "eve").chunk(&[Spot::Tail]).store().await;
        let mut run = Run::start(&store).await;
        let sent = run.send_all().await;
        assert_eq!(sent.len(), 200 + 2 * 4_096 + 1);
        let place = sent.iter().position(|one| one.message.chunk() == late.chunks[0]).unwrap();
        assert!(place <= 100 + 4_096, "a single send waited behind {place} messages");
    }

    async fn what_is_paused_or_cancelled_is_left_out_of_a_claim(store: Store) {
        let built = [0, 1, 2].map(|_| build(&store, "ada").chunk(&[Spot::Tail; 2]));
        let mut campaigns = Vec::new();
        for one in built {
            campaigns.push(one.store().await);
        }
        let paused = campaigns[1].campaign;
        store
            .write(Lane::Interactive, paused, |tx, campaign| {
                Box::pin(control::pause(tx, *campaign, Authority::Admin, "by the test"))
            })
            .await
            .unwrap();
        let mut run = Run::start(&store).await;
        // Asked for all three, as when the pause came between look and claim.
        let ids: Vec<ChunkId> = campaigns.iter().map(|one| one.chunks[0]).collect();
        let rows = store
            .write(Lane::Intent, ids, |tx, ids| Box::pin(small_chunks::claim(tx, "main", ids, RunId(77), crate::time::Time(9))))
            .await
            .unwrap();
        let rows: Vec<(ChunkId, i64, i64)> = rows.iter().map(|row| (row.chunk.id, row.chunk.cursor, row.chunk.attempt)).collect();
        assert_eq!(rows, [(campaigns[0].chunks[0], 2, 1), (campaigns[2].chunks[0], 2, 1)]);
        assert!(run.dispatch().await.is_empty(), "two are another run's, one is paused");
    }

    async fn a_hold_queues_small_chunks_again_that_were_claimed_and_not_sent(store: Store) {
        for _ in 0..4 {
            build(&store, "ada").chunk(&[Spot::Tail; 5]).store().await;
        }
        let mut run = Run::start(&store).await;
        run.dispatcher.step(100).await.unwrap();
        run.dispatcher.step(3).await.unwrap();
        let first = std::mem::take(&mut *run.carrier.submitted.lock().unwrap());
        assert_eq!((first.len(), claimed(&store).await), (3, 20));
        run.dispatcher.hold(Some(100), Hold::Paused).await.unwrap();
        assert!(run.carrier.submitted.lock().unwrap().is_empty());
        let (retries,): (i64,) =
            store.read().await.unwrap().one("SELECT COUNT(*) FROM retries", args![]).await.unwrap();
        assert_eq!(retries, 17);
        run.settle(first.iter().map(|one| accepted(one.message, &one.message.0.to_string())).collect()).await;
        run.clock.advance(Duration::from_secs(1));
        assert_eq!(run.send_all().await.len(), 17, "when it is over they go out");
    }

    async fn a_daemon_that_stops_gives_back_what_it_claimed_whole(store: Store) {
        build(&store, "ada").chunk(&[Spot::Tail; 5]).store().await;
        let (mut run, wire) = start(&store).await;
        wire.loses.store(true, Ordering::SeqCst);
        assert!(run.dispatcher.step(100).await.is_err());
        run.dispatcher.finish().await.unwrap();
        let (retries,): (i64,) =
            store.read().await.unwrap().one("SELECT COUNT(*) FROM retries", args![]).await.unwrap();
        assert_eq!(retries, 5, "none of it is unknown");
    }

    async fn no_statement_of_a_claim_reads_a_whole_table(store: Store) {
        let mut tx = store.read().await.unwrap();
        if tx.dialect() == Dialect::Postgres {
            tx.run("SET enable_seqscan = off", args![]).await.unwrap();
        }
        let ids = || vec![Column::Ints(vec![1])];
        let plans = [
            tx.explain(small_chunks::FIT, args!["main", ids()]).await.unwrap(),
            tx.explain(small_chunks::TAKE, args![1_i64, ids()]).await.unwrap(),
            tx.explain(small_chunks::STARTED, args![1_i64, ids()]).await.unwrap(),
            tx.explain(small_chunks::HELD, args![1_i64, ids(), "main"]).await.unwrap(),
        ];
        for plan in plans {
            let plan = plan.join("\n");
            let whole = plan.lines().any(|line| {
                let line = line.trim_start_matches([' ', '-', '>']);
                line.starts_with("SCAN ") && !line.starts_with("SCAN j") && !line.contains("dispatch_hold")
                    || line.starts_with("Seq Scan") && !line.contains("dispatch_hold")
            });
            assert!(!whole, "{plan}");
        }
    }
}
