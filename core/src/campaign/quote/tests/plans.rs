//! Rate plans: what their users are quoted, and what of it holds when a plan changes.

use super::*;
use crate::model::account::id::UserId;
use crate::model::account::user::Role;
use crate::model::campaign::id::QuoteId;
use crate::operate::user::deletion::delete_user;
use crate::settings;
use crate::testing::account::make_user;
use crate::testing::campaign::{give_plan, set_plans, set_rates, user_with};

/// One number each of MTN, Airtel, Britain, Britain's 7911 and France.
const LIST: &str = "08031234567\n08021234567\n+447400123456\n+447911123456\n+33612345678\n";

async fn charges(fixture: &Fixture, user: UserId, list: &str) -> String {
    let form = Form { user_id: user, ..fixture.form("Hello", list) };
    fixture.campaigns.quote(form).await.unwrap().total_charges.to_string()
}

both_databases! {
    async fn the_plan_is_read_before_the_list_for_all_and_only_for_those_who_have_it(store: Store) {
        let fixture = Fixture::open(&store, "1000").await;
        let root = make_user(&store, "root", Role::Admin).await;
        let (ada, eve) = (fixture.user, user_with(&store, "eve", "10").await);
        set_rates(&store, root, &[("44", "", "60"), ("447911", "", "75.25"), ("33", "", "50"), ("234", "mtn", "3")]).await;
        set_plans(&store, root, &[("gold", &[("44", "", "40.000001"), ("234", "", "1.5"), ("234", "airtel", "1.25")]),
            ("silver", &[("33", "", "49")])]).await.unwrap();
        let of = async |user: UserId| {
            let mut told = Vec::new();
            for number in LIST.lines() {
                told.push(charges(&fixture, user, number).await);
            }
            told
        };
        let for_all = ["3", "2.5", "60", "75.25", "50"];
        assert_eq!(of(ada).await, for_all);
        give_plan(&store, root, ada, Some("gold")).await.unwrap();
        // Also where the list for all has a longer prefix, or a network.
        let gold = ["1.5", "1.25", "40.000001", "40.000001", "50"];
        assert_eq!((of(ada).await, of(eve).await), (gold.map(String::from).into(), for_all.map(String::from).into()));
        give_plan(&store, root, eve, Some(" Silver ")).await.unwrap();
        assert_eq!((of(ada).await, of(eve).await), (
            gold.map(String::from).into(), ["3", "2.5", "60", "75.25", "49"].map(String::from).into()));
        let check = fixture.campaigns.check_recipients(ada, None, fixture.form("", LIST).sources).await.unwrap();
        let prices: Vec<String> = check.rates.iter().map(|it| it.unit_price.to_string()).collect();
        assert_eq!(prices.len(), 4, "{check:?}");
        assert!(prices.contains(&"40.000001".to_owned()) && prices.contains(&"1.25".to_owned()), "{prices:?}");
        // Another price of a plan is another version of all.
        set_plans(&store, root, &[("gold", &[("44", "", "39")]), ("silver", &[("33", "", "49")])]).await.unwrap();
        assert_eq!(of(ada).await, ["3", "2.5", "39", "39", "50"]);
        give_plan(&store, root, ada, None).await.unwrap();
        assert_eq!(of(ada).await, for_all);
    }

    async fn a_quote_keeps_its_price_when_the_plan_is_given_or_taken_before_it_is_confirmed(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let root = make_user(&store, "root", Role::Admin).await;
        set_plans(&store, root, &[("gold", &[("234", "", "1.000001")])]).await.unwrap();
        let dear = fixture.quote("Hello", "08031234567").await;
        give_plan(&store, root, fixture.user, Some("gold")).await.unwrap();
        let cheap = fixture.quote("Hello", "08031234568").await;
        fixture.confirm(QuoteTarget::Quote(QuoteId(dear.quote_id))).await.unwrap();
        assert_eq!(fixture.balance().await, "97.5".parse().unwrap());
        give_plan(&store, root, fixture.user, None).await.unwrap();
        set_plans(&store, root, &[]).await.unwrap();
        fixture.confirm(QuoteTarget::Quote(QuoteId(cheap.quote_id))).await.unwrap();
        assert_eq!(fixture.balance().await, "96.499999".parse().unwrap());
        fixture.assert_ledger_adds_up().await;
    }

    async fn a_plan_that_users_have_is_not_removed_and_none_is_given_that_is_not_there(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let root = make_user(&store, "root", Role::Admin).await;
        let eve = user_with(&store, "eve", "0").await;
        let gold: (&str, &[_]) = ("gold", &[("44", "", "40")]);
        assert_eq!(give_plan(&store, root, eve, Some("gold")).await.unwrap_err().code(), "unknown_plan");
        set_plans(&store, root, &[gold]).await.unwrap();
        assert_eq!(give_plan(&store, root, UserId(999), Some("gold")).await.unwrap_err().code(), "not_found");
        for user in [fixture.user, eve] {
            give_plan(&store, root, user, Some("gold")).await.unwrap();
        }
        let refused = set_plans(&store, root, &[]).await.unwrap_err();
        assert_eq!(refused.code(), "plan_in_use");
        assert!(refused.to_string().contains("2 users have it"), "{refused}");
        give_plan(&store, root, fixture.user, None).await.unwrap();
        // One who is deleted has it no more.
        store.write(Lane::Interactive, (eve, root), |tx, (eve, root)| Box::pin(async move {
            delete_user(tx, *eve, *root, NOW).await.map(|_| ())
        })).await.unwrap();
        assert_eq!(settings::plan_of(&mut fixture.tx().await, eve).await.unwrap(), "");
        assert_eq!(give_plan(&store, root, eve, Some("gold")).await.unwrap_err().code(), "not_found");
        // The list for all is another one: setting it leaves plans alone, and the other way about.
        set_rates(&store, root, &[("1", "", "5")]).await;
        set_rates(&store, root, &[]).await;
        assert_eq!(fixture.count("SELECT COUNT(*) FROM rates WHERE plan = 'gold'").await, 1);
        set_plans(&store, root, &[]).await.unwrap();
        assert_eq!(settings::rates(&mut fixture.tx().await).await.unwrap(), (Vec::new(), String::new()));
        assert_eq!(fixture.count("SELECT COUNT(*) FROM audit WHERE subject = 'RATE gold +44 naira'").await, 2);
        for (plans, code) in [
            (vec![("Gold", gold.1)], "bad_plan_name"),
            (vec![("", gold.1)], "bad_plan_name"),
            (vec![gold, gold], "plan_twice"),
            (vec![("gold", &[][..])], "plan_without_rates"),
            (vec![("gold", &[("044", "", "1")][..])], "bad_prefix"),
        ] {
            assert_eq!(set_plans(&store, root, &plans).await.unwrap_err().code(), code);
        }
    }
}
