//! The rows of a batch, in as few and as plain statements as they need.
//!
//! In a batch almost all rows agree in everything but the id and one value: the carrier's reference of those that are
//! new, the time of those that moved. What they agree in is bound once; a row is then one member of a JSON object on
//! SQLite, where taking a nested array apart costs six times as much as storing it. What agrees with too few others
//! takes the statement whose rows hold everything. Both ways write the same.
//!
//! On SQLite the row of a message that waits for its receipt has room for it, so that it does not grow then: a row that
//! keeps its size is written over where it is; one that grows splits its page, and of a campaign that is every page.

use std::collections::BTreeMap;

use crate::args;
use crate::error::{Error, Result};
use crate::model::outcome::{Change, LedgerEffect, MessageState};
use crate::model::reason::Reason;
use crate::model::status::MessageStatus;
use crate::store::message::done_at;
use crate::store::{Arg, Column, Dialect, Sql, Tx};
use crate::time::Time;

/// From so many rows on a statement of their own is worth its way to the database.
const CROWD: usize = 32;

/// What stands in for the time of a receipt that is awaited: of the size of most that come within two hours.
const ROOM: i64 = 1 << 16;

/// SQLite passes over a row that is there, PostgreSQL refuses it: to pass over one, it marks each row twice in its log.
const INSERT_ALIKE: Sql = Sql::each(
    "INSERT INTO messages (id, status, money, sequence, submitted_at, done_after, carrier_ref, error) \
     SELECT CAST(key AS INTEGER), $1, $2, $3, $4, $5, value, $6 FROM jsonb_each($7) WHERE true \
     ON CONFLICT (id) DO NOTHING",
    "INSERT INTO messages (id, status, money, sequence, submitted_at, done_after, carrier_ref, error) \
     SELECT j.id, $1, $2, $3, $4, $5, j.carrier_ref, $6 FROM UNNEST($7::BIGINT[], $8::TEXT[]) AS j(id, carrier_ref)",
);

const INSERT_EACH: Sql = Sql::each(
    "INSERT INTO messages (id, status, money, sequence, submitted_at, done_after, carrier_ref, error) \
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7 \
     FROM jsonb_each($1) WHERE true ON CONFLICT (id) DO NOTHING",
    "INSERT INTO messages (id, status, money, sequence, submitted_at, done_after, carrier_ref, error) \
     SELECT * FROM UNNEST($1::BIGINT[], $2::BIGINT[], $3::BIGINT[], $4::BIGINT[], $5::BIGINT[], $6::BIGINT[], \
       $7::TEXT[], $8::TEXT[])",
);

/// A guard that PostgreSQL's planner does not look into. It takes status and money for independent, expects a single row
/// of a young table to hold both, and then scans the table once for each row of the batch.
macro_rules! unplanned {
    ($guard:literal) => {
        concat!("CASE WHEN ", $guard, " THEN TRUE ELSE FALSE END")
    };
}

/// Guarded, like [`UPDATE_EACH`], by the standing that the change was computed from: a row that moved meanwhile is not
/// touched. `OR FAIL`: SQLite need not be able to take back half a statement, for which it would copy every page first;
/// whatever fails, its job is taken back as a whole.
const UPDATE_ALIKE: Sql = Sql::each(
    concat!(
        "UPDATE OR FAIL messages SET status = $1, money = $2, sequence = COALESCE($3, sequence), \
           submitted_at = COALESCE(submitted_at, $4), done_after = COALESCE(j.value, ",
        done_at!(),
        ") - COALESCE(submitted_at, $4, 0), error = COALESCE($5, error) \
         FROM jsonb_each($8) AS j WHERE messages.id = CAST(j.key AS INTEGER) \
           AND messages.status = $6 AND messages.money = $7"
    ),
    concat!(
        "UPDATE messages SET status = $1, money = $2, sequence = COALESCE($3, messages.sequence), \
           submitted_at = COALESCE(messages.submitted_at, $4), done_after = COALESCE(j.done_at, ",
        done_at!(),
        ") - COALESCE(messages.submitted_at, $4, 0), error = COALESCE($5, messages.error) \
         FROM UNNEST($8::BIGINT[], $9::BIGINT[]) AS j(id, done_at) WHERE messages.id = j.id AND ",
        unplanned!("messages.status = $6 AND messages.money = $7")
    ),
);

/// The columns of the argument are named apart from those of the table, which [`done_at`] reads.
const UPDATE_EACH: Sql = Sql::each(
    concat!(
        "UPDATE OR FAIL messages SET status = j.value ->> 1, money = j.value ->> 2, \
           sequence = COALESCE(j.value ->> 3, sequence), submitted_at = COALESCE(submitted_at, j.value ->> 4), \
           done_after = COALESCE(j.value ->> 5, ",
        done_at!(),
        ") - COALESCE(submitted_at, j.value ->> 4, 0), carrier_ref = COALESCE(carrier_ref, j.value ->> 6), \
           error = COALESCE(j.value ->> 7, error) \
         FROM jsonb_each($1) AS j WHERE messages.id = (j.value ->> 0) \
           AND messages.status = (j.value ->> 8) AND messages.money = (j.value ->> 9)"
    ),
    concat!(
        "UPDATE messages SET status = j.now_status, money = j.now_money, \
           sequence = COALESCE(j.now_sequence, messages.sequence), \
           submitted_at = COALESCE(messages.submitted_at, j.now_submitted), done_after = COALESCE(j.now_done, ",
        done_at!(),
        ") - COALESCE(messages.submitted_at, j.now_submitted, 0), \
           carrier_ref = COALESCE(messages.carrier_ref, j.now_ref), error = COALESCE(j.now_error, messages.error) \
         FROM UNNEST($1::BIGINT[], $2::BIGINT[], $3::BIGINT[], $4::BIGINT[], $5::BIGINT[], $6::BIGINT[], $7::TEXT[], \
           $8::TEXT[], $9::BIGINT[], $10::BIGINT[]) AS j(now_id, now_status, now_money, now_sequence, now_submitted, \
           now_done, now_ref, now_error, old_status, old_money) \
         WHERE messages.id = j.now_id AND ",
        unplanned!("messages.status = j.old_status AND messages.money = j.old_money")
    ),
);

/// What rows must agree in to share a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Alike<'c> {
    /// Status and money before; `None` inserts.
    before: Option<(i64, i64)>,
    status: i64,
    money: i64,
    sequence: Option<i64>,
    submitted_at: Option<i64>,
    /// Of new rows only: those that move have one each.
    done_after: Option<i64>,
    error: Option<&'c str>,
}

impl<'c> Alike<'c> {
    fn of(change: &'c Change, sequences: &BTreeMap<i64, i64>, dialect: Dialect) -> Self {
        let new = change.before.is_none();
        Self {
            before: change.before.map(|standing| (standing.status.number(), standing.money.number())),
            status: change.after.status.number(),
            money: change.after.money.number(),
            sequence: sequence(change, sequences),
            submitted_at: change.fact.submitted_at.map(Time::millis),
            done_after: if new { done_after(change, dialect) } else { None },
            error: change.fact.error.as_ref().map(Reason::code),
        }
    }
}

/// Writes the rows of a batch; `sequences` are the newest of its chunks.
///
/// # Errors
/// [`Error::Stale`] when a row moved since the batch was computed.
pub(super) async fn write(tx: &mut Tx, changes: &[Change], sequences: &BTreeMap<i64, i64>) -> Result<()> {
    let mut groups: BTreeMap<Alike<'_>, Vec<&Change>> = BTreeMap::new();
    let (mut new, mut moved) = (Vec::new(), Vec::new());
    for change in changes {
        if change.before.is_some() && change.fact.reference.is_some() {
            moved.push(change);
        } else {
            groups.entry(Alike::of(change, sequences, tx.dialect())).or_default().push(change);
        }
    }
    for (alike, mut rows) in groups {
        match (rows.len() < CROWD, alike.before) {
            (true, None) => new.append(&mut rows),
            (true, Some(_)) => moved.append(&mut rows),
            (false, None) => insert_alike(tx, alike, rows).await?,
            (false, Some(before)) => update_alike(tx, alike, before, rows).await?,
        }
    }
    insert_each(tx, new, sequences).await?;
    update_each(tx, moved, sequences).await
}

/// In order of the key: neighbouring rows share pages.
fn sort(rows: &mut [&Change]) {
    rows.sort_unstable_by_key(|change| change.fact.message);
}

fn ids(rows: &[&Change]) -> Vec<i64> {
    rows.iter().map(|change| change.fact.message.0).collect()
}

/// Whether a statement did what it was to do to each of its rows; a row that is there already refuses its insert.
fn all_of(touched: Result<u64>, rows: usize) -> Result<()> {
    match touched {
        Ok(touched) if touched == rows as u64 => Ok(()),
        Ok(_) => Err(Error::Stale),
        Err(error) if error.is_duplicate() => Err(Error::Stale),
        Err(error) => Err(error),
    }
}

async fn insert_alike(tx: &mut Tx, alike: Alike<'_>, mut rows: Vec<&Change>) -> Result<()> {
    sort(&mut rows);
    let references = rows.iter().map(|change| change.fact.reference.as_deref().map(str::to_owned)).collect();
    let Alike { status, money, sequence, submitted_at, done_after, error, .. } = alike;
    let pairs = Arg::Pairs(ids(&rows), Column::Terse(references));
    let args = args![status, money, sequence, submitted_at, done_after, error, pairs];
    all_of(tx.run(INSERT_ALIKE, args).await, rows.len())
}

async fn update_alike(
    tx: &mut Tx,
    alike: Alike<'_>,
    before: (i64, i64),
    mut rows: Vec<&Change>,
) -> Result<()> {
    sort(&mut rows);
    let times = rows.iter().map(|change| change.fact.done_at.map(Time::millis)).collect();
    let Alike { status, money, sequence, submitted_at, error, .. } = alike;
    let pairs = Arg::Pairs(ids(&rows), Column::OptInts(times));
    let args = args![status, money, sequence, submitted_at, error, before.0, before.1, pairs];
    all_of(tx.run(UPDATE_ALIKE, args).await, rows.len())
}

async fn insert_each(tx: &mut Tx, mut rows: Vec<&Change>, sequences: &BTreeMap<i64, i64>) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    sort(&mut rows);
    let dialect = tx.dialect();
    let columns = columns(&rows, sequences, |change| done_after(change, dialect));
    all_of(tx.run(INSERT_EACH, args![columns]).await, rows.len())
}

async fn update_each(tx: &mut Tx, mut rows: Vec<&Change>, sequences: &BTreeMap<i64, i64>) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    sort(&mut rows);
    let before = |read: fn(MessageState) -> i64| {
        Column::OptInts(rows.iter().map(|change| change.before.map(read)).collect())
    };
    let mut columns = columns(&rows, sequences, |change| change.fact.done_at.map(Time::millis));
    columns.push(before(|standing| standing.status.number()));
    columns.push(before(|standing| standing.money.number()));
    all_of(tx.run(UPDATE_EACH, args![columns]).await, rows.len())
}

/// The sequence under which a message's money was posted: the lower of its chunk's newest pair for captures.
fn sequence(change: &Change, sequences: &BTreeMap<i64, i64>) -> Option<i64> {
    let newest = || sequences.get(&change.fact.message.chunk()).copied().unwrap_or_default();
    match change.movement {
        LedgerEffect::Capture => Some(newest() - 1),
        LedgerEffect::Release => Some(newest()),
        LedgerEffect::None | LedgerEffect::Refund | LedgerEffect::Charge => None,
    }
}

/// What a new row says of when its message was done: how long after its submission.
fn done_after(change: &Change, dialect: Dialect) -> Option<i64> {
    if change.after.status == MessageStatus::Submitted {
        return (dialect == Dialect::Sqlite).then_some(ROOM);
    }
    let submitted = change.fact.submitted_at.map_or(0, Time::millis);
    change.fact.done_at.map(|done| done.millis() - submitted)
}

fn columns(
    changes: &[&Change],
    sequences: &BTreeMap<i64, i64>,
    done: impl Fn(&Change) -> Option<i64>,
) -> Vec<Column> {
    let texts = |read: fn(&Change) -> Option<&str>| {
        changes.iter().map(|change| read(change).map(str::to_owned)).collect()
    };
    vec![
        Column::Ints(ids(changes)),
        Column::Ints(changes.iter().map(|change| change.after.status.number()).collect()),
        Column::Ints(changes.iter().map(|change| change.after.money.number()).collect()),
        Column::OptInts(changes.iter().map(|change| sequence(change, sequences)).collect()),
        Column::OptInts(changes.iter().map(|change| change.fact.submitted_at.map(Time::millis)).collect()),
        Column::OptInts(changes.iter().map(|change| done(change)).collect()),
        Column::Terse(texts(|change| change.fact.reference.as_deref())),
        Column::Texts(texts(|change| change.fact.error.as_ref().map(Reason::code))),
    ]
}

#[cfg(test)]
mod tests {
    use talkdrum_api::money::Currency;

    use super::*;
    use crate::both_databases;
    use crate::model::message_id::MessageId;
    use crate::model::outcome::{Batch, MessageOutcome, Terms, transition};
    use crate::store::message::{apply, report};
    use crate::store::stats::traffic;
    use crate::store::{Lane, Store};
    use crate::testing::builder::{Built, Spot, UNIT_PRICE, build};

    const SIZE: u16 = 100;
    type Row = (i64, i64, i64, Option<i64>, Option<i64>, Option<i64>, Option<String>, Option<String>);

    async fn in_flight(store: &Store) -> Built {
        build(store, "ada").chunk(&[Spot::InFlight; SIZE as usize]).store().await
    }

    /// What a carrier's answer or a receipt says: every tenth is refused or undelivered.
    fn batch(built: &Built, before: Option<MessageState>) -> Batch {
        let terms = Terms {
            campaign: built.campaign,
            reserve: built.reserve,
            wallet: built.wallet,
            currency: Currency::Espees,
            unit_price: UNIT_PRICE,
            refund_undelivered: false,
        };
        let mut batch = Batch::default();
        for place in 0..SIZE {
            let odd = place % 10 == 9;
            let status = match (before, odd) {
                (None, false) => MessageStatus::Submitted,
                (None, true) => MessageStatus::Rejected,
                (Some(_), true) => continue,
                (Some(_), false) if place % 10 == 0 => MessageStatus::Undelivered,
                (Some(_), false) => MessageStatus::Delivered,
            };
            let fact = MessageOutcome {
                message: MessageId::new(built.chunks[0], place),
                status,
                reference: (before.is_none() && !odd).then(|| format!("a\"{place}").into()),
                submitted_at: before.is_none().then_some(Time(7)),
                done_at: before.map(|_| Time(1_000 + i64::from(place))),
                error: (odd || status == MessageStatus::Undelivered).then(|| "0x14".into()),
                units: None,
            };
            let (after, movement) = transition(before, status, false).unwrap();
            let change = Change { fact, before, after, movement, price: UNIT_PRICE };
            batch.push(change, &terms).unwrap();
        }
        batch
    }

    async fn store_batch(store: &Store, batch: &Batch) -> Result<()> {
        store
            .write(Lane::Background, batch.clone(), |tx, batch| {
                Box::pin(async move { apply(tx, batch, Time(9)).await.map(|_| ()) })
            })
            .await
    }

    async fn rows(store: &Store) -> Vec<Row> {
        let sql = concat!(
            "SELECT id, status, money, sequence, submitted_at, ",
            done_at!(),
            ", CAST(carrier_ref AS TEXT), error FROM messages ORDER BY id"
        );
        store.read().await.unwrap().all(sql, args![]).await.unwrap()
    }

    /// How many rows will grow when their receipts come, and the times that reports show of all of them.
    async fn growing_and_done(store: &Store, built: &Built) -> (i64, usize) {
        let mut tx = store.read().await.unwrap();
        let sql = "SELECT COUNT(*) FROM messages WHERE status = 3 AND done_after IS NULL";
        let (growing,): (i64,) = tx.one(sql, args![]).await.unwrap();
        let ids: Vec<MessageId> = (0..SIZE).map(|place| MessageId::new(built.chunks[0], place)).collect();
        let records = report::messages(&mut tx, &ids).await.unwrap();
        let done = |shown: &[Option<Time>]| shown.iter().flatten().count();
        let shown: Vec<Option<Time>> = records.iter().map(|record| record.done_at).collect();
        let exported = report::columns(&mut tx, built.chunks[0]).await.unwrap().done_at;
        assert_eq!(done(&shown), done(&exported));
        (growing, done(&shown))
    }

    /// Takes the migration to smaller rows back, as far as the rows go, and stores some as they were.
    async fn grow_back(tx: &mut Tx) -> Result<()> {
        let back = Sql::each(
            "CREATE TABLE messages (id INTEGER PRIMARY KEY, status BIGINT NOT NULL, money BIGINT NOT NULL, \
             sequence BIGINT, submitted_at BIGINT, done_at BIGINT, carrier_ref TEXT, error TEXT)",
            "ALTER TABLE messages RENAME COLUMN done_after TO done_at",
        );
        if tx.dialect() == Dialect::Sqlite {
            tx.run("DROP TABLE messages", args![]).await?;
        }
        tx.run(back, args![]).await?;
        tx.run("DELETE FROM _sqlx_migrations WHERE version = 24", args![]).await?;
        let sql = "INSERT INTO messages (id, status, money, sequence, submitted_at, done_at, carrier_ref, error) VALUES \
                   (1, 3, 1, 1, 7, NULL, '17', NULL), (2, 4, 1, 1, 7, 9, '0017', NULL), \
                   (3, 7, 2, 2, NULL, 8, NULL, 'late'), (4, 4, 1, NULL, 7, 5, '99999999999999999999', NULL), \
                   (5, 8, 0, NULL, NULL, NULL, NULL, NULL)";
        tx.run(sql, args![]).await.map(|_| ())
    }

    /// Stores so many messages that wait for receipts.
    async fn fill(tx: &mut Tx, rows: i64) -> Result<()> {
        let ids = (1..=rows).collect();
        let sql = crate::sql!(
            "INSERT INTO messages (id, status, money) SELECT j.id, 3, 1 FROM UNNEST($1::BIGINT[]) AS j (id)"
        );
        tx.run_exactly(rows.unsigned_abs(), sql, args![vec![Column::Ints(ids)]]).await
    }

    both_databases! {
        async fn a_message_that_waits_has_room_for_its_receipt_and_shows_none(store: Store) {
            let built = in_flight(&store).await;
            let waits = usize::from(SIZE) * 9 / 10;
            store_batch(&store, &batch(&built, None)).await.unwrap();
            let growing = if store.dialect() == Dialect::Sqlite { 0 } else { waits as i64 };
            assert_eq!(growing_and_done(&store, &built).await, (growing, 0));
            let submitted = transition(None, MessageStatus::Submitted, false).unwrap().0;
            store_batch(&store, &batch(&built, Some(submitted))).await.unwrap();
            assert_eq!(growing_and_done(&store, &built).await, (0, waits));
        }

        async fn rows_from_before_they_were_smaller_read_the_same(store: Store) {
            store.write(Lane::Interactive, (), |tx, ()| Box::pin(grow_back(tx))).await.unwrap();
            store.migrate().await.unwrap();
            let text = |text: &str| Some(text.to_owned());
            assert_eq!(
                rows(&store).await,
                [
                    (1, 3, 1, Some(1), Some(7), None, text("17"), None),
                    (2, 4, 1, Some(1), Some(7), Some(9), text("0017"), None),
                    (3, 7, 2, Some(2), None, Some(8), None, text("late")),
                    (4, 4, 1, None, Some(7), Some(5), text("99999999999999999999"), None),
                    (5, 8, 0, None, None, None, None, None),
                ]
            );
            let sql = "SELECT COUNT(*) FROM messages WHERE CAST(carrier_ref AS TEXT) = '17'";
            let found: (i64,) = store.read().await.unwrap().one(sql, args![]).await.unwrap();
            assert_eq!(found.0, 1);
        }

        async fn rows_alike_and_rows_apart_hold_what_was_said_of_each(store: Store) {
            let built = in_flight(&store).await;
            store_batch(&store, &batch(&built, None)).await.unwrap();
            let new = rows(&store).await;
            assert_eq!(new.len(), usize::from(SIZE));
            let first = built.chunks[0] * 4_096;
            assert_eq!(new[8], (first + 8, 3, 1, Some(1), Some(7), None, Some("a\"8".into()), None));
            assert_eq!(new[9], (first + 9, 6, 2, Some(2), Some(7), None, None, Some("0x14".into())));

            let submitted = transition(None, MessageStatus::Submitted, false).unwrap().0;
            store_batch(&store, &batch(&built, Some(submitted))).await.unwrap();
            let moved = rows(&store).await;
            assert_eq!(moved[8], (first + 8, 4, 1, Some(1), Some(7), Some(1_008), Some("a\"8".into()), None));
            assert_eq!(
                moved[10],
                (first + 10, 5, 1, Some(1), Some(7), Some(1_010), Some("a\"10".into()), Some("0x14".into()))
            );
            assert_eq!(moved[9], new[9]);
            let uncounted = traffic::uncounted(&mut store.read().await.unwrap(), Time(9), 9).await.unwrap();
            let uncounted: Vec<i64> = uncounted.iter().map(|chunk| chunk.id).collect();
            assert_eq!(uncounted, built.chunks);
        }

        async fn a_batch_computed_from_what_is_no_longer_so_writes_nothing(store: Store) {
            // Others of the chunk are in flight, too: its counters have room for a second answer.
            let built = build(&store, "ada").chunk(&[Spot::InFlight; 2 * SIZE as usize]).store().await;
            let answers = batch(&built, None);
            store_batch(&store, &answers).await.unwrap();
            let answered = rows(&store).await;
            assert!(matches!(store_batch(&store, &answers).await, Err(Error::Stale)));
            assert_eq!(rows(&store).await, answered);
            let submitted = transition(None, MessageStatus::Submitted, false).unwrap().0;
            let receipts = batch(&built, Some(submitted));
            store_batch(&store, &receipts).await.unwrap();
            let settled = rows(&store).await;
            assert!(matches!(store_batch(&store, &receipts).await, Err(Error::Stale)));
            assert_eq!(rows(&store).await, settled);
        }

        async fn every_row_that_moves_is_found_by_its_key(store: Store) {
            let searched = match store.dialect() {
                Dialect::Sqlite => "SEARCH messages USING INTEGER PRIMARY KEY",
                Dialect::Postgres => "Index Cond: (id = j.",
            };
            // PostgreSQL plans by the size of the table: as new, and before its first ANALYZE.
            for rows in [0, 10_000] {
                store.write(Lane::Background, rows, |tx, rows| Box::pin(fill(tx, *rows))).await.unwrap();
                let mut tx = store.for_workers().read().await.unwrap();
                let ids: Vec<i64> = (1..=700).collect();
                let pairs = Arg::Pairs(ids.clone(), Column::OptInts(vec![None; ids.len()]));
                let alike = args![4_i64, 1_i64, None::<i64>, None::<i64>, None::<&str>, 3_i64, 1_i64, pairs];
                let ints = Column::Ints(ids.clone());
                let texts = Column::Texts(vec![None; ids.len()]);
                let mut each = vec![ints; 10];
                (each[6], each[7]) = (texts.clone(), texts);
                for (sql, args) in [(UPDATE_ALIKE, alike), (UPDATE_EACH, args![each])] {
                    let plan = tx.explain(sql, args).await.unwrap().join("\n");
                    assert!(plan.contains(searched) && !plan.contains("Seq Scan"), "{rows} rows: {plan}");
                }
            }
        }
    }
}
