//! Transactions: the movements of wallets, and the payments that did not (yet) lead to one, as one list.
//!
//! A ledger entry's place is its id; a payment's is the newest entry at its beginning. So a list is a merge of index
//! walks over one key, and a time is a place: [`place_at`]. Every statement here is bounded by a range of
//! places, which the caller has cut to a number of rows.

use talkdrum_api::money::{Amount, Currency};

use crate::args;
use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::campaign::id::CampaignId;
use crate::model::money::ledger::{AccountId, Code, Side, ledger_side};
use crate::model::money::payment::{PaymentId, PaymentStatus, TransactionStatus};
use crate::store::{Arg, Tx};
use crate::time::Time;

/// One row of the list.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct TransactionRow {
    /// The ledger entry's id, or the payment's place among them.
    pub place: i64,
    /// The payment's id; [`PaymentId::NONE`] for a ledger entry.
    pub payment_id: PaymentId,
    /// Which side of the entry it is.
    pub side: Side,
    pub user_id: UserId,
    pub username: String,
    pub code: Code,
    pub currency: Currency,
    #[sqlx(rename = "amount_micros")]
    pub amount: Amount,
    /// After a ledger entry.
    #[sqlx(rename = "balance_micros")]
    pub balance: Option<Amount>,
    pub reference: String,
    pub narration: String,
    /// The payment's; a ledger entry has none.
    pub status: Option<PaymentStatus>,
    pub note: String,
    pub campaign_id: Option<CampaignId>,
    pub created_at: Time,
}

/// Places from `from` (inclusive) to `to` (exclusive).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageRange {
    pub from: i64,
    pub to: i64,
    /// The same for payments, which come after the entry of their place: of two lists, of which one goes on where the other
    /// ends, only one has a payment.
    pub payments_from: i64,
    pub payments_to: i64,
}

impl PageRange {
    /// Entries of these places, and the payments among, before the first and behind the last of them.
    pub const fn new(from: i64, to: i64) -> Self {
        Self { from, to, payments_from: from - 1, payments_to: to }
    }
}

/// Which rows a list holds.
#[derive(Clone, Debug)]
pub struct TransactionSelection {
    pub whose: TransactionScope,
    pub places: PageRange,
    /// Of one kind; any when `None`.
    pub kind: Option<Code>,
    /// Where they stand; anywhere when `None`.
    pub status: Option<TransactionStatus>,
    /// In one currency; any when `None`.
    pub currency: Option<Currency>,
    pub since: Time,
    pub until: Time,
    /// A `LIKE` pattern in lower case, escaped by a backslash; empty for any text.
    pub pattern: String,
}

/// Whose movements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransactionScope {
    /// One user's, who has these wallets.
    User { id: UserId, wallets: (AccountId, AccountId) },
    /// All users'.
    All,
    /// Those that one campaign made; one user's wallets, where one is given.
    Campaign { id: CampaignId, user: Option<UserId> },
}

/// In which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransactionSort {
    /// By time.
    Time { newest_first: bool },
    /// By amount; equal amounts newest first.
    Price { largest_first: bool },
}

// Arguments of every statement: $1 from, $2 to, $3 kind, $4 status, $5 currency, $6 since, $7 until, $8 pattern, then
// $9 and $10 where payments stand (a campaign's has none), then those of the arms, then limit, offset and their sum.

/// What is asked of every ledger entry `t`.
macro_rules! entry {
    () => {
        "t.id >= $1 AND t.id < $2 AND ($4 = '' OR $4 = 'successful') AND ($5 = '' OR t.currency = $5) \
         AND t.created_at >= $6 AND t.created_at < $7"
    };
}
/// The columns of a ledger entry, for one of its sides.
macro_rules! entry_columns {
    ($side:ident, $account:literal, $balance:literal) => {
        concat!(
            "t.id AS place, CAST(0 AS BIGINT) AS payment_id, CAST(",
            ledger_side!($side),
            " AS BIGINT) AS side, ",
            $account,
            " AS account_id, CAST(0 AS BIGINT) AS payer_id, t.code, t.currency, t.amount_micros, ",
            $balance,
            " AS balance_micros, t.reference, t.narration, CAST(NULL AS TEXT) AS status, '' AS note, t.campaign_id, t.created_at"
        )
    };
}
/// One side of one wallet.
macro_rules! of_wallet {
    ($side:ident, $account:literal, $balance:literal, $wallet:literal, $tail:expr) => {
        concat!(
            "SELECT * FROM (SELECT ",
            entry_columns!($side, $account, $balance),
            " FROM transfers t WHERE ",
            $account,
            " = ",
            $wallet,
            " AND ",
            entry!(),
            " AND ($3 = '' OR t.code = $3) AND ($8 = '' OR lower((t.reference || ' ' || t.narration) COLLATE \"binary\") LIKE $8 ESCAPE '\\')",
            $tail,
            ") AS arm"
        )
    };
}
/// One side of all users' wallets. The accounts are looked up entry by entry, in the order of the entries.
macro_rules! of_all {
    ($side:ident, $account:literal, $balance:literal, $kind:literal, $tail:expr) => {
        concat!(
            "SELECT * FROM (SELECT ",
            entry_columns!($side, $account, $balance),
            " FROM transfers t CROSS JOIN accounts a WHERE a.id = ",
            $account,
            " AND a.kind = 'wallet' AND ",
            entry!(),
            " AND ",
            $kind,
            " AND ($8 = '' OR lower((t.reference || ' ' || t.narration) COLLATE \"binary\") LIKE $8 ESCAPE '\\' OR EXISTS \
             (SELECT 1 FROM users s WHERE s.id = a.user_id AND s.username LIKE $8 ESCAPE '\\'))",
            $tail,
            ") AS arm"
        )
    };
}
/// One side of the wallets that one campaign charged, or gave back to. Captures touch no wallet, and are what a campaign
/// has most of: they are not in the index, which the statement must say to use it.
macro_rules! of_campaign {
    ($side:ident, $account:literal, $balance:literal, $tail:expr) => {
        concat!(
            "SELECT * FROM (SELECT ",
            entry_columns!($side, $account, $balance),
            " FROM transfers t CROSS JOIN accounts a WHERE t.campaign_id = $9 AND t.code <> 'capture' AND a.id = ",
            $account,
            " AND a.kind = 'wallet' AND ($10 = 0 OR a.user_id = $10) AND ",
            entry!(),
            " AND ($3 = '' OR t.code = $3) AND ($8 = '' OR lower((t.reference || ' ' || t.narration) COLLATE \"binary\") LIKE $8 ESCAPE '\\')",
            $tail,
            ") AS arm"
        )
    };
}
/// Payments that are not in the ledger.
macro_rules! payments {
    ($whose:literal, $name:literal, $tail:expr) => {
        concat!(
            "SELECT * FROM (SELECT p.ledger_position AS place, p.id AS payment_id, CAST(",
            ledger_side!(Payment),
            " AS BIGINT) AS side, \
             CAST(0 AS BIGINT) AS account_id, p.user_id AS payer_id, 'payment' AS code, p.currency, p.amount_micros, \
             CAST(NULL AS BIGINT) AS balance_micros, COALESCE(p.provider_ref, p.reference) AS reference, p.narration, \
             p.status, p.note, \
             CAST(NULL AS BIGINT) AS campaign_id, p.created_at \
             FROM payments p WHERE ",
            $whose,
            "p.status <> 'settled' AND p.ledger_position >= $9 AND p.ledger_position < $10 \
             AND ($3 = '' OR $3 = 'payment') AND ($4 = '' OR p.status = $4 OR ($4 = 'pending' AND p.status = 'initiated')) \
             AND ($5 = '' OR p.currency = $5) AND p.created_at >= $6 AND p.created_at < $7 \
             AND ($8 = '' OR lower((p.reference || ' ' || COALESCE(p.provider_ref, '') || ' ' || p.narration) COLLATE \"binary\") \
             LIKE $8 ESCAPE '\\'",
            $name,
            ")",
            $tail,
            ") AS arm"
        )
    };
}
/// How an arm of a list ends: with no more rows than the list can show of it, walked in the list's order, so that a
/// page costs what it shows. `$n` is that number.
macro_rules! tail {
    ($key:literal, $n:literal) => {
        concat!(" ORDER BY ", $key, " LIMIT ", $n)
    };
}
macro_rules! own_arms {
    ($tail:expr, $payments:expr) => {
        concat!(
            of_wallet!(Debit, "t.debit_account_id", "t.debit_balance_micros", "$11", $tail),
            " UNION ALL ",
            of_wallet!(Credit, "t.credit_account_id", "t.credit_balance_micros", "$11", $tail),
            " UNION ALL ",
            of_wallet!(Debit, "t.debit_account_id", "t.debit_balance_micros", "$12", $tail),
            " UNION ALL ",
            of_wallet!(Credit, "t.credit_account_id", "t.credit_balance_micros", "$12", $tail),
            " UNION ALL ",
            payments!("p.user_id = $13 AND ", "", $payments)
        )
    };
}
macro_rules! all_arms {
    ($kind:literal, $tail:expr, $payments:expr) => {
        concat!(
            of_all!(Debit, "t.debit_account_id", "t.debit_balance_micros", $kind, $tail),
            " UNION ALL ",
            of_all!(Credit, "t.credit_account_id", "t.credit_balance_micros", $kind, $tail),
            " UNION ALL ",
            payments!(
                "",
                " OR EXISTS (SELECT 1 FROM users s WHERE s.id = p.user_id AND s.username LIKE $8 ESCAPE '\\')",
                $payments
            )
        )
    };
}
macro_rules! campaign_arms {
    ($tail:expr) => {
        concat!(
            of_campaign!(Debit, "t.debit_account_id", "t.debit_balance_micros", $tail),
            " UNION ALL ",
            of_campaign!(Credit, "t.credit_account_id", "t.credit_balance_micros", $tail)
        )
    };
}
macro_rules! page {
    ($arms:expr, $order:literal, $limit:literal) => {
        concat!(
            "SELECT m.place, m.payment_id, m.side, u.id AS user_id, u.username, m.code, m.currency, m.amount_micros, \
             m.balance_micros, m.reference, m.narration, m.status, m.note, m.campaign_id, m.created_at FROM (",
            $arms,
            " ORDER BY ",
            $order,
            " LIMIT ",
            $limit,
            ") AS m LEFT JOIN accounts a ON a.id = m.account_id \
             JOIN users u ON u.id = COALESCE(a.user_id, m.payer_id) ORDER BY ",
            $order
        )
    };
}

macro_rules! own {
    ($order:literal, $tail:expr, $payments:expr) => {
        page!(own_arms!($tail, $payments), $order, "$14 OFFSET $15")
    };
}
macro_rules! all {
    ($kind:literal, $order:literal, $tail:expr, $payments:expr) => {
        page!(all_arms!($kind, $tail, $payments), $order, "$11 OFFSET $12")
    };
}
macro_rules! campaign {
    ($order:literal, $tail:expr, $payments:expr) => {
        page!(campaign_arms!($tail), $order, "$11 OFFSET $12")
    };
}
/// The statement of a list in each order: `$make!(order, tail of entries, tail of payments)`.
macro_rules! in_order {
    ($wanted:expr, $n:literal, $make:ident $(, $kind:literal)?) => {
        match $wanted {
            TransactionSort::Time { newest_first: true } => $make!(
                $($kind,)? "place DESC, payment_id DESC, side DESC",
                tail!("t.id DESC", $n),
                tail!("p.ledger_position DESC, p.id DESC", $n)
            ),
            TransactionSort::Time { newest_first: false } => $make!(
                $($kind,)? "place, payment_id, side",
                tail!("t.id", $n),
                tail!("p.ledger_position, p.id", $n)
            ),
            TransactionSort::Price { largest_first: true } => $make!(
                $($kind,)? "amount_micros DESC, place DESC, payment_id DESC, side DESC",
                tail!("t.amount_micros DESC, t.id DESC", $n),
                tail!("p.amount_micros DESC, p.ledger_position DESC, p.id DESC", $n)
            ),
            TransactionSort::Price { largest_first: false } => $make!(
                $($kind,)? "amount_micros, place DESC, payment_id DESC, side DESC",
                tail!("t.amount_micros, t.id DESC", $n),
                tail!("p.amount_micros, p.ledger_position DESC, p.id DESC", $n)
            ),
        }
    };
}

const fn own(order: TransactionSort) -> &'static str {
    in_order!(order, "$16", own)
}

const fn all(order: TransactionSort) -> &'static str {
    in_order!(order, "$13", all, "$3 = ''")
}

const fn all_of_kind(order: TransactionSort) -> &'static str {
    in_order!(order, "$13", all, "t.code = $3")
}

const fn campaign(order: TransactionSort) -> &'static str {
    in_order!(order, "$13", campaign)
}

const COUNT_OWN: &str = concat!("SELECT COUNT(*) FROM (", own_arms!("", ""), ") AS m");
const COUNT_ALL: &str = concat!("SELECT COUNT(*) FROM (", all_arms!("$3 = ''", "", ""), ") AS m");
const COUNT_ALL_OF_KIND: &str = concat!("SELECT COUNT(*) FROM (", all_arms!("t.code = $3", "", ""), ") AS m");

const COUNT_CAMPAIGN: &str = concat!("SELECT COUNT(*) FROM (", campaign_arms!(""), ") AS m");

fn arguments(it: &TransactionSelection) -> Vec<Arg> {
    let mut given = args![
        it.places.from,
        it.places.to,
        it.kind.map_or("", Code::code),
        it.status.map_or("", TransactionStatus::code),
        it.currency.map_or("", Currency::code),
        it.since,
        it.until,
        &it.pattern
    ];
    let payments = args![it.places.payments_from, it.places.payments_to];
    match it.whose {
        TransactionScope::User { id, wallets } => {
            given.extend(payments);
            given.extend(args![wallets.0, wallets.1, id]);
        }
        TransactionScope::All => given.extend(payments),
        TransactionScope::Campaign { id, user } => given.extend(args![id, user.map_or(0, |user| user.0)]),
    }
    given
}

/// A part of the list.
pub async fn page(
    tx: &mut Tx,
    it: &TransactionSelection,
    order: TransactionSort,
    skip: i64,
    limit: i64,
) -> Result<Vec<TransactionRow>> {
    let sql = match it.whose {
        TransactionScope::User { .. } => own(order),
        TransactionScope::All if it.kind.is_none() => all(order),
        TransactionScope::All => all_of_kind(order),
        TransactionScope::Campaign { .. } => campaign(order),
    };
    let mut given = arguments(it);
    given.extend(args![limit, skip, skip.saturating_add(limit)]);
    tx.all(sql, given).await
}

/// How many rows the list has.
pub async fn count(tx: &mut Tx, it: &TransactionSelection) -> Result<i64> {
    let sql = match it.whose {
        TransactionScope::User { .. } => COUNT_OWN,
        TransactionScope::All if it.kind.is_none() => COUNT_ALL,
        TransactionScope::All => COUNT_ALL_OF_KIND,
        TransactionScope::Campaign { .. } => COUNT_CAMPAIGN,
    };
    let row: (i64,) = tx.one(sql, arguments(it)).await?;
    Ok(row.0)
}

/// The place behind the newest ledger entry.
pub async fn end(tx: &mut Tx) -> Result<i64> {
    let row: (i64,) = tx.one("SELECT COALESCE(MAX(id), 0) + 1 FROM transfers", args![]).await?;
    Ok(row.0)
}

macro_rules! nth_own {
    ($order:literal) => {
        concat!(
            "SELECT id FROM transfers WHERE debit_account_id = $1 AND id >= $3 AND id < $4 \
             UNION ALL SELECT id FROM transfers WHERE credit_account_id = $1 AND id >= $3 AND id < $4 \
             UNION ALL SELECT id FROM transfers WHERE debit_account_id = $2 AND id >= $3 AND id < $4 \
             UNION ALL SELECT id FROM transfers WHERE credit_account_id = $2 AND id >= $3 AND id < $4 \
             ORDER BY id ",
            $order,
            " LIMIT 1 OFFSET $5"
        )
    };
}
macro_rules! nth_of_all {
    ($kind:literal, $order:literal) => {
        concat!(
            "SELECT id FROM transfers WHERE ",
            $kind,
            "id >= $1 AND id < $2 ORDER BY id ",
            $order,
            " LIMIT 1 OFFSET $3"
        )
    };
}
macro_rules! nth_of_campaign {
    ($order:literal) => {
        nth_of_all!("campaign_id = $4 AND code <> 'capture' AND ", $order)
    };
}

/// The place of the ledger entry that stands `rows` before the end of these places, or behind their beginning
/// (`forward`); `None` when there are fewer. Walks indexes.
pub async fn nth_place(
    tx: &mut Tx,
    whose: TransactionScope,
    kind: Option<Code>,
    places: PageRange,
    rows: i64,
    forward: bool,
) -> Result<Option<i64>> {
    let found: Option<(i64,)> = match whose {
        TransactionScope::User { wallets, .. } => {
            let sql = if forward { nth_own!("ASC") } else { nth_own!("DESC") };
            tx.opt(sql, args![wallets.0, wallets.1, places.from, places.to, rows]).await?
        }
        TransactionScope::All => match kind {
            None => {
                let sql = if forward { nth_of_all!("", "ASC") } else { nth_of_all!("", "DESC") };
                tx.opt(sql, args![places.from, places.to, rows]).await?
            }
            Some(kind) => {
                let sql = if forward {
                    nth_of_all!("code = $4 AND ", "ASC")
                } else {
                    nth_of_all!("code = $4 AND ", "DESC")
                };
                tx.opt(sql, args![places.from, places.to, rows, kind]).await?
            }
        },
        TransactionScope::Campaign { id, .. } => {
            let sql = if forward { nth_of_campaign!("ASC") } else { nth_of_campaign!("DESC") };
            tx.opt(sql, args![places.from, places.to, rows, id]).await?
        }
    };
    Ok(found.map(|row| row.0))
}

/// The place of the first ledger entry at or after a time, found by halving: entries are in order of time, but for what
/// was written at once.
pub async fn place_at(tx: &mut Tx, time: Time) -> Result<i64> {
    let (mut low, mut high) = (1, end(tx).await?);
    while low < high {
        let middle = low + (high - low) / 2;
        // Ids can have gaps: the next entry speaks for the middle.
        let found: Option<(i64, Time)> = tx
            .opt("SELECT id, created_at FROM transfers WHERE id >= $1 ORDER BY id LIMIT 1", args![middle])
            .await?;
        match found {
            Some((id, at)) if at < time => low = id + 1,
            _ => high = middle,
        }
    }
    Ok(low)
}

/// The ledger entries with exactly this reference, under any code; at most one a code.
pub async fn places_of_reference(tx: &mut Tx, codes: &[Code], reference: &str) -> Result<Vec<i64>> {
    let mut places = Vec::new();
    for code in codes {
        let row: Option<(i64,)> = tx
            .opt("SELECT id FROM transfers WHERE code = $1 AND reference = $2", args![*code, reference])
            .await?;
        places.extend(row.map(|row| row.0));
    }
    Ok(places)
}

#[cfg(test)]
mod tests;
