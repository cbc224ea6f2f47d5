//! Erasing a number: from audiences, while no message to them may go out any more, and from the rows of other tables
//! ([`rows`]). Each operation is a bounded step.

pub mod rows;

use crate::error::{Error, Result};
use crate::model::campaign::id::{AudienceChunkId, CampaignId, ChunkId, QuoteId};
use crate::model::message::id::MessageId;
use crate::phone::Msisdn;
use crate::store::campaign::campaign_statuses;
use crate::store::message::number_index;
use crate::store::{Column, Dialect, Sql, Tx};
use crate::time::Time;
use crate::{args, sql};

/// The chunks that the index names for a number, newest first, each with the recipients that have it.
pub async fn indexed_chunks(tx: &mut Tx, number: Msisdn) -> Result<Vec<(AudienceChunkId, Vec<i64>)>> {
    let recipients = number_index::recipients(tx, number.digits().cast_signed(), i64::MAX).await?;
    let chunk_of = |recipient: &i64| AudienceChunkId::of_recipient(*recipient);
    let by_chunk = recipients.chunk_by(|one, next| chunk_of(one) == chunk_of(next));
    Ok(by_chunk.map(|of_one| (chunk_of(&of_one[0]), of_one.to_vec())).collect())
}

const MAY_GO_OUT: Sql = sql!(concat!(
    "SELECT (SELECT COUNT(*) FROM campaigns c WHERE c.audience_id = a.audience_id AND c.status IN (",
    campaign_statuses!(open),
    ")) + (SELECT COUNT(*) FROM quotes q WHERE q.audience_id = a.audience_id AND q.confirmed_at IS NULL \
          AND COALESCE(q.canary_expires_at, q.expires_at) > $2) \
     FROM audience_chunks a WHERE a.id = $1 FOR UPDATE OF a"
));

/// Whether a message to a recipient of a chunk may still be made: a campaign of its audience is not over, or a quote of it may be
/// confirmed. The chunk is held until the end of the transaction.
pub async fn may_go_out(tx: &mut Tx, chunk: AudienceChunkId, now: Time) -> Result<bool> {
    Ok(tx.one::<(i64,)>(MAY_GO_OUT, args![chunk, now]).await?.0 > 0)
}

/// Has the quotes of a chunk's audience that expired end as they were made, so that a confirmation that was asked for in time and
/// comes late does not find them either: it waits for this transaction, or this one for it. A canary's date is its own as it is
/// made, see `store/campaign/quote.rs`.
pub async fn end_expired(tx: &mut Tx, chunk: AudienceChunkId, now: Time) -> Result<()> {
    let sql = "UPDATE quotes SET expires_at = created_at, \
                 canary_expires_at = CASE WHEN canary_expires_at IS NULL THEN NULL ELSE created_at END \
               WHERE audience_id = (SELECT audience_id FROM audience_chunks WHERE id = $1) AND confirmed_at IS NULL \
                 AND COALESCE(canary_expires_at, expires_at) <= $2";
    tx.run(sql, args![chunk, now]).await.map(|_| ())
}

/// A chunk of recipients in its stored form, if it is there.
pub async fn chunk(tx: &mut Tx, id: AudienceChunkId) -> Result<Option<Vec<u8>>> {
    let found: Option<(Vec<u8>,)> =
        tx.opt("SELECT data FROM audience_chunks WHERE id = $1", args![id]).await?;
    Ok(found.map(|(data,)| data))
}

/// Stores a chunk whose number was erased.
pub async fn rewrite(tx: &mut Tx, chunk: AudienceChunkId, data: Vec<u8>) -> Result<()> {
    tx.run_exactly(1, "UPDATE audience_chunks SET data = $2 WHERE id = $1", args![chunk, data]).await
}

/// Forgets the keys that were pressed in the calls to these places of a chunk.
pub async fn clear_pressed_keys(tx: &mut Tx, chunk: AudienceChunkId, places: &[u16]) -> Result<()> {
    let sql = "SELECT id FROM campaign_chunks WHERE audience_chunk_id = $1";
    let chunks: Vec<(ChunkId,)> = tx.all(sql, args![chunk]).await?;
    let of = |(chunk,)| places.iter().map(move |place| MessageId::new(chunk, *place));
    let messages = Column::of(chunks.into_iter().flat_map(of));
    let sql = sql!("UPDATE calls SET digits = '' WHERE digits <> '' AND message_id = ANY($1::BIGINT[])");
    tx.run(sql, args![vec![messages]]).await.map(|_| ())
}

/// Forgets the keys that were pressed in the calls to these chunks of recipients, which are few.
pub async fn clear_all_pressed_keys(tx: &mut Tx, chunks: &[AudienceChunkId]) -> Result<()> {
    let sql = sql!("SELECT id FROM campaign_chunks WHERE audience_chunk_id = ANY($1::BIGINT[])");
    let chunks: Vec<(ChunkId,)> = tx.all(sql, args![vec![Column::of(chunks)]]).await?;
    for (chunk,) in chunks {
        let (from, to) = MessageId::of_chunk(chunk);
        let sql = "UPDATE calls SET digits = '' WHERE digits <> '' AND message_id >= $1 AND message_id < $2";
        tx.run(sql, args![from, to]).await?;
    }
    Ok(())
}

/// What a campaign or a quote says to its audience.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct SentText<Id> {
    /// The campaign or quote.
    pub id: Id,
    /// Recipients of a run.
    pub size: i64,
    /// The content as JSON, which stays as it was stored where nothing is taken out.
    pub content: String,
    /// What a quote says beside its columns, as JSON (`model/campaign/quote_details.rs`); `{}` of a campaign.
    pub details: String,
}

/// The campaigns of a chunk's audience, which are its runs.
pub async fn campaigns_of(tx: &mut Tx, chunk: AudienceChunkId) -> Result<Vec<SentText<CampaignId>>> {
    tx.all(
        "SELECT c.id, c.size, c.content, '{}' AS details FROM campaigns c JOIN audience_chunks a ON a.audience_id = c.audience_id \
         WHERE a.id = $1",
        args![chunk],
    )
    .await
}

/// The quotes of a chunk's audience.
pub async fn quotes_of(tx: &mut Tx, chunk: AudienceChunkId) -> Result<Vec<SentText<QuoteId>>> {
    tx.all(
        "SELECT q.id, q.size, q.content, q.details FROM quotes q JOIN audience_chunks a ON a.audience_id = q.audience_id \
         WHERE a.id = $1",
        args![chunk],
    )
    .await
}

/// Stores a campaign's content without its words.
pub async fn set_campaign_content(tx: &mut Tx, id: CampaignId, content: String) -> Result<()> {
    tx.run_exactly(1, "UPDATE campaigns SET content = $2 WHERE id = $1", args![id, content]).await
}

/// Stores a quote's content without its words.
pub async fn set_quote_content(tx: &mut Tx, id: QuoteId, content: String) -> Result<()> {
    tx.run_exactly(1, "UPDATE quotes SET content = $2 WHERE id = $1", args![id, content]).await
}

/// Forgets the digest of a quote's form: of a few numbers and a text that is known they could be found by trying.
pub async fn clear_form(tx: &mut Tx, id: QuoteId) -> Result<()> {
    let nothing = [0_u8; 32];
    let sql = "UPDATE quotes SET form_hash = $2 WHERE id = $1";
    tx.run_exactly(1, sql, args![id, nothing.as_slice()]).await
}

/// Stores what a quote says beside its columns.
pub async fn set_quote_details(tx: &mut Tx, id: QuoteId, details: String) -> Result<()> {
    let sql = "UPDATE quotes SET details = $2 WHERE id = $1";
    tx.run_exactly(1, sql, args![id, details]).await
}

/// Has SQLite overwrite what the statements from now on remove, or not any more. PostgreSQL leaves that to vacuuming.
pub async fn overwrite_removed(tx: &mut Tx, whether: bool) -> Result<()> {
    if tx.dialect() == Dialect::Sqlite {
        let sql = if whether { "PRAGMA secure_delete = ON" } else { "PRAGMA secure_delete = OFF" };
        tx.run(sql, args![]).await?;
    }
    Ok(())
}

/// Notes that opt-outs are stored under digests of this process' key from now on.
///
/// # Errors
/// `Unreadable` where it has none.
pub async fn note_key(tx: &mut Tx, now: Time) -> Result<()> {
    let sql = "INSERT INTO erasure_key (id, digest, noted_at) VALUES (1, $1, $2) \
               ON CONFLICT (id) DO UPDATE SET digest = excluded.digest, noted_at = excluded.noted_at";
    tx.run(sql, args![own_key(tx)?, now]).await.map(|_| ())
}

/// What is noted where the key was given up: digests are negative.
const GIVEN_UP: i64 = 0;

/// Notes that what is stored under digests of the key that was noted is given up: any other may be noted in its place.
pub async fn give_key_up(tx: &mut Tx) -> Result<()> {
    tx.run("UPDATE erasure_key SET digest = $1 WHERE id = 1", args![GIVEN_UP]).await.map(|_| ())
}

/// Under which key opt-outs of erased numbers are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeptUnder {
    /// There are none, or they are under the one that this process has.
    OwnKey,
    /// Under another one.
    OtherKey,
    /// Under one that was given up, since when no other was noted.
    GivenUp,
}

/// Under which key opt-outs of erased numbers are stored. While that is another one, nothing notes this process' own: what it
/// would erase the right key would not know again.
///
/// # Errors
/// `Unreadable` where it has none.
pub async fn kept_under(tx: &mut Tx) -> Result<KeptUnder> {
    let own = own_key(tx)?;
    let known: Option<(i64,)> = tx.opt("SELECT digest FROM erasure_key WHERE id = 1", args![]).await?;
    Ok(match known {
        Some((GIVEN_UP,)) => KeptUnder::GivenUp,
        Some((known,)) if known != own => KeptUnder::OtherKey,
        _ => KeptUnder::OwnKey,
    })
}

/// A chunk of recipients of a quote that was not confirmed.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct Unconfirmed {
    /// The chunk.
    pub id: AudienceChunkId,
    /// Its stored form.
    pub data: Vec<u8>,
    /// Quotes of its audience that may be confirmed yet; of the others a copy is there until they are swept away.
    pub open: i64,
}

/// Chunks of recipients of quotes that were not confirmed, after a chunk: up to so many.
pub async fn unconfirmed(
    tx: &mut Tx,
    now: Time,
    after: AudienceChunkId,
    limit: i64,
) -> Result<Vec<Unconfirmed>> {
    tx.all(
        "SELECT c.id, c.data, (SELECT COUNT(*) FROM quotes o WHERE o.audience_id = c.audience_id AND o.confirmed_at IS NULL \
             AND COALESCE(o.canary_expires_at, o.expires_at) > $3) AS open \
         FROM audience_chunks c WHERE c.id IN \
           (SELECT a.id FROM quotes q CROSS JOIN audience_chunks a \
            WHERE q.confirmed_at IS NULL AND a.audience_id = q.audience_id AND a.id > $1 ORDER BY a.id LIMIT $2) \
         ORDER BY c.id",
        args![after, limit, now],
    )
    .await
}

fn own_key(tx: &Tx) -> Result<i64> {
    tx.digest(Msisdn::ERASED).ok_or_else(|| Error::Unreadable("erased numbers".into()))
}
