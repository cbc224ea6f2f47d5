//! What the two databases would answer apart, were they not told: each question has one answer, on SQLite, on PostgreSQL
//! with the locale C, and on PostgreSQL with the locale of a language.
//!
//! What is asked of the schema is in `db/migrate/tests.rs`: tables that are STRICT, ids that are given once.

use super::{Lane, Store, Tx};
use crate::args;
use crate::model::account::user::Role;
use crate::model::contact::id::GroupId;
use crate::model::page::{Page, RecordScope};
use crate::store::account::user;
use crate::store::campaign::list;
use crate::store::contact::list::{self as contact_list, ContactScope, ContactSort, Slice};
use crate::store::db::listing::{Listing, like_pattern};
use crate::store::message::inbound;
use crate::store::platform::announcement;
use crate::store::sender::number;
use crate::store::stats::traffic;
use crate::testing::account::make_user;
use crate::testing::builder::{Spot, build};
use crate::testing::database::{for_each_database, in_a_locale};

/// In the order of bytes. A language would have `_x` first, and `adam` before `Eva`.
const NAMES: [&str; 6] = ["Eva", "Zoë", "_x", "adam", "Ézé", "éva"];

/// Asks a question of each database.
macro_rules! asked_of_each {
    ($($(#[$attribute:meta])* async fn $name:ident($store:ident: Store) $body:block)*) => {$(
        $(#[$attribute])*
        #[tokio::test]
        async fn $name() {
            for_each_database(|$store: Store| async move $body).await;
            in_a_locale(|$store: Store| async move $body).await;
        }
    )*};
}

/// Runs a statement with each of the names, in an order of their own.
async fn for_each_name(store: &Store, sql: &'static str, id: i64) {
    for place in [3, 0, 5, 2, 4, 1] {
        let write = store.write(Lane::Interactive, (NAMES[place], id, sql), |tx, (name, id, sql)| {
            Box::pin(async move { tx.run(*sql, args![*name, *id]).await })
        });
        write.await.unwrap();
    }
}

fn sorted(sort: &'static str, q: &str) -> Listing {
    Listing { status: "", q: q.to_owned(), sort, descending: false, page: Page::new(1, 100) }
}

async fn users(store: &Store, listing: &Listing) -> Vec<String> {
    let (rows, total) =
        user::page(&mut read(store).await, user::UserFilter::default(), listing).await.unwrap();
    assert_eq!(rows.len() as i64, total);
    rows.into_iter().map(|user| user.name).collect()
}

async fn read(store: &Store) -> Tx {
    store.read().await.unwrap()
}

asked_of_each! {
    async fn texts_are_sorted_by_their_bytes(store: Store) {
        let mut ids = Vec::new();
        for username in ["ada", "ben", "eve", "ife", "joy", "obi"] {
            ids.push(make_user(&store, username, Role::User).await);
        }
        for (id, place) in ids.iter().zip([3, 0, 5, 2, 4, 1]) {
            let write = store.write(Lane::Interactive, (NAMES[place], *id), |tx, (name, id)| {
                Box::pin(tx.run("UPDATE users SET name = $1 WHERE id = $2", args![*name, *id]))
            });
            write.await.unwrap();
        }
        assert_eq!(users(&store, &sorted("name", "")).await, NAMES);
        let down = Listing { descending: true, ..sorted("name", "") };
        assert_eq!(users(&store, &down).await, NAMES.iter().rev().copied().collect::<Vec<_>>());
    }

    async fn campaigns_are_sorted_by_the_bytes_of_their_senders(store: Store) {
        for place in [3, 0, 5, 2, 4, 1] {
            build(&store, "ada").sender(NAMES[place]).chunk(&[Spot::Tail]).store().await;
        }
        let selection =
            list::CampaignSelection { sort: "senderid", descending: false, ..list::CampaignSelection::all(RecordScope::All) };
        let mut tx = read(&store).await;
        let mut senders = Vec::new();
        for id in list::page(&mut tx, &selection, Page::new(1, 100)).await.unwrap() {
            let sql = "SELECT sender FROM campaigns WHERE id = $1";
            senders.push(tx.one::<(String,)>(sql, args![id]).await.unwrap().0);
        }
        assert_eq!(senders, NAMES);
        let found = list::CampaignSelection { q: "ADAM".into(), ..selection.clone() };
        assert_eq!(list::page(&mut tx, &found, Page::new(1, 100)).await.unwrap().len(), 1);
        let other = list::CampaignSelection { q: "ÉZÉ".into(), ..selection };
        assert_eq!(list::page(&mut tx, &other, Page::new(1, 100)).await.unwrap(), []);
    }

    async fn contacts_are_sorted_by_name_without_regard_to_the_case_of_ascii_letters(store: Store) {
        let ada = make_user(&store, "ada", Role::User).await;
        let group = store
            .write(Lane::Interactive, ada, |tx, ada| {
                let sql = "INSERT INTO contact_groups (user_id, name, name_key, description, columns, created_at, \
                           updated_at) VALUES ($1, 'a', 'a', '', '[]', 0, 0) RETURNING id";
                Box::pin(tx.one::<(i64,)>(sql, args![*ada]))
            })
            .await
            .unwrap();
        let sql = "INSERT INTO contacts (group_id, number, name, email, created_at, updated_at) \
                   SELECT $2, COUNT(*), $1, '', 0, 0 FROM contacts";
        for_each_name(&store, sql, group.0).await;
        let slice = Slice { offset: 0, limit: 100, descending: false };
        let rows = contact_list::short(&mut read(&store).await, ContactScope::Group(GroupId(group.0)), ContactSort::Name, slice).await;
        let names: Vec<String> = rows.unwrap().into_iter().map(|row| row.name).collect();
        assert_eq!(names, ["_x", "adam", "Eva", "Zoë", "Ézé", "éva"]);
    }

    async fn a_search_is_blind_to_the_case_of_ascii_letters_alone(store: Store) {
        let eva = make_user(&store, "eva", Role::User).await;
        let write = store.write(Lane::Interactive, eva, |tx, eva| {
            Box::pin(tx.run("UPDATE users SET name = 'Éva 50%' WHERE id = $1", args![*eva]))
        });
        write.await.unwrap();
        for (q, found) in [("Éva", 1), ("ÉVA", 1), ("éva", 0), ("VA 50%", 1), ("5_%", 0), ("EVA", 1), ("", 1)] {
            assert_eq!(users(&store, &sorted("id", q)).await.len(), found, "{q}");
        }
        let sql = "INSERT INTO announcements (text, is_active, created_at, updated_at) VALUES ($1, TRUE, $2, 0)";
        for_each_name(&store, sql, 0).await;
        for (q, found) in [("EVA", 1), ("Éz", 1), ("éz", 0), ("ZOË", 0), ("ZOë", 1)] {
            let pattern = like_pattern(&q.to_ascii_lowercase());
            let (_, total) = announcement::page(&mut read(&store).await, &pattern, 0, 9).await.unwrap();
            assert_eq!(total, found, "{q}");
        }
    }

    async fn a_message_is_found_by_its_sender_in_any_case(store: Store) {
        let sql = "INSERT INTO inbound_messages (carrier, sender, recipient, text, received_at) \
                   VALUES ('main', $1, '5', '', $2)";
        for_each_name(&store, sql, 7).await;
        for (q, found) in [("EVA", 1), ("eva", 1), ("ADAM", 1), ("Ézé", 1), ("ézé", 0), ("", 6)] {
            let pattern = like_pattern(&q.to_ascii_lowercase());
            let (rows, total) =
                inbound::page(&mut read(&store).await, RecordScope::All, &pattern, Page::new(1, 9)).await.unwrap();
            assert_eq!((rows.len() as i64, total), (found, found), "{q}");
        }
    }

    async fn what_is_missing_comes_before_what_is_there(store: Store) {
        let ada = make_user(&store, "ada", Role::User).await;
        for (number, status) in [("234", "approved"), ("", "pending"), ("1", "approved")] {
            let write = store.write(Lane::Interactive, (ada, number, status), |tx, (ada, number, status)| {
                let sql = "INSERT INTO virtual_numbers (user_id, virtual_num, status, created_at) \
                           VALUES ($1, NULLIF($2, ''), $3, 0)";
                Box::pin(tx.run(sql, args![*ada, *number, *status]))
            });
            write.await.unwrap();
        }
        let numbers = async |descending| {
            let listing = Listing { descending, ..sorted("virtual_num", "") };
            let (rows, _) = number::virtual_page(&mut read(&store).await, None, &listing).await.unwrap();
            rows.into_iter().map(|row| row.virtual_num.unwrap_or_default()).collect::<Vec<_>>()
        };
        assert_eq!(numbers(false).await, ["", "1", "234"]);
        assert_eq!(numbers(true).await, ["234", "1", ""]);
    }

    async fn sums_of_traffic_are_in_the_order_of_bytes_those_without_a_price_first(store: Store) {
        let sql = "INSERT INTO carrier_traffic (chunk_id, day, network, carrier, currency, messages, segments, \
                     revenue_micros, segment_cost_micros, cost_currency) \
                   SELECT COUNT(*), '2026-11-24', $1, 'main', 'naira', 1, 1, 1, 1, NULLIF('naira', CAST($2 AS TEXT)) \
                   FROM carrier_traffic";
        for_each_name(&store, sql, 0).await;
        let priceless = store.write(Lane::Interactive, (), |tx, ()| {
            let sql = "INSERT INTO carrier_traffic (chunk_id, day, network, carrier, currency, messages, segments, \
                         revenue_micros) VALUES (99, '2026-11-24', 'Eva', 'main', 'naira', 1, 1, 1)";
            Box::pin(tx.run(sql, args![]))
        });
        priceless.await.unwrap();
        let wanted = traffic::TrafficSelection { from: "2026-11-01".into(), to: "2026-11-30".into(), ..traffic::TrafficSelection::default() };
        let sums = traffic::sums(&mut read(&store).await, &wanted, 0, 99).await.unwrap();
        let sums: Vec<(&str, bool)> =
            sums.iter().map(|sum| (sum.network.as_str(), sum.cost_currency.is_some())).collect();
        let mut expected = vec![("Eva", false)];
        expected.extend(NAMES.map(|name| (name, true)));
        assert_eq!(sums, expected);
    }
}
