//! Counters, pages and plans of contacts, on both databases.

use super::*;
use crate::both_databases;
use crate::model::account::id::UserId;
use crate::model::account::user::Role;
use crate::store::contact::group;
use crate::store::contact::list::{self, ContactScope, Slice};
use crate::store::{Dialect, Lane, Store};
use crate::testing::account::make_user;

const NOW: Time = Time(1_700_000_000_000);

fn batch(from: i64, count: i64) -> ContactBatch {
    let numbers: Vec<i64> = (from..from + count).collect();
    let names = numbers.iter().map(|number| Some(format!("name {number}"))).collect();
    let (emails, fields) = (vec![None; numbers.len()], vec![None; numbers.len()]);
    ContactBatch::of(numbers, names, emails, fields)
}

#[test]
fn new_ids_are_counted_by_their_buckets() {
    let counted = |last, added| buckets_behind(ContactId(last), added).into_iter().collect::<Vec<_>>();
    assert_eq!(counted(0, 0), []);
    assert_eq!(counted(0, 4_095), [(0, 4_095)]);
    assert_eq!(counted(4_094, 2), [(0, 1), (1, 1)]);
    assert_eq!(counted(4_095, 8_193), [(1, 4_096), (2, 4_096), (3, 1)]);
}

async fn group(store: &Store, user: UserId, name: &'static str) -> GroupId {
    store
        .write(Lane::Interactive, (user, name), |tx, (user, name)| {
            Box::pin(group::insert(tx, *user, name, name, "", NOW))
        })
        .await
        .unwrap()
        .unwrap()
}

async fn put(store: &Store, group: GroupId, batch: ContactBatch) -> Merged {
    store
        .write(Lane::Interactive, (group, batch), |tx, (group, batch)| {
            Box::pin(merge(tx, *group, batch, NOW))
        })
        .await
        .unwrap()
}

async fn drop_one(store: &Store, group: GroupId, id: ContactId) -> bool {
    store
        .write(Lane::Interactive, (group, id), |tx, (group, id)| Box::pin(delete(tx, *group, *id)))
        .await
        .unwrap()
}

/// Counters say what the rows say.
async fn assert_counted(tx: &mut Tx) {
    let wrong: (i64,) = tx
        .one(
            "SELECT COUNT(*) FROM contact_groups g WHERE g.contacts_count <> \
             (SELECT COUNT(*) FROM contacts c WHERE c.group_id = g.id) OR g.contacts_count <> \
             (SELECT COALESCE(SUM(b.contacts), 0) FROM contact_buckets b WHERE b.group_id = g.id)",
            args![],
        )
        .await
        .unwrap();
    assert_eq!(wrong.0, 0, "counters and rows disagree");
}

both_databases! {
    async fn a_batch_adds_what_is_new_and_brings_the_rest_up_to_date(store: Store) {
        let user = make_user(&store, "ada", Role::User).await;
        let group = group(&store, user, "all").await;
        assert_eq!(put(&store, group, batch(1_000_000, 10)).await, Merged { added: 10, ..Merged::default() });
        assert_eq!(put(&store, group, batch(1_000_000, 10)).await, Merged { unchanged: 10, ..Merged::default() });
        let changed = ContactBatch::of(
            vec![1_000_001, 1_000_002, 2_000_000],
            vec![Some("Ada".into()), None, None],
            vec![None, Some("b@example.com".into()), None],
            vec![None, Some(r#"{"city":"Lagos"}"#.into()), Some(r#"{"city":"Jos"}"#.into())],
        );
        let merged = put(&store, group, changed.clone()).await;
        assert_eq!(merged, Merged { added: 1, updated: 2, unchanged: 0 });
        assert_eq!(put(&store, group, changed).await, Merged { unchanged: 3, ..Merged::default() });
        let more = ContactBatch::of(
            vec![1_000_002],
            vec![None],
            vec![None],
            vec![Some(r#"{"amount":"5"}"#.into())],
        );
        assert_eq!(put(&store, group, more).await.updated, 1);
        let mut tx = store.read().await.unwrap();
        let rows = after_number(&mut tx, group, 1_000_000, 2).await.unwrap();
        assert_eq!((rows[0].name.as_str(), rows[0].email.as_str()), ("Ada", ""));
        assert_eq!((rows[1].name.as_str(), rows[1].email.as_str()), ("name 1000002", "b@example.com"));
        let fields: serde_json::Value = serde_json::from_str(rows[1].fields.as_ref().unwrap()).unwrap();
        assert_eq!(fields, serde_json::json!({"city": "Lagos", "amount": "5"}), "what a file lacks stays");
        assert_counted(&mut tx).await;
    }

    async fn any_page_of_a_long_list_is_the_one_that_sorting_would_give(store: Store) {
        let user = make_user(&store, "ada", Role::User).await;
        let (first, second) = (group(&store, user, "a").await, group(&store, user, "b").await);
        for turn in 0..3 {
            put(&store, first, batch(1_000_000 + turn * 3_000, 3_000)).await;
            put(&store, second, batch(1_000_000 + turn * 1_000, 1_000)).await;
        }
        let mut tx = store.read().await.unwrap();
        for row in after_number(&mut tx, first, 1_001_000, 40).await.unwrap() {
            assert!(drop_one(&store, first, row.id).await);
        }
        assert_counted(&mut tx).await;
        for (whose, total) in [(ContactScope::Group(first), 8_960), (ContactScope::User(user), 11_960)] {
            for descending in [false, true] {
                for offset in [0, 5, 4_090, total - 30, total] {
                    let slice = Slice { offset, limit: 50, descending };
                    let long = list::long(&mut tx, whose, slice).await.unwrap();
                    let short = list::short(&mut tx, whose, list::ContactSort::Added, slice);
                    assert_eq!(long, short.await.unwrap(), "{whose:?} {slice:?}");
                    assert_eq!(long.len() as i64, (total - offset).clamp(0, 50));
                }
            }
        }
    }

    async fn a_deleted_group_is_gone_at_once_and_its_contacts_follow(store: Store) {
        let user = make_user(&store, "ada", Role::User).await;
        let id = group(&store, user, "all").await;
        put(&store, id, batch(1_000_000, 5)).await;
        let gone = store.write(Lane::Interactive, (user, id), |tx, (user, id)| {
            Box::pin(group::delete(tx, *user, *id, NOW))
        });
        assert!(gone.await.unwrap());
        let mut tx = store.read().await.unwrap();
        let all = Slice { offset: 0, limit: 10, descending: true };
        assert_eq!(list::long(&mut tx, ContactScope::User(user), all).await.unwrap(), []);
        group(&store, user, "all").await;
        let mut rounds = 0;
        while store.write(Lane::Background, (), |tx, ()| Box::pin(group::purge(tx, 2))).await.unwrap() {
            rounds += 1;
        }
        assert_eq!(rounds, 3);
        let left: (i64, i64) = tx
            .one("SELECT (SELECT COUNT(*) FROM contacts), (SELECT COUNT(*) FROM contact_groups)", args![])
            .await
            .unwrap();
        assert_eq!(left, (0, 1));
    }

    async fn a_search_looks_at_the_contacts_of_its_owner_only(store: Store) {
        let plans = list::search_plans(&mut store.read().await.unwrap()).await.unwrap();
        if store.dialect() == Dialect::Sqlite {
            for plan in &plans {
                assert!(plan.iter().any(|line| line.starts_with("SEARCH c USING") && line.contains("contacts_number (group_id=?")), "{plan:?}");
                assert!(!plan.iter().any(|line| line.starts_with("SCAN")), "{plan:?}");
            }
            assert!(plans[..2].iter().flatten().filter(|line| line.contains("(group_id=? AND number=?)")).count() == 2, "{plans:?}");
        }
    }

    async fn batches_and_pages_search_and_never_scan(store: Store) {
        let mut tx = store.read().await.unwrap();
        let mut plans = list::plans(&mut tx).await.unwrap();
        let rows = || batch(1_000_000, 2).rows_of(GroupId(1));
        plans.push(tx.explain(UPDATE, args![NOW, rows()]).await.unwrap());
        plans.push(tx.explain(AFTER_NUMBER, args![1_i64, 0_i64, 1_i64]).await.unwrap());
        plans.push(tx.explain(NUMBERS_AFTER, args![1_i64, 0_i64, 1_i64]).await.unwrap());
        plans.push(tx.explain(GROUPS_OF, args![1_i64, 100_i64, vec![Column::Ints(vec![1, 2])]]).await.unwrap());
        let numbers = vec![Column::Ints(vec![1, 2]); 2];
        plans.push(tx.explain(crate::store::contact::suppression::AMONG, args![1_i64, numbers]).await.unwrap());
        let wider = args![1_i64, "stop", vec![Column::Ints(vec![1, 2])]];
        plans.push(tx.explain(crate::store::contact::suppression::WIDEN, wider).await.unwrap());
        let typed = args![1_i64, "manual", "stop", "all", vec![Column::Ints(vec![1, 2]), Column::Texts(vec![None, None])]];
        plans.push(tx.explain(crate::store::contact::suppression::TAKE_OVER, typed).await.unwrap());
        let asked = args![vec![Column::Ints(vec![1]); 3]];
        plans.push(tx.explain(crate::store::contact::suppression::OF_USERS, asked).await.unwrap());
        let after = crate::store::contact::suppression::ADDED_AFTER;
        plans.push(tx.explain(after, args![1_i64, 0_i64, 1_i64]).await.unwrap());
        if store.dialect() == Dialect::Sqlite {
            // A batch that walked the whole group for each of its rows would show `(group_id=?)` alone.
            assert!(plans[4].iter().any(|line| line.contains("(group_id=? AND number=?)")), "{:?}", plans[4]);
            for plan in plans {
                let scans: Vec<&String> = plan
                    .iter()
                    .filter(|line| line.starts_with("SCAN") && !line.contains("VIRTUAL TABLE") && !line.contains("SCAN j"))
                    .collect();
                assert!(scans.is_empty(), "{plan:?}");
                assert!(!plan.iter().any(|line| line.contains("TEMP B-TREE FOR ORDER BY")) || plan.iter().any(|line| line.contains("VIRTUAL TABLE")), "{plan:?}");
            }
        }
    }
}
