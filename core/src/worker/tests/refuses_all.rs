//! A carrier that refuses all that it is given for a reason of its own counts as down, and is tried until it takes a message.

use std::sync::Arc;
use std::time::Duration;

use super::failover_of_texts::{account, at, busy, campaign, claimed, count, ids, two, waits_at};
use crate::carrier::{Health, SmsCarrier, Verdict};
use crate::model::carrier::CarrierHealth;
use crate::model::message::id::MessageId;
use crate::model::message::status::MessageStatus as S;
use crate::model::platform::notice::NoticePurpose;
use crate::phone::Msisdn;
use crate::store::{Lane, Store};
use crate::testing::builder::{Spot, build};
use crate::testing::notice::{NoticeHouse, ScriptedMailer};
use crate::testing::worker::{Run, answered, messages_in};
use crate::time::Clock;
use crate::worker::dispatch::DispatchStep;
use crate::{args, both_databases};

/// Its carrier refuses as many messages as tell that it refuses all.
async fn refuses_all(store: &Store, run: &mut Run) {
    campaign(store, 20, &[]).await;
    let sent = ids(&run.dispatch().await);
    run.settle(sent.iter().rev().take(20).map(|message| answered(*message, account())).collect()).await;
    run.settle(sent.iter().rev().skip(20).map(|message| answered(*message, Verdict::Unsent)).collect()).await;
    assert_eq!(run.dispatcher.vitals().health, CarrierHealth::Refusing);
    run.clock.advance(Duration::from_secs(10));
}

/// A carrier refuses all that it is given of its own, and no daemon was told yet.
async fn refuses_its_own(store: &Store, run: &mut Run) {
    campaign(store, 20, &[]).await;
    let carrier = run.carrier.name().to_owned();
    let moved = store.write(Lane::Interactive, carrier, |tx, carrier| {
        Box::pin(
            async move { tx.run("UPDATE campaign_chunks SET carrier = $1", args![carrier.clone()]).await },
        )
    });
    moved.await.unwrap();
    let own = ids(&run.dispatch().await);
    assert_eq!(own.len(), 20);
    run.settle(own.iter().map(|message| answered(*message, account())).collect()).await;
}

/// Five messages that wait at a carrier that refuses all, led there while it took messages.
async fn led_to_one_that_refuses_all(store: &Store) -> (Run, Run) {
    let [mut main, mut spare] = two(store).await;
    refuses_its_own(store, &mut spare).await;
    campaign(store, 5, &["spare"]).await;
    let sent = ids(&main.dispatch().await);
    main.settle(sent.iter().map(|message| answered(*message, account())).collect()).await;
    assert_eq!(waits_at(store).await, at("spare", 5));
    spare.show(Health::Up).await;
    (main, spare)
}

/// Whether others may take a message over.
async fn spares_of(store: &Store, message: MessageId) -> bool {
    let sql = "SELECT COUNT(*) FROM campaign_chunks WHERE id = $1 AND spares > ''";
    let row: (i64,) = store.read().await.unwrap().one(sql, args![message.chunk()]).await.unwrap();
    row.0 > 0
}

both_databases! {
    async fn a_carrier_that_refuses_all_is_tried_now_and_then_while_others_take_over(store: Store) {
        campaign(&store, 400, &["spare"]).await;
        let [mut main, mut spare] = two(&store).await;
        let (mut asked, mut taken) = (0, 0);
        for second in 0..40 {
            let sent = ids(&main.dispatch().await);
            assert!(second == 0 || sent.len() <= 1, "{second}: {}", sent.len());
            asked += sent.len();
            main.settle(sent.iter().map(|message| answered(*message, account())).collect()).await;
            taken += spare.send_all().await.len();
            main.clock.advance(Duration::from_secs(1));
            spare.clock.advance(Duration::from_secs(1));
            spare.show(Health::Up).await;
        }
        assert_eq!((taken, messages_in(&store, S::Submitted).await), (400, 400));
        assert!(asked < 120, "the first ones, and one each ten seconds: {asked}");
        let vitals = main.dispatcher.vitals();
        assert_eq!(vitals.health, CarrierHealth::Refusing);
        assert_eq!(vitals.reason.as_deref(), Some("the bind does not allow it"));
        // It takes the one that tries it, and from then on its own.
        campaign(&store, 40, &["spare"]).await;
        main.clock.advance(Duration::from_secs(10));
        assert_eq!(main.send_all().await.len(), 1);
        assert_eq!(waits_at(&store).await, at("spare", 39));
        spare.clock.advance(Duration::from_secs(10));
        assert_eq!(spare.send_all().await.len(), 39);
        campaign(&store, 40, &["spare"]).await;
        assert_eq!(main.send_all().await.len(), 40);
        main.verify().await;
    }

    async fn a_single_text_and_one_that_was_refused_before_try_a_carrier_that_refuses_all(store: Store) {
        let [mut main, _] = two(&store).await;
        refuses_all(&store, &mut main).await;
        // A text of its own chunk is claimed in one step and goes out in the next.
        campaign(&store, 1, &["spare"]).await;
        let tried = ids(&main.dispatch().await);
        assert_eq!(tried.len(), 1);
        main.settle(vec![answered(tried[0], account())]).await;
        assert_eq!(waits_at(&store).await, at("spare", 1));
        // By turns: what was refused before tries it, too, though new texts come all the time.
        campaign(&store, 1, &[]).await;
        let mut again = 0;
        let mut alone = None;
        for _ in 0..8 {
            main.clock.advance(Duration::from_secs(10));
            campaign(&store, 1, &["spare"]).await;
            for message in ids(&main.dispatch().await) {
                again += i32::from(alone == Some(message));
                let is_alone = !spares_of(&store, message).await;
                alone = alone.or(is_alone.then_some(message));
                main.settle(vec![answered(message, if is_alone { busy(true) } else { account() })]).await;
            }
        }
        assert!((1..8).contains(&again), "{again}");
        assert_eq!(main.dispatcher.vitals().health, CarrierHealth::Refusing);
        main.verify().await;
    }

    async fn a_text_that_is_refused_again_and_again_is_no_sign_that_all_are(store: Store) {
        campaign(&store, 1, &[]).await;
        let [mut main, _] = two(&store).await;
        for _ in 0..40 {
            let sent = ids(&main.dispatch().await);
            main.settle(sent.iter().map(|message| answered(*message, busy(true))).collect()).await;
            main.clock.advance(Duration::from_secs(2));
        }
        assert_eq!(main.dispatcher.vitals().health, CarrierHealth::Up);
        main.verify().await;
    }

    async fn a_code_is_tried_at_once_at_a_carrier_that_refuses_all_and_goes_on(store: Store) {
        let [mut main, mut spare] = two(&store).await;
        let house = NoticeHouse::with_spares(&store, &main.clock, Arc::new(ScriptedMailer::default()), &["spare"]);
        main.dispatcher = main.dispatcher.with_notices(Some(house.notices.clone()));
        spare.dispatcher = spare.dispatcher.with_notices(Some(house.notices.clone()));
        campaign(&store, 4, &["spare"]).await;
        refuses_all(&store, &mut main).await;
        spare.clock.advance(Duration::from_secs(10));
        for code in 0..3 {
            let to = Msisdn::from_digits(2_348_031_234_567 + code).unwrap();
            house.notices.sms(to, "1234 is your code", NoticePurpose::Code).await.unwrap();
            main.clock.advance(Duration::from_secs(1));
            spare.clock.advance(Duration::from_secs(1));
            let sent = ids(&main.dispatch().await);
            assert!(!sent.is_empty(), "the code was not tried");
            main.settle(sent.iter().map(|message| answered(*message, account())).collect()).await;
            assert!(!spare.send_all().await.is_empty());
        }
        let waiting = "SELECT COUNT(*) FROM notices WHERE status IN ('queued', 'submitting')";
        assert_eq!(count(&store, waiting).await, 0);
        main.verify().await;
    }

    async fn one_that_refuses_all_takes_over_one_message_at_a_time(store: Store) {
        campaign(&store, 20, &[]).await;
        let moved = store.write(Lane::Interactive, (), |tx, ()| {
            Box::pin(async { tx.run("UPDATE campaign_chunks SET carrier = 'second'", args![]).await })
        });
        moved.await.unwrap();
        build(&store, "bisi").chunk(&[Spot::Tail; 40]).spares(&["second", "third"]).store().await;
        let mut main = Run::start_texts(&store, "main").await;
        let mut second = Run::start_texts(&store, "second").await;
        let mut third = Run::start_texts(&store, "third").await;
        let refused = ids(&second.dispatch().await);
        assert_eq!(refused.len(), 20);
        second.settle(refused.iter().map(|message| answered(*message, account())).collect()).await;
        second.show(Health::Up).await;
        let sent = ids(&main.dispatch().await);
        main.settle(sent.iter().map(|message| answered(*message, account())).collect()).await;
        assert_eq!(waits_at(&store).await, [at("second", 1), at("third", 39)].concat());
        // The one that tried it was taken: it takes over again.
        second.clock.advance(Duration::from_secs(10));
        assert_eq!((second.send_all().await.len(), third.send_all().await.len()), (1, 39));
        assert_eq!(second.dispatcher.vitals().health, CarrierHealth::Up);
        main.verify().await;
    }

    async fn where_only_one_that_refuses_all_may_take_over_it_is_given_one_message_each_ten_seconds(store: Store) {
        let [mut main, mut spare] = two(&store).await;
        refuses_its_own(&store, &mut spare).await;
        campaign(&store, 100, &["spare"]).await;
        let before = messages_in(&store, S::Rejected).await;
        let mut asked = 0;
        for _ in 0..60 {
            main.show(Health::Connecting { reason: "gone".into() }).await;
            main.dispatcher.stand_aside().await.unwrap();
            spare.show(Health::Up).await;
            let sent = ids(&spare.dispatch().await);
            asked += sent.len();
            spare.settle(sent.iter().map(|message| answered(*message, account())).collect()).await;
            main.clock.advance(Duration::from_secs(1));
            spare.clock.advance(Duration::from_secs(1));
        }
        assert!((2..=6).contains(&asked), "{asked}");
        assert!(messages_in(&store, S::Rejected).await - before <= 6);
        // Once it takes that one, it takes the others over.
        for _ in 0..40 {
            main.dispatcher.stand_aside().await.unwrap();
            spare.send_all().await;
            spare.show(Health::Up).await;
            main.clock.advance(Duration::from_secs(2));
            spare.clock.advance(Duration::from_secs(2));
        }
        assert_eq!(messages_in(&store, S::Submitted).await + messages_in(&store, S::Rejected).await - before, 100);
        main.verify().await;
    }

    async fn a_try_leaves_nothing_claimed_while_no_other_carrier_has_room(store: Store) {
        let [mut main, spare] = two(&store).await;
        refuses_all(&store, &mut main).await;
        spare.show(Health::Connecting { reason: "gone".into() }).await;
        campaign(&store, 300, &["spare"]).await;
        for _ in 0..3 {
            campaign(&store, 1, &["spare"]).await;
        }
        let mut again = 0;
        for _ in 0..12 {
            main.clock.advance(Duration::from_secs(10));
            let sent = main.dispatch().await;
            assert_eq!((sent.len(), claimed(&store).await), (1, 1));
            again += i32::from(sent[0].tries > 0);
            main.settle(vec![answered(sent[0].message, account())]).await;
        }
        assert!(again > 0, "what was refused before has its turns, too");
        main.verify().await;
    }

    async fn a_try_that_finds_expired_texts_keeps_nothing_from_its_turn(store: Store) {
        let [mut main, _] = two(&store).await;
        refuses_all(&store, &mut main).await;
        let expired = campaign(&store, 200, &[]).await;
        campaign(&store, 5, &["spare"]).await;
        let early = store.write(Lane::Interactive, expired.campaign, |tx, campaign| {
            Box::pin(async move {
                tx.run("UPDATE campaigns SET started_at = 1 WHERE id = $1", args![*campaign]).await
            })
        });
        early.await.unwrap();
        for _ in 0..6 {
            main.dispatcher.step(100).await.unwrap();
            main.clock.advance(Duration::from_secs(1));
        }
        let tried = i64::from(!main.carrier.submitted.lock().unwrap().is_empty());
        assert_eq!(waits_at(&store).await, at("spare", 5 - tried));
        assert_eq!(messages_in(&store, S::Expired).await, 200);
        main.verify().await;
    }

    async fn what_an_error_kept_back_is_not_handed_to_a_carrier_that_refuses_all(store: Store) {
        let [mut main, _] = two(&store).await;
        campaign(&store, 5, &["spare"]).await;
        let kept = main.dispatch().await;
        refuses_all(&store, &mut main).await;
        main.dispatcher.keep_back(kept);
        // The first try is of what was not tried before, of which there is nothing.
        assert!(main.dispatch().await.is_empty());
        assert_eq!((claimed(&store).await, waits_at(&store).await), (0, at("main", 5)));
        main.clock.advance(Duration::from_secs(1));
        assert_eq!((main.dispatch().await.len(), claimed(&store).await), (1, 1));
        assert_eq!(waits_at(&store).await, at("main", 4), "each step looks at those that wait once");
        main.clock.advance(Duration::from_secs(1));
        assert!(main.dispatch().await.is_empty());
        assert_eq!(waits_at(&store).await, at("spare", 4));
        main.verify().await;
    }

    async fn what_was_led_to_a_carrier_that_refuses_all_waits_there_and_comes_back(store: Store) {
        let [mut main, mut spare] = two(&store).await;
        refuses_its_own(&store, &mut spare).await;
        refuses_all(&store, &mut main).await;
        let rejected = messages_in(&store, S::Rejected).await;
        campaign(&store, 40, &["spare"]).await;
        let tried = ids(&main.dispatch().await);
        main.settle(tried.iter().map(|message| answered(*message, account())).collect()).await;
        main.clock.advance(Duration::from_secs(1));
        assert!(main.dispatch().await.is_empty());
        assert_eq!(waits_at(&store).await, at("spare", 40));
        spare.clock.advance(Duration::from_secs(11));
        for tries in [1, 0, 0] {
            let tried = ids(&spare.dispatch().await);
            assert_eq!(tried.len(), tries);
            let step = spare.dispatcher.step(100).await.unwrap();
            let sleeps = matches!(step, DispatchStep::Idle(due) if due.is_none_or(|due| due > spare.clock.now()));
            assert!(sleeps, "{step:?}");
            spare.settle(tried.iter().map(|message| answered(*message, account())).collect()).await;
            spare.clock.advance(Duration::from_secs(1));
        }
        assert_eq!(messages_in(&store, S::Rejected).await, rejected + 1);
        spare.clock.advance(Duration::from_mins(2));
        spare.show(Health::Up).await;
        main.clock.advance(Duration::from_mins(2));
        main.settle(Vec::new()).await;
        let tried = ids(&main.dispatch().await).len() as i64;
        let home: i64 = waits_at(&store).await.iter().filter(|(carrier, _)| carrier == "main").map(|it| it.1).sum();
        assert!(home + tried >= 38, "{tried} {:?}", waits_at(&store).await);
        main.verify().await;
    }

    async fn what_was_led_to_a_carrier_that_refuses_all_comes_back_to_one_that_is_down(store: Store) {
        let (mut main, spare) = led_to_one_that_refuses_all(&store).await;
        main.clock.advance(Duration::from_secs(61));
        spare.clock.advance(Duration::from_secs(61));
        spare.show(Health::Up).await;
        // It has no room: more wait there than the one that may try it.
        main.show(Health::Connecting { reason: "gone".into() }).await;
        main.dispatcher.stand_aside().await.unwrap();
        assert_eq!(waits_at(&store).await, at("main", 5));
        main.verify().await;
    }

    async fn what_was_led_to_a_carrier_that_refuses_all_is_not_led_home_by_its_own_failover(store: Store) {
        let (main, mut spare) = led_to_one_that_refuses_all(&store).await;
        let _third = Run::start_texts(&store, "third").await;
        let own = build(&store, "bisi").chunk(&[Spot::Tail; 40]).chunk(&[Spot::Retry; 3]).spares(&["third"]).store().await;
        let moved = store.write(Lane::Interactive, own.campaign, |tx, campaign| {
            Box::pin(async move {
                let sql = "UPDATE campaign_chunks SET carrier = 'spare' WHERE campaign_id = $1";
                tx.run(sql, args![*campaign]).await?;
                let sql = "UPDATE retries SET carrier = 'spare', due_at = 1 WHERE message_id / 4096 IN \
                             (SELECT id FROM campaign_chunks WHERE campaign_id = $1)";
                tx.run_exactly(3, sql, args![*campaign]).await
            })
        });
        moved.await.unwrap();
        spare.clock.advance(Duration::from_secs(1));
        spare.dispatcher.step(100).await.unwrap();
        assert_eq!(waits_at(&store).await, [at("spare", 5), at("third", 43)].concat());
        main.verify().await;
    }

    async fn what_was_led_to_a_carrier_that_refuses_all_and_has_no_home_any_more_expires_there(store: Store) {
        let (main, mut spare) = led_to_one_that_refuses_all(&store).await;
        spare.clock.advance(Duration::from_hours(24 * 8));
        spare.dispatcher.step(100).await.unwrap();
        assert_eq!((messages_in(&store, S::Expired).await, waits_at(&store).await), (5, Vec::new()));
        main.verify().await;
    }

    async fn what_was_claimed_ahead_is_queued_again_where_all_is_refused_and_none_takes_over(store: Store) {
        let [mut main, spare] = two(&store).await;
        spare.show(Health::Connecting { reason: "gone".into() }).await;
        campaign(&store, 300, &["spare"]).await;
        for _ in 0..4 {
            main.dispatcher.step(12).await.unwrap();
        }
        let sent = std::mem::take(&mut *main.carrier.submitted.lock().unwrap());
        assert!(sent.len() > 20 && claimed(&store).await > sent.len() as i64);
        main.settle(sent.iter().map(|one| answered(one.message, account())).collect()).await;
        assert_eq!(main.dispatcher.vitals().health, CarrierHealth::Refusing);
        main.dispatcher.step(100).await.unwrap();
        assert_eq!(claimed(&store).await, 0);
        main.verify().await;
    }

    async fn a_carrier_that_asks_all_for_patience_is_given_some_and_then_others_take_over(store: Store) {
        campaign(&store, 60, &["spare"]).await;
        build(&store, "bisi").chunk(&[Spot::Tail; 5]).store().await;
        let [mut main, mut spare] = two(&store).await;
        let mut taken = 0;
        for second in 0..30 {
            let sent = ids(&main.dispatch().await);
            main.settle(sent.iter().map(|message| answered(*message, busy(true))).collect()).await;
            taken += spare.send_all().await.len();
            assert!(second > 3 || taken == 0, "it may be busy for a moment");
            main.clock.advance(Duration::from_secs(3));
            spare.clock.advance(Duration::from_secs(3));
            spare.show(Health::Up).await;
        }
        assert_eq!(taken, 60);
        assert_eq!(messages_in(&store, S::Submitted).await, 60, "what no other takes waits");
        main.clock.advance(Duration::from_secs(10));
        assert_eq!(main.send_all().await.len(), 5);
        main.verify().await;
    }
}
