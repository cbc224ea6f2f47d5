//! A database that goes back in time: its whole content is copied, and restored later while the database is in use, as
//! after a restore or a failover to a server that lags.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

use crate::error::Result;
use crate::store::{Dialect, Lane, Store, Tx};

/// Tables that are empty are not copied.
const COPY: &str = "DO $$ DECLARE t TEXT; filled BOOLEAN; BEGIN \
     CREATE TABLE past_sequences AS SELECT sequencename::TEXT AS name, last_value FROM pg_sequences \
       WHERE schemaname = current_schema(); \
     FOR t IN SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace \
       AND relkind IN ('r', 'p') AND NOT relispartition AND left(relname, 5) <> 'past_' LOOP \
       EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I)', t) INTO filled; \
       IF filled THEN EXECUTE format('CREATE TABLE %I AS TABLE %I', 'past_' || t, t); END IF; \
     END LOOP; END $$";

/// Neither triggers nor foreign keys see it.
const PUT_BACK: &str = "DO $$ DECLARE t TEXT; BEGIN \
     PERFORM set_config('session_replication_role', 'replica', TRUE); \
     FOR t IN SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace \
       AND relkind IN ('r', 'p') AND NOT relispartition AND left(relname, 5) <> 'past_' LOOP \
       EXECUTE format('DELETE FROM %I', t); \
       IF to_regclass(quote_ident('past_' || t)) IS NOT NULL THEN \
         EXECUTE format('INSERT INTO %I TABLE %I', t, 'past_' || t); \
         EXECUTE format('DROP TABLE %I', 'past_' || t); \
       END IF; \
     END LOOP; \
     PERFORM setval(quote_ident(name)::regclass, COALESCE(last_value, 1), last_value IS NOT NULL) \
       FROM past_sequences; \
     DROP TABLE past_sequences; END $$";

/// The same text is kept once, as statements are `'static` everywhere else.
fn kept(sql: String) -> &'static str {
    static KEPT: Mutex<BTreeMap<String, &'static str>> = Mutex::new(BTreeMap::new());
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    kept.entry(sql).or_insert_with_key(|sql| Box::leak(sql.clone().into_boxed_str()))
}

/// A moment to go back to: a copy of the whole content, beside it. There is one at a time.
#[derive(Debug)]
pub struct Moment(Store);

impl Moment {
    /// The present one.
    ///
    /// # Panics
    /// When the database refuses.
    pub async fn now(store: &Store) -> Self {
        copy(store).await;
        Self(store.clone())
    }

    /// Goes back to it, and forgets the copy.
    ///
    /// # Panics
    /// When the database refuses.
    pub async fn restore(self) {
        put_back(&self.0).await;
    }
}

async fn copy(store: &Store) {
    store
        .write(Lane::Interactive, (), |tx, ()| {
            Box::pin(async move {
                match tx.dialect() {
                    Dialect::Sqlite => copy_sqlite(tx).await,
                    Dialect::Postgres => tx.run(COPY, vec![]).await.map(|_| ()),
                }
            })
        })
        .await
        .expect("a copy");
}

async fn put_back(store: &Store) {
    store
        .write(Lane::Interactive, (), |tx, ()| {
            Box::pin(async move {
                match tx.dialect() {
                    Dialect::Sqlite => put_back_sqlite(tx).await,
                    Dialect::Postgres => tx.run(PUT_BACK, vec![]).await.map(|_| ()),
                }
            })
        })
        .await
        .expect("the copy back");
}

/// The tables with their copies' names, and whether they have rows.
async fn tables(tx: &mut Tx) -> Result<Vec<(String, bool)>> {
    let names: Vec<(String,)> = tx
        .all(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'past~_%' ESCAPE '~' \
               AND (name NOT LIKE 'sqlite~_%' ESCAPE '~' OR name = 'sqlite_sequence') ORDER BY name",
            vec![],
        )
        .await?;
    let mut sql = String::new();
    for (name,) in &names {
        let union = if sql.is_empty() { "" } else { " UNION ALL " };
        let _ = write!(sql, "{union}SELECT '{name}', EXISTS (SELECT 1 FROM \"{name}\")");
    }
    tx.all(kept(sql), vec![]).await
}

async fn copy_sqlite(tx: &mut Tx) -> Result<()> {
    for (table, _) in tables(tx).await?.iter().filter(|(_, filled)| *filled) {
        tx.run(kept(format!("CREATE TABLE past_{table} AS SELECT * FROM \"{table}\"")), vec![]).await?;
    }
    Ok(())
}

async fn put_back_sqlite(tx: &mut Tx) -> Result<()> {
    tx.run("PRAGMA defer_foreign_keys = ON", vec![]).await?;
    let triggers: Vec<(String, String)> =
        tx.all("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'", vec![]).await?;
    for (name, _) in &triggers {
        tx.run(kept(format!("DROP TRIGGER \"{name}\"")), vec![]).await?;
    }
    let tables = tables(tx).await?;
    for (table, _) in tables.iter().filter(|(_, filled)| *filled) {
        tx.run(kept(format!("DELETE FROM \"{table}\"")), vec![]).await?;
    }
    for (table, _) in &tables {
        let copied: Option<(String,)> = tx
            .opt(kept(format!("SELECT name FROM sqlite_master WHERE name = 'past_{table}'")), vec![])
            .await?;
        if copied.is_some() {
            tx.run(kept(format!("INSERT INTO \"{table}\" SELECT * FROM past_{table}")), vec![]).await?;
            tx.run(kept(format!("DROP TABLE past_{table}")), vec![]).await?;
        }
    }
    for (_, sql) in triggers {
        tx.run(kept(sql), vec![]).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Moment;
    use crate::both_databases;
    use crate::ledger::verify::verify;
    use crate::testing::builder::{Spot, build};

    both_databases! {
        async fn what_was_done_since_the_copy_is_undone_and_ids_are_given_again(store: Store) {
            let before = build(&store, "ada").chunk(&[Spot::Tail]).store().await;
            let moment = Moment::now(&store).await;
            let lost = build(&store, "ada").chunk(&[Spot::Tail, Spot::InFlight]).store().await;
            moment.restore().await;
            let again = build(&store, "ada").chunk(&[Spot::Tail]).store().await;
            assert!(lost.campaign > before.campaign);
            assert_eq!((again.campaign, &again.chunks), (lost.campaign, &lost.chunks));
            let findings = verify(&mut store.read().await.unwrap()).await.unwrap();
            assert_eq!(findings.0, Vec::<String>::new());
        }
    }
}
