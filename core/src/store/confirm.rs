//! The rows that a confirmation makes: campaigns and their chunks.
//!
//! The invariant: a quote is claimed once, and its campaigns, their chunks and their money are there or none of them
//! is. The chunks' charges add up to the campaign's.

use crate::args;
use crate::clock::Time;
use crate::error::{Error, Result};
use crate::ledger::AccountId;
use crate::money::Amount;
use crate::store::quote::QuoteRow;
use crate::store::{Sql, Tx};

/// Whether a user is active, and stays so until the transaction ends: whoever deactivates the user meanwhile waits, and
/// then finds the campaigns to pause.
pub async fn holds_active(tx: &mut Tx, user: i64) -> Result<bool> {
    let sql = Sql::each(
        "SELECT id FROM users WHERE id = $1 AND status = 'active'",
        "SELECT id FROM users WHERE id = $1 AND status = 'active' FOR SHARE",
    );
    let row: Option<(i64,)> = tx.opt(sql, args![user]).await?;
    Ok(row.is_some())
}

/// Marks a quote as confirmed; false when it was before, or has expired. Two at once: the second waits here and is
/// told false.
pub async fn claim(tx: &mut Tx, quote: i64, now: Time) -> Result<bool> {
    let touched = tx
        .run(
            "UPDATE quotes SET confirmed_at = $2 WHERE id = $1 AND confirmed_at IS NULL AND expires_at > $2",
            args![quote, now],
        )
        .await?;
    Ok(touched == 1)
}

/// The campaigns of a quote in the order of their runs.
pub async fn campaigns_of(tx: &mut Tx, quote: i64) -> Result<Vec<i64>> {
    let rows: Vec<(i64,)> =
        tx.all("SELECT id FROM campaigns WHERE quote_id = $1 ORDER BY run", args![quote]).await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// One run of a quote, about to become a campaign.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// What was agreed.
    pub quote: &'a QuoteRow,
    /// Counted from 0.
    pub number: i64,
    /// The wallet that pays.
    pub wallet: AccountId,
    /// Whether accepted messages that are not delivered are refunded.
    pub refund_undelivered: bool,
    /// When it starts; `None` for at once.
    pub start: Option<Time>,
    /// `sending` or `scheduled`.
    pub status: &'static str,
}

/// Makes a campaign and returns its id. Its reserve is opened next ([`set_reserve`]); until then the wallet's id
/// stands in its place, within the same transaction.
pub async fn insert_campaign(tx: &mut Tx, run: &Run<'_>, now: Time) -> Result<i64> {
    let quote = run.quote;
    let (id,): (i64,) = tx
        .one(
            "INSERT INTO campaigns (quote_id, run, user_id, audience_id, reserve_account_id, wallet_account_id, kind, \
             sender, content, currency, unit_price_micros, charge_micros, refund_undelivered, size, chunks_open, \
             status, resend_of, created_at, scheduled_at) \
             VALUES ($1, $2, $3, $4, $5, $5, $6, $7, $8, $9, $10, $11, $12, $13, 0, $14, $15, $16, $17) RETURNING id",
            args![
                quote.id,
                run.number,
                quote.user_id,
                quote.audience_id,
                run.wallet.0,
                &quote.kind,
                &quote.sender,
                &quote.content,
                &quote.currency,
                quote.unit_price_micros,
                quote.charge_micros,
                run.refund_undelivered,
                quote.size,
                run.status,
                quote.resend_of,
                now,
                run.start,
            ],
        )
        .await?;
    Ok(id)
}

/// The chunks of a campaign that were made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// How many.
    pub chunks: i64,
    /// The carriers that take them.
    pub carriers: Vec<String>,
}

/// Makes a campaign's chunks, one for each of its audience's, in the same order.
///
/// # Errors
/// Damaged data when the charges or sizes of the chunks do not add up to what was agreed.
pub async fn insert_chunks(tx: &mut Tx, campaign: i64, quote: &QuoteRow) -> Result<Made> {
    tx.run(INSERT_CHUNKS, args![campaign, quote.audience_id, quote.unit_price_micros]).await?;
    let by_carrier: Vec<(String, i64, i64, i64)> = tx
        .all(
            "SELECT carrier, COUNT(*), CAST(SUM(charge_micros) AS BIGINT), CAST(SUM(size) AS BIGINT) \
             FROM campaign_chunks WHERE campaign_id = $1 GROUP BY carrier ORDER BY carrier",
            args![campaign],
        )
        .await?;
    let charge: i64 = by_carrier.iter().map(|row| row.2).sum();
    let size: i64 = by_carrier.iter().map(|row| row.3).sum();
    if (charge, size) != (quote.charge_micros, quote.size) {
        return Err(Error::Corrupt(format!(
            "quote {} is for {} recipients at {}, its audience has {size} at {}",
            quote.id,
            quote.size,
            Amount(quote.charge_micros),
            Amount(charge)
        )));
    }
    let chunks = by_carrier.iter().map(|row| row.1).sum();
    Ok(Made { chunks, carriers: by_carrier.into_iter().map(|row| row.0).collect() })
}

/// The one statement whose cost grows with a campaign: a row for each 4,096 recipients.
pub(crate) const INSERT_CHUNKS: &str = "INSERT INTO campaign_chunks \
     (campaign_id, audience_chunk_id, carrier, size, charge_micros, state, promotional) \
     SELECT $1, id, carrier, size, pages * $3, 'open', promotional FROM audience_chunks WHERE audience_id = $2 ORDER BY id";

/// Freezes a carrier's own refund policy into a campaign's chunks.
pub async fn freeze_refunds(
    tx: &mut Tx,
    campaign: i64,
    carrier: &str,
    refund_undelivered: bool,
) -> Result<()> {
    tx.run(
        "UPDATE campaign_chunks SET refund_undelivered = $3 WHERE campaign_id = $1 AND carrier = $2",
        args![campaign, carrier, refund_undelivered],
    )
    .await?;
    Ok(())
}

/// Gives a campaign its reserve and the number of its chunks.
pub async fn set_reserve(tx: &mut Tx, campaign: i64, reserve: AccountId, chunks: i64) -> Result<()> {
    tx.run_exactly(
        1,
        "UPDATE campaigns SET reserve_account_id = $2, chunks_open = $3 WHERE id = $1",
        args![campaign, reserve.0, chunks],
    )
    .await
}

/// Has the numbers of an audience merged into the index of numbers, behind the send.
pub async fn queue_numbers(tx: &mut Tx, audience: i64) -> Result<()> {
    tx.run(
        "INSERT INTO number_index_queue (audience_id) VALUES ($1) ON CONFLICT (audience_id) DO NOTHING",
        args![audience],
    )
    .await?;
    Ok(())
}
