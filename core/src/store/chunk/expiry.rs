//! Chunks that are past their validity, and campaigns that wait for a carrier and have not begun.

use std::collections::BTreeSet;

use super::super::campaign::canary::{began_at, not_behind_canary};
use super::small_chunks::STARTED;
use super::{Column, Flow, Priority, Sql, Tx, lock};
use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::campaign::id::ChunkId;
use crate::model::platform::id::RunId;
use crate::time::Time;
use crate::{args, sql};

/// When campaigns that expire now began.
#[derive(Clone, Copy, Debug)]
pub struct BeganBefore {
    /// Messages of campaigns that began before this have expired.
    pub others: Time,
    /// Promotional messages of those that began before this have: their validity stands still in the quiet hours.
    pub promotional: Time,
    /// Whether those that have not begun are looked for, too.
    pub or_not_begun: bool,
}

/// A chunk that may be claimed, to be given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct ExpiredChunk {
    /// Its id.
    pub id: ChunkId,
    /// Whose it is.
    pub user_id: UserId,
    is_bulk: bool,
    /// Whether its campaign began: else it cannot have expired, and its validity is to begin.
    pub has_begun: bool,
}

impl ExpiredChunk {
    /// Whose turn it would be.
    pub const fn flow(self) -> Flow {
        Flow { class: if self.is_bulk { Priority::Bulk } else { Priority::High }, user: self.user_id }
    }
}

/// The first chunks that `me` may claim at a carrier and that have expired, or whose campaign has not begun if those are looked for;
/// at most `limit`.
pub async fn expired(
    tx: &mut Tx,
    carrier: &str,
    me: RunId,
    began_before: BeganBefore,
    limit: i64,
) -> Result<Vec<ExpiredChunk>> {
    let BeganBefore { others, promotional, or_not_begun } = began_before;
    tx.all(EXPIRED, args![carrier, me, others, promotional, limit, or_not_begun]).await
}

/// A campaign never began later than its canary passed, so that of most campaigns no chunk is read. Chunks are sorted by no column of
/// an index: else PostgreSQL may go through all that there ever were, as it expects to find enough soon.
pub(crate) const EXPIRED: Sql = sql!(
    "SELECT ch.id, c.user_id, c.size > 64 AS is_bulk, c.started_at IS NOT NULL AS has_begun \
     FROM campaigns c CROSS JOIN users u CROSS JOIN campaign_chunks ch \
     WHERE COALESCE(c.started_at, 0) < $3 AND ($6 = TRUE OR c.started_at IS NOT NULL) AND u.id = c.user_id AND ",
    may_send!(),
    " AND ch.campaign_id = c.id AND ch.carrier = $1 \
       AND ch.state = 'open' AND (ch.owner IS NULL OR ch.owner = $2) AND ch.cursor < ch.size AND COALESCE(",
    began_at!(),
    ", 0) < CASE WHEN ch.promotional = TRUE THEN $4 ELSE $3 END AND ",
    not_behind_canary!("ch"),
    " ORDER BY ch.id + 0 LIMIT $5"
);

/// Begins the campaigns of these chunks, so that their validity ends though their carrier takes nothing.
pub async fn begin(tx: &mut Tx, chunks: &[ChunkId], now: Time) -> Result<()> {
    lock(tx, chunks.iter().copied().collect(), BTreeSet::new()).await?;
    tx.run(STARTED, args![now, vec![Column::of(chunks)]]).await.map(|_| ())
}
