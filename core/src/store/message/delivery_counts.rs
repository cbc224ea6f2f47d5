//! Tallies of chunks: the counts that are kept of their messages.
//!
//! What `traffic_networks` holds of outcomes is the sum of the stored tallies, changed in the same
//! transaction as they are.

use std::collections::BTreeMap;

use super::report::{matching, retries};
use crate::args;
use crate::error::Result;
use crate::model::campaign::id::{AudienceChunkId, CampaignId, ChunkId};
use crate::model::message::delivery_counts::Tally;
use crate::model::message::status::{MessageStatus, message_status};
use crate::store::Tx;
use crate::store::message::statuses::statuses;
use crate::store::stats::hourly::{self, hour_of};
use crate::time::Time;

/// A chunk with its tally, where that is of what the chunk is now.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct Tallied {
    pub id: ChunkId,
    pub audience_chunk_id: AudienceChunkId,
    /// Positions that a cancel gave up.
    pub tail_cancelled: i64,
    pub tally: Option<String>,
}

const TALLIED: &str = "SELECT ch.id, ch.audience_chunk_id, ch.tail_cancelled, t.tally FROM campaign_chunks ch \
     LEFT JOIN chunk_tallies t ON t.chunk_id = ch.id AND t.sequence = ch.sequence \
     WHERE ch.campaign_id = $1 AND ch.id > $2 ORDER BY ch.id LIMIT $3";

/// The next chunks of a campaign after `after`.
pub async fn tallied(tx: &mut Tx, campaign: CampaignId, after: ChunkId, limit: i64) -> Result<Vec<Tallied>> {
    tx.all(TALLIED, args![campaign, after, limit]).await
}

/// A chunk that has messages in a status, with its tally where that is of what the chunk is now.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct TalliedWith {
    pub id: ChunkId,
    pub size: i64,
    /// How many of its positions were claimed.
    pub cursor: i64,
    /// Positions that a cancel gave up.
    pub tail_cancelled: i64,
    pub tally: Option<String>,
}

const TALLIED_WITH: &str = concat!(
    "SELECT ch.id, ch.size, ch.cursor, ch.tail_cancelled, t.tally FROM campaign_chunks ch \
     LEFT JOIN chunk_tallies t ON t.chunk_id = ch.id AND t.sequence = ch.sequence \
     WHERE ch.campaign_id = $2 AND ch.id > $3 AND (",
    matching!(),
    ") > 0 ORDER BY ch.id LIMIT $4"
);

/// The next chunks of a campaign after `after` that have messages in `status`.
pub async fn tallied_with(
    tx: &mut Tx,
    campaign: CampaignId,
    status: MessageStatus,
    after: ChunkId,
    limit: i64,
) -> Result<Vec<TalliedWith>> {
    tx.all(TALLIED_WITH, args![status.number(), campaign, after, limit]).await
}

/// Keeps a chunk's tally as of `sequence`, and adds what changed to the figures. The chunk's row is locked.
pub(crate) async fn keep(tx: &mut Tx, chunk: ChunkId, sequence: i64, tally: &Tally) -> Result<()> {
    let before: Option<(Tally,)> =
        tx.opt("SELECT tally FROM chunk_tallies WHERE chunk_id = $1", args![chunk]).await?;
    let before = before.map(|(tally,)| tally).unwrap_or_default();
    let (started_at,): (Time,) = tx
        .one(
            "SELECT COALESCE(c.started_at, c.created_at) FROM campaign_chunks ch \
             JOIN campaigns c ON c.id = ch.campaign_id WHERE ch.id = $1",
            args![chunk],
        )
        .await?;
    let hour = hour_of(started_at);
    let changes: BTreeMap<(Time, String), _> =
        tally.since(&before).into_iter().map(|(network, outcomes)| ((hour, network), outcomes)).collect();
    tx.run(
        "INSERT INTO chunk_tallies (chunk_id, sequence, tally) VALUES ($1, $2, $3) \
         ON CONFLICT (chunk_id) DO UPDATE SET sequence = excluded.sequence, tally = excluded.tally",
        args![chunk, sequence, tally.to_json()?],
    )
    .await?;
    hourly::add_outcomes(tx, &changes).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Dialect;
    use crate::testing::database::for_each_database;

    #[tokio::test]
    async fn tallies_are_read_by_key() {
        for_each_database(|store| async move {
            if store.dialect() != Dialect::Sqlite {
                return; // PostgreSQL scans an empty table whatever there is.
            }
            let mut tx = store.read().await.unwrap();
            let chunks = tx.explain(TALLIED, args![1, 0, 64]).await.unwrap().join("\n");
            assert!(chunks.contains("SEARCH ch USING INDEX campaign_chunks_campaign"), "{chunks}");
            assert!(chunks.contains("SEARCH t USING INTEGER PRIMARY KEY (rowid=?)"), "{chunks}");
        })
        .await;
    }
}
