//! Quotes: what a campaign will be and cost, until it is confirmed or expires.
//!
//! Of a quote only `confirmed_at` ever changes, and only once (see `store/campaign/confirm.rs`). The
//! newest quote is never removed: SQLite gives the id of a removed last row out again, and an old browser tab must not
//! confirm another user's next quote.

use talkdrum_api::kind::Kind;
use talkdrum_api::money::{Amount, Currency};
use talkdrum_api::purpose::Purpose;

use crate::content::Content;
use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::account::user::UserStatus;
use crate::model::campaign::canary::AgreedCanary;
use crate::model::campaign::id::{AudienceId, CampaignId, QuoteId};
use crate::model::campaign::quote_details::{QuoteDetails, RunStarts};
use crate::store::campaign::audience::in_order;
use crate::store::contact::suppression::{PLATFORM, ScopeRow};
use crate::store::platform::rate;
use crate::store::{Arg, Blobs, Column, Sql, Tx};
use crate::time::Time;
use crate::{args, sql};

/// What a quote says and a confirmation agrees to.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct Agreed {
    /// The quote's owner.
    pub user_id: UserId,
    /// The kind of message.
    pub kind: Kind,
    /// What it is for.
    pub purpose: Purpose,
    /// The sender id.
    pub sender: String,
    /// What it says.
    pub content: Content,
    /// What it is paid in.
    pub currency: Currency,
    /// The price of a page to a number in Nigeria that no rate is in force for.
    #[sqlx(rename = "unit_price_micros")]
    pub unit_price: Amount,
    /// The price of a page to a number elsewhere that no rate is in force for; `None` when there is no such recipient.
    #[sqlx(rename = "abroad_price_micros")]
    pub abroad_price: Option<Amount>,
    /// The price of one run.
    #[sqlx(rename = "charge_micros")]
    pub charge: Amount,
    /// Recipients.
    pub size: i64,
    /// When its runs start.
    pub runs: RunStarts,
    /// The campaign whose failed messages it sends again.
    pub resend_of: Option<CampaignId>,
    /// Its canary.
    pub canary: Option<AgreedCanary>,
    /// Until when it can be confirmed.
    pub expires_at: Time,
    /// When it was.
    pub confirmed_at: Option<Time>,
}

/// A quote to be stored.
#[derive(Clone, Debug)]
pub struct NewQuote {
    /// What it says; `confirmed_at` is set for what is agreed and confirmed in one.
    pub agreed: Agreed,
    /// What its answer says beside that.
    pub details: QuoteDetails,
    /// What the form said, hashed.
    pub form_hash: [u8; 32],
    /// When it was made.
    pub created_at: Time,
}

/// A quote as stored, without its answer.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct QuoteRow {
    /// The quote's id.
    pub id: QuoteId,
    /// Who gets it.
    pub audience_id: AudienceId,
    /// What it says.
    #[sqlx(flatten)]
    pub agreed: Agreed,
}

/// Stores quotes, each with its audience; their ids in the same order.
pub async fn insert(tx: &mut Tx, quotes: &[(AudienceId, &NewQuote)]) -> Result<Vec<QuoteId>> {
    if quotes.is_empty() {
        return Ok(Vec::new());
    }
    let agreed = || quotes.iter().map(|(_, it)| &it.agreed);
    let expires_at = |(_, it): &(AudienceId, &NewQuote)| match it.agreed.canary {
        Some(_) => it.created_at,
        None => it.agreed.expires_at,
    };
    let documents = |write: fn(&NewQuote) -> Result<Option<String>>| {
        quotes.iter().map(|(_, it)| write(it)).collect::<Result<_>>().map(Column::Texts)
    };
    let (bytes, begins, lengths) =
        Blobs::of(quotes.iter().map(|(_, it)| it.form_hash.as_slice())).into_parts();
    let rows = vec![
        Column::of(agreed().map(|it| it.user_id)),
        Column::of(quotes.iter().map(|(audience, _)| audience)),
        Column::of(agreed().map(|it| it.kind)),
        Column::of(agreed().map(|it| &it.sender)),
        documents(|it| it.agreed.content.to_json().map(Some))?,
        Column::of(agreed().map(|it| it.currency)),
        Column::of(agreed().map(|it| it.unit_price)),
        Column::of(agreed().map(|it| it.charge)),
        Column::of(agreed().map(|it| it.size)),
        documents(|it| it.agreed.runs.to_json().map(Some))?,
        documents(|it| it.details.to_json().map(Some))?,
        begins,
        lengths,
        Column::of(agreed().map(|it| it.resend_of)),
        Column::of(quotes.iter().map(|(_, it)| it.created_at)),
        Column::of(quotes.iter().map(expires_at)),
        Column::of(agreed().map(|it| it.confirmed_at)),
        Column::of(agreed().map(|it| it.abroad_price)),
        Column::of(agreed().map(|it| it.purpose)),
        documents(|it| it.agreed.canary.map(|canary| canary.to_json()).transpose())?,
        Column::of(agreed().map(|it| it.canary.as_ref().map(|_| it.expires_at))),
        Column::of((0..).take(quotes.len())),
    ];
    in_order(tx.all(INSERT, vec![bytes, Arg::Rows(rows)]).await?, quotes.len())
}

const INSERT: Sql = sql!(
    "INSERT INTO quotes (user_id, audience_id, kind, sender, content, currency, unit_price_micros, charge_micros, \
       size, runs, details, form_hash, resend_of, created_at, expires_at, confirmed_at, abroad_price_micros, purpose, canary, \
       canary_expires_at) \
     SELECT j.user_id, j.audience, j.kind, j.sender, j.content, j.currency, j.price, j.charge, j.size, j.runs, \
       j.details, substr($1, CAST(j.starts AS INTEGER), CAST(j.length AS INTEGER)), j.resend_of, j.made, j.expires, \
       j.confirmed, j.abroad, j.purpose, j.canary, j.canary_expires \
     FROM UNNEST($2::BIGINT[], $3::BIGINT[], $4::TEXT[], $5::TEXT[], $6::TEXT[], $7::TEXT[], $8::BIGINT[], \
         $9::BIGINT[], $10::BIGINT[], $11::TEXT[], $12::TEXT[], $13::BIGINT[], $14::BIGINT[], $15::BIGINT[], \
         $16::BIGINT[], $17::BIGINT[], $18::BIGINT[], $19::BIGINT[], $20::TEXT[], $21::TEXT[], $22::BIGINT[], \
         $23::BIGINT[]) \
       AS j (user_id, audience, kind, sender, content, currency, price, charge, size, runs, details, starts, length, \
         resend_of, made, expires, confirmed, abroad, purpose, canary, canary_expires, place) ORDER BY j.place RETURNING id"
);

/// An entry of a list that is no usable number.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct QuoteRejectRow {
    /// The line it stood on, from 1.
    pub line: i64,
    /// What stood there, shortened.
    pub value: String,
    /// Stable code of the reason.
    pub code: String,
    /// The reason in words.
    pub reason: String,
}

/// Stores the rejects of a quote, in order.
pub async fn insert_rejects(tx: &mut Tx, quote: QuoteId, rejects: &[QuoteRejectRow]) -> Result<()> {
    if rejects.is_empty() {
        return Ok(());
    }
    let rows = vec![
        Column::of((0..).take(rejects.len())),
        Column::of(rejects.iter().map(|reject| reject.line)),
        Column::of(rejects.iter().map(|reject| &reject.value)),
        Column::of(rejects.iter().map(|reject| &reject.code)),
        Column::of(rejects.iter().map(|reject| &reject.reason)),
    ];
    let sql = sql!(
        "INSERT INTO quote_rejects (quote_id, ordinal, line, value, code, reason) \
         SELECT $1, j.* FROM UNNEST($2::BIGINT[], $3::BIGINT[], $4::TEXT[], $5::TEXT[], $6::TEXT[]) AS j"
    );
    tx.run_exactly(rejects.len() as u64, sql, args![quote, rows]).await
}

/// What a quote stands on.
#[derive(Clone, Debug)]
pub struct QuotePricing {
    /// The user's status.
    pub status: UserStatus,
    /// A price as its setting says it.
    pub price: Option<String>,
    /// The price abroad, likewise.
    pub abroad_price: Option<String>,
    /// The version of the rates.
    pub rates_version: String,
    /// The user's plan; empty without one.
    pub rate_plan: String,
    /// What the user's messages from the sender are for by default.
    pub purpose: Option<Purpose>,
    /// The platform's opt-outs in figures, and the user's own.
    pub opt_outs: [ScopeRow; 2],
}

#[derive(sqlx_macros::FromRow)]
struct PricingRow {
    status: UserStatus,
    price: Option<String>,
    abroad_price: Option<String>,
    rates_version: String,
    rate_plan: String,
    purpose: Option<Purpose>,
    version: i64,
    removals: i64,
    numbers: i64,
    own_version: i64,
    own_removals: i64,
    own_numbers: i64,
}

/// What a quote of this user from a sender stands on, read at once; `None` when there is no such user. A list that never
/// changed has no row.
pub async fn pricing(
    tx: &mut Tx,
    (user, sender): (UserId, &str),
    (price, abroad): (&str, &str),
) -> Result<Option<QuotePricing>> {
    let row: Option<PricingRow> = tx
        .opt(
            "SELECT u.status, s.value AS price, a.value AS abroad_price, COALESCE(r.value, '') AS rates_version, \
               COALESCE(u.rate_plan, '') AS rate_plan, COALESCE(i.purpose, u.purpose) AS purpose, \
               COALESCE(p.version, 0) AS version, \
               COALESCE(p.removals, 0) AS removals, COALESCE(p.numbers, 0) AS numbers, \
               COALESCE(o.version, 0) AS own_version, COALESCE(o.removals, 0) AS own_removals, \
               COALESCE(o.numbers, 0) AS own_numbers \
             FROM users u LEFT JOIN settings s ON s.key = $2 LEFT JOIN settings a ON a.key = $3 \
             LEFT JOIN settings r ON r.key = $4 \
             LEFT JOIN sender_ids i ON i.user_id = u.id AND i.sender_id = $5 \
             LEFT JOIN suppression_scopes p ON p.scope = 0 \
             LEFT JOIN suppression_scopes o ON o.scope = u.id WHERE u.id = $1",
            args![user, price, abroad, rate::VERSION, sender],
        )
        .await?;
    Ok(row.map(|row| QuotePricing {
        status: row.status,
        price: row.price,
        abroad_price: row.abroad_price,
        rates_version: row.rates_version,
        rate_plan: row.rate_plan,
        purpose: row.purpose,
        opt_outs: [
            ScopeRow { scope: PLATFORM, version: row.version, removals: row.removals, numbers: row.numbers },
            ScopeRow {
                scope: user.0,
                version: row.own_version,
                removals: row.own_removals,
                numbers: row.own_numbers,
            },
        ],
    }))
}

macro_rules! quotes {
    ($which:literal) => {
        concat!(
            "SELECT id, user_id, audience_id, kind, COALESCE(purpose, 'transactional') AS purpose, sender, content, currency, \
             unit_price_micros, abroad_price_micros, charge_micros, size, runs, resend_of, canary, \
             COALESCE(canary_expires_at, expires_at) AS expires_at, confirmed_at \
             FROM quotes WHERE ",
            $which
        )
    };
}

/// The quote of this id, of any user.
pub async fn by_id(tx: &mut Tx, id: QuoteId) -> Result<Option<QuoteRow>> {
    tx.opt(quotes!("id = $1"), args![id]).await.map_err(|error| error.in_row("quote", id))
}

/// Those of these quotes that exist, of any user.
pub async fn by_ids(tx: &mut Tx, ids: Vec<QuoteId>) -> Result<Vec<QuoteRow>> {
    tx.all(sql!(quotes!("id = ANY($1::BIGINT[])")), args![vec![Column::of(ids)]]).await
}

/// The newest quote of a user for the identical form.
pub async fn newest_of_form(tx: &mut Tx, user: UserId, form_hash: &[u8; 32]) -> Result<Option<QuoteRow>> {
    let sql = quotes!("user_id = $1 AND form_hash = $2 ORDER BY id DESC LIMIT 1");
    tx.opt(sql, args![user, form_hash.as_slice()]).await
}

/// What the answer of a quote says beside what is agreed.
pub async fn details(tx: &mut Tx, id: QuoteId) -> Result<QuoteDetails> {
    let read = tx.one("SELECT details FROM quotes WHERE id = $1", args![id]).await;
    let (details,) = read.map_err(|error| error.in_row("quote", id))?;
    Ok(details)
}

/// The canary of a quote, if it has one.
pub async fn canary(tx: &mut Tx, id: QuoteId) -> Result<Option<AgreedCanary>> {
    let read = tx.one("SELECT canary FROM quotes WHERE id = $1", args![id]).await;
    let (canary,) = read.map_err(|error| error.in_row("quote", id))?;
    Ok(canary)
}

/// The first `limit` rejects of a quote, in order; at most as many as are stored.
pub async fn rejects(tx: &mut Tx, quote: QuoteId, limit: i64) -> Result<Vec<QuoteRejectRow>> {
    tx.all(
        "SELECT line, value, code, reason FROM quote_rejects WHERE quote_id = $1 ORDER BY ordinal LIMIT $2",
        args![quote, limit],
    )
    .await
}

/// Up to `limit` unconfirmed quotes that expired before `before`, with their audiences; never the newest quote.
pub async fn expired(tx: &mut Tx, before: Time, limit: i64) -> Result<Vec<(QuoteId, AudienceId)>> {
    tx.all(EXPIRED, args![before, limit]).await
}

pub(crate) const EXPIRED: &str = "SELECT id, audience_id FROM quotes WHERE confirmed_at IS NULL AND expires_at < $1 \
     AND COALESCE(canary_expires_at, 0) < $1 AND id < (SELECT MAX(id) FROM quotes) ORDER BY expires_at LIMIT $2";

/// Removes a quote that was never confirmed, with its rejects; false when it was confirmed or is gone.
pub async fn delete_unconfirmed(tx: &mut Tx, id: QuoteId) -> Result<bool> {
    Ok(tx.run("DELETE FROM quotes WHERE id = $1 AND confirmed_at IS NULL", args![id]).await? == 1)
}
