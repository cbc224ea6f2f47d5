//! A database that goes back in time under a running daemon, as by a failover to a server that lags: nothing is sent
//! twice, dispatch is held, and what was in flight becomes `unknown`.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use crate::carrier::{Refusal, Submission, Verdict};
use crate::model::carrier::Hold;
use crate::model::message::id::MessageId;
use crate::model::message::status::MessageStatus;
use crate::store::operations::generation;
use crate::store::{Dialect, Lane, Store};
use crate::testing::builder::{Spot, build};
use crate::testing::doubt::Doubts;
use crate::testing::past::Moment;
use crate::testing::worker::{Run, accepted, answered, campaign, messages_in};
use crate::time::Clock as _;
use crate::worker::dispatch::DispatchStep;
use crate::{args, both_databases};

/// A run whose writes may be in doubt.
async fn doubtful(store: &Store) -> (Run, Arc<Doubts>) {
    let doubts = Arc::new(Doubts::default());
    (Run::start(&store.with_faults(Arc::<Doubts>::clone(&doubts))).await, doubts)
}

fn ids(sent: &[Submission]) -> BTreeSet<MessageId> {
    sent.iter().map(|one| one.message).collect()
}

async fn is_held(store: &Store) -> bool {
    generation::is_held(&mut store.read().await.unwrap()).await.unwrap()
}

async fn count(store: &Store, sql: &'static str) -> i64 {
    let row: (i64,) = store.read().await.unwrap().one(sql, args![]).await.unwrap();
    row.0
}

async fn set(store: &Store, sql: &'static str) {
    store
        .write(Lane::Interactive, sql, |tx, sql| Box::pin(async move { tx.run(*sql, args![]).await }))
        .await
        .unwrap();
}

/// Some steps, as the loop that drives the dispatcher makes them: an error is waited out.
async fn steps(run: &mut Run, most: usize) -> Vec<Submission> {
    for _ in 0..most {
        run.clock.advance(Duration::from_millis(20));
        let _waited_out = run.dispatcher.step(20).await;
    }
    std::mem::take(&mut *run.carrier.submitted.lock().unwrap())
}

async fn accept(run: &mut Run, sent: &[Submission]) {
    let events = sent.iter().map(|one| accepted(one.message, &one.message.0.to_string()));
    let mut events: Vec<_> = events.collect();
    for _ in 0..4 {
        match run.settler.settle(events, run.clock.now()).await {
            Ok(_) => return,
            Err((_, again)) => events = again,
        }
    }
    panic!("the answers cannot be stored");
}

both_databases! {
    async fn positions_that_went_out_are_not_sent_again_when_the_database_forgot_them(store: Store) {
        campaign(&store, 1_000).await;
        let mut run = Run::start(&store).await;
        let before = steps(&mut run, 2).await;
        let claimed = "SELECT CAST(SUM(cursor) AS BIGINT) FROM campaign_chunks";
        let moment = Moment::now(&store).await;
        let then = count(&store, claimed).await;
        let mut lost = steps(&mut run, 3).await;
        // On a busy machine all that was sent so far may have been claimed before.
        for _ in 0..1_000 {
            if count(&store, claimed).await > then {
                break;
            }
            lost.extend(steps(&mut run, 1).await);
        }
        assert!(!lost.is_empty() && count(&store, claimed).await > then);
        moment.restore().await;
        let mut after = steps(&mut run, 20).await;
        // On a busy machine the store may take longer for its new connections than some steps that fail at once.
        for _ in 0..100 {
            if is_held(&store).await {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
            after.extend(steps(&mut run, 1).await);
        }
        assert!(ids(&after).is_disjoint(&ids(&before)) && ids(&after).is_disjoint(&ids(&lost)), "sent twice");
        assert!(is_held(&store).await);
        // What the carrier answers is written all the same: the positions are counted as claimed.
        let out: Vec<Submission> = before.into_iter().chain(lost).chain(after).collect();
        accept(&mut run, &out).await;
        assert_eq!(messages_in(&store, MessageStatus::Submitted).await, i64::try_from(out.len()).unwrap());
        run.verify().await;
        // Released, the rest goes out, and nothing is held again.
        set(&store, "DELETE FROM dispatch_hold").await;
        let rest = run.send_all().await;
        assert!(ids(&rest).is_disjoint(&ids(&out)), "sent twice");
        assert!(!is_held(&store).await);
        assert_eq!(count(&store, "SELECT COUNT(*) FROM campaign_chunks WHERE state = 'open'").await, 0);
        run.verify().await;
    }

    async fn a_chunk_that_was_done_and_reappears_untouched_is_not_claimed_on_a_new_connection(store: Store) {
        for _ in 0..3 {
            build(&store, "ada").chunk(&[Spot::Tail; 2]).store().await;
        }
        let (mut run, doubts) = doubtful(&store).await;
        let moment = Moment::now(&store).await;
        assert_eq!(run.send_all().await.len(), 6);
        moment.restore().await;
        doubts.reconnect();
        assert!(steps(&mut run, 10).await.is_empty(), "sent twice");
        assert!(is_held(&store).await);
    }

    async fn an_answer_for_a_chunk_that_is_forgotten_is_not_taken_for_one_that_came_later(store: Store) {
        if store.dialect() == Dialect::Sqlite {
            return;
        }
        build(&store, "ada").chunk(&[Spot::Tail; 2]).store().await;
        let (mut run, doubts) = doubtful(&store).await;
        assert_eq!(run.send_all().await.len(), 2);
        let moment = Moment::now(&store).await;
        build(&store, "ada").chunk(&[Spot::Tail; 2]).store().await;
        let forgotten = steps(&mut run, 2).await;
        assert_eq!(forgotten.len(), 2);
        moment.restore().await;
        doubts.reconnect();
        assert!(steps(&mut run, 5).await.is_empty());
        assert!(is_held(&store).await);
        let later = build(&store, "ada").chunk(&[Spot::Tail; 2]).store().await;
        let busy = Verdict::Throttled(Refusal { code: 0x58, reason: "busy".into(), is_carriers: true });
        for answer in [accepted(forgotten[0].message, "forgotten"), answered(forgotten[1].message, busy)] {
            let _passed_over = run.settler.settle(vec![answer], run.clock.now()).await;
        }
        assert_eq!(count(&store, "SELECT COUNT(*) FROM retries").await, 0, "it belongs to nothing");
        assert!(later.chunks.iter().all(|chunk| *chunk > forgotten[0].message.chunk()));
        set(&store, "DELETE FROM dispatch_hold").await;
        // Its other answers are waited for in vain.
        run.clock.advance(Duration::from_secs(61));
        assert_eq!(run.send_all().await.len(), 2, "what came later is sent");
        run.verify().await;
    }

    async fn a_chunk_in_hand_that_reappears_untouched_is_claimed_and_not_sent(store: Store) {
        build(&store, "ada").chunk(&[Spot::Tail; 2]).store().await;
        let mut run = Run::start(&store).await;
        let moment = Moment::now(&store).await;
        let sent = run.dispatch().await;
        assert_eq!(sent.len(), 2);
        moment.restore().await;
        assert!(steps(&mut run, 10).await.is_empty(), "sent twice");
        assert!(is_held(&store).await);
        accept(&mut run, &sent).await;
        run.verify().await;
    }

    async fn retries_that_were_claimed_and_reappear_are_not_sent_again(store: Store) {
        campaign(&store, 3).await;
        let mut run = Run::start(&store).await;
        let sent = run.dispatch().await;
        let busy = || Verdict::Throttled(Refusal { code: 0x58, reason: "busy".into(), is_carriers: true });
        run.settle(sent.iter().map(|one| answered(one.message, busy())).collect()).await;
        let moment = Moment::now(&store).await;
        run.clock.advance(Duration::from_secs(10));
        let again = run.dispatch().await;
        assert_eq!(again.len(), 3);
        moment.restore().await;
        assert!(steps(&mut run, 10).await.is_empty(), "sent twice");
        assert!(is_held(&store).await);
        accept(&mut run, &again).await;
        run.verify().await;
        set(&store, "DELETE FROM dispatch_hold").await;
        assert!(run.send_all().await.is_empty(), "sent twice");
        assert_eq!(count(&store, "SELECT COUNT(*) FROM campaigns WHERE status = 'completed'").await, 1);
        run.verify().await;
    }

    async fn a_retry_that_was_claimed_and_kept_back_is_sent_once_after_the_database_went_back(store: Store) {
        campaign(&store, 3).await;
        let (mut run, doubts) = doubtful(&store).await;
        let sent = run.dispatch().await;
        let busy = || Verdict::Throttled(Refusal { code: 0x58, reason: "busy".into(), is_carriers: true });
        run.settle(sent.iter().map(|one| answered(one.message, busy())).collect()).await;
        run.clock.advance(Duration::from_secs(10));
        let kept = run.dispatch().await;
        assert_eq!(kept.len(), 3);
        run.dispatcher.keep_back(kept);
        run.dispatcher.hold(None, Hold::Paused).await.unwrap();
        assert_eq!(count(&store, "SELECT COUNT(*) FROM retries").await, 3);
        let moment = Moment::now(&store).await;
        build(&store, "bisi").chunk(&[Spot::Tail; 2]).store().await;
        // Before retries are looked at again.
        let lost = steps(&mut run, 3).await;
        let is_retry = |one: &&Submission| sent.iter().any(|before| before.message == one.message);
        assert!(lost.len() == 2 && !lost.iter().any(|one| is_retry(&one)));
        moment.restore().await;
        doubts.reconnect();
        assert!(steps(&mut run, 10).await.is_empty() && is_held(&store).await);
        set(&store, "DELETE FROM dispatch_hold").await;
        run.clock.advance(Duration::from_secs(61));
        let rest = run.send_all().await;
        assert_eq!(rest.iter().filter(is_retry).count(), 3);
        run.verify().await;
    }

    async fn a_throttled_message_whose_claim_is_forgotten_is_sent_once_more_and_not_beside_a_new_claim(store: Store) {
        campaign(&store, 3).await;
        let mut run = Run::start(&store).await;
        let moment = Moment::now(&store).await;
        let sent = run.dispatch().await;
        assert_eq!(sent.len(), 3);
        moment.restore().await;
        let busy = || Verdict::Throttled(Refusal { code: 0x58, reason: "busy".into(), is_carriers: true });
        let answers = sent.iter().map(|one| answered(one.message, busy())).collect();
        let (error, answers) = run.settler.settle(answers, run.clock.now()).await.unwrap_err();
        assert_eq!(error.code(), "database_went_back");
        assert!(is_held(&store).await);
        run.settle(answers).await;
        assert_eq!(count(&store, "SELECT COUNT(*) FROM retries").await, 3);
        set(&store, "DELETE FROM dispatch_hold").await;
        run.clock.advance(Duration::from_secs(10));
        assert_eq!(run.send_all().await.len(), 3, "each once");
        run.verify().await;
    }

    async fn a_throttled_message_is_not_queued_when_its_claim_is_forgotten_for_good(store: Store) {
        campaign(&store, 3).await;
        let mut run = Run::start(&store).await;
        let moment = Moment::now(&store).await;
        let sent = run.dispatch().await;
        moment.restore().await;
        // Another run has the chunk: the claim cannot be restored.
        set(&store, "UPDATE campaign_chunks SET owner = 77").await;
        let busy = || Verdict::Throttled(Refusal { code: 0x58, reason: "busy".into(), is_carriers: true });
        let answers = sent.iter().map(|one| answered(one.message, busy())).collect();
        let (_, answers) = run.settler.settle(answers, run.clock.now()).await.unwrap_err();
        run.settle(answers).await;
        assert_eq!(count(&store, "SELECT COUNT(*) FROM retries").await, 0, "it would be sent twice");
        run.verify().await;
    }

    async fn answers_that_the_database_forgot_leave_their_messages_unknown_without_a_restart(store: Store) {
        campaign(&store, 300).await;
        let (mut run, doubts) = doubtful(&store).await;
        let first = steps(&mut run, 2).await;
        let moment = Moment::now(&store).await;
        // Their answers were stored, and are gone.
        accept(&mut run, &first).await;
        moment.restore().await;
        doubts.reconnect();
        assert!(steps(&mut run, 5).await.is_empty());
        assert!(is_held(&store).await);
        run.verify().await;
        set(&store, "DELETE FROM dispatch_hold").await;
        let rest = run.send_all().await;
        assert!(ids(&rest).is_disjoint(&ids(&first)), "sent twice");
        let unknown = messages_in(&store, MessageStatus::Unknown).await;
        assert!(unknown >= i64::try_from(first.len()).unwrap(), "{unknown}");
        assert_eq!(count(&store, "SELECT COUNT(*) FROM campaigns WHERE status = 'completed'").await, 1);
        run.verify().await;
    }

    async fn a_doubtful_intent_below_what_went_out_holds_dispatch_and_ends_the_turn(store: Store) {
        campaign(&store, 1_000).await;
        let (mut run, doubts) = doubtful(&store).await;
        let sent = steps(&mut run, 3).await;
        assert!(sent.len() > 20);
        // The next intents are stored, and the answer is lost; then the database forgets them and more.
        let mut all = ids(&sent);
        for _ in 0..20 {
            doubts.after(0);
            if run.dispatcher.step(100).await.is_err() {
                break;
            }
        }
        doubts.disarm();
        all.extend(ids(&std::mem::take(&mut *run.carrier.submitted.lock().unwrap())));
        set(&store, "UPDATE campaign_chunks SET cursor = 10").await;
        let mut worked = 0;
        for _ in 0..20 {
            worked += usize::from(matches!(run.dispatcher.step(100).await, Ok(DispatchStep::Worked)));
        }
        assert!(worked < 10, "it spins");
        let after = std::mem::take(&mut *run.carrier.submitted.lock().unwrap());
        assert!(ids(&after).is_disjoint(&all), "sent twice");
        assert!(is_held(&store).await);
    }

    async fn what_is_owed_is_not_taken_for_paid_when_the_database_forgot_earlier_writes(store: Store) {
        campaign(&store, 300).await;
        let (mut run, doubts) = doubtful(&store).await;
        let sent = steps(&mut run, 2).await;
        accept(&mut run, &sent[..1]).await;
        accept(&mut run, &sent[1..2]).await;
        set(&store, "UPDATE worker_writes SET sequence = sequence - 2 WHERE writer LIKE 'settle:%'").await;
        // Not stored, and the server is another one.
        doubts.before(0, crate::error::Error::Doubtful("the connection broke".into()));
        let events = vec![accepted(sent[2].message, "third")];
        let (error, events) = run.settler.settle(events, run.clock.now()).await.unwrap_err();
        assert_eq!(error.code(), "database_went_back");
        assert_eq!(events.len(), 1, "the answer is kept");
        assert!(is_held(&store).await);
        run.settle(events).await;
        assert_eq!(messages_in(&store, MessageStatus::Submitted).await, 3);
    }
}
