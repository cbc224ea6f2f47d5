//! Texts that their carrier never sent, or refused for a reason of its own, go by another carrier of their route.

use std::time::Duration;

use talkdrum_api::purpose::OptOutReach;

use crate::campaign::control::{self, Authority};
use crate::carrier::{Accepted, Answer, Event, Health, Refusal, Submission, Verdict};
use crate::contact::suppression::{self, OptOutSource, SuppressionScope};
use crate::model::account::user::Role;
use crate::model::carrier::Hold;
use crate::model::message::id::MessageId;
use crate::model::message::receipt_state::ReceiptState;
use crate::model::message::status::MessageStatus as S;
use crate::operate::{self, RerouteTarget};
use crate::store::message::reroute::Reroutes;
use crate::store::{Lane, Store};
use crate::testing::account::make_user;
use crate::testing::builder::{Built, START, Spot, build};
use crate::testing::campaign::route_carrier;
use crate::testing::worker::{Run, accepted, answered, messages_in, receipt, reference};
use crate::time::Clock;
use crate::worker::jobs::recovery;
use crate::{args, both_databases};

const MINUTE: Duration = Duration::from_secs(61);

pub(super) async fn campaign(store: &Store, texts: usize, spares: &[&str]) -> Built {
    build(store, "ada").chunk(&vec![Spot::Tail; texts]).spares(spares).store().await
}

/// Two runs, each with one of the carriers.
pub(super) async fn two(store: &Store) -> [Run; 2] {
    [Run::start_texts(store, "main").await, Run::start_texts(store, "spare").await]
}

pub(super) fn account() -> Verdict {
    Verdict::Refused(Refusal { code: 0x04, reason: "the bind does not allow it".into(), is_carriers: true })
}

fn number() -> Verdict {
    Verdict::Refused(Refusal { code: 0x0B, reason: "the destination is invalid".into(), is_carriers: false })
}

pub(super) fn busy(is_carriers: bool) -> Verdict {
    Verdict::Throttled(Refusal { code: 0x58, reason: "busy".into(), is_carriers })
}

pub(super) async fn goes_down(run: &mut Run) {
    run.show(Health::Connecting { reason: "gone".into() }).await;
    run.dispatcher.stand_aside().await.unwrap();
}

pub(super) async fn count(store: &Store, sql: &'static str) -> i64 {
    let row: (i64,) = store.read().await.unwrap().one(sql, args![]).await.unwrap();
    row.0
}

/// Messages that are claimed, and neither settled nor queued again: those that a crash leaves unknown.
pub(super) async fn claimed(store: &Store) -> i64 {
    let sql = "SELECT CAST(SUM(cursor) AS BIGINT) - (SELECT COUNT(*) FROM messages) - (SELECT COUNT(*) FROM retries) \
       FROM campaign_chunks";
    count(store, sql).await
}

/// At which carriers messages wait.
pub(super) async fn waits_at(store: &Store) -> Vec<(String, i64)> {
    let sql = "SELECT carrier, COUNT(*) FROM retries GROUP BY carrier ORDER BY carrier";
    store.read().await.unwrap().all(sql, args![]).await.unwrap()
}

async fn carrier_of(store: &Store, message: MessageId) -> String {
    let mut tx = store.read().await.unwrap();
    Reroutes::of(&mut tx, message.chunk(), "main").await.unwrap().carrier_of(message.place()).to_owned()
}

pub(super) fn ids(sent: &[Submission]) -> Vec<MessageId> {
    sent.iter().map(|one| one.message).collect()
}

pub(super) fn at(carrier: &str, messages: i64) -> Vec<(String, i64)> {
    vec![(carrier.to_owned(), messages)]
}

both_databases! {
    async fn what_a_carrier_refuses_for_a_reason_of_its_own_goes_by_another_once_and_nothing_else_does(store: Store) {
        campaign(&store, 4, &["spare"]).await;
        let [mut main, mut spare] = two(&store).await;
        let sent = ids(&main.dispatch().await);
        main.settle(vec![
            answered(sent[0], account()),
            answered(sent[1], number()),
            answered(sent[2], Verdict::Unanswered),
            accepted(sent[3], "m3"),
        ])
        .await;
        assert!(main.dispatch().await.is_empty());
        assert_eq!(ids(&spare.dispatch().await), sent[..1]);
        assert_eq!((carrier_of(&store, sent[0]).await, carrier_of(&store, sent[3]).await), ("spare".into(), "main".into()));
        spare.settle(vec![accepted(sent[0], "s0")]).await;
        // Its receipt comes by the carrier that took it.
        spare.settle(vec![receipt("s0", ReceiptState::Delivered, 1)]).await;
        spare.clock.advance(MINUTE);
        spare.write_deferred().await;
        assert_eq!(messages_in(&store, S::Delivered).await, 1);
        assert_eq!((messages_in(&store, S::Rejected).await, messages_in(&store, S::Unknown).await), (1, 1));
        let money = "SELECT CAST(SUM(captured_micros) AS BIGINT) / MAX(charge_micros / size) FROM campaign_chunks";
        assert_eq!(count(&store, money).await, 2, "of the two that were accepted");
        main.verify().await;
    }

    async fn each_carrier_is_tried_once_and_then_the_last_ones_answer_stands(store: Store) {
        campaign(&store, 1, &["spare"]).await;
        let [mut main, mut spare] = two(&store).await;
        for run in [&mut main, &mut spare] {
            let sent = ids(&run.dispatch().await);
            assert_eq!(sent.len(), 1);
            run.settle(vec![answered(sent[0], account())]).await;
        }
        assert!(main.dispatch().await.is_empty() && spare.dispatch().await.is_empty());
        assert_eq!(messages_in(&store, S::Rejected).await, 1);
        assert_eq!(count(&store, "SELECT CAST(SUM(charge_micros - released_micros) AS BIGINT) FROM campaign_chunks").await, 0);
        main.verify().await;
    }

    async fn a_text_moves_on_once_its_carrier_was_busy_for_long_and_not_where_the_text_is_to_blame(store: Store) {
        campaign(&store, 2, &["spare"]).await;
        let [mut main, mut spare] = two(&store).await;
        for time in 0..7 {
            let sent = ids(&main.dispatch().await);
            assert_eq!(sent.len(), if time < 5 { 2 } else { 1 }, "{time}");
            let answers = sent.iter().map(|message| answered(*message, busy(message.place() == 0)));
            main.settle(answers.collect()).await;
            main.clock.advance(Duration::from_secs(2));
        }
        spare.clock.advance(Duration::from_secs(20));
        assert_eq!(spare.dispatch().await.iter().map(|one| one.message.place()).collect::<Vec<_>>(), [0]);
    }

    async fn what_was_accepted_in_part_stays_with_its_carrier(store: Store) {
        build(&store, "ada").segments(2).chunk(&[Spot::Tail; 3]).spares(&["spare"]).store().await;
        let [mut main, mut spare] = two(&store).await;
        let half = |message: MessageId, verdict| {
            Event::Answer(Answer { message, verdict, accepted: Accepted::One(0, reference(&format!("{message:?}"))) })
        };
        let sent = ids(&main.dispatch().await);
        main.settle(vec![half(sent[0], account()), half(sent[1], busy(true)), half(sent[2], Verdict::Unsent)]).await;
        assert_eq!(messages_in(&store, S::Rejected).await, 1, "as without other carriers");
        for _ in 0..7 {
            main.clock.advance(Duration::from_secs(2));
            let again = main.dispatch().await;
            assert!(again.len() >= 2 && again.iter().all(|one| one.parts_done == 1));
            main.settle(again.iter().map(|one| answered(one.message, busy(true))).collect()).await;
        }
        goes_down(&mut main).await;
        main.clock.advance(Duration::from_secs(30));
        main.show(Health::Connecting { reason: "gone".into() }).await;
        spare.show(Health::Up).await;
        main.dispatcher.stand_aside().await.unwrap();
        assert_eq!(waits_at(&store).await, at("main", 2));
        assert!(spare.dispatch().await.is_empty());
        main.verify().await;
    }

    async fn a_carrier_that_is_down_for_long_has_what_others_may_take_led_to_them_as_far_as_they_have_room(store: Store) {
        let alone = build(&store, "bisi").chunk(&[Spot::Tail; 70]).store().await;
        let few = build(&store, "chidi").chunk(&[Spot::Tail; 3]).store().await;
        campaign(&store, 200, &["spare"]).await;
        campaign(&store, 2, &["spare"]).await;
        let [mut main, mut spare] = two(&store).await;
        // Claimed by turns, and not sent yet: it goes down in the middle.
        for _ in 0..2 {
            main.dispatcher.step(1).await.unwrap();
        }
        let begun = ids(&std::mem::take(&mut *main.carrier.submitted.lock().unwrap()));
        main.settle(begun.iter().map(|message| answered(*message, Verdict::Unsent)).collect()).await;
        goes_down(&mut main).await;
        main.clock.advance(Duration::from_secs(9));
        main.dispatcher.stand_aside().await.unwrap();
        assert!(waits_at(&store).await.iter().all(|(carrier, _)| carrier == "main"), "it may be back in a moment");
        main.clock.advance(Duration::from_secs(2));
        for _ in 0..4 {
            main.dispatcher.stand_aside().await.unwrap();
        }
        assert!(main.carrier.submitted.lock().unwrap().is_empty());
        let led = waits_at(&store).await.into_iter().find(|(carrier, _)| carrier == "spare");
        assert_eq!(led, Some(("spare".into(), 72)), "eight windows of nine");
        spare.clock.advance(Duration::from_secs(20));
        let mut sent = ids(&spare.send_all().await);
        for _ in 0..12 {
            main.clock.advance(MINUTE);
            spare.clock.advance(MINUTE);
            main.show(Health::Connecting { reason: "gone".into() }).await;
            spare.show(Health::Up).await;
            main.dispatcher.stand_aside().await.unwrap();
            sent.extend(ids(&spare.send_all().await));
        }
        let is_of = |built: &Built| sent.iter().filter(|message| built.chunks.contains(&message.chunk())).count();
        assert_eq!((sent.len(), is_of(&alone), is_of(&few)), (202, 0, 0));
        main.show(Health::Up).await;
        let rest = ids(&main.send_all().await);
        assert_eq!(rest.len(), 73, "what no other carrier may take waited");
        assert!(rest.iter().all(|message| !sent.contains(message)));
        assert_eq!(messages_in(&store, S::Submitted).await, 275);
        main.verify().await;
    }

    async fn single_texts_leave_a_carrier_that_is_down_beside_a_campaign_that_fills_the_others(store: Store) {
        let bulk = campaign(&store, 3_000, &["spare"]).await;
        for _ in 0..60 {
            campaign(&store, 1, &["spare"]).await;
        }
        let [mut main, mut spare] = two(&store).await;
        goes_down(&mut main).await;
        main.clock.advance(Duration::from_secs(11));
        spare.clock.advance(Duration::from_secs(11));
        let mut single = 0;
        for _ in 0..4 {
            main.dispatcher.stand_aside().await.unwrap();
            let sent = ids(&spare.send_all().await);
            single += sent.iter().filter(|message| !bulk.chunks.contains(&message.chunk())).count();
            main.clock.advance(Duration::from_secs(2));
            spare.clock.advance(Duration::from_secs(2));
        }
        assert_eq!(single, 60);
        main.verify().await;
    }

    async fn texts_that_have_nowhere_to_go_keep_no_others_back(store: Store) {
        let lost = campaign(&store, 300, &["third"]).await;
        let [mut main, mut spare] = two(&store).await;
        let sent = ids(&main.dispatch().await);
        assert!(sent.len() > 90);
        main.settle(sent.iter().map(|message| answered(*message, Verdict::Unsent)).collect()).await;
        build(&store, "bisi").chunk(&[Spot::Tail; 20]).spares(&["spare"]).store().await;
        goes_down(&mut main).await;
        main.clock.advance(Duration::from_secs(11));
        spare.clock.advance(Duration::from_secs(11));
        let mut taken = Vec::new();
        for _ in 0..3 {
            main.dispatcher.stand_aside().await.unwrap();
            taken.extend(ids(&spare.send_all().await));
            main.clock.advance(Duration::from_secs(2));
            spare.clock.advance(Duration::from_secs(2));
        }
        assert_eq!(taken.len(), 20);
        assert!(taken.iter().all(|message| !lost.chunks.contains(&message.chunk())));
        main.verify().await;
    }

    async fn nothing_stays_claimed_while_a_carrier_is_down_and_opt_outs_reach_what_was(store: Store) {
        let built = campaign(&store, 300, &[]).await;
        for _ in 0..3 {
            campaign(&store, 1, &[]).await;
        }
        let [mut main, _] = two(&store).await;
        for _ in 0..4 {
            main.dispatcher.step(2).await.unwrap();
        }
        let sent = std::mem::take(&mut *main.carrier.submitted.lock().unwrap());
        main.settle(ids(&sent).into_iter().map(|message| answered(message, Verdict::Unsent)).collect()).await;
        goes_down(&mut main).await;
        assert!(claimed(&store).await > 50, "it may be back in a moment");
        main.clock.advance(Duration::from_secs(11));
        main.dispatcher.stand_aside().await.unwrap();
        assert_eq!(claimed(&store).await, 0);
        let how = (OptOutSource::Stop, OptOutReach::All);
        let added = store.write(Lane::Interactive, (built.user, sent[0].to, how), |tx, (user, number, how)| {
            Box::pin(suppression::add(tx, SuppressionScope::User(*user), *number, *how, START))
        });
        assert!(added.await.unwrap());
        main.show(Health::Up).await;
        let mut rest = Vec::new();
        for _ in 0..2 {
            main.clock.advance(MINUTE);
            rest.extend(main.send_all().await);
        }
        assert!(rest.iter().all(|one| one.to != sent[0].to));
        assert_eq!(rest.len() as i64 + messages_in(&store, S::Suppressed).await, 303);
        main.verify().await;
    }

    async fn what_waits_at_another_carrier_that_went_away_comes_back(store: Store) {
        campaign(&store, 1, &["spare"]).await;
        let [mut main, spare] = two(&store).await;
        let sent = ids(&main.dispatch().await);
        main.settle(vec![answered(sent[0], account())]).await;
        main.clock.advance(MINUTE);
        spare.clock.advance(MINUTE);
        spare.show(Health::Up).await;
        assert!(main.dispatch().await.is_empty());
        assert_eq!(waits_at(&store).await, at("spare", 1), "it is up, and takes it in its turn");
        spare.show(Health::Connecting { reason: "gone".into() }).await;
        main.clock.advance(MINUTE);
        assert_eq!(ids(&main.dispatch().await), sent);
        assert_eq!(carrier_of(&store, sent[0]).await, "main");
    }

    async fn a_text_waits_at_its_own_carrier_while_the_other_is_held_or_down_and_then_its_answer_stands(store: Store) {
        campaign(&store, 1, &["spare"]).await;
        let admin = make_user(&store, "root", Role::Admin).await;
        let [mut main, mut spare] = two(&store).await;
        let hold = async |hold: Hold| {
            store
                .write(Lane::Interactive, (hold, admin), |tx, (hold, by)| {
                    Box::pin(operate::set(tx, "spare", *hold, "by the test", *by, START))
                })
                .await
                .unwrap();
        };
        hold(Hold::Paused).await;
        let sent = ids(&main.dispatch().await);
        main.settle(vec![answered(sent[0], account())]).await;
        assert_eq!(waits_at(&store).await, at("main", 1));
        hold(Hold::Open).await;
        main.clock.advance(MINUTE);
        spare.clock.advance(MINUTE);
        assert_eq!(ids(&main.dispatch().await), sent);
        main.settle(vec![answered(sent[0], account())]).await;
        assert_eq!(waits_at(&store).await, at("spare", 1));
        spare.show(Health::Connecting { reason: "gone".into() }).await;
        for time in 0..20 {
            main.clock.advance(MINUTE);
            if messages_in(&store, S::Rejected).await == 1 {
                assert!(time > 0);
                assert!(spare.dispatch().await.is_empty());
                return main.verify().await;
            }
            for one in main.dispatch().await {
                main.settle(vec![answered(one.message, account())]).await;
            }
        }
        panic!("it never ended");
    }

    async fn opt_outs_and_cancels_reach_what_waits_at_another_carrier(store: Store) {
        let built = campaign(&store, 3, &["spare"]).await;
        let [mut main, mut spare] = two(&store).await;
        let sent = main.dispatch().await;
        main.settle(ids(&sent).into_iter().map(|message| answered(message, account())).collect()).await;
        let input = (built.user, sent[0].to);
        let added = store.write(Lane::Interactive, input, |tx, (user, number)| {
            let scope = SuppressionScope::User(*user);
            Box::pin(suppression::add(tx, scope, *number, (OptOutSource::Stop, OptOutReach::All), START))
        });
        assert!(added.await.unwrap());
        let again = ids(&spare.dispatch().await);
        assert_eq!(again, ids(&sent)[1..]);
        assert_eq!(messages_in(&store, S::Suppressed).await, 1);
        spare.settle(vec![accepted(again[0], "s1"), answered(again[1], Verdict::Unsent)]).await;
        assert_eq!(waits_at(&store).await, at("spare", 1), "it is tried there again");
        let cancelled = store.write(Lane::Interactive, built.campaign, |tx, campaign| {
            Box::pin(control::cancel(tx, *campaign, Authority::Admin, START))
        });
        cancelled.await.unwrap();
        assert!(spare.dispatch().await.is_empty());
        assert_eq!((messages_in(&store, S::Submitted).await, messages_in(&store, S::Cancelled).await), (1, 1));
        main.verify().await;
    }

    async fn what_is_in_flight_by_another_carrier_that_closes_is_unknown_and_moves_no_further(store: Store) {
        campaign(&store, 1, &["spare"]).await;
        let [mut main, mut spare] = two(&store).await;
        let sent = ids(&main.dispatch().await);
        main.settle(vec![answered(sent[0], account())]).await;
        assert_eq!(spare.dispatch().await.len(), 1);
        let unknown = recovery::leave(&store, spare.owner, "spare", spare.clock.now()).await.unwrap();
        assert_eq!((unknown, messages_in(&store, S::Unknown).await), (1, 1));
        // Its answer comes after all: it is proven that it was not taken, and its money is given back.
        spare.settle(vec![answered(sent[0], account())]).await;
        main.clock.advance(MINUTE);
        assert!(main.dispatch().await.is_empty() && waits_at(&store).await.is_empty());
        assert_eq!(messages_in(&store, S::Rejected).await, 1);
        main.verify().await;
    }

    async fn what_waits_at_another_carrier_goes_on_by_the_new_one_where_its_chunk_is_rerouted(store: Store) {
        campaign(&store, 2, &["spare", "third"]).await;
        let [mut main, mut spare] = two(&store).await;
        for name in ["third", "other"] {
            Run::start_texts(&store, name).await;
        }
        let sent = ids(&main.dispatch().await);
        main.settle(vec![answered(sent[0], account()), answered(sent[1], busy(false))]).await;
        assert_eq!(ids(&spare.dispatch().await), sent[..1]);
        spare.settle(vec![answered(sent[0], busy(false))]).await;
        let admin = make_user(&store, "root", Role::Admin).await;
        let hold = store.write(Lane::Interactive, admin, |tx, by| {
            Box::pin(operate::set(tx, "main", Hold::Paused, "by the test", *by, START))
        });
        hold.await.unwrap();
        let target = RerouteTarget::Carrier(route_carrier("other"));
        operate::reroute(&store, "main", true, &target, admin, START).await.unwrap();
        assert_eq!(waits_at(&store).await, [at("other", 1), at("spare", 1)].concat());
        spare.clock.advance(Duration::from_secs(2));
        assert_eq!(ids(&spare.dispatch().await), sent[..1]);
        spare.settle(vec![answered(sent[0], account())]).await;
        assert_eq!(waits_at(&store).await, at("other", 2), "that is its chunk's own by now");
        main.verify().await;
    }

    async fn half_a_message_at_a_carrier_that_is_gone_expires_in_its_time(store: Store) {
        build(&store, "ada").segments(2).chunk(&[Spot::Tail]).spares(&["spare"]).store().await;
        let [mut main, mut spare] = two(&store).await;
        let sent = ids(&main.dispatch().await);
        main.settle(vec![answered(sent[0], account())]).await;
        assert_eq!(ids(&spare.dispatch().await), sent);
        let accepted = Accepted::One(0, reference("s0"));
        spare.settle(vec![Event::Answer(Answer { message: sent[0], verdict: busy(true), accepted })]).await;
        for (hours, expired) in [(23, 0), (2, 1)] {
            main.clock.advance(Duration::from_hours(hours));
            assert!(main.dispatch().await.is_empty(), "half of a message goes no other way");
            assert_eq!(messages_in(&store, S::Expired).await, expired);
            assert_eq!(waits_at(&store).await, if expired == 0 { at("spare", 1) } else { Vec::new() });
        }
        main.verify().await;
    }

    async fn half_a_message_that_a_reroute_left_at_a_carrier_that_is_gone_expires_in_its_time(store: Store) {
        let admin = make_user(&store, "root", Role::Admin).await;
        build(&store, "ada").segments(2).chunk(&[Spot::Tail, Spot::Tail]).store().await;
        let [mut main, mut spare] = two(&store).await;
        let sent = ids(&main.dispatch().await);
        let accepted = |part| Accepted::One(0, reference(part));
        main.settle(vec![
            Event::Answer(Answer { message: sent[0], verdict: busy(true), accepted: accepted("m0") }),
            answered(sent[1], busy(true)),
        ])
        .await;
        let target = RerouteTarget::Carrier(route_carrier("spare"));
        // It is no carrier of the configuration any more.
        let done = operate::reroute(&store, "main", false, &target, admin, START).await.unwrap();
        assert_eq!((done.moved.get("spare"), done.kept.values().sum::<i64>()), (Some(&1), 1));
        drop(main);
        spare.clock.advance(MINUTE);
        assert_eq!(ids(&spare.dispatch().await), sent[1..]);
        spare.settle(vec![answered(sent[1], number())]).await;
        spare.clock.advance(Duration::from_hours(22));
        assert!(spare.dispatch().await.is_empty(), "half of a message goes no other way");
        assert_eq!((messages_in(&store, S::Expired).await, waits_at(&store).await), (0, at("main", 1)));
        // Also while the other carrier takes nothing.
        spare.clock.advance(Duration::from_hours(3));
        goes_down(&mut spare).await;
        assert_eq!((messages_in(&store, S::Expired).await, waits_at(&store).await), (1, Vec::new()));
        spare.verify().await;
    }

    async fn a_text_that_is_refused_waits_for_room_at_another_carrier_that_is_up(store: Store) {
        campaign(&store, 200, &["spare"]).await;
        let [mut main, mut spare] = two(&store).await;
        // Of ten it takes one, so that it is not one that refuses all.
        let settle = async |main: &mut Run| {
            let sent = ids(&main.dispatch().await);
            let takes = |message: &MessageId| message.place() % 10 == 9;
            let answer = |message: &MessageId| match takes(message) {
                true => accepted(*message, &message.0.to_string()),
                false => answered(*message, account()),
            };
            main.settle(sent.iter().map(answer).collect()).await;
        };
        for _ in 0..14 {
            settle(&mut main).await;
            main.clock.advance(MINUTE);
            spare.clock.advance(MINUTE);
            spare.show(Health::Up).await;
        }
        assert_eq!(messages_in(&store, S::Rejected).await, 0, "the other one is up, and has no room yet");
        assert_eq!(waits_at(&store).await, [at("main", 180 - 144), at("spare", 144)].concat());
        for _ in 0..10 {
            spare.send_all().await;
            // Of what is left it takes none, so that it is tried with one, and the others are led away.
            for pause in [MINUTE, Duration::from_secs(1)] {
                main.clock.advance(pause);
                spare.clock.advance(pause);
                spare.show(Health::Up).await;
                settle(&mut main).await;
            }
        }
        spare.send_all().await;
        assert_eq!((messages_in(&store, S::Submitted).await, waits_at(&store).await), (200, Vec::new()));
        main.verify().await;
    }
}
