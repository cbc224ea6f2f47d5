//! What is claimed and was not handed over: an error kept it back, or no other carrier takes it.

use std::sync::Arc;
use std::time::Duration;

use super::failover_of_texts::{at, campaign, claimed, count, goes_down, ids, two, waits_at};
use crate::carrier::Health;
use crate::model::carrier::Hold;
use crate::model::message::id::MessageId;
use crate::model::message::status::MessageStatus as S;
use crate::model::platform::notice::NoticePurpose;
use crate::phone::Msisdn;
use crate::store::platform::notice;
use crate::store::{Lane, Store};
use crate::testing::builder::{Spot, build};
use crate::testing::notice::{NoticeHouse, ScriptedMailer};
use crate::testing::worker::{Run, accepted, messages_in};
use crate::time::Clock;
use crate::{args, both_databases};

/// A code that was claimed, and that an error kept back before its carrier had it.
async fn code_kept_back(main: &mut Run, house: &NoticeHouse) -> MessageId {
    let to = Msisdn::from_digits(2_348_031_234_567).unwrap();
    house.notices.sms(to, "1234 is your code", NoticePurpose::Code).await.unwrap();
    main.clock.advance(Duration::from_secs(1));
    let kept = main.dispatch().await;
    assert_eq!(kept.len(), 1);
    let code = kept[0].message;
    assert!(code.notice().is_some());
    main.dispatcher.keep_back(kept);
    code
}

async fn statuses(store: &Store) -> Vec<(String,)> {
    let sql = "SELECT status FROM notices ORDER BY id";
    store.read().await.unwrap().all(sql, args![]).await.unwrap()
}

both_databases! {
    async fn a_code_that_an_error_kept_back_is_queued_again_and_sent_once(store: Store) {
        let [mut main, _] = two(&store).await;
        let house = NoticeHouse::new(&store, &main.clock, Arc::new(ScriptedMailer::default()));
        main.dispatcher = main.dispatcher.with_notices(Some(house.notices.clone()));
        let code = code_kept_back(&mut main, &house).await;
        // Under a pause only tests go out.
        main.dispatcher.hold(Some(100), Hold::Paused).await.unwrap();
        assert!(main.carrier.submitted.lock().unwrap().is_empty());
        assert_eq!(statuses(&store).await, [("queued".to_owned(),)]);
        main.clock.advance(Duration::from_secs(1));
        assert_eq!(ids(&main.dispatch().await), [code]);
        main.settle(vec![accepted(code, "c0")]).await;
        assert!(main.dispatch().await.is_empty());
        assert_eq!(statuses(&store).await, [("sent".to_owned(),)]);
    }

    async fn a_code_that_an_error_kept_back_for_too_long_never_goes_out(store: Store) {
        let [mut main, _] = two(&store).await;
        let house = NoticeHouse::new(&store, &main.clock, Arc::new(ScriptedMailer::default()));
        main.dispatcher = main.dispatcher.with_notices(Some(house.notices.clone()));
        code_kept_back(&mut main, &house).await;
        main.clock.advance(Duration::from_mins(3));
        let now = main.clock.now();
        let rescued = store.write(Lane::Background, now, |tx, now| Box::pin(notice::rescue(tx, *now)));
        assert_eq!(rescued.await.unwrap(), (1, 0));
        for _ in 0..3 {
            assert!(main.dispatch().await.is_empty());
            main.clock.advance(Duration::from_secs(1));
        }
        assert_eq!(statuses(&store).await, [("unknown".to_owned(),)]);
    }

    async fn what_an_error_kept_back_is_queued_again_while_nothing_may_be_sent(store: Store) {
        let [mut main, _] = two(&store).await;
        let house = NoticeHouse::new(&store, &main.clock, Arc::new(ScriptedMailer::default()));
        main.dispatcher = main.dispatcher.with_notices(Some(house.notices.clone()));
        code_kept_back(&mut main, &house).await;
        campaign(&store, 5, &[]).await;
        let kept = main.dispatch().await;
        main.dispatcher.keep_back(kept);
        main.dispatcher.stand_by().await.unwrap();
        assert_eq!((statuses(&store).await, waits_at(&store).await), (vec![("queued".to_owned(),)], at("main", 5)));
        assert!(main.carrier.submitted.lock().unwrap().is_empty());
        main.verify().await;
    }

    async fn what_an_error_kept_back_waits_unclaimed_while_its_carrier_is_down_or_paused(store: Store) {
        let [mut main, _] = two(&store).await;
        campaign(&store, 5, &[]).await;
        let kept = main.dispatch().await;
        main.dispatcher.keep_back(kept);
        goes_down(&mut main).await;
        assert_eq!(waits_at(&store).await, at("main", 5));
        main.show(Health::Up).await;
        main.clock.advance(Duration::from_secs(1));
        let kept = main.dispatch().await;
        assert_eq!((kept.len(), waits_at(&store).await.len()), (5, 0));
        main.dispatcher.keep_back(kept);
        main.dispatcher.hold(Some(100), Hold::Paused).await.unwrap();
        assert_eq!(waits_at(&store).await, at("main", 5));
        main.verify().await;
    }

    async fn what_an_error_kept_back_expires_in_time(store: Store) {
        let [mut main, _] = two(&store).await;
        campaign(&store, 5, &[]).await;
        let kept = main.dispatch().await;
        main.dispatcher.keep_back(kept);
        main.clock.advance(Duration::from_hours(24 * 8));
        assert!(main.send_all().await.is_empty());
        assert_eq!((messages_in(&store, S::Expired).await, claimed(&store).await), (5, 0));
        main.verify().await;
    }

    async fn a_campaign_that_has_nowhere_to_go_stays_whole_and_keeps_no_other_back(store: Store) {
        let lost = campaign(&store, 2_000, &["third"]).await;
        let [mut main, mut spare] = two(&store).await;
        // Of another customer, and of the same.
        build(&store, "bisi").chunk(&[Spot::Tail; 200]).spares(&["spare"]).store().await;
        campaign(&store, 200, &["third", "spare"]).await;
        goes_down(&mut main).await;
        main.clock.advance(Duration::from_secs(11));
        spare.clock.advance(Duration::from_secs(11));
        let mut taken = Vec::new();
        for _ in 0..20 {
            main.dispatcher.stand_aside().await.unwrap();
            taken.extend(ids(&spare.send_all().await));
            main.clock.advance(Duration::from_millis(500));
            spare.clock.advance(Duration::from_millis(500));
        }
        assert_eq!(taken.len(), 400);
        assert!(taken.iter().all(|message| !lost.chunks.contains(&message.chunk())));
        assert_eq!((claimed(&store).await, count(&store, "SELECT COUNT(*) FROM retries").await), (0, 0));
        main.verify().await;
    }
}
