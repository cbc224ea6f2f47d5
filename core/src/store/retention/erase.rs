//! Erasing what campaigns that are over said, and whom they went to. Numbers of rows are bounded by the caller.

use crate::error::Result;
use crate::model::campaign::id::{AudienceChunkId, AudienceId, CampaignId, QuoteId};
use crate::store::operations::purge::bounded;
use crate::store::subject::erase::SentText;
use crate::store::{Blobs, Column, Tx};
use crate::{args, sql};

/// The campaigns of these audiences with what they say.
pub async fn texts_of_campaigns(
    tx: &mut Tx,
    audiences: Vec<AudienceId>,
) -> Result<Vec<SentText<CampaignId>>> {
    let sql = sql!(
        "SELECT id, size, content, '{}' AS details FROM campaigns WHERE audience_id = ANY($1::BIGINT[]) ORDER BY id"
    );
    tx.all(sql, args![vec![Column::of(audiences)]]).await
}

/// The quotes of these audiences with what they say.
pub async fn quotes_of(tx: &mut Tx, audiences: Vec<AudienceId>) -> Result<Vec<SentText<QuoteId>>> {
    let sql = sql!(
        "SELECT id, size, content, details FROM quotes WHERE audience_id = ANY($1::BIGINT[]) ORDER BY id"
    );
    tx.all(sql, args![vec![Column::of(audiences)]]).await
}

/// Stores what campaigns say, each with its id.
pub async fn set_campaigns(tx: &mut Tx, contents: Vec<(CampaignId, String)>) -> Result<()> {
    if contents.is_empty() {
        return Ok(());
    }
    let (ids, contents): (Vec<CampaignId>, Vec<String>) = contents.into_iter().unzip();
    let sql = sql!(
        "UPDATE campaigns SET content = j.content FROM UNNEST($1::BIGINT[], $2::TEXT[]) AS j (id, content) \
         WHERE campaigns.id = j.id"
    );
    tx.run(sql, args![vec![Column::of(ids), Column::of(contents)]]).await.map(|_| ())
}

/// Stores what quotes say, each with its id, content and details, and forgets the digests of their forms: of a few numbers and a
/// short text they could be found by trying.
pub async fn set_quotes(tx: &mut Tx, quotes: Vec<SentText<QuoteId>>) -> Result<()> {
    if quotes.is_empty() {
        return Ok(());
    }
    let nothing = [0_u8; 32];
    let rows = vec![
        Column::of(quotes.iter().map(|quote| quote.id)),
        Column::of(quotes.iter().map(|quote| &quote.content)),
        Column::of(quotes.into_iter().map(|quote| quote.details)),
    ];
    let sql = sql!(
        "UPDATE quotes SET content = j.content, details = j.details, form_hash = $1 \
         FROM UNNEST($2::BIGINT[], $3::TEXT[], $4::TEXT[]) AS j (id, content, details) WHERE quotes.id = j.id"
    );
    tx.run(sql, args![nothing.as_slice(), rows]).await.map(|_| ())
}

/// Forgets the digests of the forms of these audiences' quotes, as [`set_quotes`] does.
pub async fn clear_forms(tx: &mut Tx, audiences: Vec<AudienceId>) -> Result<()> {
    let nothing = [0_u8; 32];
    let sql =
        sql!("UPDATE quotes SET form_hash = $1 WHERE audience_id = ANY($2::BIGINT[]) AND form_hash <> $1");
    tx.run(sql, args![nothing.as_slice(), vec![Column::of(audiences)]]).await.map(|_| ())
}

/// Rewrites chunks of recipients.
pub async fn rewrite_chunks(tx: &mut Tx, chunks: &[(AudienceChunkId, Vec<u8>)]) -> Result<()> {
    if chunks.is_empty() {
        return Ok(());
    }
    let (bytes, begins, lengths) = Blobs::of(chunks.iter().map(|(_, data)| data.as_slice())).into_parts();
    let rows = vec![Column::of(chunks.iter().map(|(id, _)| id)), begins, lengths];
    let sql = sql!(
        "UPDATE audience_chunks SET data = substr($1, CAST(j.starts AS INTEGER), CAST(j.length AS INTEGER)) \
         FROM UNNEST($2::BIGINT[], $3::BIGINT[], $4::BIGINT[]) AS j (id, starts, length) \
         WHERE audience_chunks.id = j.id"
    );
    tx.run_exactly(chunks.len() as u64, sql, vec![bytes, crate::store::Arg::Rows(rows)]).await
}

/// Those of these quotes that have rejected rows.
pub async fn with_rejects(tx: &mut Tx, quotes: Vec<QuoteId>) -> Result<Vec<QuoteId>> {
    let sql = sql!(
        "SELECT j.id FROM UNNEST($1::BIGINT[]) AS j (id) \
         WHERE EXISTS (SELECT 1 FROM quote_rejects r WHERE r.quote_id = j.id)"
    );
    let rows: Vec<(QuoteId,)> = tx.all(sql, args![vec![Column::of(quotes)]]).await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// Removes up to 500 rejected rows of a quote; how many.
pub async fn remove_rejects(tx: &mut Tx, quote: QuoteId) -> Result<u64> {
    tx.run(bounded!("quote_rejects", "quote_id, ordinal", "quote_id = $1"), args![quote]).await
}
