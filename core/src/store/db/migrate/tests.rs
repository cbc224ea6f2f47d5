//! What a migration of PostgreSQL may do to tables that are large and in use.

use super::*;
use crate::store::{Lane, StoreOptions};
use crate::testing::database::{POSTGRES_VARIABLE, PostgresDatabase};

/// Tables with as many rows as messages, recipients or campaigns.
const LARGE: &[&str] = &[
    "accounts",
    "audience_chunks",
    "audiences",
    "campaign_chunks",
    "campaigns",
    "carrier_traffic",
    "chunk_tallies",
    "contacts",
    "idempotency",
    "message_parts",
    "message_resends",
    "messages",
    "number_index",
    "number_postings",
    "packed_messages",
    "quotes",
    "reference_index",
    "suppressions",
    "transfers",
];
/// Migrations up to this one are as they are.
const BEFORE_THE_RULES: i64 = 33;
/// Statements that are allowed all the same, each with the reason.
const ALLOWED: &[(&str, &str)] = &[(
    "UPDATE campaign_chunks SET refunded_micros = ",
    "the chunks of refunds alone, which are few and found by the index of transfers by kind",
)];

/// Columns that every batch of messages changes, by table. PostgreSQL changes such a row in place (a heap-only tuple) only
/// where no index names one of them, in its key or in its condition.
const HOT: &[(&str, &[&str])] = &[
    ("accounts", &["balance_micros"]),
    (
        "campaign_chunks",
        &[
            "answered",
            "answered_at",
            "captured_micros",
            "counted",
            "cursor",
            "delivered",
            "released_micros",
            "sequence",
            "submitted",
        ],
    ),
    ("campaigns", &["chunks_open"]),
];

/// Why a migration may not run beside the daemons, by statement.
fn refusals(sql: &str) -> Vec<String> {
    let statements = statements(sql);
    let adds = statements.iter().any(|it| it.to_uppercase().contains(" NOT VALID"));
    let refused = statements.iter().filter_map(|it| {
        let why = if adds && it.to_uppercase().contains("VALIDATE CONSTRAINT") {
            Some("verifies under the lock of the statement that added the constraint: use a migration of its own")
        } else {
            refusal(it)
        };
        why.filter(|_| !ALLOWED.iter().any(|(allowed, _)| it.starts_with(allowed))).map(|why| format!("{why}: {it}"))
    });
    refused.collect()
}

fn refusal(statement: &str) -> Option<&'static str> {
    let upper = statement.to_uppercase();
    let is_large =
        |name: &str| LARGE.contains(&name.trim_matches(|sign: char| !sign.is_alphanumeric() && sign != '_'));
    let words: Vec<&str> = statement.split_whitespace().collect();
    let table = |after: &str| {
        let at = words.iter().position(|word| word.eq_ignore_ascii_case(after))?;
        words[at + 1..]
            .iter()
            .find(|word| !["ONLY", "IF", "EXISTS", "FROM"].contains(&word.to_uppercase().as_str()))
    };
    if ["VACUUM FULL", "CLUSTER ", "LOCK TABLE", "TRUNCATE ", "REINDEX "]
        .iter()
        .any(|it| upper.starts_with(it))
    {
        return Some("locks a table for as long as it is read");
    }
    if upper.contains("CONCURRENTLY") {
        return Some(
            "cannot run in a transaction: say CREATE INDEX IF NOT EXISTS, which is built beside the writes",
        );
    }
    if upper.starts_with("DROP TABLE") {
        return Some("takes away what daemons of before use");
    }
    if upper.starts_with("CREATE INDEX") || upper.starts_with("CREATE UNIQUE INDEX") {
        let large = table("ON").is_some_and(|it| is_large(it));
        return (large && !is_index_built_beside(statement))
            .then_some("builds an index of a large table while writes wait: say IF NOT EXISTS");
    }
    if upper.starts_with("UPDATE ") || upper.starts_with("DELETE ") {
        let large = table(words[0]).is_some_and(|it| is_large(it));
        return large.then_some("writes a large table in one transaction: fill it in steps, in the daemon");
    }
    if !upper.starts_with("ALTER TABLE") {
        return None;
    }
    if upper.contains(" DROP COLUMN ") || upper.contains(" RENAME ") {
        return Some("takes away what daemons of before use");
    }
    if !table("TABLE").is_some_and(|it| is_large(it)) {
        return None;
    }
    if upper.contains(" TYPE ")
        || upper.contains(" STORED")
        || upper.contains(" SET LOGGED")
        || upper.contains(" IDENTITY")
    {
        return Some("rewrites a large table under its lock");
    }
    // A default that is computed is computed for each row.
    let computed =
        upper.split(" DEFAULT ").skip(1).any(|it| it.split([',']).next().unwrap_or("").contains('('));
    if upper.contains(" ADD COLUMN ") && computed {
        return Some("rewrites a large table under its lock");
    }
    if upper.contains(" SET NOT NULL") || upper.contains(" ADD PRIMARY KEY") || upper.contains(" ADD UNIQUE")
    {
        return Some(
            "reads a large table under its lock: add a constraint that is NOT VALID, or a key USING INDEX",
        );
    }
    // Each constraint that is added says NOT VALID, so that no row is read under the lock.
    let added = upper.matches(" ADD CONSTRAINT ").count()
        + upper.matches(" ADD CHECK ").count()
        + upper.matches(" ADD FOREIGN KEY ").count()
        + upper.matches(" REFERENCES ").count()
        - upper.matches(" FOREIGN KEY ").count();
    let unread = upper.matches(" NOT VALID").count() + upper.matches(" USING INDEX ").count();
    (added > unread).then_some(
        "reads a large table under its lock: add it NOT VALID, and verify it in the next migration",
    )
}

#[test]
fn no_new_migration_writes_a_large_table_or_locks_one_for_long() {
    let new = POSTGRES.iter().filter(|it| it.version > BEFORE_THE_RULES);
    let refused: Vec<String> = new
        .flat_map(|it| {
            refusals(it.sql.as_str())
                .into_iter()
                .map(|why| format!("{} {}: {why}", it.version, it.description))
        })
        .collect();
    assert_eq!(refused, Vec::<String>::new());
}

/// Tables of SQLite up to this migration take values of any type. To make them strict each would be rewritten, the
/// largest ones as well; what the tests store is compared with what is declared instead (`testing::database::misfits`).
const BEFORE_STRICT: i64 = 51;

fn is_lax(statement: &str) -> bool {
    let options = statement.rsplit_once(')').map_or("", |(_, options)| options).to_uppercase();
    statement.to_uppercase().starts_with("CREATE TABLE")
        && !options.split(',').any(|option| option.trim() == "STRICT")
}

#[test]
fn new_tables_of_sqlite_are_strict() {
    assert!(is_lax("CREATE TABLE a (strict INTEGER PRIMARY KEY)"));
    assert!(is_lax("CREATE TABLE a (id INTEGER PRIMARY KEY) WITHOUT ROWID"));
    assert!(!is_lax("CREATE TABLE a (id INTEGER PRIMARY KEY) WITHOUT ROWID, STRICT"));
    assert!(!is_lax("CREATE INDEX b ON a (id)"));
    let new = SQLITE.iter().filter(|it| it.version > BEFORE_STRICT);
    let lax: Vec<String> = new.flat_map(|it| statements(it.sql.as_str())).filter(|it| is_lax(it)).collect();
    assert_eq!(lax, Vec::<String>::new());
}

/// Tables whose ids PostgreSQL gives out and SQLite may give again after the newest row is deleted: why none is taken
/// row for another.
const GIVEN_AGAIN: &[(&str, &str)] = &[
    ("accounts", "never deleted"),
    ("audience_chunks", "deleted with their audience"),
    (
        "audiences",
        "those without a quote are in nobody's hand; the others are deleted with quotes that are not the newest",
    ),
    ("audit", "never deleted"),
    ("campaign_chunks", "never deleted"),
    ("campaigns", "never deleted"),
    ("carrier_orders", "the last reload is not deleted, nor what comes after it"),
    ("code_sends", "counted, never named"),
    ("daemons", "never deleted"),
    ("inbound_parts", "named only until their message is joined, deleted long after"),
    ("payment_events", "never deleted"),
    ("payments", "never deleted"),
    ("quotes", "the newest is not deleted"),
    ("transfers", "never deleted"),
    ("users", "never deleted"),
    ("voice_campaigns", "never deleted"),
];

#[tokio::test]
async fn ids_that_postgresql_gives_once_sqlite_gives_once() {
    let dir = tempfile::tempdir().unwrap();
    let store = crate::testing::database::sqlite(dir.path()).await;
    let mut tx = store.read().await.unwrap();
    let sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'";
    let once: Vec<(String,)> = tx.all(sql, args![]).await.unwrap();
    let numbered = POSTGRES.iter().flat_map(|it| statements(it.sql.as_str())).filter_map(|it| {
        let table = it.strip_prefix("CREATE TABLE ")?.split_once(' ')?.0.to_owned();
        it.contains(" AS IDENTITY").then_some(table)
    });
    let mut again: Vec<String> = numbered.filter(|table| !once.iter().any(|(it,)| it == table)).collect();
    again.sort();
    assert_eq!(again, GIVEN_AGAIN.iter().map(|(table, _)| *table).collect::<Vec<_>>());
}

#[test]
fn what_rewrites_or_locks_is_refused() {
    for refused in [
        include_str!("../../../../../migrations/postgres/0024_message_rows.sql"),
        "ALTER TABLE messages ALTER COLUMN money TYPE SMALLINT",
        "ALTER TABLE messages ADD COLUMN made_at BIGINT NOT NULL DEFAULT (extract(epoch from clock_timestamp()))",
        "ALTER TABLE transfers ADD CONSTRAINT positive CHECK (amount_micros > 0)",
        "ALTER TABLE campaigns ADD COLUMN owner BIGINT REFERENCES users (id)",
        "ALTER TABLE campaigns ALTER COLUMN held SET NOT NULL",
        "ALTER TABLE campaigns DROP COLUMN held",
        "ALTER TABLE messages ADD CONSTRAINT a CHECK (status > 0) NOT VALID; ALTER TABLE messages VALIDATE CONSTRAINT a",
        "CREATE INDEX messages_status ON messages (status)",
        "CREATE INDEX CONCURRENTLY messages_status ON messages (status)",
        "-- a note; with a sign\nUPDATE messages SET error = NULL",
        "DELETE FROM transfers WHERE id < 5",
        "VACUUM FULL messages",
    ] {
        assert!(!refusals(refused).is_empty(), "{refused}");
    }
    for allowed in [
        "ALTER TABLE messages ADD COLUMN note TEXT",
        "ALTER TABLE campaign_chunks ADD COLUMN refunded_micros BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE messages ADD CONSTRAINT a CHECK (status > 0) NOT VALID",
        "ALTER TABLE messages VALIDATE CONSTRAINT a",
        "CREATE INDEX IF NOT EXISTS messages_status ON messages (status)",
        "CREATE INDEX senders ON sender_ids (name); UPDATE settings SET value = '' WHERE key = 'a'",
        "CREATE TABLE messages_seen (id BIGINT PRIMARY KEY)",
    ] {
        assert_eq!(refusals(allowed), Vec::<String>::new(), "{allowed}");
    }
}

/// Takes the schema back to the one before the constraints, as far as the indexes go.
async fn go_back(store: &Store) {
    let write = store.write(Lane::Interactive, (), |tx, ()| {
        Box::pin(async move {
            for statement in [
                "ALTER TABLE transfers DROP CONSTRAINT transfers_debit, DROP CONSTRAINT transfers_credit, \
                   ADD CONSTRAINT transfers_debit_account_id_fkey FOREIGN KEY (debit_account_id) REFERENCES accounts (id), \
                   ADD CONSTRAINT transfers_credit_account_id_fkey FOREIGN KEY (credit_account_id) REFERENCES accounts (id)",
                "ALTER TABLE accounts DROP CONSTRAINT accounts_owner",
                "ALTER TABLE campaigns DROP CONSTRAINT campaigns_chunks_open",
                "ALTER TABLE messages DROP CONSTRAINT messages_state",
                "ALTER TABLE campaign_chunks DROP CONSTRAINT campaign_chunks_places, \
                   DROP CONSTRAINT campaign_chunks_outcomes, DROP CONSTRAINT campaign_chunks_done",
                "DROP INDEX accounts_currency",
                "DROP INDEX campaign_chunks_once",
                "CREATE INDEX campaign_chunks_audience ON campaign_chunks (audience_chunk_id, id)",
                "DROP COLLATION \"binary\"",
                "DROP TABLE installation",
                "ALTER TABLE code_sends DROP COLUMN budget, DROP COLUMN subnet_56, DROP COLUMN subnet_48",
                "ALTER TABLE notices DROP COLUMN spares",
                "DROP INDEX notices_share",
                "DROP INDEX notices_subject",
                "DROP INDEX quotes_unconfirmed",
                "ALTER TABLE contact_imports DROP COLUMN kept_bytes, DROP COLUMN kept_rejects, DROP COLUMN resumes, \
                   DROP COLUMN file_name, DROP COLUMN kept_numbers",
                "ALTER TABLE chat_logins DROP COLUMN session_hash",
                "DROP TABLE calls",
                "DROP TABLE poll_answers",
                "DROP INDEX retries_moved",
                "DROP INDEX retries_halves",
                "ALTER TABLE retries DROP COLUMN attempts, DROP COLUMN tried, DROP COLUMN caller",
                "ALTER TABLE lent_retries DROP COLUMN carrier",
                "DROP TABLE voice_test_calls",
                "ALTER TABLE carrier_states DROP COLUMN hang_up_at",
                "DROP TABLE own_number_calls",
                "DROP TABLE voice_recording_pieces",
                "DROP INDEX voice_recordings_content",
                "DROP INDEX voice_recordings_purge",
                "ALTER TABLE voice_recordings ALTER COLUMN audio_url DROP DEFAULT, DROP COLUMN name, DROP COLUMN sha256, \
                   DROP COLUMN length_ms, DROP COLUMN loudness_dbfs, DROP COLUMN bytes, DROP COLUMN used_at, \
                   DROP COLUMN purge_at",
                "DROP TABLE draft_file_pieces",
                "DROP TABLE draft_files",
                "DROP TABLE drafts",
                "DROP TABLE templates",
                "DROP TABLE contact_import_numbers",
                "DROP TABLE receipt_callbacks",
                "DROP TABLE receipt_callback_chunks",
                "DROP TABLE receipt_calls",
                "DROP TABLE resend_turns",
                "DROP TABLE breakers",
                "DROP INDEX retries_network",
                "ALTER TABLE retries DROP COLUMN network",
                "DROP INDEX campaigns_canary",
                "ALTER TABLE campaigns DROP COLUMN canary_from, DROP COLUMN canary_size, DROP COLUMN canary_delivery, \
                   DROP COLUMN canary_wait_s, DROP COLUMN canary_handed_at, DROP COLUMN canary_failed_at, \
                   DROP COLUMN canary_passed_at",
                "ALTER TABLE daemons DROP COLUMN knows_canaries",
                "ALTER TABLE quotes DROP COLUMN canary, DROP COLUMN canary_expires_at",
                "ALTER TABLE quotes DROP COLUMN purpose",
                "ALTER TABLE campaigns DROP COLUMN purpose",
                "ALTER TABLE api_keys DROP COLUMN purpose",
                "ALTER TABLE sender_ids DROP COLUMN purpose",
                "ALTER TABLE users DROP COLUMN purpose, DROP COLUMN codes_withdrawn_at",
                "ALTER TABLE suppressions DROP COLUMN reach, DROP COLUMN kept_reach",
                "DROP TABLE rates",
                "DROP TABLE erasure_key",
                "DROP TABLE number_runs, number_postings",
                "DROP TABLE packed_messages, packing_queue, packing_progress",
                "ALTER TABLE traffic_queue DROP COLUMN due_at",
                "ALTER TABLE number_index_queue DROP COLUMN due_at",
                "DROP TABLE trusted_clock, legal_holds, retention_terms, retention_marks, retention_passed, retention_days",
                "DROP INDEX inbound_messages_age",
                "DROP INDEX users_rate_plan",
                "ALTER TABLE users DROP COLUMN rate_plan",
                "DELETE FROM settings WHERE key = 'RATES-VERSION'",
                "ALTER TABLE audience_chunks DROP COLUMN unit_price_micros, DROP COLUMN spares",
                "ALTER TABLE campaign_chunks DROP COLUMN spares",
                "ALTER TABLE webhook_events DROP COLUMN campaign_id",
                "DROP INDEX receipts_unmatched_once",
                "ALTER TABLE receipts_unmatched ADD UNIQUE (carrier, carrier_ref, state)",
                "DELETE FROM _sqlx_migrations WHERE description IN ('account currency', 'chunk once', 'constraints', \
                   'verified', 'quotas', 'quotas counted', 'installation', 'notice shares', 'code budgets', \
                   'binary collation', 'link sessions', 'unmatched recipient', 'resend turns', 'recordings', \
                   'voice test calls', 'calls', 'import resumes', 'own number calls', 'polls', 'trunk failover', \
                   'hang up', 'own number caps', 'calls told apart', 'drafts', 'templates', \
                   'receipt callbacks', 'rates', 'rate plans', 'purposes', 'canaries', 'rates by purpose', \
                   'erasure key', 'route spares', 'breakers', 'retention', 'right to codes', \
                   'inbound age', 'notice spares', 'kept reach', 'retry halves', \
                   'event campaigns', 'import numbers', 'trusted clock', \
                   'event campaign ids', 'number runs', 'compacted runs', 'packed messages', 'traffic due', \
                   'number index due')",
            ] {
                tx.run(statement, args![]).await?;
            }
            Ok(())
        })
    });
    write.await.unwrap();
}

async fn sees(store: &Store, question: &'static str) -> bool {
    let mut tx = store.read().await.unwrap();
    tx.one::<(bool,)>(question, args![]).await.unwrap().0
}

#[tokio::test]
async fn a_migration_builds_indexes_ahead_and_lets_others_by_while_it_waits_for_a_table() {
    let Ok(server) = std::env::var(POSTGRES_VARIABLE) else { return };
    let database = PostgresDatabase::create(&server).await;
    let store = database.open().await;
    go_back(&store).await;
    assert_eq!(store.schema_state().await.unwrap(), SchemaState::Behind);
    let Ok(pool) = store.writers() else { panic!("a pool") };
    let mut holder = pool.begin().await.unwrap();
    holder.execute("LOCK TABLE messages IN SHARE MODE").await.unwrap();
    let watched = async {
        let waits = "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE relation = CAST('messages' AS regclass) AND NOT granted \
                     AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))";
        while !sees(&store, waits).await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        // The migration's own transaction is not over, but its indexes are there.
        let built = "SELECT COUNT(*) = 2 FROM pg_index WHERE indisvalid AND indexrelid IN \
                     (CAST('accounts_currency' AS regclass), CAST('campaign_chunks_once' AS regclass))";
        assert!(sees(&store, built).await);
        // Who comes after the migration is served while the one before it still holds the table.
        let read = sees(&store, "SELECT COUNT(*) = 0 FROM messages");
        assert!(tokio::time::timeout(Duration::from_secs(60), read).await.unwrap());
        holder.rollback().await.unwrap();
    };
    tokio::join!(watched, async { store.migrate().await.unwrap() });
    assert_eq!(store.schema_state().await.unwrap(), SchemaState::Current);
    store.close().await;
    database.drop().await;
}

#[tokio::test]
async fn no_index_names_what_every_batch_of_messages_changes() {
    let Ok(server) = std::env::var(POSTGRES_VARIABLE) else { return };
    let database = PostgresDatabase::create(&server).await;
    let store = database.open().await;
    let mut tx = store.read().await.unwrap();
    let mut seen = 0;
    for (table, columns) in HOT {
        let indexes: Vec<(String,)> = tx
            .all(
                "SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = CAST($1 AS regclass)",
                args![*table],
            )
            .await
            .unwrap();
        seen += indexes.len();
        for (index,) in &indexes {
            let names: Vec<&str> = index.split(|sign: char| !sign.is_alphanumeric() && sign != '_').collect();
            let hot: Vec<_> = columns.iter().filter(|column| names.contains(column)).collect();
            assert!(hot.is_empty(), "{index}: {hot:?}");
        }
    }
    assert!(seen >= 10, "the indexes were looked at");
    drop(tx);
    store.close().await;
    database.drop().await;
}

#[tokio::test]
async fn what_was_killed_before_its_first_migration_is_empty_and_migrates() {
    let dir = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", dir.path().join("talkdrum.db").display());
    let store = Store::open(&StoreOptions::new(url)).await.unwrap();
    let begun = store.write(Lane::Interactive, (), |tx, ()| {
        Box::pin(async move {
            let table = "CREATE TABLE _sqlx_migrations (version BIGINT PRIMARY KEY, description TEXT NOT NULL, \
                         installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, success BOOLEAN NOT NULL, \
                         checksum BLOB NOT NULL, execution_time BIGINT NOT NULL)";
            tx.run(table, args![]).await.map(|_| ())
        })
    });
    begun.await.unwrap();
    assert_eq!(store.schema_state().await.unwrap(), SchemaState::Empty);
    store.migrate().await.unwrap();
    assert_eq!(store.schema_state().await.unwrap(), SchemaState::Current);
    store.close().await;
}
