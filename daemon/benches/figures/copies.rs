//! Rows of many campaigns, made in the database from those of one that was really sent.
//!
//! A copy differs from its original in its ids, in its times and in what they name: `talkdrumd check` finds no fault in it.
//! It costs the database a hundredth of sending. All copies are one customer's and go to the same numbers. Figures by the hour
//! are moved back and not on, as their keys may not repeat.

use anyhow::{Context as _, ensure};
use talkdrum_core::args;
use talkdrum_core::store::{Dialect, Lane, Store, StoreOptions, Tx};

use crate::at_rest;

/// Copies are so far apart in time: three of a million a day are 3,000,000 messages a day.
const APART_MS: i64 = 8 * 3_600_000;
/// Rows of the number index that are written in one transaction.
const INDEX_ROWS: i64 = 4_000_000;
/// Places of a chunk in the ids of messages and of recipients.
const PLACES: i64 = 4_096;

/// A table whose rows are copied.
struct Table {
    name: &'static str,
    /// Which of its rows belong to the campaign.
    of: &'static str,
    /// Columns with ids, each with the table that it names.
    ids: &'static [(&'static str, Key)],
    /// Columns with times in milliseconds.
    times: &'static [&'static str],
}

/// What an id names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    Audience,
    AudienceChunk,
    Quote,
    Account,
    Campaign,
    Chunk,
    Message,
    Transfer,
}

/// In the order in which rows may be written: what is named comes before what names it.
const TABLES: &[Table] = &[
    Table { name: "audiences", of: "TRUE", ids: &[("id", Key::Audience)], times: &["created_at"] },
    Table {
        name: "audience_chunks",
        of: "TRUE",
        ids: &[("id", Key::AudienceChunk), ("audience_id", Key::Audience)],
        times: &[],
    },
    Table {
        name: "quotes",
        of: "TRUE",
        ids: &[("id", Key::Quote), ("audience_id", Key::Audience)],
        times: &["created_at", "expires_at", "confirmed_at"],
    },
    Table { name: "quote_rejects", of: "TRUE", ids: &[("quote_id", Key::Quote)], times: &[] },
    Table {
        name: "accounts",
        of: "campaign_id IS NOT NULL",
        ids: &[("id", Key::Account), ("campaign_id", Key::Campaign)],
        times: &["closed_at"],
    },
    Table {
        name: "campaigns",
        of: "TRUE",
        ids: &[
            ("id", Key::Campaign),
            ("quote_id", Key::Quote),
            ("audience_id", Key::Audience),
            ("reserve_account_id", Key::Account),
        ],
        times: &["created_at", "started_at", "completed_at"],
    },
    Table {
        name: "campaign_chunks",
        of: "TRUE",
        ids: &[("id", Key::Chunk), ("campaign_id", Key::Campaign), ("audience_chunk_id", Key::AudienceChunk)],
        times: &["answered_at"],
    },
    Table { name: "chunk_tallies", of: "TRUE", ids: &[("chunk_id", Key::Chunk)], times: &[] },
    Table { name: "messages", of: "TRUE", ids: &[("id", Key::Message)], times: &["submitted_at"] },
    // Their times are packed, too, and stay those of the original.
    Table { name: "packed_messages", of: "TRUE", ids: &[("chunk_id", Key::Chunk)], times: &[] },
    Table {
        name: "transfers",
        of: "campaign_id IS NOT NULL",
        ids: &[("id", Key::Transfer), ("campaign_id", Key::Campaign)],
        times: &["created_at"],
    },
    Table { name: "carrier_traffic", of: "TRUE", ids: &[("chunk_id", Key::Chunk)], times: &[] },
    Table { name: "traffic", of: "TRUE", ids: &[], times: &["hour"] },
    Table { name: "traffic_networks", of: "TRUE", ids: &[], times: &["hour"] },
    Table { name: "money_hours", of: "code IN ('reserve', 'capture')", ids: &[], times: &["hour"] },
];

/// The one campaign of a database, and by how much the ids of its copies differ.
struct Original {
    /// How many ids lie between those of one copy and of the next, in the order of [`Key`].
    steps: Vec<(Key, i64)>,
    /// Its reserve.
    reserve: i64,
    /// What it cost, in micro-units.
    cost: i64,
    /// Since when figures by the hour count it.
    since: i64,
}

/// Makes `copies` of the only campaign of a database that no daemon serves. The campaign becomes the oldest of them.
///
/// # Errors
/// When the database holds another campaign, and its own.
pub(crate) async fn make(options: &StoreOptions, copies: i64) -> anyhow::Result<()> {
    ensure!(copies > 0, "ask for more messages than the campaign has that is copied");
    let store = Store::open(options).await?;
    at_rest::pack_all(&store).await?;
    let original = Original::find(&store).await?;
    let guard = Guard::of(&store).await?;
    let mut statements = vec![guard.around(original.aged(store.dialect(), copies))];
    let columns = columns(&store).await?;
    for copy in 1..=copies {
        statements.push(original.copied(&columns, store.dialect(), copy));
    }
    statements.push(original.paid(store.dialect(), copies));
    for texts in statements {
        run(&store, texts).await?;
    }
    original.index(&store, copies).await?;
    at_rest::compact_all(&store).await?;
    store.close().await;
    Ok(())
}

impl Original {
    async fn find(store: &Store) -> anyhow::Result<Self> {
        let mut tx = store.read().await?;
        let campaigns = number(&mut tx, "SELECT COUNT(*) FROM campaigns").await?;
        ensure!(campaigns == 1, "copies are made of one campaign, and there are {campaigns}");
        ensure!(
            number(&mut tx, "SELECT COUNT(*) FROM campaigns WHERE status = 'completed'").await? == 1,
            "the campaign is not over"
        );
        ensure!(
            number(&mut tx, "SELECT COUNT(*) FROM number_index_queue").await? == 0,
            "its numbers are not in the index yet"
        );
        for name in ["campaigns", "transfers"] {
            let left = format!(
                "SELECT (SELECT MAX(id) FROM {name}) - upto FROM figures_progress WHERE name = '{name}'"
            );
            ensure!(number(&mut tx, &left).await? == 0, "its {name} are not in the figures yet");
        }
        let mut steps = Vec::new();
        for (key, table) in [
            (Key::Audience, "audiences"),
            (Key::AudienceChunk, "audience_chunks"),
            (Key::Quote, "quotes"),
            (Key::Account, "accounts"),
            (Key::Campaign, "campaigns"),
            (Key::Chunk, "campaign_chunks"),
            (Key::Transfer, "transfers"),
        ] {
            steps.push((key, number(&mut tx, &format!("SELECT MAX(id) FROM {table}")).await?));
        }
        let reserve = number(&mut tx, "SELECT reserve_account_id FROM campaigns").await?;
        let cost = number(
            &mut tx,
            "SELECT amount_micros FROM transfers WHERE code = 'reserve' AND campaign_id IS NOT NULL",
        )
        .await?;
        let since = number(&mut tx, "SELECT MIN(hour) FROM traffic").await?;
        Ok(Self { steps, reserve, cost, since })
    }

    fn step(&self, key: Key) -> i64 {
        if key == Key::Message {
            return self.step(Key::Chunk) * PLACES;
        }
        self.steps.iter().find(|(known, _)| *known == key).map_or(0, |(_, step)| *step)
    }

    /// The condition that only the campaign's own rows meet.
    fn bound(&self, table: &Table) -> String {
        match table.ids.first() {
            // The ids of messages begin with that of their chunk.
            Some((column, Key::Message)) => format!("{column} < {}", self.step(Key::Message) + PLACES),
            Some((column, key)) => format!("{column} <= {}", self.step(*key)),
            None => format!("hour >= {}", self.since),
        }
    }

    /// Makes the original as old as the oldest of so many.
    fn aged(&self, dialect: Dialect, copies: i64) -> Vec<String> {
        let age = copies * APART_MS;
        let of_ids = TABLES.iter().filter(|table| !table.ids.is_empty() && !table.times.is_empty());
        of_ids
            .map(|table| {
                let sets: Vec<String> =
                    table.times.iter().map(|time| format!("{time} = {time} - {age}")).collect();
                format!("UPDATE {} SET {} WHERE {}", table.name, sets.join(", "), table.of)
            })
            .chain([format!("UPDATE carrier_traffic SET day = {}", later(dialect, -copies))])
            .collect()
    }

    /// The rows of one copy.
    fn copied(&self, columns: &[(&str, Vec<String>)], dialect: Dialect, copy: i64) -> Vec<String> {
        let table = |table: &Table| {
            let names = columns.iter().find(|(name, _)| *name == table.name).map_or(&[][..], |it| &it.1);
            let values: Vec<String> =
                names.iter().map(|name| self.value(table, name, dialect, copy)).collect();
            format!(
                "INSERT INTO {} ({}) SELECT {} FROM {} WHERE {} AND {} ORDER BY 1{}",
                table.name,
                names.join(", "),
                values.join(", "),
                table.name,
                table.of,
                self.bound(table),
                // Hours of one copy may meet those of another.
                if table.ids.is_empty() { " ON CONFLICT DO NOTHING" } else { "" }
            )
        };
        TABLES.iter().map(table).collect()
    }

    /// What a column of a copy holds.
    fn value(&self, table: &Table, column: &str, dialect: Dialect, copy: i64) -> String {
        if let Some((_, key)) = table.ids.iter().find(|(name, _)| *name == column) {
            return format!("{column} + {}", self.step(*key) * copy);
        }
        if table.times.contains(&column) {
            // The original is the oldest; of the figures by the hour it is the newest, as keys are not moved.
            return format!("{column} {} {}", if table.ids.is_empty() { '-' } else { '+' }, APART_MS * copy);
        }
        let chunk = self.step(Key::Chunk) * copy;
        match (table.name, column, dialect) {
            ("transfers", "debit_account_id" | "credit_account_id", _) => {
                let (own, shift) = (self.reserve, self.step(Key::Account) * copy);
                format!("CASE WHEN {column} = {own} THEN {column} + {shift} ELSE {column} END")
            }
            ("transfers", "debit_balance_micros", _) => {
                let paid = self.cost * copy;
                format!("CASE WHEN code = 'reserve' THEN {column} - {paid} ELSE {column} END")
            }
            ("transfers", "reference", Dialect::Sqlite) => format!(
                "CASE WHEN reference LIKE 'chunk:%' \
                 THEN 'chunk:' || (CAST(SUBSTR(reference, 7) AS INTEGER) + {chunk}) || \
                   SUBSTR(reference, 6 + INSTR(SUBSTR(reference, 7), ':')) \
                 ELSE 'campaign:' || (campaign_id + {}) END",
                self.step(Key::Campaign) * copy
            ),
            ("transfers", "reference", Dialect::Postgres) => format!(
                "CASE WHEN reference LIKE 'chunk:%' \
                 THEN 'chunk:' || (SPLIT_PART(reference, ':', 2)::BIGINT + {chunk}) || ':' || \
                   SPLIT_PART(reference, ':', 3) \
                 ELSE 'campaign:' || (campaign_id + {}) END",
                self.step(Key::Campaign) * copy
            ),
            ("carrier_traffic", "day", dialect) => later(dialect, copy),
            _ => column.to_owned(),
        }
    }

    /// Takes the money of all copies from the wallet, and lets figures begin after them.
    fn paid(&self, dialect: Dialect, copies: i64) -> Vec<String> {
        let mut texts = vec![
            format!(
                "UPDATE accounts SET balance_micros = balance_micros - {} \
                 WHERE id = (SELECT wallet_account_id FROM campaigns WHERE id = {})",
                self.cost * copies,
                self.step(Key::Campaign)
            ),
            "UPDATE figures_progress SET upto = (SELECT MAX(id) FROM campaigns) WHERE name = 'campaigns'"
                .into(),
            "UPDATE figures_progress SET upto = (SELECT MAX(id) FROM transfers) WHERE name <> 'campaigns'"
                .into(),
            "UPDATE packing_progress SET upto = (SELECT MAX(id) FROM campaign_chunks)".into(),
        ];
        if dialect == Dialect::Postgres {
            texts.extend(
                TABLES
                    .iter()
                    .filter(|table| table.ids.iter().any(|(name, _)| *name == "id"))
                    .filter(|table| table.name != "messages")
                    .map(|table| {
                        format!(
                            "SELECT setval(pg_get_serial_sequence('{0}', 'id'), MAX(id)) FROM {0}",
                            table.name
                        )
                    }),
            );
        }
        texts
    }

    /// The numbers of all copies, in the order of the index: it is not gone through once for each copy.
    async fn index(&self, store: &Store, copies: i64) -> anyhow::Result<()> {
        let last = (self.step(Key::AudienceChunk) + 1) * PLACES;
        let shift = self.step(Key::AudienceChunk) * PLACES;
        let each = (INDEX_ROWS / copies).max(1);
        let text = format!(
            "SELECT number FROM (SELECT number, ROW_NUMBER() OVER (ORDER BY number) AS place FROM number_index) AS n \
             WHERE place % {each} = 0 ORDER BY number"
        );
        let rows: Vec<(i64,)> = store.read().await?.all(leaked(text), args![]).await?;
        let mut after = 0;
        for upto in rows.into_iter().map(|(number,)| number).chain([i64::MAX]) {
            let text = format!(
                "WITH RECURSIVE k (copy) AS (SELECT 1 UNION ALL SELECT copy + 1 FROM k WHERE copy < {copies}) \
                 INSERT INTO number_index (number, recipient) \
                 SELECT n.number, n.recipient + k.copy * {shift} FROM number_index n CROSS JOIN k \
                 WHERE n.number > {after} AND n.number <= {upto} AND n.recipient < {last} ORDER BY 1, 2"
            );
            run(store, vec![text]).await?;
            after = upto;
        }
        self.packed(store, (copies, shift)).await
    }

    /// The packed part of the index: a copy's postings say the same of another first recipient.
    async fn packed(&self, store: &Store, (copies, shift): (i64, i64)) -> anyhow::Result<()> {
        let audiences = self.step(Key::Audience);
        let mut tx = store.read().await?;
        let runs = number(&mut tx, "SELECT COALESCE(MAX(id), 0) FROM number_runs").await?;
        let compacted = "SELECT COUNT(*) FROM number_runs WHERE has_narrow_buckets";
        ensure!(number(&mut tx, compacted).await? == 0, "runs of the index are compacted already");
        let each = (INDEX_ROWS / copies / runs.max(1)).max(1);
        let text = format!(
            "SELECT bucket FROM (SELECT bucket, ROW_NUMBER() OVER (ORDER BY bucket) AS place FROM \
               (SELECT DISTINCT bucket FROM number_postings) AS b) AS n WHERE place % {each} = 0 ORDER BY bucket"
        );
        let rows: Vec<(i64,)> = tx.all(leaked(text), args![]).await?;
        drop(tx);
        let k = format!(
            "WITH RECURSIVE k (copy) AS (SELECT 1 UNION ALL SELECT copy + 1 FROM k WHERE copy < {copies})"
        );
        let text = format!(
            "{k} INSERT INTO number_runs (id, audience_id, first_recipient, last_recipient, recipients) \
             SELECT r.id + k.copy * {runs}, r.audience_id + k.copy * {audiences}, r.first_recipient + k.copy * {shift}, r.last_recipient + k.copy * {shift}, \
               r.recipients FROM number_runs r CROSS JOIN k"
        );
        run(store, vec![text]).await?;
        if store.dialect() == Dialect::Postgres {
            let next = "SELECT setval(pg_get_serial_sequence('number_runs', 'id'), MAX(id)) FROM number_runs HAVING MAX(id) > 0";
            run(store, vec![next.to_owned()]).await?;
        }
        let mut after = -1;
        for upto in rows.into_iter().map(|(bucket,)| bucket).chain([i64::MAX]) {
            let text = format!(
                "{k} INSERT INTO number_postings (bucket, run, body) \
                 SELECT p.bucket, p.run + k.copy * {runs}, p.body FROM number_postings p CROSS JOIN k \
                 WHERE p.bucket > {after} AND p.bucket <= {upto} AND p.run <= {runs} ORDER BY 1, 2"
            );
            run(store, vec![text]).await?;
            after = upto;
        }
        Ok(())
    }
}

/// The guard of the ledger, whose entries are never changed.
struct Guard {
    off: String,
    on: String,
}

impl Guard {
    async fn of(store: &Store) -> anyhow::Result<Self> {
        Ok(match store.dialect() {
            Dialect::Postgres => Self {
                off: "ALTER TABLE transfers DISABLE TRIGGER USER".into(),
                on: "ALTER TABLE transfers ENABLE TRIGGER USER".into(),
            },
            Dialect::Sqlite => {
                let sql = "SELECT sql FROM sqlite_schema WHERE name = 'transfers_are_not_changed'";
                let row: (String,) = store.read().await?.one(sql, args![]).await?;
                Self { off: "DROP TRIGGER transfers_are_not_changed".into(), on: row.0 }
            }
        })
    }

    /// Runs statements with the guard off.
    fn around(self, texts: Vec<String>) -> Vec<String> {
        [self.off].into_iter().chain(texts).chain([self.on]).collect()
    }
}

/// The column `day`, by so many copies later.
fn later(dialect: Dialect, copies: i64) -> String {
    let days = copies * APART_MS / 86_400_000;
    match dialect {
        Dialect::Sqlite => format!("date(day, '{days} days')"),
        Dialect::Postgres => format!("TO_CHAR(day::DATE + ({days}), 'YYYY-MM-DD')"),
    }
}

/// The columns of each table, in their order.
async fn columns(store: &Store) -> anyhow::Result<Vec<(&'static str, Vec<String>)>> {
    let mut tx = store.read().await?;
    let mut all = Vec::new();
    for table in TABLES {
        let text = match store.dialect() {
            Dialect::Sqlite => format!("SELECT name FROM pragma_table_info('{}')", table.name),
            Dialect::Postgres => format!(
                "SELECT column_name::TEXT FROM information_schema.columns \
                 WHERE table_schema = current_schema() AND table_name = '{}' ORDER BY ordinal_position",
                table.name
            ),
        };
        let names: Vec<(String,)> = tx.all(leaked(text), args![]).await?;
        let names: Vec<String> = names.into_iter().map(|(name,)| name).collect();
        for known in table.ids.iter().map(|(name, _)| *name).chain(table.times.iter().copied()) {
            ensure!(names.iter().any(|name| name == known), "{} has no column {known}", table.name);
        }
        all.push((table.name, names));
    }
    Ok(all)
}

async fn number(tx: &mut Tx, text: &str) -> anyhow::Result<i64> {
    let row: (Option<i64>,) = tx.one(leaked(text.to_owned()), args![]).await?;
    row.0.with_context(|| format!("nothing to copy: {text}"))
}

/// Runs statements in one transaction.
async fn run(store: &Store, texts: Vec<String>) -> anyhow::Result<()> {
    let texts: Vec<&'static str> = texts.into_iter().map(leaked).collect();
    store
        .write(Lane::Background, texts, |tx, texts| {
            Box::pin(async move {
                for text in texts {
                    tx.run(*text, args![]).await?;
                }
                Ok(())
            })
        })
        .await?;
    Ok(())
}

/// Statements of the store are part of the program; these few live as long.
fn leaked(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}
