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
use crate::model::campaign::id::ChunkId;
use crate::model::message::outcome::{LedgerEffect, MessageChange};
use crate::model::message::reason::Reason;
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
    submitted_at: Option<Time>,
    /// Of new rows only: those that move have one each.
    done_after: Option<i64>,
    error: Option<&'c str>,
}

impl<'c> Alike<'c> {
    fn of(change: &'c MessageChange, sequences: &BTreeMap<ChunkId, i64>, dialect: Dialect) -> Self {
        let new = change.before.is_none();
        Self {
            before: change.before.map(|standing| (standing.status.number(), standing.money.number())),
            status: change.after.status.number(),
            money: change.after.money.number(),
            sequence: sequence(change, sequences),
            submitted_at: change.outcome.submitted_at,
            done_after: if new { done_after(change, dialect) } else { None },
            error: change.outcome.error.as_ref().map(Reason::code),
        }
    }
}

/// Writes the rows of a batch; `sequences` are the newest of its chunks.
///
/// # Errors
/// [`Error::Stale`] when a row moved since the batch was computed.
pub(super) async fn write(
    tx: &mut Tx,
    changes: &[MessageChange],
    sequences: &BTreeMap<ChunkId, i64>,
) -> Result<()> {
    let mut groups: BTreeMap<Alike<'_>, Vec<&MessageChange>> = BTreeMap::new();
    let (mut new, mut moved) = (Vec::new(), Vec::new());
    for change in changes {
        if change.before.is_some() && change.outcome.reference.is_some() {
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
fn sort(rows: &mut [&MessageChange]) {
    rows.sort_unstable_by_key(|change| change.outcome.message);
}

fn ids(rows: &[&MessageChange]) -> Vec<i64> {
    rows.iter().map(|change| change.outcome.message.0).collect()
}

fn references(rows: &[&MessageChange]) -> Column {
    Column::Terse(rows.iter().map(|change| change.outcome.reference.as_deref().map(str::to_owned)).collect())
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

async fn insert_alike(tx: &mut Tx, alike: Alike<'_>, mut rows: Vec<&MessageChange>) -> Result<()> {
    sort(&mut rows);
    let Alike { status, money, sequence, submitted_at, done_after, error, .. } = alike;
    let pairs = Arg::Pairs(ids(&rows), references(&rows));
    let args = args![status, money, sequence, submitted_at, done_after, error, pairs];
    all_of(tx.run(INSERT_ALIKE, args).await, rows.len())
}

async fn update_alike(
    tx: &mut Tx,
    alike: Alike<'_>,
    before: (i64, i64),
    mut rows: Vec<&MessageChange>,
) -> Result<()> {
    sort(&mut rows);
    let times = Column::of(rows.iter().map(|change| change.outcome.done_at));
    let Alike { status, money, sequence, submitted_at, error, .. } = alike;
    let pairs = Arg::Pairs(ids(&rows), times);
    let args = args![status, money, sequence, submitted_at, error, before.0, before.1, pairs];
    all_of(tx.run(UPDATE_ALIKE, args).await, rows.len())
}

async fn insert_each(
    tx: &mut Tx,
    mut rows: Vec<&MessageChange>,
    sequences: &BTreeMap<ChunkId, i64>,
) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    sort(&mut rows);
    let dialect = tx.dialect();
    let columns = columns(&rows, sequences, |change| done_after(change, dialect));
    all_of(tx.run(INSERT_EACH, args![columns]).await, rows.len())
}

async fn update_each(
    tx: &mut Tx,
    mut rows: Vec<&MessageChange>,
    sequences: &BTreeMap<ChunkId, i64>,
) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    sort(&mut rows);
    let mut columns = columns(&rows, sequences, |change| change.outcome.done_at.map(Time::millis));
    columns.push(Column::of(rows.iter().map(|change| change.before.map(|it| it.status))));
    columns.push(Column::of(rows.iter().map(|change| change.before.map(|it| it.money))));
    all_of(tx.run(UPDATE_EACH, args![columns]).await, rows.len())
}

/// The sequence under which a message's money was posted: the lower of its chunk's newest pair for captures.
fn sequence(change: &MessageChange, sequences: &BTreeMap<ChunkId, i64>) -> Option<i64> {
    let newest = || sequences.get(&change.outcome.message.chunk()).copied().unwrap_or_default();
    match change.effect {
        LedgerEffect::Capture => Some(newest() - 1),
        LedgerEffect::Release => Some(newest()),
        LedgerEffect::None | LedgerEffect::Refund | LedgerEffect::Charge => None,
    }
}

/// What a new row says of when its message was done: how long after its submission.
fn done_after(change: &MessageChange, dialect: Dialect) -> Option<i64> {
    if change.after.status.awaits_receipt() {
        return (dialect == Dialect::Sqlite).then_some(ROOM);
    }
    let submitted = change.outcome.submitted_at.map_or(0, Time::millis);
    change.outcome.done_at.map(|done| done.millis() - submitted)
}

fn columns(
    changes: &[&MessageChange],
    sequences: &BTreeMap<ChunkId, i64>,
    done: impl Fn(&MessageChange) -> Option<i64>,
) -> Vec<Column> {
    vec![
        Column::of(changes.iter().map(|change| change.outcome.message)),
        Column::of(changes.iter().map(|change| change.after.status)),
        Column::of(changes.iter().map(|change| change.after.money)),
        Column::of(changes.iter().map(|change| sequence(change, sequences))),
        Column::of(changes.iter().map(|change| change.outcome.submitted_at)),
        Column::of(changes.iter().map(|change| done(change))),
        references(changes),
        Column::of(changes.iter().map(|change| change.outcome.error.as_ref().map(Reason::code))),
    ]
}

#[cfg(test)]
mod tests;
