//! The packed part of the number index: what large audiences brought, a run for what was merged together.
//!
//! A run's postings are stored by bucket ([`postings`]), so that a search reads one row of each run. Old runs are compacted into
//! larger ones ([`super::run_compaction`]). A run goes with the last of its recipients.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::model::campaign::id::AudienceId;
use crate::model::message::id::NumberRunId;
use crate::model::message::postings::{self, BucketWidth, NumberPosting};
use crate::store::{Arg, Blobs, Column, Sql, Tx};
use crate::{args, sql};

/// The postings of a bucket in a run: the bucket and the packed form.
pub(super) type PackedRow = (i64, Vec<u8>);

/// A run that is not stored yet.
#[derive(Clone, Debug)]
pub struct NewRun {
    /// Whose recipients it has.
    pub audience: AudienceId,
    /// Its first recipient.
    pub first: i64,
    /// Its last.
    pub last: i64,
    /// How many it has.
    pub recipients: i64,
    /// Buckets with their packed postings.
    pub rows: Vec<PackedRow>,
}

impl NewRun {
    /// Packs postings, which are in order.
    pub fn of(audience: AudienceId, rows: &[NumberPosting]) -> Self {
        let recipients = || rows.iter().map(|(_, recipient)| *recipient);
        let (first, last) = (recipients().min().unwrap_or(0), recipients().max().unwrap_or(0));
        Self {
            audience,
            first,
            last,
            recipients: rows.len() as i64,
            rows: postings::pack_all(BucketWidth::Wide, first, rows),
        }
    }
}

const INSERT: Sql = sql!(
    "INSERT INTO number_postings (bucket, run, body) \
     SELECT j.bucket, $1, substr($2, CAST(j.starts AS INTEGER), CAST(j.length AS INTEGER)) \
     FROM UNNEST($3::BIGINT[], $4::BIGINT[], $5::BIGINT[]) AS j (bucket, starts, length)"
);
/// Rows inserted by one statement: until it ends, SQLite keeps in memory what each page was before, a page or more for each row.
/// (Until the job ends, where it is not the first of its transaction.)
const ROWS_AT_ONCE: usize = if cfg!(test) { 2 } else { 256 };

/// Stores a run.
pub async fn add(tx: &mut Tx, run: &NewRun) -> Result<()> {
    let sql = "INSERT INTO number_runs (audience_id, first_recipient, last_recipient, recipients) VALUES ($1, $2, $3, $4) \
               RETURNING id";
    let (id,): (NumberRunId,) = tx.one(sql, args![run.audience, run.first, run.last, run.recipients]).await?;
    add_rows(tx, id, &run.rows).await
}

/// Stores rows of a run.
pub(super) async fn add_rows(tx: &mut Tx, run: NumberRunId, rows: &[PackedRow]) -> Result<()> {
    for rows in rows.chunks(ROWS_AT_ONCE) {
        let (bytes, columns) = columns(rows);
        tx.run(INSERT, vec![Arg::from(run), bytes, Arg::Rows(columns)]).await?;
    }
    Ok(())
}

/// Rows as arguments: all bodies, and of each row its bucket and where its body is.
fn columns(rows: &[PackedRow]) -> (Arg, Vec<Column>) {
    let (bytes, begins, lengths) = Blobs::of(rows.iter().map(|(_, body)| body.as_slice())).into_parts();
    (bytes, vec![Column::of(rows.iter().map(|(bucket, _)| bucket)), begins, lengths])
}

pub(super) const OF_BUCKETS: &str = "SELECT p.bucket, n.first_recipient, p.body FROM number_postings p \
     JOIN number_runs n ON n.id = p.run WHERE p.bucket IN ($1, $2)";

/// The recipients of all runs that have a number, in no order.
pub async fn recipients(tx: &mut Tx, number: i64) -> Result<Vec<i64>> {
    let (wide, narrow) = (BucketWidth::Wide.bucket_of(number), BucketWidth::Narrow.bucket_of(number));
    let bodies: Vec<(i64, i64, Vec<u8>)> = tx.all(OF_BUCKETS, args![wide, narrow]).await?;
    let mut found = Vec::new();
    for (bucket, first, body) in bodies {
        found.extend(postings::recipients_of(number, bucket, first, &body)?);
    }
    Ok(found)
}

/// The plans of what a search and a removal ask, for the tests that read them.
#[cfg(test)]
pub async fn plans(tx: &mut Tx) -> Result<Vec<Vec<String>>> {
    let (bytes, rows) = columns(&[(1, vec![1])]);
    let of_run = || args![1_i64, vec![Column::Ints(vec![1])]];
    Ok(vec![
        tx.explain(OF_BUCKETS, args![1_i64, -1_i64]).await?,
        tx.explain(OF_RECIPIENTS, args![1_i64, 2_i64]).await?,
        tx.explain(BODIES, of_run()).await?,
        tx.explain(REWRITE, vec![Arg::Int(Some(1)), bytes, Arg::Rows(rows)]).await?,
        tx.explain(EMPTIED, of_run()).await?,
    ])
}

/// All postings of all runs.
///
/// # Panics
/// Where a run does not have as many as it says.
#[cfg(test)]
pub async fn all(tx: &mut Tx) -> Result<Vec<NumberPosting>> {
    let runs: Vec<(NumberRunId, i64, i64)> =
        tx.all("SELECT id, first_recipient, recipients FROM number_runs ORDER BY id", args![]).await?;
    let mut found = Vec::new();
    for (run, first, recipients) in runs {
        let sql = "SELECT bucket, body FROM number_postings WHERE run = $1 ORDER BY bucket";
        let bodies: Vec<PackedRow> = tx.all(sql, args![run]).await?;
        let before = found.len();
        for (bucket, body) in bodies {
            found.extend(postings::unpack(bucket, first, &body)?);
        }
        assert_eq!((found.len() - before) as i64, recipients, "run {run}");
    }
    Ok(found)
}

/// A run that may have some recipients.
#[derive(Debug, sqlx_macros::FromRow)]
struct Run {
    id: NumberRunId,
    first_recipient: i64,
    last_recipient: i64,
    has_narrow_buckets: bool,
    made_of: Option<MadeOf>,
}

impl Run {
    const fn width(&self) -> BucketWidth {
        if self.has_narrow_buckets { BucketWidth::Narrow } else { BucketWidth::Wide }
    }

    /// Whether it may have a recipient. Between those of a compacted run there are audiences of which it has none.
    fn may_have(&self, recipient: i64) -> bool {
        let is_within = |(first, last): &(i64, i64)| (*first..=*last).contains(&recipient);
        self.made_of.as_ref().map_or_else(
            || is_within(&(self.first_recipient, self.last_recipient)),
            |made_of| made_of.0.iter().any(is_within),
        )
    }
}

/// The first and last recipients of the runs that a compacted one was made of.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct MadeOf(pub(super) Vec<(i64, i64)>);

json_column!(MadeOf);

const OF_RECIPIENTS: &str = "SELECT id, first_recipient, last_recipient, has_narrow_buckets, made_of FROM number_runs \
     WHERE first_recipient <= $2 AND last_recipient >= $1";

/// Takes out postings, of a bounded number of chunks. Others that do the same are kept away by the caller
/// (`store/retention: lock`).
pub async fn remove(tx: &mut Tx, gone: &BTreeSet<NumberPosting>) -> Result<()> {
    let recipients = || gone.iter().map(|(_, recipient)| *recipient);
    let (Some(lowest), Some(highest)) = (recipients().min(), recipients().max()) else { return Ok(()) };
    let runs: Vec<Run> = tx.all(OF_RECIPIENTS, args![lowest, highest]).await?;
    for run in runs {
        let here = gone.iter().filter(|(_, recipient)| run.may_have(*recipient));
        let buckets: BTreeSet<i64> = here.map(|(number, _)| run.width().bucket_of(*number)).collect();
        if !buckets.is_empty() {
            remove_from(tx, &run, buckets, gone).await?;
        }
    }
    Ok(())
}

const BODIES: Sql = sql!(
    "SELECT bucket, body FROM number_postings WHERE run = $1 AND bucket = ANY($2::BIGINT[]) ORDER BY bucket"
);
const REWRITE: Sql = sql!(
    "UPDATE number_postings SET body = substr($2, CAST(j.starts AS INTEGER), CAST(j.length AS INTEGER)) \
     FROM UNNEST($3::BIGINT[], $4::BIGINT[], $5::BIGINT[]) AS j (bucket, starts, length) \
     WHERE number_postings.bucket = j.bucket AND number_postings.run = $1"
);
const EMPTIED: Sql = sql!("DELETE FROM number_postings WHERE run = $1 AND bucket = ANY($2::BIGINT[])");

async fn remove_from(
    tx: &mut Tx,
    run: &Run,
    buckets: BTreeSet<i64>,
    gone: &BTreeSet<NumberPosting>,
) -> Result<()> {
    let (run, first) = (run.id, run.first_recipient);
    let stored: Vec<PackedRow> = tx.all(BODIES, args![run, vec![Column::of(buckets)]]).await?;
    let (mut kept, mut emptied, mut removed) = (Vec::new(), Vec::new(), 0);
    for (bucket, body) in stored {
        let mut rows = postings::unpack(bucket, first, &body)?;
        let before = rows.len();
        rows.retain(|posting| !gone.contains(posting));
        removed += (before - rows.len()) as i64;
        match rows.len() {
            0 => emptied.push(bucket),
            left if left < before => kept.push((bucket, postings::pack(bucket, first, &rows))),
            _ => {}
        }
    }
    if removed == 0 {
        return Ok(());
    }
    if !kept.is_empty() {
        let (bytes, columns) = columns(&kept);
        let args = vec![Arg::from(run), bytes, Arg::Rows(columns)];
        tx.run_exactly(kept.len() as u64, REWRITE, args).await?;
    }
    if !emptied.is_empty() {
        tx.run(EMPTIED, args![run, vec![Column::Ints(emptied)]]).await?;
    }
    let count = "UPDATE number_runs SET recipients = recipients - $2 WHERE id = $1";
    tx.run_exactly(1, count, args![run, removed]).await?;
    delete_if_empty(tx, run).await
}

/// Deletes a run that has no recipient left, but for one that others are merged into.
pub(super) async fn delete_if_empty(tx: &mut Tx, run: NumberRunId) -> Result<()> {
    let sql = "DELETE FROM number_runs WHERE id = $1 AND recipients = 0 AND next_bucket IS NULL";
    tx.run(sql, args![run]).await.map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::store::{Lane, Store};
    use crate::testing::builder::{Spot, build};

    async fn take_out(store: &Store, gone: BTreeSet<NumberPosting>) -> Vec<NumberPosting> {
        store.write(Lane::Background, gone, |tx, gone| Box::pin(remove(tx, gone))).await.unwrap();
        all(&mut store.read().await.unwrap()).await.unwrap()
    }

    /// Adds a run of an audience of 20 whose numbers are of two buckets.
    async fn add_run(store: &Store, name: &str) -> Vec<NumberPosting> {
        let built = build(store, name).chunk(&[Spot::Tail; 20]).store().await;
        let number = |n: i64| 2_348_031_200_000 + n / 10 * 100_000 + n % 10;
        let rows: Vec<NumberPosting> =
            (0..20).map(|n| (number(n), built.audience_chunks[0].recipient(0) + n)).collect();
        let run = NewRun::of(built.audience, &rows);
        store.write(Lane::Background, run, |tx, run| Box::pin(add(tx, run))).await.unwrap();
        rows
    }

    both_databases! {
        async fn postings_leave_their_run_alone_and_a_run_goes_with_its_last(store: Store) {
            let (early, late) = (add_run(&store, "ada").await, add_run(&store, "bola").await);
            let number = early[3].0;
            let mut found = recipients(&mut store.read().await.unwrap(), number).await.unwrap();
            found.sort_unstable();
            assert_eq!(found, [early[3].1, late[3].1]);
            // A number's recipient of one run; one that no run has; a number that another recipient has.
            let gone = BTreeSet::from([early[3], (number, early[0].1 + 50), (early[4].0, early[5].1)]);
            let left: Vec<NumberPosting> = early.iter().filter(|it| **it != early[3]).chain(&late).copied().collect();
            assert_eq!(take_out(&store, gone).await, left);
            // A whole bucket, and then all of a run.
            assert_eq!(take_out(&store, early[10..].iter().copied().collect()).await.len(), 29);
            assert_eq!(take_out(&store, early.iter().copied().collect()).await, late);
            let count = |sql: &'static str| {
                let store = store.clone();
                async move { store.read().await.unwrap().one::<(i64,)>(sql, args![]).await.unwrap().0 }
            };
            assert_eq!(count("SELECT COUNT(*) FROM number_runs").await, 1);
            assert_eq!(count("SELECT COUNT(*) FROM number_postings").await, 2);
            assert_eq!(take_out(&store, late.iter().chain(&early).copied().collect()).await, []);
            assert_eq!(count("SELECT COUNT(*) FROM number_runs").await, 0);
            assert_eq!(take_out(&store, BTreeSet::new()).await, []);
        }
    }
}
