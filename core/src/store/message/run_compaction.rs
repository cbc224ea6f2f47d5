//! Compaction of the packed part of the number index: the oldest runs are merged into one.
//!
//! A search reads a row of each run, and with it what other numbers of the bucket have. A compacted run stands for many, and has
//! narrow buckets ([`postings`]).
//!
//! Invariant: at every commit each posting is in one run. A step takes the postings of some buckets out of all runs that are merged
//! and adds them to the new one, in one transaction. A row that cannot be read stays where it is.

use std::collections::BTreeMap;

use super::number_runs::{MadeOf, PackedRow, add_rows, delete_if_empty};
use crate::error::{Error, Result};
use crate::model::message::id::NumberRunId;
use crate::model::message::postings::{self, BucketWidth, NumberPosting};
use crate::store::{Column, Sql, Tx};
use crate::{args, sql};

/// Runs that have so many recipients together are merged: sixteen full ones.
const MERGED_FROM: i64 = if cfg!(test) { 40 } else { 1 << 21 };
/// So many runs are merged together at most, however few recipients they have.
const RUNS_MAX: usize = if cfg!(test) { 4 } else { 256 };
/// Rows of a step at most. More than runs, so that those of one bucket fit.
const ROWS_MAX: usize = if cfg!(test) { 5 } else { 512 };
/// Bytes from which on a step takes no further bucket: some 50,000 postings.
const STEP_BYTES: i64 = 256 << 10;

const _: () = assert!(ROWS_MAX > RUNS_MAX);

/// A run that waits to be merged with others.
#[derive(Clone, Copy, Debug, sqlx_macros::FromRow)]
struct Source {
    id: NumberRunId,
    first_recipient: i64,
    last_recipient: i64,
    recipients: i64,
}

/// A run that others are merged into.
#[derive(Clone, Copy, Debug, sqlx_macros::FromRow)]
struct Target {
    id: NumberRunId,
    first_recipient: i64,
    /// The first bucket of the others that is not merged yet.
    next_bucket: i64,
}

/// Whether a compaction is under way, or enough runs wait for one.
pub async fn is_due(tx: &mut Tx) -> Result<bool> {
    Ok(under_way(tx).await?.is_some() || oldest(tx).await?.is_some())
}

/// Merges some buckets, bounded in number; begins a compaction where none is under way. Others that change postings are kept away by
/// the caller (`store/retention: lock`). Nothing is done where no compaction is due.
pub async fn step(tx: &mut Tx) -> Result<()> {
    let target = match under_way(tx).await? {
        Some(target) => target,
        None => match oldest(tx).await? {
            Some(sources) => begin(tx, &sources).await?,
            None => return Ok(()),
        },
    };
    let firsts: Vec<(NumberRunId, i64)> = tx
        .all("SELECT id, first_recipient FROM number_runs WHERE merges_into = $1", args![target.id])
        .await?;
    let firsts: BTreeMap<NumberRunId, i64> = firsts.into_iter().collect();
    let runs = || vec![Column::of(firsts.keys())];
    let sizes: Vec<(i64, i64)> = tx.all(SIZES, args![target.next_bucket, ROWS_MAX as i64, runs()]).await?;
    let next_bucket = end_of_step(&sizes);
    let until = next_bucket.unwrap_or(i64::MAX);
    let rows: Vec<(i64, NumberRunId, Vec<u8>)> =
        tx.all(BODIES, args![target.next_bucket, until, runs()]).await?;
    let merged = Merged::of(rows, &firsts)?;
    if !merged.rows.is_empty() {
        let taken = vec![
            Column::of(merged.rows.iter().map(|(bucket, _)| bucket)),
            Column::of(merged.rows.iter().map(|(_, run)| run)),
        ];
        tx.run_exactly(merged.rows.len() as u64, TAKE, args![taken]).await?;
        let packed: Vec<PackedRow> =
            postings::pack_all(BucketWidth::Narrow, target.first_recipient, &merged.postings);
        add_rows(tx, target.id, &packed).await?;
        let counts = vec![Column::of(merged.counts.keys()), Column::of(merged.counts.values())];
        tx.run_exactly(merged.counts.len() as u64, COUNT_TAKEN, args![counts]).await?;
    }
    let sql = "UPDATE number_runs SET recipients = recipients + $2, next_bucket = $3 WHERE id = $1";
    tx.run_exactly(1, sql, args![target.id, merged.postings.len() as i64, next_bucket]).await?;
    tx.run("DELETE FROM number_runs WHERE merges_into = $1 AND recipients = 0", args![target.id]).await?;
    delete_if_empty(tx, target.id).await
}

/// The bucket that the next step begins with, after the sizes of rows in order; `None` where this step is the last.
fn end_of_step(sizes: &[(i64, i64)]) -> Option<i64> {
    let mut bytes = 0;
    for buckets in sizes.windows(2) {
        let [(bucket, size), (next, _)] = buckets else { continue };
        bytes += size;
        if bytes >= STEP_BYTES && next > bucket {
            return Some(*next);
        }
    }
    // The last bucket may have more rows than were looked at, but is not the only one then.
    (sizes.len() == ROWS_MAX).then(|| sizes[ROWS_MAX - 1].0)
}

/// What a step moves.
#[derive(Debug, Default)]
struct Merged {
    /// Buckets and runs of the rows.
    rows: Vec<(i64, NumberRunId)>,
    /// In order.
    postings: Vec<NumberPosting>,
    /// How many of them each run had.
    counts: BTreeMap<NumberRunId, i64>,
}

impl Merged {
    /// Reads rows. Those that are damaged are left out, and stay where they are: a search of their buckets says so, as before.
    fn of(rows: Vec<(i64, NumberRunId, Vec<u8>)>, firsts: &BTreeMap<NumberRunId, i64>) -> Result<Self> {
        let mut merged = Self::default();
        for (bucket, run, body) in rows {
            let missing = || Error::Corrupt(format!("run {run} of the number index is gone"));
            let first = *firsts.get(&run).ok_or_else(missing)?;
            match postings::unpack(bucket, first, &body) {
                Ok(postings) => {
                    *merged.counts.entry(run).or_default() += postings.len() as i64;
                    merged.postings.extend(postings);
                    merged.rows.push((bucket, run));
                }
                Err(error) => {
                    tracing::error!(run = run.0, bucket, %error, "a row of the number index stays as it is");
                }
            }
        }
        merged.postings.sort_unstable();
        Ok(merged)
    }
}

const SIZES: Sql = sql!(
    "SELECT bucket, CAST(LENGTH(body) AS BIGINT) FROM number_postings WHERE bucket >= $1 AND run = ANY($3::BIGINT[]) \
     ORDER BY bucket, run LIMIT $2"
);
const BODIES: Sql = sql!(
    "SELECT bucket, run, body FROM number_postings WHERE bucket >= $1 AND bucket < $2 AND run = ANY($3::BIGINT[])"
);
const TAKE: Sql = sql!(
    "DELETE FROM number_postings WHERE (bucket, run) IN \
     (SELECT j.bucket, j.run FROM UNNEST($1::BIGINT[], $2::BIGINT[]) AS j (bucket, run))"
);
const COUNT_TAKEN: Sql = sql!(
    "UPDATE number_runs SET recipients = recipients - j.taken FROM UNNEST($1::BIGINT[], $2::BIGINT[]) AS j (run, taken) \
     WHERE number_runs.id = j.run"
);

async fn under_way(tx: &mut Tx) -> Result<Option<Target>> {
    let sql = "SELECT id, first_recipient, next_bucket FROM number_runs WHERE next_bucket IS NOT NULL ORDER BY id LIMIT 1";
    tx.opt(sql, args![]).await
}

/// The oldest runs that were not merged, where they are enough.
async fn oldest(tx: &mut Tx) -> Result<Option<Vec<Source>>> {
    let sql = "SELECT id, first_recipient, last_recipient, recipients FROM number_runs \
               WHERE NOT has_narrow_buckets AND merges_into IS NULL ORDER BY id LIMIT $1";
    let mut waiting: Vec<Source> = tx.all(sql, args![RUNS_MAX as i64]).await?;
    let mut recipients = 0;
    let enough = waiting.iter().position(|run| {
        recipients += run.recipients;
        recipients >= MERGED_FROM
    });
    if let Some(last) = enough {
        waiting.truncate(last + 1);
    }
    Ok((enough.is_some() || waiting.len() == RUNS_MAX).then_some(waiting))
}

async fn begin(tx: &mut Tx, sources: &[Source]) -> Result<Target> {
    let ranges = || sources.iter().map(|run| (run.first_recipient, run.last_recipient));
    let first = ranges().map(|(first, _)| first).min().unwrap_or_default();
    let last = ranges().map(|(_, last)| last).max().unwrap_or_default();
    let made_of = MadeOf(ranges().collect()).to_json()?;
    let sql = "INSERT INTO number_runs \
                 (audience_id, first_recipient, last_recipient, recipients, has_narrow_buckets, made_of, next_bucket) \
               VALUES (0, $1, $2, 0, TRUE, $3, 0) RETURNING id, first_recipient, next_bucket";
    let target: Target = tx.one(sql, args![first, last, made_of]).await?;
    let sql = sql!("UPDATE number_runs SET merges_into = $1 WHERE id = ANY($2::BIGINT[])");
    let runs = vec![Column::of(sources.iter().map(|run| run.id))];
    tx.run_exactly(sources.len() as u64, sql, args![target.id, runs]).await?;
    Ok(target)
}

/// The plans of what a step asks of the postings, for the test that reads them.
#[cfg(test)]
pub async fn plans(tx: &mut Tx) -> Result<Vec<Vec<String>>> {
    let runs = || vec![Column::Ints(vec![1, 2])];
    Ok(vec![
        tx.explain(SIZES, args![1_i64, 5_i64, runs()]).await?,
        tx.explain(BODIES, args![1_i64, 2_i64, runs()]).await?,
        tx.explain(TAKE, args![vec![Column::Ints(vec![1]), Column::Ints(vec![1])]]).await?,
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_ends_at_a_bucket_once_it_has_enough() {
        let half = STEP_BYTES / 2;
        assert_eq!(end_of_step(&[]), None);
        assert_eq!(end_of_step(&[(1, half), (1, half), (1, half)]), None, "the last bucket as a whole");
        assert_eq!(end_of_step(&[(1, half), (1, half), (1, half), (2, 1)]), Some(2));
        assert_eq!(end_of_step(&[(1, half), (2, half), (3, 1), (4, 1)]), Some(3));
        assert_eq!(
            end_of_step(&[(1, 1), (1, 1), (1, 1), (1, 1), (2, 1)]),
            Some(2),
            "there may be more of it"
        );
    }
}
