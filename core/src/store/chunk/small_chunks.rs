//! Small chunks that are claimed whole: claim and intent of many in one transaction, so that single sends share a commit.
//!
//! The conditions are those of a claim and of an intent together ([`super::claim`], [`super::store_intent`]), but for
//! the version of the opt-outs: the dispatcher reads them after this commit, when they can only be newer.

use std::collections::BTreeSet;

use super::super::campaign::canary::{began_at, not_behind_canary};
use super::super::sender::{self, may_send_from};
use super::{ChunkRow, Column, Sql, Tx, lock, lock_rows};
use crate::error::Result;
use crate::model::campaign::id::ChunkId;
use crate::model::platform::id::RunId;
use crate::time::Time;
use crate::{args, sql};

/// A chunk claimed whole, with its recipients as they are stored.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct WholeRow {
    #[sqlx(flatten)]
    pub chunk: ChunkRow,
    pub data: Vec<u8>,
}

/// Claims those of these chunks that may go out by `carrier` and that no run has touched, each to its end; returns them in
/// order. A campaign whose sender was withdrawn is paused.
pub async fn claim(
    tx: &mut Tx,
    carrier: &str,
    chunks: &[ChunkId],
    owner: RunId,
    now: Time,
) -> Result<Vec<WholeRow>> {
    // Locked before they are read: campaigns are not paused or cancelled until the claim is stored.
    let all: BTreeSet<ChunkId> = chunks.iter().copied().collect();
    lock(tx, all.clone(), BTreeSet::new()).await?;
    lock_rows(tx, all).await?;
    let fit: Vec<(ChunkId,)> = tx.all(FIT, args![carrier, vec![Column::of(chunks)]]).await?;
    let fit: BTreeSet<ChunkId> = fit.into_iter().map(|(id,)| id).collect();
    for refused in chunks.iter().filter(|id| !fit.contains(id)) {
        sender::pause_campaign_of(tx, *refused).await?;
    }
    if fit.is_empty() {
        return Ok(Vec::new());
    }
    let taken: Vec<(ChunkId,)> = tx.all(TAKE, args![owner, vec![Column::of(fit)]]).await?;
    let taken: Vec<ChunkId> = taken.into_iter().map(|(id,)| id).collect();
    tx.run(STARTED, args![now, vec![Column::of(&taken)]]).await?;
    held(tx, carrier, taken, owner).await
}

/// Those of these chunks that `owner` holds for `carrier` and has claimed to their end: one that was rerouted meanwhile may be
/// claimed for another carrier of the same run. A claim whose commit is still under way is
/// waited for: the rows are locked by their ids alone before they are read, as the row version before such a claim
/// shows no owner.
pub async fn held(tx: &mut Tx, carrier: &str, chunks: Vec<ChunkId>, owner: RunId) -> Result<Vec<WholeRow>> {
    lock_rows(tx, chunks.iter().copied().collect()).await?;
    tx.all(HELD, args![owner, vec![Column::of(chunks)], carrier]).await
}

/// The order of the tables is fixed, as SQLite cannot know the length of its argument.
pub(crate) const FIT: Sql = sql!(
    "SELECT ch.id FROM UNNEST($2::BIGINT[]) AS j (id) CROSS JOIN campaign_chunks ch CROSS JOIN campaigns c \
       CROSS JOIN users u WHERE ch.id = j.id AND c.id = ch.campaign_id AND u.id = c.user_id \
       AND ch.carrier = $1 AND ch.owner IS NULL AND ch.cursor = 0 AND ch.state = 'open' AND ch.tail_cancelled = 0 AND ",
    may_send!(),
    " AND ",
    not_behind_canary!("ch"),
    " AND ",
    may_send_from!(),
    " AND ",
    not_held!("ch")
);

pub(crate) const TAKE: Sql = sql!(
    "UPDATE campaign_chunks SET owner = $1, attempt = attempt + 1, cursor = size FROM UNNEST($2::BIGINT[]) AS j (id) \
     WHERE campaign_chunks.id = j.id AND owner IS NULL AND cursor = 0 AND state = 'open' AND tail_cancelled = 0 \
     RETURNING campaign_chunks.id"
);

pub(crate) const STARTED: Sql = sql!(
    "UPDATE campaigns SET started_at = $1 WHERE started_at IS NULL AND id IN (SELECT ch.campaign_id \
       FROM UNNEST($2::BIGINT[]) AS j (id) CROSS JOIN campaign_chunks ch WHERE ch.id = j.id)"
);

pub(crate) const HELD: Sql = sql!(
    "SELECT ",
    chunk_columns!(),
    ", ac.data FROM UNNEST($2::BIGINT[]) AS j (id) CROSS JOIN campaign_chunks ch \
       JOIN campaigns c ON c.id = ch.campaign_id JOIN audiences a ON a.id = c.audience_id \
       JOIN audience_chunks ac ON ac.id = ch.audience_chunk_id \
     WHERE ch.id = j.id AND ch.owner = $1 AND ch.carrier = $3 AND ch.cursor = ch.size AND ch.state = 'open' ORDER BY ch.id"
);
