//! What a run knows to be claimed of its chunks, beside what the database says of them.
//!
//! Cursors and attempts only grow and no chunk is ever deleted: a database that says less than is known went back in time.

use std::collections::BTreeSet;
use std::fmt;

use super::{Column, Tx, lock_all};
use crate::error::Result;
use crate::model::campaign::id::ChunkId;
use crate::model::platform::id::RunId;
use crate::store::Dialect;
use crate::{args, sql};

/// What is known of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Granted {
    /// The chunk.
    pub chunk: ChunkId,
    /// It had at least so many attempts.
    pub attempt: i64,
    /// Its positions below this were claimed.
    pub cursor: i64,
}

impl fmt::Display for Granted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "chunk {} (attempt {}, claimed up to {})", self.chunk, self.attempt, self.cursor)
    }
}

fn columns(known: &[Granted]) -> Vec<Column> {
    let ints = |read: fn(&Granted) -> i64| Column::of(known.iter().map(read));
    vec![ints(|it| it.chunk.0), ints(|it| it.attempt), ints(|it| it.cursor)]
}

/// Those of which the database says less, as it says it.
pub async fn forgotten(tx: &mut Tx, known: &[Granted]) -> Result<Vec<Granted>> {
    if known.is_empty() {
        return Ok(Vec::new());
    }
    let sql = sql!(
        "SELECT j.id, COALESCE(ch.attempt, 0), COALESCE(ch.cursor, 0) \
         FROM UNNEST($1::BIGINT[], $2::BIGINT[], $3::BIGINT[]) AS j (id, attempt, cursor) \
         LEFT JOIN campaign_chunks ch ON ch.id = j.id \
         WHERE ch.id IS NULL OR ch.attempt < j.attempt OR ch.cursor < j.cursor"
    );
    let rows: Vec<(ChunkId, i64, i64)> = tx.all(sql, args![columns(known)]).await?;
    Ok(rows.into_iter().map(|(chunk, attempt, cursor)| Granted { chunk, attempt, cursor }).collect())
}

/// Claims for `owner` what the database forgot that it was claimed, so that it is not sent again. Chunks that another
/// run has, or of which a part was cancelled, stay as they are. The new attempt fences intents that are under way.
pub async fn restore(tx: &mut Tx, known: &[Granted], owner: RunId) -> Result<()> {
    let Some(newest) = known.iter().map(|it| it.chunk).max() else { return Ok(()) };
    // From here on no chunk is given the id of one that is forgotten: answers for it may be on their way. An SQLite file is
    // not replaced under a running process.
    if tx.dialect() == Dialect::Postgres {
        tx.run(
            "SELECT setval('campaign_chunks_id_seq', $1) FROM campaign_chunks_id_seq WHERE last_value < $1",
            args![newest],
        )
        .await?;
    }
    lock_all(tx, known.iter().map(|it| it.chunk).collect::<BTreeSet<ChunkId>>()).await?;
    tx.run(
        sql!(
            "UPDATE campaign_chunks SET owner = $1, attempt = GREATEST(campaign_chunks.attempt, j.attempt) + 1, \
               cursor = GREATEST(campaign_chunks.cursor, j.cursor) \
             FROM UNNEST($2::BIGINT[], $3::BIGINT[], $4::BIGINT[]) AS j (id, attempt, cursor) \
             WHERE campaign_chunks.id = j.id \
               AND (campaign_chunks.cursor < j.cursor OR campaign_chunks.attempt < j.attempt) \
               AND (owner IS NULL OR owner = $1) AND state = 'open' AND tail_cancelled = 0"
        ),
        args![owner, columns(known)],
    )
    .await
    .map(|_| ())
}
