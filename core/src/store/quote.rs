//! Quotes: what a campaign will be and cost, until it is confirmed or expires.
//!
//! The invariant: of a quote only `confirmed_at` ever changes, and only once (see `store/confirm.rs`). The newest
//! quote is never removed: SQLite gives the id of a removed last row out again, and an old browser tab must not
//! confirm somebody's next quote.

use crate::api::campaign::Reject;
use crate::args;
use crate::clock::Time;
use crate::error::Result;
use crate::money::{Amount, Currency};
use crate::store::{Column, Sql, Tx};

/// A quote to be stored.
#[derive(Clone, Debug)]
pub struct NewQuote {
    /// Its owner.
    pub user: i64,
    /// The kind's code.
    pub kind: &'static str,
    /// The sender id.
    pub sender: String,
    /// The content as JSON.
    pub content: String,
    /// What it is paid in.
    pub currency: Currency,
    /// The price of a page.
    pub unit_price: Amount,
    /// The price of one run.
    pub charge: Amount,
    /// Recipients.
    pub size: i64,
    /// JSON array of start times in ms, `null` for at once.
    pub runs: String,
    /// The answer as JSON.
    pub details: String,
    /// What the form said, hashed.
    pub form_hash: [u8; 32],
    /// The campaign whose failed messages it sends again.
    pub resend_of: Option<i64>,
    /// When it was made.
    pub created_at: Time,
    /// Until when it can be confirmed.
    pub expires_at: Time,
}

/// A quote as stored, without its answer.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct QuoteRow {
    /// The quote's id.
    pub id: i64,
    /// Its owner.
    pub user_id: i64,
    /// Who gets it.
    pub audience_id: i64,
    /// The kind's code.
    pub kind: String,
    /// The sender id.
    pub sender: String,
    /// The content as JSON.
    pub content: String,
    /// What it is paid in.
    pub currency: String,
    /// The price of a page.
    pub unit_price_micros: i64,
    /// The price of one run.
    pub charge_micros: i64,
    /// Recipients.
    pub size: i64,
    /// JSON array of start times.
    pub runs: String,
    /// The campaign whose failed messages it sends again.
    pub resend_of: Option<i64>,
    /// Until when it can be confirmed.
    pub expires_at: i64,
    /// When it was.
    pub confirmed_at: Option<i64>,
}

/// Stores a quote and returns its id.
pub async fn insert(tx: &mut Tx, audience: i64, quote: &NewQuote) -> Result<i64> {
    let (id,): (i64,) = tx
        .one(
            "INSERT INTO quotes (user_id, audience_id, kind, sender, content, currency, unit_price_micros, \
             charge_micros, size, runs, details, form_hash, resend_of, created_at, expires_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) RETURNING id",
            args![
                quote.user,
                audience,
                quote.kind,
                &quote.sender,
                &quote.content,
                quote.currency,
                quote.unit_price,
                quote.charge,
                quote.size,
                &quote.runs,
                &quote.details,
                quote.form_hash.as_slice(),
                quote.resend_of,
                quote.created_at,
                quote.expires_at,
            ],
        )
        .await?;
    Ok(id)
}

/// Stores the rejects of a quote, in order.
pub async fn insert_rejects(tx: &mut Tx, quote: i64, rejects: &[Reject]) -> Result<()> {
    if rejects.is_empty() {
        return Ok(());
    }
    let text = |pick: fn(&Reject) -> &String| {
        Column::Texts(rejects.iter().map(|reject| Some(pick(reject).clone())).collect())
    };
    let rows = vec![
        Column::Ints((0..).take(rejects.len()).collect()),
        Column::Ints(rejects.iter().map(|reject| reject.line).collect()),
        text(|reject| &reject.value),
        text(|reject| &reject.code),
        text(|reject| &reject.reason),
    ];
    let sql = Sql::each(
        "INSERT INTO quote_rejects (quote_id, ordinal, line, value, code, reason) \
         SELECT $1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each($2)",
        "INSERT INTO quote_rejects (quote_id, ordinal, line, value, code, reason) \
         SELECT $1, t.* FROM UNNEST($2::BIGINT[], $3::BIGINT[], $4::TEXT[], $5::TEXT[], $6::TEXT[]) AS t",
    );
    tx.run_exactly(rejects.len() as u64, sql, args![quote, rows]).await
}

/// The quote of this id, whoever owns it.
pub async fn by_id(tx: &mut Tx, id: i64) -> Result<Option<QuoteRow>> {
    tx.opt(
        "SELECT id, user_id, audience_id, kind, sender, content, currency, unit_price_micros, charge_micros, size, \
         runs, resend_of, expires_at, confirmed_at FROM quotes WHERE id = $1",
        args![id],
    )
    .await
}

/// The newest quote of a user for the identical form.
pub async fn newest_of_form(tx: &mut Tx, user: i64, form_hash: &[u8; 32]) -> Result<Option<QuoteRow>> {
    tx.opt(
        "SELECT id, user_id, audience_id, kind, sender, content, currency, unit_price_micros, charge_micros, size, \
         runs, resend_of, expires_at, confirmed_at FROM quotes WHERE user_id = $1 AND form_hash = $2 \
         ORDER BY id DESC LIMIT 1",
        args![user, form_hash.as_slice()],
    )
    .await
}

/// The answer as it was given, as JSON.
pub async fn details(tx: &mut Tx, id: i64) -> Result<String> {
    let (details,): (String,) = tx.one("SELECT details FROM quotes WHERE id = $1", args![id]).await?;
    Ok(details)
}

/// The rejects of a quote, in order; at most as many as are stored.
pub async fn rejects(tx: &mut Tx, quote: i64) -> Result<Vec<Reject>> {
    let rows: Vec<(i64, String, String, String)> = tx
        .all(
            "SELECT line, value, code, reason FROM quote_rejects WHERE quote_id = $1 ORDER BY ordinal",
            args![quote],
        )
        .await?;
    Ok(rows.into_iter().map(|(line, value, code, reason)| Reject { line, value, code, reason }).collect())
}

/// Up to `limit` quotes nobody confirmed that expired before `before`, with their audiences; never the newest quote.
pub async fn expired(tx: &mut Tx, before: Time, limit: i64) -> Result<Vec<(i64, i64)>> {
    tx.all(EXPIRED, args![before, limit]).await
}

pub(crate) const EXPIRED: &str = "SELECT id, audience_id FROM quotes WHERE confirmed_at IS NULL AND expires_at < $1 \
     AND id < (SELECT MAX(id) FROM quotes) ORDER BY expires_at LIMIT $2";

/// Removes a quote that was never confirmed, with its rejects; false when it was confirmed or is gone.
pub async fn delete_unconfirmed(tx: &mut Tx, id: i64) -> Result<bool> {
    Ok(tx.run("DELETE FROM quotes WHERE id = $1 AND confirmed_at IS NULL", args![id]).await? == 1)
}
