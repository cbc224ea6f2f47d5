//! Transactions as lists show them, on both databases.

use talkdrum_api::money::{Amount, Money};

use super::*;
use crate::both_databases;
use crate::ledger::{credit_by_admin, post};
use crate::model::account::id::UserId;
use crate::model::account::user::Role;
use crate::model::campaign::id::CampaignId;
use crate::model::money::ledger::{AccountId, Code, Transfer};
use crate::model::money::payment::{PaymentStatus, Provider};
use crate::payment::transfer::{Gift, give};
use crate::store::money::payment::{self, NewPayment};
use crate::store::{Lane, Store};
use crate::testing::account::make_user;

#[test]
fn a_filter_names_a_kind_that_moves_a_wallet_and_others_are_refused_with_the_names() {
    assert_eq!(kind(None).unwrap(), None);
    assert_eq!(kind(Some(" ")).unwrap(), None);
    assert_eq!(kind(Some("Refund")).unwrap(), Some(Code::Refund));
    for (refused, named) in [
        (kind(Some("gift")).unwrap_err(), "payment, transfer, credit, reserve, release, refund, charge"),
        (kind(Some("capture")).unwrap_err(), "payment, transfer"),
        (status(Some("settled")).unwrap_err(), "successful, pending, failed, expired, mismatch"),
    ] {
        assert_eq!(refused.code(), "bad_filter");
        assert!(refused.to_string().contains(named), "{refused}");
    }
}

const NEWEST: TransactionSort = TransactionSort::Time { newest_first: true };

async fn credit(store: &Store, user: UserId, currency: Currency, micros: i64, reference: &str, at: i64) {
    let input = (user, Money { amount: Amount(micros), currency }, reference.to_owned(), at);
    store
        .write(Lane::Interactive, input, |tx, (user, money, reference, at)| {
            Box::pin(credit_by_admin(tx, *user, *money, reference, Time(*at)))
        })
        .await
        .unwrap();
}

async fn transfer(store: &Store, from: UserId, to: &str, micros: i64, reference: &str, at: i64) {
    let money = Money { amount: Amount(micros), currency: Currency::Espees };
    let gift = Gift { from, to: to.into(), money, reference: reference.into(), claim: None };
    store
        .write(Lane::Interactive, (gift, at), |tx, (gift, at)| {
            Box::pin(give(tx, gift, Time(*at), async |_| Ok(())))
        })
        .await
        .unwrap();
}

async fn open_payment(store: &Store, user: UserId, reference: &str, status: PaymentStatus, at: i64) {
    let new = NewPayment {
        user_id: user,
        provider: Provider::Espees,
        reference: reference.into(),
        money: Money { amount: Amount(5), currency: Currency::Espees },
        narration: "top 100% up".into(),
        product_sku: None,
        nonce: "n".into(),
        mode: crate::model::money::payment::PaymentMode::Test,
        note: "Begun",
        next_check_at: Time(at),
        expires_at: Time(at + 10),
    };
    store
        .write(Lane::Interactive, (new, status, at), |tx, (new, status, at)| {
            Box::pin(async move {
                let id = payment::insert(tx, new, Time(*at)).await?;
                payment::set_status(tx, id, *status, "as told").await
            })
        })
        .await
        .unwrap();
}

/// Posts a micro-unit for each: to a reserve, from it to revenue, and back to the wallet.
async fn post_for_campaigns(store: &Store, entries: &[(UserId, i64, Code, &'static str)]) {
    for entry in entries {
        store
            .write(Lane::Interactive, *entry, |tx, &(user, campaign, code, reference)| {
                Box::pin(async move {
                    let (wallet, _) = crate::ledger::wallet(tx, user, Currency::Espees).await?;
                    // What stands opposite is nothing that a history shows.
                    let (adjustment, revenue) = (AccountId(3), AccountId(1));
                    let (debit, credit) = match code {
                        Code::Capture => (adjustment, revenue),
                        Code::Reserve => (wallet, adjustment),
                        _ => (adjustment, wallet),
                    };
                    let money = Money { amount: Amount(1), currency: Currency::Espees };
                    let (reference, narration) = (reference.to_owned(), "campaign 7: said".to_owned());
                    let campaign = Some(CampaignId(campaign));
                    let transfer = Transfer { debit, credit, money, code, reference, narration, campaign };
                    post(tx, &transfer, Time(60)).await.map(drop)
                })
            })
            .await
            .unwrap();
    }
}

/// Two users, a few movements, and payments between them.
async fn history(store: &Store) -> (UserId, UserId) {
    let (ada, eve) = (make_user(store, "ada", Role::User).await, make_user(store, "eve", Role::User).await);
    open_payment(store, ada, "td-first", PaymentStatus::Expired, 5).await;
    credit(store, ada, Currency::Espees, 100, "bank-1", 10).await;
    credit(store, ada, Currency::Naira, 7, "bank-2", 20).await;
    open_payment(store, ada, "td-open", PaymentStatus::Pending, 25).await;
    open_payment(store, eve, "td-eve", PaymentStatus::Failed, 26).await;
    transfer(store, ada, "eve", 30, "gift-1", 30).await;
    (ada, eve)
}

fn references(found: &Transactions) -> Vec<String> {
    found
        .transactions
        .iter()
        .map(|it| format!("{}{}", if it.direction == "debit" { "-" } else { "" }, it.payment_ref))
        .collect()
}

async fn list(store: &Store, query: &Query, order: TransactionSort) -> Transactions {
    page(&mut store.read().await.unwrap(), query, order, Page::first()).await.unwrap()
}

both_databases! {
    async fn a_user_sees_every_movement_and_every_open_payment_in_order(store: Store) {
        let (ada, eve) = history(&store).await;
        let own = Query { user: Some(ada), ..Query::default() };
        let found = list(&store, &own, NEWEST).await;
        assert_eq!(references(&found), ["-gift-1", "td-open", "bank-2", "bank-1", "td-first"]);
        assert_eq!((found.total, found.is_cut), (5, false));
        let gift = &found.transactions[0];
        assert_eq!((gift.balance, gift.username.as_str(), gift.status.as_str()), (Some(Amount(70)), "ada", "successful"));
        assert_eq!(gift.narration, "Transfer from ada to eve");
        assert_eq!(found.transactions[1].status_details, "as told");
        let eve = list(&store, &Query { user: Some(eve), ..Query::default() }, NEWEST).await;
        assert_eq!(references(&eve), ["gift-1", "td-eve"]);
        let backwards = list(&store, &own, TransactionSort::Time { newest_first: false }).await;
        assert_eq!(references(&backwards), ["td-first", "bank-1", "bank-2", "td-open", "-gift-1"]);
        let dearest = list(&store, &own, TransactionSort::Price { largest_first: true }).await;
        assert_eq!(references(&dearest), ["bank-1", "-gift-1", "bank-2", "td-open", "td-first"]);
    }

    async fn everybody_s_list_has_both_sides_of_a_transfer(store: Store) {
        history(&store).await;
        let found = list(&store, &Query::default(), NEWEST).await;
        assert_eq!(references(&found), ["gift-1", "-gift-1", "td-eve", "td-open", "bank-2", "bank-1", "td-first"]);
        let mut ids: Vec<_> = found.transactions.iter().map(|it| it.id.clone()).collect();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), 7);
    }

    async fn pages_hold_every_row_once(store: Store) {
        let (ada, _) = history(&store).await;
        for user in [Some(ada), None] {
            let query = Query { user, ..Query::default() };
            let whole = references(&list(&store, &query, NEWEST).await);
            let mut paged = Vec::new();
            for number in 1..=4 {
                let part = page(&mut store.read().await.unwrap(), &query, NEWEST, Page::new(number, 2)).await.unwrap();
                assert_eq!(part.total, i64::try_from(whole.len()).unwrap());
                paged.extend(references(&part));
            }
            assert_eq!(paged, whole);
        }
    }

    async fn lists_that_go_on_where_others_end_hold_every_row_once_in_both_directions(store: Store) {
        let (ada, _) = history(&store).await;
        open_payment(&store, ada, "td-last", PaymentStatus::Pending, 40).await;
        credit(&store, ada, Currency::Naira, 7, "bank-3", 50).await;
        for (user, newest_first) in [(Some(ada), true), (Some(ada), false), (None, true), (None, false)] {
            let order = TransactionSort::Time { newest_first };
            let mut query = Query { user, ..Query::default() };
            let whole = references(&list(&store, &query, order).await);
            for reach in 1..=3 {
                let (mut seen, mut lists) = (Vec::new(), 0);
                loop {
                    let mut tx = store.read().await.unwrap();
                    let part = within(&mut tx, &query, order, Page::first(), reach).await.unwrap();
                    assert_eq!(part.total, part.transactions.len() as i64);
                    assert_eq!(part.is_cut, part.beyond.is_some());
                    seen.extend(references(&part));
                    query.beyond = part.beyond;
                    lists += 1;
                    if query.beyond.is_none() {
                        break;
                    }
                }
                assert_eq!(seen, whole, "{user:?} {newest_first} {reach}");
                assert!(lists > 1, "it was cut");
            }
        }
    }

    async fn a_place_that_cannot_be_is_answered_like_the_nearest_that_can(store: Store) {
        history(&store).await;
        for newest_first in [true, false] {
            let order = TransactionSort::Time { newest_first };
            let all = references(&list(&store, &Query::default(), order).await);
            for (beyond, is_all) in [(i64::MIN, !newest_first), (0, !newest_first), (i64::MAX, newest_first)] {
                let found = list(&store, &Query { beyond: Some(beyond), ..Query::default() }, order).await;
                assert_eq!(references(&found), if is_all { all.clone() } else { Vec::new() }, "{beyond} {newest_first}");
            }
        }
    }

    async fn filters_narrow_every_list(store: Store) {
        let (ada, _) = history(&store).await;
        let all = Query::default();
        let kind_of = |word| kind(Some(word)).unwrap();
        let status_of = |word| status(Some(word)).unwrap();
        for (query, expected) in [
            (Query { kind: kind_of("transfer"), ..all.clone() }, vec!["gift-1", "-gift-1"]),
            (Query { kind: kind_of("payment"), ..all.clone() }, vec!["td-eve", "td-open", "td-first"]),
            (Query { kind: kind_of("Credit"), user: Some(ada), ..all.clone() }, vec!["bank-2", "bank-1"]),
            (Query { status: status_of("failed"), ..all.clone() }, vec!["td-eve"]),
            (Query { status: status_of("pending"), user: Some(ada), ..all.clone() }, vec!["td-open"]),
            (Query { status: status_of("successful"), user: Some(ada), ..all.clone() }, vec!["-gift-1", "bank-2", "bank-1"]),
            (Query { currency: Some(Currency::Naira), ..all.clone() }, vec!["bank-2"]),
            (Query { since: Some(Time(20)), until: Some(Time(26)), ..all.clone() }, vec!["td-open", "bank-2"]),
            (Query { since: Some(Time(25)), user: Some(ada), ..all.clone() }, vec!["-gift-1", "td-open"]),
            (Query { until: Some(Time(10)), ..all.clone() }, vec!["td-first"]),
            (Query { q: "bank-2".into(), ..all.clone() }, vec!["bank-2"]),
            (Query { q: "BANK".into(), ..all.clone() }, vec!["bank-2", "bank-1"]),
            (Query { q: "eve".into(), ..all.clone() }, vec!["gift-1", "-gift-1", "td-eve"]),
            (Query { q: "100%".into(), user: Some(ada), ..all.clone() }, vec!["td-open", "td-first"]),
            (Query { q: "x%".into(), ..all.clone() }, vec![]),
        ] {
            let found = list(&store, &query, NEWEST).await;
            assert_eq!(references(&found), expected, "{query:?}");
            assert_eq!(usize::try_from(found.total).unwrap(), expected.len(), "{query:?}");
        }
    }

    async fn a_campaigns_entries_are_its_own_whatever_they_say_and_its_captures_are_in_no_wallet(store: Store) {
        let (ada, eve) = history(&store).await;
        let entries = [
            (ada, 7, Code::Reserve, "campaign:7"),
            (eve, 70, Code::Reserve, "campaign:70"),
            (ada, 7, Code::Capture, "chunk:1:1"),
            (ada, 7, Code::Release, "chunk:1:2"),
            (ada, 7, Code::Refund, "chunk:1:3"),
            (ada, 8, Code::Reserve, "campaign:8"),
        ];
        // Eve's wallet is empty but for her gift; the reserve belongs to no user here.
        post_for_campaigns(&store, &entries).await;
        let of = |campaign, user| Query { campaign: Some(CampaignId(campaign)), user, ..Query::default() };
        let seven = ["chunk:1:3", "chunk:1:2", "-campaign:7"];
        for user in [Some(ada), None] {
            let found = list(&store, &of(7, user), NEWEST).await;
            assert_eq!(references(&found), seven, "{user:?}");
            assert_eq!(found.total, 3);
            assert!(found.transactions.iter().all(|it| it.campaign_id == Some(7) && it.username == "ada"));
        }
        assert_eq!(references(&list(&store, &of(7, Some(eve)), NEWEST).await), [""; 0], "another user's");
        assert_eq!(references(&list(&store, &of(70, Some(eve)), NEWEST).await), ["-campaign:70"]);
        assert_eq!(references(&list(&store, &of(9, None), NEWEST).await), [""; 0]);
        let narrowed = Query { kind: Some(Code::Release), q: "chunk".into(), ..of(7, Some(ada)) };
        assert_eq!(references(&list(&store, &narrowed, NEWEST).await), ["chunk:1:2"]);
        let pending = Query { status: Some(TransactionStatus::Pending), ..of(7, Some(ada)) };
        assert_eq!(references(&list(&store, &pending, NEWEST).await), [""; 0], "no payment is a campaign's");
        // In lists of one entry each, and in pages.
        for newest_first in [true, false] {
            let (order, mut query, mut seen) = (TransactionSort::Time { newest_first }, of(7, Some(ada)), Vec::new());
            loop {
                let mut tx = store.read().await.unwrap();
                let part = within(&mut tx, &query, order, Page::first(), 1).await.unwrap();
                seen.extend(references(&part));
                query.beyond = part.beyond;
                if query.beyond.is_none() {
                    break;
                }
            }
            if !newest_first {
                seen.reverse();
            }
            assert_eq!(seen, seven, "{newest_first}");
        }
        let mut tx = store.read().await.unwrap();
        let dearest = TransactionSort::Price { largest_first: true };
        let second = page(&mut tx, &of(7, Some(ada)), dearest, Page::new(2, 2)).await.unwrap();
        assert_eq!((references(&second), second.total), (vec!["-campaign:7".to_owned()], 3));
    }

    async fn a_time_is_found_among_entries_by_halving(store: Store) {
        let ada = make_user(&store, "ada", Role::User).await;
        assert_eq!(rows::place_at(&mut store.read().await.unwrap(), Time(5)).await.unwrap(), 1);
        for number in 1..=9 {
            credit(&store, ada, Currency::Naira, 1, &format!("bank-{number}"), number * 10).await;
        }
        let mut tx = store.read().await.unwrap();
        for (time, place) in [(0, 1), (10, 1), (11, 2), (55, 6), (90, 9), (91, 10)] {
            assert_eq!(rows::place_at(&mut tx, Time(time)).await.unwrap(), place, "{time}");
        }
    }
}
