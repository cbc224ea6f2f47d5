//! What waits: for the morning, for a carrier that is away, for news of what became of a message.

use std::sync::Arc;
use std::time::Duration;

use crate::carrier::policy::UnknownThen;
use crate::carrier::{Accepted, Answer, Event, Reference, Verdict};
use crate::model::message::id::WHOLE;
use crate::model::message::receipt_state::ReceiptState;
use crate::model::message::status::{MessageStatus, message_status, money_state};
use crate::routing::quiet_hours::QuietHours;
use crate::store::{Lane, Store};
use crate::testing::builder::Built;
use crate::testing::worker::{Run, accepted, answered, campaign, messages_in, receipt};
use crate::time::Clock;
use crate::worker::jobs::unknown_policy::{self, Look};
use crate::{args, both_databases};

const DAY: Duration = Duration::from_hours(24);

async fn make_promotional(store: &Store) {
    store
        .write(Lane::Interactive, (), |tx, ()| {
            Box::pin(async move { tx.run("UPDATE campaign_chunks SET promotional = TRUE", args![]).await })
        })
        .await
        .unwrap();
}

async fn counts(store: &Store, sql: &'static str) -> i64 {
    let row: (i64,) = store.read().await.unwrap().one(sql, args![]).await.unwrap();
    row.0
}

async fn balances(store: &Store, built: &Built) -> (i64, i64) {
    let mut tx = store.read().await.unwrap();
    let row: (i64, i64) = tx
        .one(
            "SELECT captured_micros, released_micros FROM campaign_chunks WHERE id = $1",
            args![built.chunks[0]],
        )
        .await
        .unwrap();
    row
}

both_databases! {
    async fn promotional_messages_wait_for_the_morning_and_lose_no_validity(store: Store) {
        campaign(&store, 5).await;
        make_promotional(&store).await;
        let hours = QuietHours::new("20:00", "08:00", "Africa/Lagos").unwrap().map(Arc::new);
        let mut run = Run::start_with(&store, hours.clone()).await;
        let opens = |run: &Run| hours.as_ref().unwrap().opens_at(run.clock.now());
        // Into the night, whenever the test begins.
        while !hours.as_ref().unwrap().is_quiet(run.clock.now()) {
            run.clock.advance(Duration::from_hours(1));
        }
        assert!(run.dispatch().await.is_empty(), "it is night");
        let morning = opens(&run).since(run.clock.now());
        run.clock.advance(morning);
        let sent = run.dispatch().await;
        assert_eq!(sent.len(), 5);
        assert!(sent[0].expires_at.unwrap() > run.clock.now() + DAY, "the nights do not count");
        // What is thrown back in the evening waits too.
        let back: Vec<Event> = sent.iter().map(|it| answered(it.message, Verdict::Unsent)).collect();
        run.settle(back).await;
        run.clock.advance(Duration::from_hours(13));
        assert!(run.dispatch().await.is_empty(), "it is night again");
        let morning = opens(&run).since(run.clock.now());
        run.clock.advance(morning);
        assert_eq!(run.dispatch().await.len(), 5);
        run.verify().await;
    }

    async fn what_expires_while_the_carrier_is_away_is_refunded_without_it(store: Store) {
        let built = campaign(&store, 300).await;
        campaign(&store, 3).await;
        let mut run = Run::start(&store).await;
        // It is looked at, and the time begins.
        run.dispatcher.expire_late().await.unwrap();
        assert_eq!(counts(&store, "SELECT COUNT(*) FROM messages").await, 0);
        run.clock.advance(DAY + Duration::from_secs(1));
        run.dispatcher.expire_late().await.unwrap();
        assert_eq!(counts(&store, concat!("SELECT COUNT(*) FROM messages WHERE status = ", message_status!(Expired), " AND money = ", money_state!(Released))).await, 303);
        let (captured, released) = balances(&store, &built).await;
        assert!(captured == 0 && released > 0);
        assert!(run.dispatch().await.is_empty());
        run.verify().await;
    }

    async fn retries_expire_while_the_carrier_is_away_too(store: Store) {
        campaign(&store, 3).await;
        let mut run = Run::start(&store).await;
        let sent = run.dispatch().await;
        run.settle(sent.iter().map(|it| answered(it.message, Verdict::Unsent)).collect()).await;
        run.dispatcher.expire_late().await.unwrap();
        assert_eq!(counts(&store, "SELECT COUNT(*) FROM retries").await, 3, "not yet");
        run.clock.advance(DAY + Duration::from_secs(1));
        run.dispatcher.expire_late().await.unwrap();
        assert_eq!(counts(&store, "SELECT COUNT(*) FROM retries").await, 0);
        assert_eq!(messages_in(&store, MessageStatus::Expired).await, 3);
        run.verify().await;
    }

    async fn unknown_messages_are_written_off_as_agreed_and_a_receipt_still_tells(store: Store) {
        let built = campaign(&store, 2).await;
        let mut run = Run::start(&store).await;
        let sent = run.dispatch().await;
        let unanswered = |accepted| Answer { message: sent[0].message, verdict: Verdict::Unanswered, accepted };
        let ours = Accepted::One(WHOLE, Reference("td1-ab".into()));
        run.settle(vec![Event::Answer(unanswered(ours)), accepted(sent[1].message, "7")]).await;
        let policy = (Duration::from_hours(72), UnknownThen::Release);
        let name = counts(&store, "SELECT COUNT(*) FROM campaign_chunks WHERE carrier = 'main'").await;
        assert_eq!(name, 1);
        let mut look = Look::default();
        let now = run.clock.now();
        assert_eq!(unknown_policy::tick(&store, "main", policy, &mut look, now).await.unwrap(), 0, "too early");
        let (_, before) = balances(&store, &built).await;
        let later = now + Duration::from_hours(73);
        let mut look = Look::default();
        assert_eq!(unknown_policy::tick(&store, "main", policy, &mut look, later).await.unwrap(), 1);
        let (_, after) = balances(&store, &built).await;
        assert!(after > before);
        assert_eq!(unknown_policy::tick(&store, "main", policy, &mut Look::default(), later).await.unwrap(), 0, "once");
        // The receipt bears the reference that was ours, though no answer ever named it.
        run.settle(vec![receipt("td1-ab", ReceiptState::Delivered, 1)]).await;
        assert_eq!(counts(&store, concat!("SELECT COUNT(*) FROM messages WHERE status = ", message_status!(Delivered), " AND money = ", money_state!(Released))).await, 1);
        assert_eq!(balances(&store, &built).await.1, after, "and no money moves any more");
        run.verify().await;
    }

    async fn a_message_that_the_carrier_cut_by_itself_has_one_reference_and_one_receipt(store: Store) {
        campaign(&store, 1).await;
        let mut run = Run::start(&store).await;
        let sent = run.dispatch().await;
        let whole = Accepted::One(WHOLE, Reference("x1:234".into()));
        let answer = Answer { message: sent[0].message, verdict: Verdict::Accepted, accepted: whole };
        run.settle(vec![Event::Answer(answer)]).await;
        assert_eq!(counts(&store, "SELECT COUNT(*) FROM message_parts").await, 0);
        run.settle(vec![receipt("x1:234", ReceiptState::Delivered, 1)]).await;
        assert_eq!(messages_in(&store, MessageStatus::Delivered).await, 1);
    }
}
