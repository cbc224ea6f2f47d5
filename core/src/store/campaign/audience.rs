//! Audiences and their chunks: who gets a campaign. Written once, read by workers, reports and resends.
//!
//! A chunk is never changed, but that a number is erased from it (`store/subject/erase.rs`); an audience goes with all its chunks, and only while no campaign uses it.

use talkdrum_api::money::Amount;

use crate::content::FieldNames;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::campaign::audience_chunk::{NUMBERS_BYTES_MAX, StoredChunk};
use crate::model::campaign::id::{AudienceChunkId, AudienceId, CampaignId, ChunkId, QuoteId};
use crate::model::message::id::MessageId;
use crate::model::message::status::MessageStatus;
use crate::store::message::answered;
use crate::store::{Arg, Blobs, Column, Tx};
use crate::time::Time;
use crate::{args, sql};

/// The beginning of an audience chunk that holds its numbers, pages and short messages: `numbers_of!("a.data")`. The merge
/// fields behind it may have two MiB.
macro_rules! numbers_of {
    ($data:literal) => {
        concat!("substr(", $data, ", 1, 49157)")
    };
}
pub(crate) use numbers_of;
const _: () = assert!(NUMBERS_BYTES_MAX == 49_157);

/// A chunk with the carrier that takes it.
#[derive(Clone, Debug)]
pub struct CarrierChunk {
    /// The carrier's name.
    pub carrier: std::sync::Arc<str>,
    /// Whether it goes out outside the quiet hours only.
    pub promotional: bool,
    /// Whether it must not go to numbers on the Do-Not-Disturb list.
    pub minds_dnd: bool,
    /// The carriers that take over from it, by name, one a line; `None` where there are none.
    pub spares: Option<std::sync::Arc<str>>,
    /// Whether the price abroad holds for its recipients; otherwise that at home does.
    pub is_abroad: bool,
    /// The price of a page to them, where a rate says it.
    pub unit_price: Option<Amount>,
    /// The recipients.
    pub chunk: StoredChunk,
}

/// An audience that is to be made.
#[derive(Clone, Debug)]
pub struct NewAudience<'a> {
    /// Its owner.
    pub user: UserId,
    /// The names of its merge fields.
    pub columns: &'a FieldNames,
    /// When.
    pub made_at: Time,
}

/// Makes empty audiences; their ids in the same order.
pub async fn insert(tx: &mut Tx, audiences: &[NewAudience<'_>]) -> Result<Vec<AudienceId>> {
    if audiences.is_empty() {
        return Ok(Vec::new());
    }
    let names = audiences.iter().map(|it| it.columns.to_json().map(Some));
    let rows = vec![
        Column::of(audiences.iter().map(|it| it.user)),
        Column::Texts(names.collect::<Result<_>>()?),
        Column::of(audiences.iter().map(|it| it.made_at)),
        Column::of((0..).take(audiences.len())),
    ];
    let sql = sql!(
        "INSERT INTO audiences (user_id, columns, created_at) SELECT j.user_id, j.columns, j.made_at \
         FROM UNNEST($1::BIGINT[], $2::TEXT[], $3::BIGINT[], $4::BIGINT[]) AS j (user_id, columns, made_at, place) \
         ORDER BY j.place RETURNING id"
    );
    in_order(tx.all(sql, args![rows]).await?, audiences.len())
}

/// The ids of rows that one statement inserted in order: they are given out in that order too, but not told in it.
pub(crate) fn in_order<Id: Ord>(rows: Vec<(Id,)>, expected: usize) -> Result<Vec<Id>> {
    if rows.len() != expected {
        return Err(Error::Corrupt(format!("{} of {expected} rows were inserted", rows.len())));
    }
    let mut ids: Vec<Id> = rows.into_iter().map(|(id,)| id).collect();
    ids.sort_unstable();
    Ok(ids)
}

/// Adds chunks to the audiences beside them, in order.
pub async fn insert_chunks(tx: &mut Tx, chunks: &[(AudienceId, &CarrierChunk)]) -> Result<()> {
    if chunks.is_empty() {
        return Ok(());
    }
    let ints = |read: fn(&CarrierChunk) -> i64| Column::of(chunks.iter().map(|(_, it)| read(it)));
    let (bytes, begins, lengths) =
        Blobs::of(chunks.iter().map(|(_, it)| it.chunk.data.as_slice())).into_parts();
    let rows = vec![
        Column::of(chunks.iter().map(|(audience, _)| audience)),
        Column::of(chunks.iter().map(|(_, it)| &*it.carrier)),
        ints(|it| i64::from(it.chunk.size)),
        ints(|it| it.chunk.pages.cast_signed()),
        ints(|it| it.chunk.segments.cast_signed()),
        ints(|it| i64::from(it.promotional)),
        ints(|it| i64::from(it.minds_dnd)),
        begins,
        lengths,
        ints(|it| i64::from(it.is_abroad)),
        Column::of(chunks.iter().map(|(_, it)| it.unit_price)),
        Column::of(chunks.iter().map(|(_, it)| it.spares.as_deref())),
        Column::of((0..).take(chunks.len())),
    ];
    let sql = sql!(
        "INSERT INTO audience_chunks (audience_id, carrier, size, pages, segments, promotional, minds_dnd, data, abroad, \
           unit_price_micros, spares) \
         SELECT j.audience, j.carrier, j.size, j.pages, j.segments, j.promotional = 1, j.minds_dnd = 1, \
           substr($1, CAST(j.starts AS INTEGER), CAST(j.length AS INTEGER)), j.abroad = 1, j.price, j.spares \
         FROM UNNEST($2::BIGINT[], $3::TEXT[], $4::BIGINT[], $5::BIGINT[], $6::BIGINT[], $7::BIGINT[], $8::BIGINT[], \
             $9::BIGINT[], $10::BIGINT[], $11::BIGINT[], $12::BIGINT[], $13::TEXT[], $14::BIGINT[]) \
           AS j (audience, carrier, size, pages, segments, promotional, minds_dnd, starts, length, abroad, price, spares, place) \
         ORDER BY j.place"
    );
    tx.run_exactly(chunks.len() as u64, sql, vec![bytes, Arg::Rows(rows)]).await
}

/// Removes an audience that no campaign uses, with its chunks; false when a campaign does or it is gone.
pub async fn delete_unused(tx: &mut Tx, audience: AudienceId) -> Result<bool> {
    let touched = tx
        .run(
            "DELETE FROM audiences WHERE id = $1 \
             AND NOT EXISTS (SELECT 1 FROM campaigns WHERE audience_id = $1)",
            args![audience],
        )
        .await?;
    Ok(touched == 1)
}

/// Removes audiences made before `before` that no quote refers to: what a crash in the middle of a list left behind.
/// At most 4 a call, as each may have hundreds of chunks.
pub async fn delete_orphans(tx: &mut Tx, before: Time) -> Result<u64> {
    tx.run(
        "DELETE FROM audiences WHERE id IN (SELECT a.id FROM audiences a LEFT JOIN quotes q ON q.audience_id = a.id \
         WHERE a.created_at < $1 AND q.id IS NULL ORDER BY a.id LIMIT 4)",
        args![before],
    )
    .await
}

/// The names of an audience's merge fields.
pub async fn columns(tx: &mut Tx, audience: AudienceId) -> Result<FieldNames> {
    let read = tx.one("SELECT columns FROM audiences WHERE id = $1", args![audience]).await;
    let (names,) = read.map_err(|error| error.in_row("audience", audience))?;
    Ok(names)
}

/// The stored form of up to `limit` chunks of an audience after `after`, in order, with their ids.
pub async fn chunks_after(
    tx: &mut Tx,
    audience: AudienceId,
    after: AudienceChunkId,
    limit: i64,
) -> Result<Vec<(AudienceChunkId, Vec<u8>)>> {
    tx.all(
        concat!(
            "SELECT id, ",
            numbers_of!("data"),
            " FROM audience_chunks WHERE audience_id = $1 AND id > $2 ORDER BY id LIMIT $3"
        ),
        args![audience, after, limit],
    )
    .await
}

/// A chunk of a campaign and how far it came.
#[derive(Clone, Copy, Debug, sqlx_macros::FromRow)]
pub struct CampaignChunk {
    pub id: ChunkId,
    pub audience_chunk_id: AudienceChunkId,
    pub size: i64,
    pub cursor: i64,
    pub tail_cancelled: i64,
}

/// Up to `limit` chunks of a campaign after `after`, in order.
pub async fn chunks_of_campaign(
    tx: &mut Tx,
    campaign: CampaignId,
    after: ChunkId,
    limit: i64,
) -> Result<Vec<CampaignChunk>> {
    tx.all(
        "SELECT id, audience_chunk_id, size, cursor, tail_cancelled FROM campaign_chunks WHERE campaign_id = $1 AND id > $2 ORDER BY id LIMIT $3",
        args![campaign, after, limit],
    )
    .await
}

/// The messages of a campaign's chunk that are in this status, in order. Those that no carrier answered have no status
/// that is stored, and are not among them.
pub async fn messages_in(tx: &mut Tx, chunk: ChunkId, status: MessageStatus) -> Result<Vec<MessageId>> {
    let found = answered::in_statuses(tx, chunk, (status.number(), status.number())).await?;
    Ok(found.into_iter().map(|(place, _)| MessageId::new(chunk, place)).collect())
}

/// The carriers that the messages of a quote go to, by name.
pub async fn carriers(tx: &mut Tx, quote: QuoteId) -> Result<Vec<String>> {
    let sql = "SELECT DISTINCT a.carrier FROM quotes q JOIN audience_chunks a ON a.audience_id = q.audience_id \
               WHERE q.id = $1 ORDER BY a.carrier";
    let rows: Vec<(String,)> = tx.all(sql, args![quote]).await?;
    Ok(rows.into_iter().map(|(carrier,)| carrier).collect())
}

/// The stored form of a chunk of recipients; without fields as much of it as [`Chunk::decode_without_fields`] reads.
///
/// [`Chunk::decode_without_fields`]: crate::model::campaign::audience_chunk::Chunk::decode_without_fields
pub async fn chunk(tx: &mut Tx, id: AudienceChunkId, with_fields: bool) -> Result<Vec<u8>> {
    let sql = if with_fields {
        "SELECT data FROM audience_chunks WHERE id = $1"
    } else {
        concat!("SELECT ", numbers_of!("data"), " FROM audience_chunks WHERE id = $1")
    };
    Ok(tx.one::<(Vec<u8>,)>(sql, args![id]).await?.0)
}
