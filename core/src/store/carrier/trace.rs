//! The last lines of carriers' traces, for daemons that do not hold the carrier.
//!
//! Of each carrier so many lines are kept and no more.

use crate::carrier::trace::TraceLine;
use crate::error::Result;
use crate::store::operations::purge::bounded;
use crate::store::{Column, Tx};
use crate::time::Time;
use crate::{args, sql};

/// A line as stored.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct TraceRow {
    /// In order of the wire.
    pub sequence: i64,
    /// When.
    pub at: Time,
    /// What went over the wire, masked.
    pub line: String,
}

/// Until when a carrier is traced; 0 is not.
pub async fn set_until(tx: &mut Tx, carrier: &str, until: Time, now: Time) -> Result<()> {
    tx.run_exactly(
        1,
        "INSERT INTO carrier_states (carrier, state, changed_at, trace_until) VALUES ($1, 'open', $3, $2) \
         ON CONFLICT (carrier) DO UPDATE SET trace_until = excluded.trace_until",
        args![carrier, until, now],
    )
    .await
}

/// Adds lines, and drops those before the last `kept`.
pub async fn add(tx: &mut Tx, carrier: &str, lines: &[TraceLine], kept: i64) -> Result<()> {
    let Some(first) = lines.first() else { return Ok(()) };
    // Numbers begin at the time of day, so that those of a later trace are above those of one that was purged.
    let (last,): (i64,) = tx
        .one(
            "SELECT COALESCE(MAX(sequence), $2) FROM carrier_trace WHERE carrier = $1",
            args![carrier, first.at],
        )
        .await?;
    let count = i64::try_from(lines.len()).unwrap_or(i64::MAX);
    let columns = vec![
        Column::of(last + 1..=last + count),
        Column::of(lines.iter().map(|line| line.at)),
        Column::of(lines.iter().map(|line| &line.text)),
    ];
    tx.run_exactly(
        lines.len() as u64,
        sql!(
            "INSERT INTO carrier_trace (carrier, sequence, at, line) \
             SELECT $1, j.* FROM UNNEST($2::BIGINT[], $3::BIGINT[], $4::TEXT[]) AS j",
        ),
        args![carrier, columns],
    )
    .await?;
    tx.run(
        "DELETE FROM carrier_trace WHERE carrier = $1 AND sequence <= $2",
        args![carrier, last + count - kept],
    )
    .await?;
    Ok(())
}

/// The lines of a carrier after `after`, oldest first.
pub async fn after(tx: &mut Tx, carrier: &str, after: i64, limit: i64) -> Result<Vec<TraceRow>> {
    tx.all(
        "SELECT sequence, at, line FROM carrier_trace WHERE carrier = $1 AND sequence > $2 ORDER BY sequence LIMIT $3",
        args![carrier, after, limit],
    )
    .await
}

/// Drops a bounded number of lines older than `before`; returns how many.
pub async fn purge(tx: &mut Tx, before: Time) -> Result<u64> {
    tx.run(bounded!("carrier_trace", "carrier, sequence", "at < $1"), args![before]).await
}
