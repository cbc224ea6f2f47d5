//! Statements of the list walk indexes.

use super::*;
use crate::both_databases;
use crate::model::campaign::id::CampaignId;
use crate::store::{Dialect, Store};

/// Fails when a statement sorts or scans the ledger.
async fn assert_walks(store: &Store, sql: &'static str, it: &TransactionSelection, indexes: &[&str]) {
    let mut tx = store.read().await.unwrap();
    if store.dialect() == Dialect::Postgres {
        // Its planner sorts and scans tables that are empty: what remains must be a walk of an index.
        for sql in [
            "SET enable_seqscan = off",
            "SET enable_bitmapscan = off",
            "SET enable_hashjoin = off",
            "SET enable_mergejoin = off",
            "SET enable_sort = off",
        ] {
            tx.run(sql, args![]).await.unwrap();
        }
    }
    let mut given = arguments(it);
    given.extend(args![20_i64, 0_i64, 20_i64]);
    let plan = tx.explain(sql, given).await.unwrap().join("\n");
    for index in indexes {
        assert!(plan.contains(index), "{index}:\n{plan}");
    }
    match store.dialect() {
        Dialect::Sqlite => {
            assert!(!plan.contains("SCAN t") && !plan.contains("SCAN p"), "{plan}");
        }
        Dialect::Postgres => {
            assert!(!plan.contains("Seq Scan"), "{plan}");
            tx.run("RESET ALL", args![]).await.unwrap();
        }
    }
}

both_databases! {
    async fn lists_walk_indexes_and_scan_nothing(store: Store) {
        let mut it = TransactionSelection {
            whose: TransactionScope::User { id: UserId(1), wallets: (AccountId(5), AccountId(6)) },
            places: PageRange::new(1, 9),
            kind: None,
            status: None,
            currency: None,
            since: Time(0),
            until: Time(9),
            pattern: String::new(),
        };
        let newest = TransactionSort::Time { newest_first: true };
        // PostgreSQL takes either index of an empty table.
        let payments = match store.dialect() {
            Dialect::Sqlite => "payments_unsettled_user",
            Dialect::Postgres => "payments_unsettled",
        };
        let own_indexes = ["transfers_debit", "transfers_credit", payments];
        assert_walks(&store, own(newest), &it, &own_indexes).await;
        it.whose = TransactionScope::All;
        let key = match store.dialect() {
            Dialect::Sqlite => "SEARCH t USING INTEGER PRIMARY KEY",
            Dialect::Postgres => "transfers_pkey",
        };
        assert_walks(&store, all(newest), &it, &[key, "payments_unsettled"]).await;
        it.kind = Some(Code::Payment);
        assert_walks(&store, all_of_kind(newest), &it, &["transfers_kind", "payments_unsettled"]).await;
        it.whose = TransactionScope::Campaign { id: CampaignId(7), user: Some(UserId(1)) };
        assert_walks(&store, campaign(newest), &it, &["transfers_campaign"]).await;
        assert_walks(&store, campaign(TransactionSort::Price { largest_first: true }), &it, &["transfers_campaign"]).await;
    }
}
