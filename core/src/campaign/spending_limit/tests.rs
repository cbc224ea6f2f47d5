use super::*;
use crate::campaign::confirm::QuoteTarget;
use crate::campaign::control::{self, Authority};
use crate::model::account::id::UserId;
use crate::model::campaign::id::QuoteId;
use crate::store::{Lane, Store};
use crate::testing::account::make_user;
use crate::testing::campaign::{Fixture, NOW, numbers};
use crate::{args, both_databases};

async fn set(store: &Store, user: UserId, change: LimitsChange) {
    let admin = make_user(store, "root", Role::Admin).await;
    store
        .write(Lane::Interactive, (user, change, admin), |tx, (user, wanted, admin)| {
            Box::pin(super::change(tx, *user, *wanted, *admin, NOW))
        })
        .await
        .unwrap();
}

both_databases! {
    async fn twenty_confirms_at_once_stay_within_the_limit_of_the_day(store: Store) {
        let fixture = Fixture::open(&store, "1000").await;
        // A message costs 2.5: seven of them fit.
        let limit = Some(Some("18".parse().unwrap()));
        set(&store, fixture.user, LimitsChange { daily_naira: limit, ..LimitsChange::default() }).await;
        let mut quotes = Vec::new();
        for number in 0..20 {
            quotes.push(QuoteId(fixture.quote(&format!("Code {number}"), "08031234567").await.quote_id));
        }
        let all = futures::future::join_all(quotes.iter().map(|quote| fixture.confirm(QuoteTarget::Quote(*quote)))).await;
        assert_eq!(all.iter().filter(|one| one.is_ok()).count(), 7);
        assert!(all.iter().filter_map(|one| one.as_ref().err()).all(|error| error.code() == "spending_cap"));
        assert_eq!(fixture.balance().await, "982.5".parse().unwrap());
        let guarded = of_user(&mut fixture.tx().await, &CampaignLimits::default(), fixture.user, NOW).await.unwrap();
        assert_eq!(guarded.spent[1], (Currency::Naira, "17.5".parse().unwrap()));
        fixture.assert_ledger_adds_up().await;
        // What is refused is not lost: the next day it goes out.
        fixture.advance(std::time::Duration::from_hours(24));
        let again = QuoteId(fixture.quote("Tomorrow", "08031234567").await.quote_id);
        assert!(fixture.confirm(QuoteTarget::Quote(again)).await.is_ok());
    }

    async fn who_has_no_limit_is_not_counted(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let quote = QuoteId(fixture.quote("Hello", "08031234567").await.quote_id);
        fixture.confirm(QuoteTarget::Quote(quote)).await.unwrap();
        assert_eq!(fixture.count("SELECT COUNT(*) FROM spending").await, 0);
    }

    async fn sends_are_counted_until_an_administrator_looked_at_one(store: Store) {
        let mut fixture = Fixture::open(&store, "1000").await;
        fixture.campaigns.limits.first_send_review = 20;
        let mut held = Vec::new();
        for text in ["one", "two", "three"] {
            let quote = QuoteId(fixture.quote(text, &numbers(19)).await.quote_id);
            held.push(fixture.confirm(QuoteTarget::Quote(quote)).await.unwrap().is_in_review());
        }
        assert_eq!(held, [false, true, true], "split into several, a large send is held as well");
        set(&store, fixture.user, LimitsChange { proven: Some(true), ..LimitsChange::default() }).await;
        let quote = QuoteId(fixture.quote("four", &numbers(19)).await.quote_id);
        assert!(!fixture.confirm(QuoteTarget::Quote(quote)).await.unwrap().is_in_review());
    }

    async fn a_transfer_counts_into_the_limit_of_the_day(store: Store) {
        let fixture = Fixture::open(&store, "1000").await;
        let limit = Some(Some("18".parse().unwrap()));
        set(&store, fixture.user, LimitsChange { daily_naira: limit, ..LimitsChange::default() }).await;
        let money = Money { amount: "10".parse().unwrap(), currency: Currency::Naira };
        let spend = async || {
            store
                .write(Lane::Interactive, (fixture.user, money), |tx, (user, money)| {
                    Box::pin(async move { CampaignLimits::default().spend_transfer(tx, *user, *money, NOW).await })
                })
                .await
                .map_err(|error| error.code())
        };
        assert_eq!(spend().await, Ok(Some("2023-11-14".to_owned())));
        assert_eq!(spend().await, Err("spending_cap"));
    }

    async fn transfers_and_sends_at_once_meet_no_deadlock(store: Store) {
        let fixture = Fixture::open(&store, "1000").await;
        make_user(&store, "eve", Role::User).await;
        let limit = Some(Some("900".parse().unwrap()));
        set(&store, fixture.user, LimitsChange { daily_naira: limit, ..LimitsChange::default() }).await;
        let mut quotes = Vec::new();
        for number in 0..30 {
            quotes.push(QuoteId(fixture.quote(&format!("Hello {number}"), "08031234567").await.quote_id));
        }
        let give = async |number: i64| {
            let gift = Gift {
                from: fixture.user,
                to: "eve".into(),
                money: Money { amount: "1".parse().unwrap(), currency: Currency::Naira },
                reference: format!("t{number}"),
                claim: None,
            };
            store
                .write(Lane::Interactive, gift, |tx, gift| {
                    Box::pin(async move { CampaignLimits::default().give(tx, gift, NOW).await })
                })
                .await
                .unwrap()
        };
        let sends = quotes.iter().map(|quote| fixture.confirm(QuoteTarget::Quote(*quote)));
        let (sent, _) = futures::future::join(
            futures::future::join_all(sends),
            futures::future::join_all((0..30).map(give)),
        )
        .await;
        assert!(sent.iter().all(Result::is_ok), "{sent:?}");
        assert_eq!(store.deadlocks(), 0);
        let guarded = of_user(&mut fixture.tx().await, &CampaignLimits::default(), fixture.user, NOW).await.unwrap();
        assert_eq!(guarded.spent[1].1, "105".parse().unwrap());
        fixture.assert_ledger_adds_up().await;
    }

    async fn another_time_zone_gives_no_second_limit_of_the_day(store: Store) {
        let fixture = Fixture::open(&store, "1000").await;
        let limit = Some(Some("18".parse().unwrap()));
        set(&store, fixture.user, LimitsChange { daily_naira: limit, ..LimitsChange::default() }).await;
        let quote = QuoteId(fixture.quote("Hello", &numbers(7)).await.quote_id);
        fixture.confirm(QuoteTarget::Quote(quote)).await.unwrap();
        // It is 22:13 in UTC: tomorrow in the one zone, today in the other.
        for zone in ["Pacific/Kiritimati", "Pacific/Pago_Pago"] {
            let moved = store.write(Lane::Interactive, (fixture.user, zone), |tx, (user, zone)| {
                Box::pin(tx.run("UPDATE users SET zone = $2 WHERE id = $1", args![*user, *zone]))
            });
            assert_eq!(moved.await.unwrap(), 1);
            let transferred = store.write(Lane::Interactive, fixture.user, |tx, user| {
                let money = Money { amount: Amount(1_000_000), currency: Currency::Naira };
                Box::pin(async move { CampaignLimits::default().spend_transfer(tx, *user, money, NOW).await })
            });
            assert_eq!(transferred.await.unwrap_err().code(), "spending_cap", "{zone}");
            let quote = fixture.quote(&format!("Hello {zone}"), "08031234567").await.quote_id;
            let sent = fixture.confirm(QuoteTarget::Quote(QuoteId(quote))).await;
            assert_eq!(sent.unwrap_err().code(), "spending_cap", "{zone}");
            let guarded = of_user(&mut fixture.tx().await, &CampaignLimits::default(), fixture.user, NOW).await.unwrap();
            assert_eq!(guarded.spent[1].1, "17.5".parse().unwrap(), "what was spent today is shown");
        }
    }

    async fn the_first_large_send_waits_and_can_be_cancelled_by_its_owner(store: Store) {
        let mut fixture = Fixture::open(&store, "1000").await;
        fixture.campaigns.limits.first_send_review = 20;
        let small = QuoteId(fixture.quote("Hello", &numbers(19)).await.quote_id);
        assert!(!fixture.confirm(QuoteTarget::Quote(small)).await.unwrap().is_in_review());
        let large = QuoteId(fixture.quote("Hello all", &numbers(20)).await.quote_id);
        let held = fixture.confirm(QuoteTarget::Quote(large)).await.unwrap();
        assert!(held.is_in_review());
        assert_eq!(held.message(NOW), IN_REVIEW);
        assert_eq!(held.shown[0].held.as_deref(), Some(ReviewCause::FirstSend.code()));
        assert_eq!(fixture.confirm(QuoteTarget::Quote(large)).await.unwrap().campaigns, held.campaigns);
        let claimable: (i64,) = fixture.tx().await
            .one("SELECT COUNT(*) FROM campaigns WHERE status = 'paused' AND held = 'first_send'", args![])
            .await.unwrap();
        assert_eq!(claimable.0, 1);
        let before = fixture.balance().await;
        let step = (held.campaigns[0], fixture.user);
        let (resumed, cancelled) = store
            .write(Lane::Interactive, step, |tx, (campaign, user)| {
                Box::pin(async move {
                    let owner = Authority::Owner(*user);
                    let resumed = control::resume(tx, *campaign, owner, NOW).await;
                    Ok((resumed.map_err(|error| error.code()), control::cancel(tx, *campaign, owner, NOW).await?))
                })
            })
            .await
            .unwrap();
        assert_eq!(resumed, Err("campaign_held"));
        assert_eq!(cancelled.messages, 20);
        assert_eq!(fixture.balance().await, before.plus("50".parse().unwrap()).unwrap());
        fixture.assert_ledger_adds_up().await;
    }
}
