//! Traffic: what carriers were given, what it brought in and what it costs, counted behind the send; and with it the
//! tally of what became of a chunk's messages.
//!
//! A chunk's rows are those of its messages as of the sequence it is counted up to; counting again
//! replaces the counts, also by none, and keeps the price at which it was first counted.

use talkdrum_api::money::{Amount, Currency};

use crate::error::Result;
use crate::model::campaign::id::{AudienceChunkId, ChunkId};
use crate::model::message::delivery_counts::Tally;
use crate::store::message::delivery_counts;
use crate::store::{Column, Sql, Tx};
use crate::time::Time;
use crate::{args, sql};

/// A chunk whose traffic is to be counted.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct Uncounted {
    pub id: ChunkId,
    pub sequence: i64,
    pub carrier: String,
    pub audience_chunk_id: AudienceChunkId,
    pub currency: Currency,
    pub unit_price: Amount,
    pub answered_at: Option<Time>,
}

/// Chunks with something new since they were counted that are due now and quiet since `before`, oldest first.
pub async fn uncounted(tx: &mut Tx, now: Time, before: Time, limit: i64) -> Result<Vec<Uncounted>> {
    tx.all(
        "SELECT ch.id, ch.sequence, ch.carrier, ch.audience_chunk_id, c.currency, \
           COALESCE(ch.unit_price_micros, c.unit_price_micros) AS unit_price, ch.answered_at \
         FROM traffic_queue q CROSS JOIN campaign_chunks ch CROSS JOIN campaigns c \
         WHERE ch.id = q.chunk_id AND c.id = ch.campaign_id AND q.due_at <= $1 AND ch.answered_at <= $2 \
         ORDER BY q.chunk_id LIMIT $3",
        args![now, before, limit],
    )
    .await
}

/// Has a chunk that waits counted later.
pub async fn put_off(tx: &mut Tx, chunk: ChunkId, due_at: Time) -> Result<()> {
    tx.run("UPDATE traffic_queue SET due_at = $2 WHERE chunk_id = $1", args![chunk, due_at]).await.map(drop)
}

/// Has chunks counted (again), once they are quiet. The caller changes them and holds their locks.
pub async fn queue(tx: &mut Tx, chunks: Vec<ChunkId>) -> Result<()> {
    tx.run(QUEUE, args![vec![Column::of(chunks)]]).await.map(|_| ())
}

const QUEUE: Sql = sql!(
    "INSERT INTO traffic_queue (chunk_id) SELECT j.id FROM UNNEST($1::BIGINT[]) AS j (id) WHERE true ORDER BY j.id \
     ON CONFLICT (chunk_id) DO NOTHING"
);

/// What a chunk did on one day in one network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrafficRow {
    pub day: String,
    pub network: String,
    /// By which they went.
    pub carrier: String,
    pub messages: i64,
    pub segments: i64,
    pub revenue: Amount,
    pub segment_cost: Option<Amount>,
    pub cost_currency: Option<Currency>,
}

/// Stores what was counted of a chunk.
pub async fn store(tx: &mut Tx, chunk: &Uncounted, rows: &[TrafficRow], tally: &Tally) -> Result<()> {
    // First, so that no other transaction counts this chunk until all of it is stored.
    tx.run("UPDATE campaign_chunks SET counted = $2 WHERE id = $1", args![chunk.id, chunk.sequence]).await?;
    // What changed since it was read has it counted again: then it stays in the queue.
    tx.run(
        "DELETE FROM traffic_queue WHERE chunk_id = $1 \
         AND EXISTS (SELECT 1 FROM campaign_chunks WHERE id = $1 AND sequence = $2)",
        args![chunk.id, chunk.sequence],
    )
    .await?;
    let columns = vec![
        Column::of(rows.iter().map(|row| &row.day)),
        Column::of(rows.iter().map(|row| &row.network)),
        Column::of(rows.iter().map(|row| row.messages)),
        Column::of(rows.iter().map(|row| row.segments)),
        Column::of(rows.iter().map(|row| row.revenue)),
        Column::of(rows.iter().map(|row| row.segment_cost)),
        Column::of(rows.iter().map(|row| row.cost_currency)),
        Column::of(rows.iter().map(|row| &row.carrier)),
    ];
    let sql = sql!(
        "INSERT INTO carrier_traffic (chunk_id, currency, day, network, messages, segments, revenue_micros, \
           segment_cost_micros, cost_currency, carrier) \
         SELECT $1, $2, j.* FROM UNNEST($3::TEXT[], $4::TEXT[], $5::BIGINT[], $6::BIGINT[], $7::BIGINT[], \
           $8::BIGINT[], $9::TEXT[], $10::TEXT[]) AS j WHERE true \
         ON CONFLICT (chunk_id, day, network, carrier) DO UPDATE SET messages = excluded.messages, \
           segments = excluded.segments, revenue_micros = excluded.revenue_micros"
    );
    tx.run(sql, args![chunk.id, chunk.currency, columns]).await?;
    // What is in no row any more was counted in another: the numbers were erased, or the table of networks is another.
    let columns = vec![
        Column::of(rows.iter().map(|row| &row.day)),
        Column::of(rows.iter().map(|row| &row.network)),
        Column::of(rows.iter().map(|row| &row.carrier)),
    ];
    let sql = sql!(
        "UPDATE carrier_traffic SET messages = 0, segments = 0, revenue_micros = 0 \
         WHERE chunk_id = $1 AND messages > 0 AND (day, network, carrier) NOT IN \
           (SELECT j.day, j.network, j.carrier FROM UNNEST($2::TEXT[], $3::TEXT[], $4::TEXT[]) AS j (day, network, carrier))"
    );
    tx.run(sql, args![chunk.id, columns]).await?;
    delivery_counts::keep(tx, chunk.id, chunk.sequence, tally).await
}

/// What came together of a day, a carrier, a network and a pair of currencies.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct Sum {
    pub day: String,
    pub carrier: String,
    pub network: String,
    pub currency: Currency,
    pub cost_currency: Option<Currency>,
    pub messages: i64,
    pub segments: i64,
    pub revenue: Amount,
    /// `None` when some of it has no price.
    pub cost: Option<Amount>,
}

/// Which traffic is wanted; empty texts mean any.
#[derive(Clone, Debug, Default)]
pub struct TrafficSelection {
    /// The first day, `YYYY-MM-DD`.
    pub from: String,
    /// The last day.
    pub to: String,
    /// The carrier.
    pub carrier: String,
    /// The network.
    pub network: String,
}

/// The sums, newest day first.
pub async fn sums(tx: &mut Tx, wanted: &TrafficSelection, offset: i64, limit: i64) -> Result<Vec<Sum>> {
    tx.all(
        "SELECT day, carrier, network, currency, cost_currency, CAST(SUM(messages) AS BIGINT) AS messages, \
           CAST(SUM(segments) AS BIGINT) AS segments, CAST(SUM(revenue_micros) AS BIGINT) AS revenue, \
           CAST(SUM(segments * segment_cost_micros) AS BIGINT) AS cost \
         FROM carrier_traffic WHERE day >= $1 AND day <= $2 AND ($3 = '' OR carrier = $3) AND ($4 = '' OR network = $4) \
         GROUP BY day, carrier, network, currency, cost_currency \
         ORDER BY day DESC, carrier COLLATE \"binary\", network COLLATE \"binary\", currency, cost_currency NULLS FIRST \
         LIMIT $6 OFFSET $5",
        args![&wanted.from, &wanted.to, &wanted.carrier, &wanted.network, offset, limit],
    )
    .await
}

/// How many sums there are.
pub async fn count(tx: &mut Tx, wanted: &TrafficSelection) -> Result<i64> {
    let row: (i64,) = tx
        .one(
            "SELECT COUNT(*) FROM (SELECT 1 FROM carrier_traffic \
             WHERE day >= $1 AND day <= $2 AND ($3 = '' OR carrier = $3) AND ($4 = '' OR network = $4) \
             GROUP BY day, carrier, network, currency, cost_currency) AS sums",
            args![&wanted.from, &wanted.to, &wanted.carrier, &wanted.network],
        )
        .await?;
    Ok(row.0)
}
