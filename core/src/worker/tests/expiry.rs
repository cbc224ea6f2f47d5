//! Messages that expire while their carrier takes nothing.

use std::sync::Arc;
use std::time::Duration;

use super::failover_of_texts::{campaign, claimed, count, goes_down, two, waits_at};
use crate::carrier::Health;
use crate::error::Error;
use crate::model::carrier::Hold;
use crate::model::message::status::MessageStatus as S;
use crate::store::chunk::expiry::EXPIRED;
use crate::store::{Dialect, Lane, Store};
use crate::testing::builder::{Built, Spot, build};
use crate::testing::doubt::Doubts;
use crate::testing::worker::{Run, messages_in};
use crate::time::Time;
use crate::{args, both_databases};

/// So long that all has expired.
const LONG_AGO: Option<Time> = Some(Time(1));

/// A campaign that began then, or did not begin yet.
async fn began(store: &Store, built: &Built, at: Option<Time>) {
    let write = store.write(Lane::Interactive, (built.campaign, at), |tx, (campaign, at)| {
        Box::pin(async move {
            let sql = "UPDATE campaigns SET started_at = $2 WHERE id = $1";
            tx.run_exactly(1, sql, args![*campaign, *at]).await
        })
    });
    write.await.unwrap();
}

both_databases! {
    async fn of_a_carrier_that_is_down_nothing_is_claimed_again_and_again_to_see_whether_it_expired(store: Store) {
        for user in ["ada", "bisi", "chidi"] {
            build(&store, user).chunk(&[Spot::Tail; 2]).chunk(&[Spot::Tail; 2]).store().await;
        }
        let [mut main, _] = two(&store).await;
        let new = build(&store, "dayo").chunk(&[Spot::Tail; 2]).store().await;
        began(&store, &new, None).await;
        campaign(&store, 5, &["spare"]).await;
        goes_down(&mut main).await;
        for _ in 0..10 {
            main.dispatcher.stand_aside().await.unwrap();
            main.clock.advance(Duration::from_secs(3));
        }
        let claims = count(&store, "SELECT CAST(SUM(attempt) AS BIGINT) FROM campaign_chunks").await;
        assert_eq!(claims, 1, "that of what is led away");
        main.clock.advance(Duration::from_hours(24 * 8));
        for _ in 0..10 {
            main.dispatcher.stand_aside().await.unwrap();
            main.clock.advance(Duration::from_secs(3));
        }
        assert_eq!(messages_in(&store, S::Expired).await, 12 + 2 + 5);
        main.verify().await;
    }

    async fn what_is_in_hand_hides_no_campaign_that_expired_and_none_that_has_not_begun(store: Store) {
        let [mut main, _] = two(&store).await;
        campaign(&store, 300, &[]).await;
        for _ in 0..3 {
            main.dispatcher.step(1).await.unwrap();
        }
        let sent = std::mem::take(&mut *main.carrier.submitted.lock().unwrap()).len() as i64;
        assert!(claimed(&store).await > sent, "some are claimed ahead");
        goes_down(&mut main).await;
        // More than are looked at at once, which have not begun.
        for number in 0..70 {
            let built = build(&store, &format!("user{number}")).chunk(&[Spot::Tail; 2]).store().await;
            began(&store, &built, None).await;
        }
        let late = [campaign(&store, 5, &[]).await, campaign(&store, 200, &[]).await];
        for built in &late {
            began(&store, built, LONG_AGO).await;
        }
        for _ in 0..3 {
            main.dispatcher.stand_aside().await.unwrap();
        }
        assert_eq!((messages_in(&store, S::Expired).await, claimed(&store).await), (205, sent), "queued again");
        let not_begun = "SELECT COUNT(*) FROM campaigns WHERE started_at IS NULL";
        assert_eq!(count(&store, not_begun).await, 70);
        main.clock.advance(Duration::from_secs(10));
        for _ in 0..2 {
            main.dispatcher.stand_aside().await.unwrap();
        }
        assert_eq!(count(&store, not_begun).await, 0);
        main.verify().await;
    }

    async fn nothing_is_claimed_of_a_customer_who_may_not_send(store: Store) {
        let [mut main, _] = two(&store).await;
        let new = campaign(&store, 2, &[]).await;
        began(&store, &new, None).await;
        for _ in 0..70 {
            let built = campaign(&store, 2, &[]).await;
            began(&store, &built, LONG_AGO).await;
        }
        let away = store.write(Lane::Interactive, (), |tx, ()| {
            Box::pin(async { tx.run("UPDATE users SET status = 'inactive' WHERE username = 'ada'", args![]).await })
        });
        away.await.unwrap();
        let other = build(&store, "bisi").chunk(&[Spot::Tail; 3]).store().await;
        began(&store, &other, LONG_AGO).await;
        for _ in 0..2 {
            main.dispatcher.hold(None, Hold::Paused).await.unwrap();
            main.clock.advance(Duration::from_secs(6));
        }
        assert_eq!((messages_in(&store, S::Expired).await, claimed(&store).await), (3, 0));
        assert_eq!(count(&store, "SELECT CAST(SUM(attempt) AS BIGINT) FROM campaign_chunks").await, 1);
        assert_eq!(count(&store, "SELECT COUNT(*) FROM campaigns WHERE started_at IS NULL").await, 1);
        main.verify().await;
    }

    async fn a_carrier_that_has_no_room_for_a_moment_begins_nothing(store: Store) {
        let [mut main, _] = two(&store).await;
        let new = campaign(&store, 5, &[]).await;
        began(&store, &new, None).await;
        let waits = "SELECT COUNT(*) FROM campaigns WHERE started_at IS NULL";
        for _ in 0..5 {
            main.dispatcher.stand_aside().await.unwrap();
            main.clock.advance(Duration::from_secs(5));
        }
        goes_down(&mut main).await;
        main.clock.advance(Duration::from_secs(9));
        main.dispatcher.stand_aside().await.unwrap();
        assert_eq!(count(&store, waits).await, 1, "it is full, or connects again");
        // It was up in between, though it was not to send: it was held, or the disk was full.
        for is_held in [true, false] {
            main.show(Health::Up).await;
            match is_held {
                true => drop(main.dispatcher.hold(None, Hold::Paused).await.unwrap()),
                false => main.dispatcher.stand_by().await.unwrap(),
            }
            began(&store, &new, None).await;
            main.clock.advance(Duration::from_secs(11));
            goes_down(&mut main).await;
            assert_eq!(count(&store, waits).await, 1, "it connects again");
        }
        main.clock.advance(Duration::from_secs(10));
        main.dispatcher.stand_aside().await.unwrap();
        assert_eq!(count(&store, waits).await, 0);
    }

    async fn a_carrier_that_was_up_while_the_database_failed_is_down_since_it_went_down_again(store: Store) {
        let doubts = Arc::new(Doubts::default());
        let mut main = Run::start_texts(&store.with_faults(Arc::<Doubts>::clone(&doubts)), "main").await;
        campaign(&store, 5, &[]).await;
        for (user, is_held) in [("bisi", false), ("chidi", true)] {
            let kept = main.dispatch().await;
            goes_down(&mut main).await;
            main.clock.advance(Duration::from_secs(9));
            main.show(Health::Up).await;
            main.dispatcher.keep_back(kept);
            doubts.before(0, Error::Corrupt("as the test says".into()));
            match is_held {
                false => main.dispatcher.step(1).await.unwrap_err(),
                true => main.dispatcher.hold(None, Hold::Paused).await.unwrap_err(),
            };
            let new = build(&store, user).chunk(&[Spot::Tail; 2]).store().await;
            began(&store, &new, None).await;
            main.clock.advance(Duration::from_secs(2));
            goes_down(&mut main).await;
            assert_eq!(count(&store, "SELECT COUNT(*) FROM campaigns WHERE started_at IS NULL").await, 1);
            main.show(Health::Up).await;
            main.clock.advance(Duration::from_mins(1));
        }
        main.verify().await;
    }

    async fn a_carrier_whose_receipts_alone_do_not_come_in_is_not_down_when_it_is_full_now_and_then(store: Store) {
        let [mut main, spare] = two(&store).await;
        let new = campaign(&store, 5, &["spare"]).await;
        began(&store, &new, None).await;
        main.lose_receipts().await;
        for _ in 0..5 {
            main.dispatcher.stand_aside().await.unwrap();
            for run in [&main, &spare] {
                run.clock.advance(Duration::from_secs(60));
                run.show_again().await;
            }
        }
        let not_begun = "SELECT COUNT(*) FROM campaigns WHERE started_at IS NULL";
        assert_eq!((count(&store, not_begun).await, claimed(&store).await), (1, 0));
        // It was away wholly, and sends again when its receiver is not back yet.
        goes_down(&mut main).await;
        main.lose_receipts().await;
        main.dispatcher.step(1).await.unwrap();
        main.clock.advance(Duration::from_secs(11));
        goes_down(&mut main).await;
        assert!(waits_at(&store).await.iter().all(|(carrier, _)| carrier == "main"), "it connects again");
        main.show(Health::Up).await;
        main.send_all().await;
        assert_eq!(messages_in(&store, S::Submitted).await, 5);
        main.verify().await;
    }

    async fn expired_chunks_are_looked_for_in_campaigns_that_are_being_sent_alone(store: Store) {
        let mut tx = store.read().await.unwrap();
        if tx.dialect() == Dialect::Postgres {
            for sql in ["SET enable_seqscan = off", "SET plan_cache_mode = force_generic_plan"] {
                tx.run(sql, args![]).await.unwrap();
            }
        }
        let plan = tx.explain(EXPIRED, args!["main", 1_i64, 5_i64, 5_i64, 64_i64, true]).await.unwrap().join("\n");
        let is_bound = tx.dialect() == Dialect::Postgres || plan.contains("campaign_id=? AND id>?");
        assert!(plan.contains("campaigns_sending") && is_bound && !plan.contains("campaign_chunks_pkey"), "{plan}");
    }
}
