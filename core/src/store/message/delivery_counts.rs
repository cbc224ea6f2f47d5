//! Tallies of chunks: the rows they are counted from, and the counts that are kept.
//!
//! What `traffic_networks` holds of outcomes is the sum of the stored tallies, changed in the same
//! transaction as they are.

use std::collections::BTreeMap;

use super::from_json;
use super::report::{matching, retries};
use crate::error::Result;
use crate::model::campaign::id::{AudienceChunkId, CampaignId, ChunkId};
use crate::model::message::delivery_counts::Tally;
use crate::model::message::id::MessageId;
use crate::model::message::status::{MessageStatus, MoneyState, message_status};
use crate::store::message::done_at;
use crate::store::message::statuses::statuses;
use crate::store::stats::hourly::{self, hour_of};
use crate::store::{Sql, Tx};
use crate::time::Time;
use crate::{args, sql};

/// The message rows of a chunk, a column each, in order of place.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    places: Vec<u16>,
    statuses: Vec<MessageStatus>,
    money: Vec<MoneyState>,
    submitted_at: Vec<Option<Time>>,
    done_at: Vec<Option<Time>>,
    errors: Vec<Option<Box<str>>>,
}

/// One of them.
#[derive(Clone, Copy, Debug)]
pub struct DeliveryCountsRow<'a> {
    /// Its place in the chunk.
    pub place: u16,
    pub status: MessageStatus,
    /// Where its money is.
    pub money: MoneyState,
    pub submitted_at: Option<Time>,
    pub done_at: Option<Time>,
    pub error: Option<&'a str>,
}

impl Rows {
    /// All of them in order of place.
    pub fn iter(&self) -> impl Iterator<Item = DeliveryCountsRow<'_>> {
        self.places.iter().enumerate().filter_map(|(row, place)| {
            Some(DeliveryCountsRow {
                place: *place,
                status: *self.statuses.get(row)?,
                money: *self.money.get(row)?,
                submitted_at: *self.submitted_at.get(row)?,
                done_at: *self.done_at.get(row)?,
                error: self.errors.get(row)?.as_deref(),
            })
        })
    }
}

/// One row a chunk, a JSON array a column: a driver's cost for each row and column would be most of it.
const ROWS: Sql = sql!(
    "SELECT CAST(COALESCE(json_agg(id & 4095), '[]') AS TEXT), CAST(COALESCE(json_agg(status), '[]') AS TEXT), \
     CAST(COALESCE(json_agg(money), '[]') AS TEXT), CAST(COALESCE(json_agg(submitted_at), '[]') AS TEXT), \
     CAST(COALESCE(json_agg(done_at), '[]') AS TEXT), CAST(COALESCE(json_agg(error), '[]') AS TEXT) \
     FROM (SELECT id, status, money, submitted_at, ",
    done_at!(),
    " AS done_at, error FROM messages WHERE id >= $1 AND id < $2 ORDER BY id) AS ordered",
);

/// The message rows of a chunk.
pub async fn rows(tx: &mut Tx, chunk: ChunkId) -> Result<Rows> {
    let (from, to) = MessageId::of_chunk(chunk);
    let row: (String, String, String, String, String, String) = tx.one(ROWS, args![from, to]).await?;
    Ok(Rows {
        places: from_json(&row.0)?,
        statuses: from_json(&row.1)?,
        money: from_json(&row.2)?,
        submitted_at: from_json(&row.3)?,
        done_at: from_json(&row.4)?,
        errors: from_json(&row.5)?,
    })
}

/// A chunk with its tally, where that is of what the chunk is now.
#[derive(Clone, Debug, sqlx::FromRow)]
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
#[derive(Clone, Debug, sqlx::FromRow)]
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

/// One row a chunk, as of all rows.
const IN_STATUS: Sql = sql!(
    "SELECT CAST(COALESCE(json_agg(id & 4095), '[]') AS TEXT), CAST(COALESCE(json_agg(error), '[]') AS TEXT) \
     FROM (SELECT id, error FROM messages WHERE id >= $1 AND id < $2 AND status = $3 ORDER BY id) AS ordered"
);

/// The places of a chunk whose messages are in a status, ascending, with what is recorded of why.
pub async fn in_status(
    tx: &mut Tx,
    chunk: ChunkId,
    status: MessageStatus,
) -> Result<Vec<(u16, Option<Box<str>>)>> {
    let (from, to) = MessageId::of_chunk(chunk);
    let (places, errors): (String, String) = tx.one(IN_STATUS, args![from, to, status]).await?;
    let errors: Vec<Option<Box<str>>> = from_json(&errors)?;
    Ok(from_json::<Vec<u16>>(&places)?.into_iter().zip(errors).collect())
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
    async fn a_tally_reads_its_own_chunk_by_key() {
        for_each_database(|store| async move {
            if store.dialect() != Dialect::Sqlite {
                return; // PostgreSQL scans an empty table whatever there is.
            }
            let mut tx = store.read().await.unwrap();
            let rows = tx.explain(ROWS, args![0, 4096]).await.unwrap().join("\n");
            assert!(
                rows.contains("SEARCH messages USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"),
                "{rows}"
            );
            let chunks = tx.explain(TALLIED, args![1, 0, 64]).await.unwrap().join("\n");
            assert!(chunks.contains("SEARCH ch USING INDEX campaign_chunks_campaign"), "{chunks}");
            assert!(chunks.contains("SEARCH t USING INTEGER PRIMARY KEY (rowid=?)"), "{chunks}");
        })
        .await;
    }
}
