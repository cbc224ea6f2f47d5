//! The plans of the batch statements: a search of the primary key a row, never a scan.

use super::*;
use crate::both_databases;
use crate::store::Dialect;
use crate::store::Store;

fn ints(count: usize) -> Vec<Column> {
    (0..count).map(|_| Column::Ints(vec![1])).collect()
}

/// Fails when a statement reads `table` other than by its key. PostgreSQL's planner prefers a scan of an empty table,
/// so there sequential scans are switched off, and what remains must be an index.
async fn assert_searched(store: &Store, sql: Sql, args: Vec<crate::store::Arg>, table: &str) {
    let mut tx = store.read().await.unwrap();
    if store.dialect() == Dialect::Postgres {
        tx.run("SET enable_seqscan = off", args![]).await.unwrap();
        tx.run("SET enable_hashjoin = off", args![]).await.unwrap();
        tx.run("SET enable_mergejoin = off", args![]).await.unwrap();
    }
    let plan = tx.explain(sql, args).await.unwrap().join("\n");
    match store.dialect() {
        Dialect::Sqlite => {
            assert!(plan.contains(&format!("SEARCH {table} USING INTEGER PRIMARY KEY")), "{plan}");
            assert!(!plan.contains(&format!("SCAN {table}")), "{plan}");
        }
        Dialect::Postgres => {
            assert!(plan.contains(&format!("Index Scan using {table}_pkey")), "{plan}");
            assert!(!plan.contains(&format!("Seq Scan on {table}")), "{plan}");
        }
    }
    if store.dialect() == Dialect::Postgres {
        tx.run("RESET ALL", args![]).await.unwrap();
    }
}

both_databases! {
    async fn batches_of_chunks_are_updated_by_key(store: Store) {
        assert_searched(&store, UPDATE_CHUNKS, args![Time(1), ints(12)], "campaign_chunks").await;
    }

    async fn balances_move_by_key(store: Store) {
        assert_searched(&store, MOVE_BALANCES, args![Time(1), ints(2)], "accounts").await;
    }

    async fn campaigns_complete_by_key(store: Store) {
        assert_searched(&store, COMPLETE_CAMPAIGNS, args![Time(1), ints(2)], "campaigns").await;
    }
}
