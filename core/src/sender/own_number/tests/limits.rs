//! How many calls there may be, and when.

use super::super::limits::{
    GIVEN_PER_DAY, PER_DAY_TO_ONE, PER_DAY_WHEN_MANY, TO_NUMBER_PER_DAY, TO_NUMBER_PER_HOUR,
};
use super::*;
use crate::model::account::user::Role;
use crate::model::platform::id::RunId;
use crate::operate::user::deletion::{self, DeletionStep};
use crate::payment::transfer::Gift;
use crate::routing::quiet_hours::QuietHours;
use crate::store::Dialect;
use crate::store::voice::own_number_call as rows;
use crate::testing::account::make_user;
use crate::{args, both_databases};

const DAY: Duration = Duration::from_hours(24);

/// Calls of a user that are over: so many to a number, all at one time.
async fn fill(
    store: &Store,
    user: UserId,
    (number, calls): (&'static str, usize),
    has_paid_in: bool,
    at: Time,
) {
    let input = (user, number, calls, has_paid_in, at);
    let filled = store.write(Lane::Background, input, |tx, (user, number, calls, has_paid_in, at)| {
        Box::pin(async move {
            for _ in 0..*calls {
                let (currency, unit_price) = (Currency::Naira, Amount::ZERO);
                let has_paid_in = *has_paid_in;
                let call = rows::NewCall {
                    user: *user,
                    number,
                    currency,
                    unit_price,
                    pulses: 1,
                    owner: RunId(1),
                    has_paid_in,
                };
                rows::insert(tx, &call, *at).await?;
            }
            tx.run("UPDATE own_number_calls SET status = 'ended', outcome = 'busy' WHERE owner = 1", args![])
                .await
        })
    });
    filled.await.unwrap();
}

/// A user to whom another one gave money.
async fn given_to(desk: &Desk, name: &str) -> UserId {
    let user = make_user(&desk.store, name, Role::User).await;
    let gift = Gift {
        from: desk.ada,
        to: name.into(),
        money: talkdrum_api::money::Money { amount: "10".parse().unwrap(), currency: Currency::Naira },
        reference: format!("gift-{name}"),
        claim: None,
    };
    let given = desk.store.write(Lane::Interactive, gift, |tx, gift| {
        Box::pin(async move { CampaignLimits::default().give(tx, gift, NOW).await })
    });
    given.await.unwrap();
    user
}

async fn phone_is_proven(store: &Store, user: UserId, phone: &'static str) {
    let proven = store.write(Lane::Background, (user, phone), |tx, (user, phone)| {
        let sql = "UPDATE users SET phone_number = $2, phone_verified_at = 1 WHERE id = $1";
        Box::pin(tx.run(sql, args![*user, *phone]))
    });
    assert_eq!(proven.await.unwrap(), 1);
}

fn wait_of(begun: &BegunCall) -> Duration {
    match begun {
        BegunCall::Refused(
            NotCalled::TooMany(wait) | NotCalled::NumberFull(wait) | NotCalled::DayFull(wait),
        ) => *wait,
        other => panic!("{other:?}"),
    }
}

both_databases! {
    async fn calls_are_few_by_user(store: Store) {
        let desk = Desk::open(&store).await;
        let began_at = desk.clock.now();
        for hour in 0..2 {
            for call in 0..PER_HOUR {
                // Each to another phone, so that only the user counts.
                let to = number(u64::try_from(hour * 10 + call).unwrap());
                assert!(matches!(desk.used(desk.ada, to).await, BegunCall::Call(_)), "{hour} {call}");
                let refused = desk.used(desk.ada, number(90)).await;
                let wait = if call + 1 < PER_HOUR { MINUTE } else if hour == 0 { HOUR - MINUTE * 4 } else { HOUR * 23 - MINUTE * 4 };
                assert_eq!(refused, BegunCall::Refused(NotCalled::TooMany(wait)), "{hour} {call}");
                desk.clock.advance(MINUTE);
            }
            desk.clock.set(began_at + HOUR * (u32::try_from(hour).unwrap() + 1));
        }
        let eve = user_with(&store, "eve", "100").await;
        assert!(matches!(desk.used(eve, number(1)).await, BegunCall::Call(_)), "others have theirs");
        desk.clock.set(began_at + DAY);
        assert!(matches!(desk.used(desk.ada, number(90)).await, BegunCall::Call(_)));
    }

    async fn one_user_has_a_number_called_a_few_times_and_leaves_it_to_others(store: Store) {
        let desk = Desk::open(&store).await;
        for call in 0..PER_DAY_TO_ONE {
            assert!(matches!(desk.used(desk.ada, number(1)).await, BegunCall::Call(_)), "{call}");
            desk.clock.advance(MINUTE * 15);
        }
        assert!(wait_of(&desk.used(desk.ada, number(1)).await) > HOUR * 22);
        assert!(matches!(desk.used(desk.ada, number(2)).await, BegunCall::Call(_)), "another one may be called");
        let eve = user_with(&store, "eve", "100").await;
        assert!(matches!(desk.used(eve, number(1)).await, BegunCall::Call(_)), "what Ada used up is hers alone");
    }

    async fn what_strangers_ask_for_is_bounded_for_a_number_and_locks_out_no_one_who_has_the_phone(store: Store) {
        let desk = Desk::open(&store).await;
        let (owner, eve) = (user_with(&store, "owner", "100").await, user_with(&store, "eve", "100").await);
        let (bisi, before) = (user_with(&store, "bisi", "100").await, desk.clock.now());
        // Bisi verified the number once, and withdrew it: that is no right to it any more.
        let code = desk.heard(OwnCallRequest { user: bisi, ..desk.wanted() }).await;
        desk.calls.confirm(bisi, number(1), &code, None).await.unwrap();
        let withdrawn = (desk.calls.notices.clone(), OwnNumberKey::OfUser(bisi, number(1).to_string()), bisi);
        let withdrawn = store.write(Lane::Interactive, withdrawn, |tx, (notices, key, by)| {
            Box::pin(super::super::withdraw(tx, notices, key, *by, NOW))
        });
        withdrawn.await.unwrap();
        let (digits, day) = ("2348031230001", before + HOUR * 20);
        fill(&store, eve, (digits, TO_NUMBER_PER_DAY - 1), true, before).await;
        desk.clock.set(day);
        for user in [desk.ada, owner, bisi] {
            let refused = desk.used(user, number(1)).await;
            assert_eq!(refused, BegunCall::Refused(NotCalled::NumberFull(HOUR * 4)));
        }
        assert!(NotCalled::NumberFull(HOUR).to_string().contains("phone of your profile"));
        phone_is_proven(&store, owner, digits).await;
        assert!(matches!(desk.used(owner, number(1)).await, BegunCall::Call(_)));
        // In an hour there are fewer.
        fill(&store, eve, ("2348031230002", TO_NUMBER_PER_HOUR), true, day - MINUTE * 10).await;
        let refused = desk.used(desk.ada, number(2)).await;
        assert_eq!(refused, BegunCall::Refused(NotCalled::NumberFull(MINUTE * 50)));
        fill(&store, eve, ("2348031230003", 1), true, day - Duration::from_secs(20)).await;
        let refused = desk.used(desk.ada, number(3)).await;
        assert_eq!(refused, BegunCall::Refused(NotCalled::NumberFull(Duration::from_secs(40))), "once a minute");
    }

    async fn an_account_that_never_had_money_has_no_call(store: Store) {
        let desk = Desk::open(&store).await;
        // It is not the price that stops it.
        set_price_of(&store, desk.ada, PriceKey::voice(Currency::Naira), "0").await;
        let poor = make_user(&store, "poor", Role::User).await;
        assert_eq!(desk.used(poor, number(1)).await, BegunCall::Refused(NotCalled::Unfunded));
        let given = given_to(&desk, "eve").await;
        assert!(matches!(desk.used(given, number(1)).await, BegunCall::Call(_)));
        let proven = store.write(Lane::Background, (poor, desk.ada), |tx, (user, by)| {
            let sql = "INSERT INTO guards (user_id, proven_at, proven_by) VALUES ($1, 1, $2)";
            Box::pin(tx.run(sql, args![*user, *by]))
        });
        proven.await.unwrap();
        assert!(matches!(desk.used(poor, number(2)).await, BegunCall::Call(_)), "an administrator vouches for it");
    }

    async fn how_a_user_stands_is_read_by_indexes(store: Store) {
        let mut tx = store.read().await.unwrap();
        if tx.dialect() == Dialect::Sqlite {
            let plan = tx.explain(rows::TRUST, args![1]).await.unwrap().join("; ");
            assert_eq!(plan.matches("transfers_credit").count(), 2, "{plan}");
            assert!(!plan.contains("SCAN t") && !plan.contains("SCAN a") && !plan.contains("SCAN u"), "{plan}");
        }
    }

    async fn the_calls_of_a_day_are_shared_out(store: Store) {
        let desk = Desk::open(&store).await;
        let at = desk.clock.now();
        desk.clock.advance(HOUR);
        let sets_of_accounts = user_with(&store, "eve", "100").await;
        let given = given_to(&desk, "given").await;
        let most = usize::try_from(GIVEN_PER_DAY).unwrap();
        fill(&store, sets_of_accounts, ("99", most - 1), false, at).await;
        assert!(matches!(desk.used(given, number(1)).await, BegunCall::Call(_)), "one is left");
        desk.clock.advance(MINUTE);
        assert_eq!(desk.used(given, number(2)).await, BegunCall::Refused(NotCalled::DayFull(HOUR * 23 - MINUTE)));
        assert!(matches!(desk.used(desk.ada, number(2)).await, BegunCall::Call(_)), "others have all of theirs");
        // Half of all are used: from now on each user has few.
        let half = usize::try_from(ALL_PER_DAY / 2).unwrap();
        fill(&store, sets_of_accounts, ("99", half), true, at).await;
        for call in 1..PER_DAY_WHEN_MANY {
            desk.clock.advance(MINUTE);
            assert!(matches!(desk.used(desk.ada, number(2)).await, BegunCall::Call(_)), "{call}");
        }
        desk.clock.advance(MINUTE);
        assert!(wait_of(&desk.used(desk.ada, number(3)).await) > HOUR * 23);
        let bisi = user_with(&store, "bisi", "100").await;
        assert!(matches!(desk.used(bisi, number(3)).await, BegunCall::Call(_)));
        fill(&store, sets_of_accounts, ("99", half), true, at).await;
        let new = user_with(&store, "new", "100").await;
        assert!(matches!(desk.used(new, number(4)).await, BegunCall::Refused(NotCalled::DayFull(_))));
    }

    async fn at_night_only_phones_are_called_that_the_user_proved_to_have(store: Store) {
        let mut desk = Desk::open(&store).await;
        desk.calls.hours = QuietHours::new("20:00", "08:00", "Africa/Lagos").unwrap().map(Arc::new);
        // It is 23:13:20 in Lagos.
        let refused = desk.used(desk.ada, number(1)).await;
        let wait = HOUR * 8 + MINUTE * 46 + Duration::from_secs(40);
        assert_eq!(refused, BegunCall::Refused(NotCalled::Quiet { until: "08:00 (Africa/Lagos)".into(), wait }));
        phone_is_proven(&store, desk.ada, "2348031230001").await;
        assert!(matches!(desk.used(desk.ada, number(1)).await, BegunCall::Call(_)));
        desk.clock.advance(MINUTE);
        assert!(matches!(desk.used(desk.ada, number(2)).await, BegunCall::Refused(NotCalled::Quiet { .. })));
        desk.clock.advance(wait);
        assert!(matches!(desk.used(desk.ada, number(2)).await, BegunCall::Call(_)));
    }

    async fn a_draft_that_was_made_in_the_evening_is_not_placed_at_night(store: Store) {
        let mut desk = Desk::open(&store).await;
        let draft = desk.calls.prepare(desk.wanted()).await.unwrap().unwrap();
        desk.calls.hours = QuietHours::new("20:00", "08:00", "Africa/Lagos").unwrap().map(Arc::new);
        let begun = desk.calls.begin(draft, desk.run, (Vec::new(), Arc::new(Always)), None).await.unwrap();
        assert!(matches!(begun, BegunCall::Refused(NotCalled::Quiet { .. })));
        assert_eq!(desk.spent().await, Amount::ZERO);
    }

    async fn an_account_that_is_erased_frees_no_number_before_the_day_is_over(store: Store) {
        let desk = Desk::open(&store).await;
        let root = make_user(&store, "root", Role::Admin).await;
        let eve = user_with(&store, "eve", "100").await;
        fill(&store, eve, ("2348031230001", TO_NUMBER_PER_DAY), true, desk.clock.now()).await;
        let erased = store.write(Lane::Interactive, (eve, root), |tx, (user, by)| {
            Box::pin(async move {
                deletion::delete_user(tx, *user, *by, NOW).await?;
                deletion::go_on(tx, *user, NOW).await
            })
        });
        assert_eq!(erased.await.unwrap(), DeletionStep::Anonymised);
        let purged = async || {
            let now = desk.clock.now();
            store.write(Lane::Background, now, |tx, now| Box::pin(purge(tx, *now))).await.unwrap()
        };
        desk.clock.advance(DAY - MINUTE);
        assert_eq!(purged().await, 0);
        assert!(matches!(desk.used(desk.ada, number(1)).await, BegunCall::Refused(NotCalled::NumberFull(_))));
        desk.clock.advance(MINUTE * 2);
        assert_eq!(purged().await, u64::try_from(TO_NUMBER_PER_DAY).unwrap(), "and then they go, ahead of others");
        assert!(matches!(desk.used(desk.ada, number(1)).await, BegunCall::Call(_)));
    }

    async fn one_call_is_under_way_for_a_user_and_a_number_and_few_in_all(store: Store) {
        let desk = Desk::open(&store).await;
        let (id, teller) = desk.called(desk.wanted()).await;
        desk.clock.advance(HOUR);
        let refused = desk.used(desk.ada, number(2)).await;
        assert_eq!(refused, BegunCall::Refused(NotCalled::UnderWay(id)));
        let eve = user_with(&store, "eve", "100").await;
        assert_eq!(desk.used(eve, number(1)).await, BegunCall::Refused(NotCalled::NumberBusy));
        let fill = store.write(Lane::Background, desk.ada, |tx, ada| Box::pin(async move {
            for line in 0..9 {
                let number = line.to_string();
                let (currency, unit_price) = (Currency::Naira, Amount::ZERO);
                let call = rows::NewCall {
                    user: *ada, number: &number, currency, unit_price, pulses: 1, owner: RunId(1), has_paid_in: true,
                };
                rows::insert(tx, &call, NOW).await?;
            }
            Ok(())
        }));
        fill.await.unwrap();
        assert_eq!(desk.used(eve, number(3)).await, BegunCall::Refused(NotCalled::Busy));
        drop(teller);
    }
}
