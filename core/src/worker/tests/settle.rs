//! Answers and receipts one by one, in the orders in which carriers really send them.

use std::sync::Arc;
use std::time::Duration;

use talkdrum_api::money::{Amount, Currency};
use talkdrum_api::purpose::OptOutReach;

use crate::campaign::control::resolve_unknown::{Resolution, resolve};
use crate::campaign::report::progress;
use crate::carrier::{Accepted, Answer, Event, Receipt, ReceiptToken, Refusal, Verdict};
use crate::contact::suppression::{self, OptOutSource, SuppressionScope};
use crate::ledger::wallet;
use crate::model::account::id::UserId;
use crate::model::message::id::MessageId;
use crate::model::message::receipt_state::ReceiptState;
use crate::phone::Msisdn;
use crate::routing::dnd;
use crate::store::db::once::Once;
use crate::store::operations::daemon;
use crate::store::{Lane, Store};
use crate::testing::builder::{Built, START, Spot, UNIT_PRICE, build};
use crate::testing::worker::{Refusing, Run, accepted, answered, campaign, receipt, reference};
use crate::time::Clock as _;
use crate::worker::dispatch::DispatchStep;
use crate::worker::jobs::recovery;
use crate::worker::settle::unmatched_receipts::Backfill;
use crate::{args, both_databases};

fn refusal(code: u32) -> Refusal {
    Refusal { code, reason: "refused".into(), is_carriers: false }
}

async fn status(store: &Store, message: MessageId) -> Option<(i64, i64)> {
    let mut tx = store.read().await.unwrap();
    tx.opt("SELECT status, money FROM messages WHERE id = $1", args![message.0]).await.unwrap()
}

async fn balance(store: &Store, built: &Built) -> Amount {
    wallet(&mut store.read().await.unwrap(), built.user, Currency::Espees).await.unwrap().1
}

const SUBMITTED: i64 = 3;
const DELIVERED: i64 = 4;
const UNDELIVERED: i64 = 5;
const REJECTED: i64 = 6;
const SUPPRESSED: i64 = 10;
const UNKNOWN: i64 = 8;
const CANCELLED: i64 = 9;
const RESERVED: i64 = 0;
const CAPTURED: i64 = 1;
const RELEASED: i64 = 2;
const REFUNDED: i64 = 3;

async fn opt_out(store: &Store, scope: SuppressionScope, number: Msisdn) {
    let input = (scope, number);
    let job = store.write(Lane::Interactive, input, |tx, (scope, number)| {
        Box::pin(suppression::add(tx, *scope, *number, (OptOutSource::Stop, OptOutReach::All), START))
    });
    assert!(job.await.unwrap());
}

both_databases! {
    async fn chunks_of_one_campaign_keep_the_refunds_that_each_was_promised(store: Store) {
        let built = build(&store, "ada").chunk(&[Spot::Tail]).chunk(&[Spot::Tail]).store().await;
        let promised = store.write(Lane::Interactive, built.chunks[1], |tx, chunk| Box::pin(async move {
            tx.run("UPDATE campaign_chunks SET refund_undelivered = TRUE WHERE id = $1", args![*chunk]).await.map(|_| ())
        }));
        promised.await.unwrap();
        let mut run = Run::start(&store).await;
        let sent = run.send_all().await;
        assert_eq!(sent.len(), 2);
        for (sequence, one) in (1_u32..).zip(&sent) {
            let failed = receipt(&one.message.0.to_string(), ReceiptState::Undelivered, sequence);
            run.settle(vec![failed]).await;
        }
        while run.write_deferred().await {}
        let money: Vec<(i64,)> =
            store.read().await.unwrap().all("SELECT money FROM messages ORDER BY id", args![]).await.unwrap();
        assert_eq!(money, [(1,), (3,)], "the first stays charged, the second is refunded");
        run.verify().await;
    }

    async fn who_opts_out_after_the_quote_gets_nothing_and_the_money_goes_back(store: Store) {
        let built = campaign(&store, 300).await;
        let before = balance(&store, &built).await;
        opt_out(&store, SuppressionScope::User(built.user), built.numbers[1]).await;
        opt_out(&store, SuppressionScope::User(UserId(built.user.0 + 1)), built.numbers[2]).await;
        let mut run = Run::start(&store).await;
        assert_eq!(run.dispatcher.step(100).await.unwrap(), DispatchStep::Worked);
        assert_eq!(run.dispatcher.step(100).await.unwrap(), DispatchStep::Worked);
        // In the middle of it, from the platform's list: what is claimed later does not go to this one.
        opt_out(&store, SuppressionScope::Platform, built.numbers[250]).await;
        let sent = run.send_all().await;
        assert_eq!(sent.len(), 298);
        assert!(sent.iter().all(|one| one.to != built.numbers[1] && one.to != built.numbers[250]));
        for place in [1, 250] {
            let message = MessageId::new(built.chunks[0], place);
            assert_eq!(status(&store, message).await, Some((SUPPRESSED, RELEASED)));
        }
        assert_eq!(balance(&store, &built).await, before.plus(UNIT_PRICE.times(2).unwrap()).unwrap());
        let counts = progress::counts(&mut store.read().await.unwrap(), built.campaign).await.unwrap();
        assert_eq!((counts.submitted, counts.suppressed), (298, 2));
        run.verify().await;
    }

    async fn who_comes_on_the_do_not_disturb_list_before_the_start_gets_nothing_where_the_route_minds_it(store: Store) {
        let built = campaign(&store, 300).await;
        let before = balance(&store, &built).await;
        let listed = dnd::Import { numbers: vec![built.numbers[5]], replace: false, allow_shrink: false, by: built.user, claim: None };
        dnd::import(&store, listed, START).await.unwrap();
        store
            .write(Lane::Interactive, built.chunks[0], |tx, chunk| {
                Box::pin(async move {
                    tx.run_exactly(1, "UPDATE campaign_chunks SET minds_dnd = TRUE WHERE id = $1", args![*chunk]).await
                })
            })
            .await
            .unwrap();
        let mut run = Run::start(&store).await;
        let sent = run.send_all().await;
        assert_eq!(sent.len(), 299);
        assert!(sent.iter().all(|one| one.to != built.numbers[5]));
        let message = MessageId::new(built.chunks[0], 5);
        assert_eq!(status(&store, message).await, Some((SUPPRESSED, RELEASED)));
        assert_eq!(balance(&store, &built).await, before.plus(UNIT_PRICE).unwrap());
        run.verify().await;
    }

    async fn the_do_not_disturb_list_is_nothing_to_a_route_that_does_not_mind_it(store: Store) {
        let built = campaign(&store, 10).await;
        let listed = dnd::Import { numbers: vec![built.numbers[5]], replace: false, allow_shrink: false, by: built.user, claim: None };
        dnd::import(&store, listed, START).await.unwrap();
        assert_eq!(Run::start(&store).await.send_all().await.len(), 10);
    }

    async fn who_opts_out_while_a_message_waits_to_be_tried_again_does_not_get_it(store: Store) {
        let built = campaign(&store, 1).await;
        let mut run = Run::start(&store).await;
        let sent = run.dispatch().await;
        run.settle(vec![answered(sent[0].message, Verdict::Throttled(refusal(0x58)))]).await;
        opt_out(&store, SuppressionScope::Platform, built.numbers[0]).await;
        run.clock.advance(Duration::from_secs(60));
        assert_eq!(run.dispatch().await.len(), 0);
        assert_eq!(status(&store, sent[0].message).await, Some((SUPPRESSED, RELEASED)));
        run.verify().await;
    }

    async fn a_receipt_is_acknowledged_after_its_commit_and_delivers_the_message(store: Store) {
        let built = campaign(&store, 2).await;
        let mut run = Run::start(&store).await;
        let sent = run.dispatch().await;
        run.settle(vec![accepted(sent[0].message, "7"), accepted(sent[1].message, "8")]).await;
        assert_eq!(status(&store, sent[0].message).await, Some((SUBMITTED, CAPTURED)));
        run.settle(vec![receipt("7", ReceiptState::Delivered, 1), receipt("8", ReceiptState::Enroute, 2)]).await;
        assert_eq!(status(&store, sent[0].message).await, Some((DELIVERED, CAPTURED)));
        assert_eq!(status(&store, sent[1].message).await, Some((SUBMITTED, CAPTURED)));
        assert_eq!(run.acknowledged(), 2);
        let counts = progress::counts(&mut store.read().await.unwrap(), built.campaign).await.unwrap();
        assert_eq!((counts.delivered, counts.submitted), (1, 1));
        run.verify().await;
    }

    async fn a_receipt_that_comes_before_its_answer_waits_for_it(store: Store) {
        campaign(&store, 1).await;
        let mut run = Run::start(&store).await;
        let sent = run.dispatch().await;
        run.settle(vec![receipt("7", ReceiptState::Delivered, 1)]).await;
        assert_eq!((run.acknowledged(), run.settler.early()), (0, 1));
        run.settle(vec![accepted(sent[0].message, "7")]).await;
        assert_eq!((run.acknowledged(), run.settler.early()), (1, 0));
        assert_eq!(status(&store, sent[0].message).await, Some((DELIVERED, CAPTURED)));
        run.verify().await;
    }

    async fn a_receipt_twice_counts_once_and_a_stray_one_is_kept_raw(store: Store) {
        campaign(&store, 1).await;
        let mut run = Run::start(&store).await;
        let sent = run.dispatch().await;
        run.settle(vec![
            accepted(sent[0].message, "7"),
            receipt("7", ReceiptState::Delivered, 1),
            receipt("7", ReceiptState::Delivered, 2),
        ]).await;
        run.settle(vec![receipt("7", ReceiptState::Delivered, 3), receipt("99", ReceiptState::Delivered, 4)]).await;
        run.clock.advance(Duration::from_secs(3));
        run.settle(Vec::new()).await;
        assert_eq!(run.acknowledged(), 4, "strays are acknowledged once they are stored");
        let mut tx = store.read().await.unwrap();
        let kept: (i64,) = tx.one("SELECT COUNT(*) FROM receipts_unmatched", args![]).await.unwrap();
        assert_eq!(kept.0, 1, "a repetition is not a stray");
        run.verify().await;
    }

    async fn a_failure_may_still_turn_into_a_delivery(store: Store) {
        campaign(&store, 1).await;
        let mut run = Run::start(&store).await;
        let sent = run.dispatch().await;
        run.settle(vec![accepted(sent[0].message, "7"), receipt("7", ReceiptState::Undelivered, 1)]).await;
        assert_eq!(status(&store, sent[0].message).await, Some((UNDELIVERED, CAPTURED)));
        run.settle(vec![receipt("7", ReceiptState::Delivered, 2)]).await;
        assert_eq!(status(&store, sent[0].message).await, Some((DELIVERED, CAPTURED)));
        run.verify().await;
    }

    async fn a_run_that_ends_in_good_order_leaves_nothing_unknown(store: Store) {
        campaign(&store, 300).await;
        let mut before = Run::start(&store).await;
        while before.carrier.submitted.lock().unwrap().len() < 30 {
            before.dispatcher.step(30).await.unwrap();
        }
        before.dispatcher.finish().await.unwrap();
        let sent = std::mem::take(&mut *before.carrier.submitted.lock().unwrap());
        before.settle(sent.iter().map(|one| accepted(one.message, &one.message.0.to_string())).collect()).await;
        assert_eq!(recovery::stop(&store, before.owner, START).await.unwrap(), 0);
        let mut run = Run::start(&store).await;
        run.clock.advance(Duration::from_secs(1));
        let rest = run.send_all().await;
        assert_eq!(sent.len() + rest.len(), 300);
        run.verify().await;
    }

    async fn a_receipt_held_back_is_held_once_however_often_the_database_refuses(store: Store) {
        campaign(&store, 1).await;
        let mut run = Run::start(&store).await;
        let sent = run.dispatch().await;
        let refusing = Arc::new(Refusing);
        run.settler.writes = Once::new(store.with_faults(refusing), run.owner, "settle:main");
        let mut events = vec![receipt("9", ReceiptState::Delivered, 1), accepted(sent[0].message, "7")];
        for _ in 0..5 {
            run.clock.advance(Duration::from_secs(3));
            events = run.settler.settle(events, run.clock.now()).await.unwrap_err().1;
            assert!(events.len() + run.settler.early() <= 2, "{} events", events.len());
        }
        run.settler.writes = Once::new(store.clone(), run.owner, "settle:main");
        run.settle(events).await;
        assert_eq!(status(&store, sent[0].message).await, Some((SUBMITTED, CAPTURED)));
        run.verify().await;
    }

    async fn a_refused_message_is_released_and_an_unsent_one_goes_out_again(store: Store) {
        let built = campaign(&store, 3).await;
        let mut run = Run::start(&store).await;
        let sent = run.dispatch().await;
        run.settle(vec![
            answered(sent[0].message, Verdict::Refused(refusal(0x0b))),
            answered(sent[1].message, Verdict::Unsent),
            answered(sent[2].message, Verdict::Throttled(refusal(0x58))),
        ]).await;
        assert_eq!(status(&store, sent[0].message).await, Some((REJECTED, RELEASED)));
        assert_eq!(balance(&store, &built).await, UNIT_PRICE);
        run.clock.advance(Duration::from_secs(2));
        let again = run.dispatch().await;
        let mut messages: Vec<MessageId> = again.iter().map(|submission| submission.message).collect();
        messages.sort();
        assert_eq!(messages, [sent[1].message, sent[2].message]);
        run.settle(messages.iter().map(|message| accepted(*message, &message.0.to_string())).collect()).await;
        run.verify().await;
    }

    async fn a_message_of_parts_is_delivered_when_all_are_and_a_throttled_part_goes_alone(store: Store) {
        build(&store, "ada").text(&"long ".repeat(60)).segments(2).chunk(&[Spot::Tail; 1]).store().await;
        let mut run = Run::start(&store).await;
        let sent = run.dispatch().await;
        let message = sent[0].message;
        assert_eq!(sent[0].body.parts.len(), 2);
        let first = Accepted::One(0, reference("70"));
        run.settle(vec![Event::Answer(Answer { message, verdict: Verdict::Throttled(refusal(0x58)), accepted: first })])
            .await;
        run.settle(vec![receipt("70", ReceiptState::Delivered, 1)]).await;
        assert_eq!(status(&store, message).await, None, "half a message is not delivered");
        run.clock.advance(Duration::from_secs(2));
        let again = run.dispatch().await;
        assert_eq!(again[0].parts_done, 0b01);
        let second = Accepted::One(1, reference("71"));
        run.settle(vec![Event::Answer(Answer { message, verdict: Verdict::Accepted, accepted: second })]).await;
        assert_eq!(status(&store, message).await, Some((SUBMITTED, CAPTURED)));
        run.settle(vec![receipt("71", ReceiptState::Delivered, 2)]).await;
        assert_eq!(status(&store, message).await, Some((DELIVERED, CAPTURED)));
        run.verify().await;
    }

    async fn one_failed_part_fails_the_message(store: Store) {
        build(&store, "ada").text(&"long ".repeat(60)).segments(2).chunk(&[Spot::Tail; 1]).store().await;
        let mut run = Run::start(&store).await;
        let message = run.dispatch().await[0].message;
        let parts = Accepted::Many(vec![(0, reference("70")), (1, reference("71"))]);
        run.settle(vec![
            Event::Answer(Answer { message, verdict: Verdict::Accepted, accepted: parts }),
            receipt("71", ReceiptState::Undelivered, 1),
        ]).await;
        assert_eq!(status(&store, message).await, Some((UNDELIVERED, CAPTURED)));
        run.settle(vec![receipt("70", ReceiptState::Delivered, 2)]).await;
        assert_eq!(status(&store, message).await, Some((UNDELIVERED, CAPTURED)));
        let error = "SELECT error FROM messages WHERE id = $1";
        let error: (Option<String>,) =
            store.read().await.unwrap().one(error, args![message.0]).await.unwrap();
        assert_eq!(error.0.as_deref(), Some("027"), "the failed part's");
        // The network tried again: all parts are there now.
        run.settle(vec![receipt("71", ReceiptState::Delivered, 3)]).await;
        assert_eq!(status(&store, message).await, Some((DELIVERED, CAPTURED)));
        run.verify().await;
    }

    async fn a_failed_message_of_which_a_part_is_missing_is_not_delivered(store: Store) {
        build(&store, "ada").text(&"long ".repeat(60)).segments(2).chunk(&[Spot::Tail; 1]).store().await;
        let mut run = Run::start(&store).await;
        let message = run.dispatch().await[0].message;
        let first = Accepted::One(0, reference("70"));
        run.settle(vec![Event::Answer(Answer { message, verdict: Verdict::Unanswered, accepted: first })]).await;
        run.settle(vec![receipt("70", ReceiptState::Undelivered, 1)]).await;
        run.settle(vec![receipt("70", ReceiptState::Delivered, 2)]).await;
        assert_eq!(status(&store, message).await, Some((UNDELIVERED, CAPTURED)));
        run.verify().await;
    }

    async fn undelivered_is_refunded_where_the_campaign_says_so(store: Store) {
        let built = build(&store, "ada").refund_undelivered().chunk(&[Spot::Tail; 3]).store().await;
        let mut run = Run::start(&store).await;
        let sent = run.dispatch().await;
        run.settle(vec![
            accepted(sent[0].message, "7"),
            accepted(sent[1].message, "8"),
            accepted(sent[2].message, "9"),
            receipt("9", ReceiptState::Undelivered, 1),
        ]).await;
        run.settle(vec![receipt("7", ReceiptState::Undelivered, 2), receipt("8", ReceiptState::Delivered, 3)]).await;
        assert_eq!(status(&store, sent[0].message).await, Some((UNDELIVERED, REFUNDED)));
        assert_eq!(status(&store, sent[1].message).await, Some((DELIVERED, CAPTURED)));
        assert_eq!(balance(&store, &built).await, UNIT_PRICE.times(2).unwrap());
        run.verify().await;
    }

    async fn after_a_crash_receipts_still_find_what_was_submitted(store: Store) {
        campaign(&store, 2).await;
        let mut before = Run::start(&store).await;
        let sent = before.dispatch().await;
        before.settle(vec![accepted(sent[0].message, "7"), accepted(sent[1].message, "8")]).await;
        drop(before);
        let mut run = Run::start(&store).await;
        let mut reload = Backfill::default();
        while run.settler.reload(&mut reload, START).await.unwrap() {}
        run.settle(vec![receipt("8", ReceiptState::Delivered, 1)]).await;
        assert_eq!(status(&store, sent[1].message).await, Some((DELIVERED, CAPTURED)));
        run.verify().await;
    }

    async fn a_crash_in_flight_leaves_unknown_and_one_unmistakable_receipt_settles_it(store: Store) {
        let built = campaign(&store, 3).await;
        let mut before = Run::start(&store).await;
        let sent = before.dispatch().await;
        store
            .write(Lane::Interactive, before.owner, |tx, owner| Box::pin(daemon::stop(tx, *owner, START)))
            .await
            .unwrap();
        drop(before);
        let mut run = Run::start(&store).await;
        let (unknown, _) = recovery::tick(&store, run.owner, recovery::LEASE, START).await.unwrap();
        assert_eq!(unknown, 3);
        assert_eq!(status(&store, sent[0].message).await, Some((UNKNOWN, RESERVED)));
        assert!(run.dispatch().await.is_empty(), "an unknown message is never sent again by itself");
        let stray = Receipt {
            reference: reference("55"),
            to: Some(built.numbers[1]),
            from: Some("TALKDRUM".into()),
            state: ReceiptState::Delivered,
            error: None,
            done_at: None,
            token: ReceiptToken { connection: 1, sequence: 1 },
        };
        run.settle(vec![Event::Receipt(stray)]).await;
        run.clock.advance(Duration::from_secs(3));
        run.settle(Vec::new()).await;
        run.clock.advance(Duration::from_secs(30));
        assert_eq!(run.settler.match_late(run.clock.now()).await.unwrap(), 0, "not within the first minute");
        run.clock.advance(Duration::from_secs(60));
        assert_eq!(run.settler.match_late(run.clock.now()).await.unwrap(), 1);
        assert_eq!(status(&store, sent[1].message).await, Some((DELIVERED, CAPTURED)));
        run.verify().await;
    }

    async fn a_person_settles_what_nobody_knows_once(store: Store) {
        let built = campaign(&store, 2).await;
        let mut run = Run::start(&store).await;
        let sent = run.dispatch().await;
        run.settle(vec![
            answered(sent[0].message, Verdict::Unanswered),
            answered(sent[1].message, Verdict::Unanswered),
        ]).await;
        for (message, outcome) in [(sent[0].message, Resolution::Refunded), (sent[1].message, Resolution::Sent)] {
            for expected in [1, 0] {
                let resolved = store
                    .write(Lane::Interactive, (message, outcome), |tx, (message, outcome)| {
                        Box::pin(async move { resolve(tx, &[*message], *outcome, START).await })
                    })
                    .await
                    .unwrap();
                assert_eq!(resolved.len(), expected);
            }
        }
        assert_eq!(status(&store, sent[0].message).await, Some((CANCELLED, RELEASED)));
        assert_eq!(status(&store, sent[1].message).await, Some((SUBMITTED, CAPTURED)));
        assert_eq!(balance(&store, &built).await, UNIT_PRICE);
        run.verify().await;
    }

    async fn what_could_not_be_sent_in_time_expires_and_is_refunded(store: Store) {
        let built = campaign(&store, 5).await;
        let mut run = Run::start(&store).await;
        run.clock.advance(Duration::from_secs(2 * 86_400));
        assert!(run.dispatch().await.is_empty());
        let counts = progress::counts(&mut store.read().await.unwrap(), built.campaign).await.unwrap();
        assert_eq!(counts.expired, 5);
        assert_eq!(balance(&store, &built).await, UNIT_PRICE.times(5).unwrap());
        run.verify().await;
    }
}
