//! Which reason is told where several stand in the way.

use super::*;
use crate::campaign::confirm::QuoteTarget;
use crate::campaign::report::progress;
use crate::model::campaign::id::CampaignId;
use crate::model::platform::id::RunId;
use crate::operate;
use crate::store::operations::daemon;
use crate::store::{Lane, Store};
use crate::testing::account::make_user;
use crate::testing::builder::{START, Spot, build};
use crate::testing::campaign::{Fixture, NOW};
use crate::{args, both_databases};

/// How the carrier `main` is, as its daemon said at the start.
async fn note(store: &Store, owner: RunId, health: CarrierHealth, throttled: bool) {
    let mut vitals = Vitals { health, ..Vitals::default() };
    vitals.line.throttled = throttled;
    operate::note(store, owner, vec![("main".to_owned(), vitals)], START).await.unwrap();
}

async fn reason(store: &Store, campaign: CampaignId, around: &Around) -> Option<String> {
    let mut tx = store.read().await.unwrap();
    let mut shown = vec![progress::view(&mut tx, RecordScope::All, campaign).await.unwrap()];
    explain(&mut tx, &mut shown, RecordScope::All, around).await.unwrap();
    shown.pop().unwrap().status_reason
}

both_databases! {
    async fn what_stops_all_comes_before_what_stops_one_carrier(store: Store) {
        let admin = make_user(&store, "root", Role::Admin).await;
        let built = build(&store, "ada").chunk(&[Spot::Tail, Spot::Tail]).store().await;
        let owner = store.write(Lane::Interactive, (), |tx, ()| Box::pin(daemon::start(tx, START))).await.unwrap();
        let mut around = Around { now: START, ..Around::default() };
        let seen = async |around: &Around| reason(&store, built.campaign, around).await.unwrap_or_default();
        assert!(seen(&around).await.ends_with("'main', which no daemon serves now"));
        note(&store, owner, CarrierHealth::Up, false).await;
        assert_eq!(seen(&around).await, "");
        note(&store, owner, CarrierHealth::Up, true).await;
        assert_eq!(seen(&around).await, "The carrier 'main' asked to be sent less for now");
        note(&store, owner, CarrierHealth::Connecting, false).await;
        assert!(seen(&around).await.ends_with("'main', which is not connected now"));
        note(&store, owner, CarrierHealth::Refusing, false).await;
        assert!(seen(&around).await.starts_with("The carrier 'main' refuses all that it is given"));
        note(&store, owner, CarrierHealth::Stopped, false).await;
        assert!(seen(&around).await.contains("until its configuration is corrected"));
        let later = Around { now: START + std::time::Duration::from_secs(30), ..around.clone() };
        assert!(seen(&later).await.contains("no daemon serves"), "what was seen long ago is not so now");
        around.hours = QuietHours::new("00:00", "23:59", "UTC").unwrap().map(Arc::new);
        assert!(seen(&around).await.contains("'main'"), "it is not promotional");
        store
            .write(Lane::Interactive, (), |tx, ()| {
                Box::pin(async { tx.run("UPDATE campaign_chunks SET promotional = TRUE", args![]).await })
            })
            .await
            .unwrap();
        assert!(seen(&around).await.contains("until its configuration"), "what a person must do comes first");
        note(&store, owner, CarrierHealth::Up, false).await;
        assert_eq!(
            seen(&around).await,
            "Promotional messages wait for the end of the quiet hours, 23:59 (UTC)"
        );
        store
            .write(Lane::Interactive, admin, |tx, admin| {
                Box::pin(operate::set(tx, "main", Hold::Paused, "", *admin, START))
            })
            .await
            .unwrap();
        assert!(seen(&around).await.contains("which an administrator holds for now"));
        around.space = Space::LowAt("one:8080".into());
        assert_eq!(
            seen(&around).await,
            "The daemon one:8080 sends nothing while its machine is short of disk space"
        );
        around.space = Space::Low;
        assert_eq!(seen(&around).await, "Nothing is sent while the server is short of disk space");
        store
            .write(Lane::Interactive, (), |tx, ()| Box::pin(generation::hold(tx, "restored", START)))
            .await
            .unwrap();
        assert!(seen(&around).await.ends_with("an administrator releases the hold: restored"));
        let mut tx = store.read().await.unwrap();
        let all = of_platform(&mut tx, &["main".to_owned()], true, &around).await.unwrap().unwrap();
        assert_eq!(all.matches("; ").count(), 4, "{all}");
        assert!(all.ends_with("; Maintenance keeps users out"), "{all}");
    }

    async fn messages_wait_for_the_carrier_that_takes_them_over_and_what_is_in_flight_waits_for_none(store: Store) {
        let moved = build(&store, "ada").chunk(&[Spot::Retry, Spot::InFlight]).store().await;
        let flies = build(&store, "bea").chunk(&[Spot::InFlight]).store().await;
        let around = Around { now: START, ..Around::default() };
        let owner = store.write(Lane::Interactive, (), |tx, ()| Box::pin(daemon::start(tx, START))).await.unwrap();
        note(&store, owner, CarrierHealth::Up, false).await;
        store
            .write(Lane::Interactive, (), |tx, ()| {
                Box::pin(async { tx.run("UPDATE retries SET carrier = 'spare'", args![]).await })
            })
            .await
            .unwrap();
        let why = reason(&store, moved.campaign, &around).await.unwrap();
        assert!(why.contains("'spare'"), "{why}");
        assert_eq!(reason(&store, flies.campaign, &around).await, None);
        let mut tx = store.read().await.unwrap();
        let own = RecordScope::Own(moved.user);
        let mut shown = [progress::view(&mut tx, own, moved.campaign).await.unwrap()];
        explain(&mut tx, &mut shown, own, &around).await.unwrap();
        let told = shown[0].status_reason.clone().unwrap();
        assert!(told.starts_with("Messages wait for the connection") && !told.contains("spare"), "{told}");
    }

    async fn a_quote_says_that_a_first_large_send_waits_and_its_campaign_counts(store: Store) {
        let mut fixture = Fixture::open(&store, "1000").await;
        fixture.campaigns.limits.first_send_review = 2;
        let one = fixture.quote("Hello", "08031234567").await;
        let outlook = async |quote: Quote| {
            fixture.campaigns.with_outlook(fixture.user, quote, Space::Enough).await.notices
        };
        let waits = "Messages wait for the connection to a network; they need not be sent again";
        assert_eq!(outlook(one.clone()).await, [waits], "no daemon has the carrier");
        let owner = store.write(Lane::Interactive, (), |tx, ()| Box::pin(daemon::start(tx, NOW))).await.unwrap();
        let up = Vitals { health: CarrierHealth::Up, ..Vitals::default() };
        operate::note(&store, owner, vec![("main".to_owned(), up)], NOW).await.unwrap();
        assert!(outlook(one.clone()).await.is_empty());
        let two = Quote { total_contacts: 2, ..one.clone() };
        assert_eq!(outlook(two.clone()).await, [FIRST_SEND]);
        store
            .write(Lane::Interactive, (), |tx, ()| Box::pin(generation::hold(tx, "restored", START)))
            .await
            .unwrap();
        assert_eq!(outlook(one.clone()).await, [ON_HOLD]);
        fixture.confirm(QuoteTarget::Quote(QuoteId(one.quote_id))).await.unwrap();
        assert!(outlook(two).await.is_empty(), "it is confirmed: its campaign says what it waits for");
    }
}
