//! Transactions as histories show them: what moved in a wallet, and payments that are open or failed.
//!
//! A list reaches [`REACH`] ledger entries from its beginning, and says where the next one begins: so its cost is
//! bounded, and everything is reached, whatever the ledger holds. Amounts and balances are the ledger's,
//! never computed again.

use std::time::Duration;

use talkdrum_api::money::Currency;
use talkdrum_api::payment::{Transaction, Transactions};

use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::campaign::id::CampaignId;
use crate::model::money::ledger::{Code, Side};
use crate::model::money::payment::{PaymentId, TransactionStatus};
use crate::model::page::Page;
use crate::store::Tx;
use crate::store::money::transactions as rows;
use crate::store::money::transactions::{
    PageRange, TransactionRow, TransactionScope, TransactionSelection, TransactionSort,
};
use crate::time::Time;

/// How many ledger entries a list reaches.
pub const REACH: i64 = 100_000;
/// How far ledger entries may be out of the order of time: they are looked for this much around a date.
const DISORDER: Duration = Duration::from_secs(3_600);

/// Kinds of transaction: the codes of ledger entries that can touch a wallet.
const KINDS: [Code; 7] =
    [Code::Payment, Code::Transfer, Code::Credit, Code::Reserve, Code::Release, Code::Refund, Code::Charge];

/// Which transactions.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// One user's; all users' when `None`.
    pub user: Option<UserId>,
    /// Only those that this campaign made.
    pub campaign: Option<CampaignId>,
    /// Of one kind.
    pub kind: Option<Code>,
    /// Where they stand.
    pub status: Option<TransactionStatus>,
    /// In one currency.
    pub currency: Option<Currency>,
    /// From this time on.
    pub since: Option<Time>,
    /// Before this time.
    pub until: Option<Time>,
    /// In a reference or narration, or exactly a reference.
    pub q: String,
    /// The list goes on where another one ended: the `beyond` of that one.
    pub beyond: Option<i64>,
}

/// A page of transactions.
///
/// # Errors
/// Not found when the user has no wallet.
pub async fn page(tx: &mut Tx, query: &Query, order: TransactionSort, page: Page) -> Result<Transactions> {
    within(tx, query, order, page, REACH).await
}

async fn within(
    tx: &mut Tx,
    query: &Query,
    order: TransactionSort,
    page: Page,
    reach: i64,
) -> Result<Transactions> {
    let whose = whose(tx, query).await?;
    let forward = order == TransactionSort::Time { newest_first: false };
    let (places, beyond) = places(tx, whose, query, forward, reach).await?;
    let selection = TransactionSelection {
        whose,
        places,
        kind: query.kind,
        status: query.status,
        currency: query.currency,
        since: query.since.unwrap_or(Time(i64::MIN)),
        until: query.until.unwrap_or(Time(i64::MAX)),
        pattern: pattern(&query.q),
    };
    let total = rows::count(tx, &selection).await?;
    let found = rows::page(tx, &selection, order, page.skip(), page.size()).await?;
    Ok(Transactions {
        transactions: found.into_iter().map(Transaction::from).collect(),
        total,
        is_cut: beyond.is_some(),
        beyond,
    })
}

async fn whose(tx: &mut Tx, query: &Query) -> Result<TransactionScope> {
    if let Some(id) = query.campaign {
        return Ok(TransactionScope::Campaign { id, user: query.user });
    }
    let Some(id) = query.user else { return Ok(TransactionScope::All) };
    let (espees, _) = super::wallet(tx, id, Currency::Espees).await?;
    let (naira, _) = super::wallet(tx, id, Currency::Naira).await?;
    Ok(TransactionScope::User { id, wallets: (espees, naira) })
}

/// The range of places that a query reaches, and where what is beyond it begins, if anything is: an exclusive end, or an
/// inclusive beginning of a list that goes `forward` in time.
async fn places(
    tx: &mut Tx,
    whose: TransactionScope,
    query: &Query,
    forward: bool,
    reach: i64,
) -> Result<(PageRange, Option<i64>)> {
    let (mut from, mut to) = (1, rows::end(tx).await?);
    if let Some(since) = query.since {
        from = rows::place_at(tx, since - DISORDER).await?;
    }
    if let Some(until) = query.until {
        to = to.min(rows::place_at(tx, until + DISORDER).await?);
    }
    let mut places = PageRange::new(from, to);
    if let Some(exact) = exact(tx, query, places).await? {
        return Ok((exact, None));
    }
    // No place lies before 1, whatever was asked.
    match query.beyond.map(|beyond| beyond.max(1)) {
        Some(beyond) if forward => {
            places.from = places.from.max(beyond);
            places.payments_from = places.payments_from.max(beyond - 1);
        }
        Some(beyond) => {
            places.to = places.to.min(beyond);
            places.payments_to = places.payments_to.min(beyond - 1);
        }
        None => {}
    }
    let cut = rows::nth_place(tx, whose, query.kind, places, reach, forward).await?;
    Ok(match cut {
        Some(place) if forward => (PageRange { to: place, payments_to: place - 1, ..places }, Some(place)),
        Some(place) => (PageRange { from: place + 1, payments_from: place, ..places }, Some(place + 1)),
        None => (places, None),
    })
}

/// The places of a reference that was given in full: found at any age.
async fn exact(tx: &mut Tx, query: &Query, within: PageRange) -> Result<Option<PageRange>> {
    let mut found = Vec::new();
    if query.q.is_empty() {
        return Ok(None);
    }
    for reference in [query.q.clone(), format!("paystack:{}", query.q), format!("espees:{}", query.q)] {
        found.extend(rows::places_of_reference(tx, &KINDS, &reference).await?);
    }
    found.retain(|place| (within.from..within.to).contains(place));
    Ok(match (found.iter().min(), found.iter().max()) {
        (Some(first), Some(last)) if last - first <= REACH => Some(PageRange::new(*first, last + 1)),
        _ => None,
    })
}

/// The kind of a filter; all kinds for no text.
///
/// # Errors
/// A rule on `kind` when there is none of this name, or it moves nothing in a wallet.
pub fn kind(given: Option<&str>) -> Result<Option<Code>> {
    one_of("kind", given, &KINDS, Code::code)
}

/// The status of a filter; all of them for no text.
///
/// # Errors
/// A rule on `status` when there is none of this name.
pub fn status(given: Option<&str>) -> Result<Option<TransactionStatus>> {
    one_of("status", given, TransactionStatus::ALL, TransactionStatus::code)
}

fn one_of<T: Copy>(
    field: &'static str,
    given: Option<&str>,
    values: &[T],
    word: fn(T) -> &'static str,
) -> Result<Option<T>> {
    let Some(given) = given.map(str::trim).filter(|given| !given.is_empty()) else { return Ok(None) };
    let found = values.iter().copied().find(|value| word(*value).eq_ignore_ascii_case(given));
    found.map(Some).ok_or_else(|| {
        let words: Vec<_> = values.iter().copied().map(word).collect();
        Error::field(field, "bad_filter", format!("'{given}' is no {field}: use one of {}", words.join(", ")))
    })
}

/// The `LIKE` pattern of what contains `text`, its ASCII letters in lower case; empty for no text.
pub fn pattern(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let mut pattern = String::from("%");
    for char in text.to_ascii_lowercase().chars() {
        if matches!(char, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(char);
    }
    pattern.push('%');
    pattern
}

impl From<TransactionRow> for Transaction {
    fn from(row: TransactionRow) -> Self {
        let direction = if row.side == Side::Debit { "debit" } else { "credit" };
        let id = match row.payment_id {
            PaymentId::NONE => format!("{}-{direction}", row.place),
            payment => format!("payment-{payment}"),
        };
        let payment_ref = match row.code {
            Code::Payment => {
                row.reference.split_once(':').map_or(row.reference.as_str(), |(_, own)| own).to_owned()
            }
            _ => row.reference,
        };
        Self {
            id,
            user_id: row.user_id.0,
            username: row.username,
            payment_ref,
            price: row.amount,
            currency: row.currency.code().to_owned(),
            kind: row.code.code().to_owned(),
            direction: direction.to_owned(),
            status_details: if row.note.is_empty() { "Successful".to_owned() } else { row.note },
            status: TransactionStatus::from(row.status).code().to_owned(),
            transaction_date: row.created_at.to_rfc3339(),
            narration: row.narration,
            balance: row.balance,
            campaign_id: row.campaign_id.map(|id| id.0),
        }
    }
}

#[cfg(test)]
mod tests;
