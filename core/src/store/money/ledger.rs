//! Accounts and transfers.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use talkdrum_api::money::{Amount, Currency, Money};

use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::campaign::id::{CampaignId, ChunkId};
use crate::model::message::id::MessageId;
use crate::model::message::reason::PlatformReason;
use crate::model::message::status::{message_status, money_state};
use crate::model::money::ledger::{AccountId, Code, Reservation, Transfer, TransferId};
use crate::store::message::statuses::statuses;
use crate::store::{Column, Dialect, Sql, Tx};
use crate::time::Time;
use crate::{args, sql};

/// The fate of a debit.
#[derive(Clone, Copy, Debug)]
pub enum DebitOutcome {
    /// Done; the balance after it (`None` for revenue).
    To(Option<Amount>),
    /// The account does not hold that much.
    Refused {
        /// What it holds.
        available: Amount,
    },
}

pub async fn open_wallet(tx: &mut Tx, user: UserId, currency: Currency) -> Result<()> {
    tx.run_exactly(
        1,
        "INSERT INTO accounts (kind, currency, user_id, balance_micros) VALUES ('wallet', $1, $2, 0)",
        args![currency, user],
    )
    .await
}

/// Opens campaigns' reserves, each holding its money already; their ids in the same order.
pub async fn open_reserves(tx: &mut Tx, reservations: &[Reservation], now: Time) -> Result<Vec<AccountId>> {
    if reservations.is_empty() {
        return Ok(Vec::new());
    }
    let rows = vec![
        Column::of(reservations.iter().map(|it| it.user)),
        Column::of(reservations.iter().map(|it| it.campaign)),
        Column::of(reservations.iter().map(|it| it.money.amount)),
        Column::of(reservations.iter().map(|it| it.money.currency)),
    ];
    let sql = sql!(
        "INSERT INTO accounts (kind, user_id, campaign_id, balance_micros, currency, closed_at) \
         SELECT 'reserve', j.*, CASE WHEN j.amount = 0 THEN $1 END \
         FROM UNNEST($2::BIGINT[], $3::BIGINT[], $4::BIGINT[], $5::TEXT[]) AS j (holder, campaign, amount, currency) \
         RETURNING campaign_id, id",
    );
    let made: Vec<(CampaignId, AccountId)> = tx.all(sql, args![now, rows]).await?;
    let made: HashMap<CampaignId, AccountId> = made.into_iter().collect();
    let ids = reservations.iter().map(|it| made.get(&it.campaign).copied());
    ids.collect::<Option<_>>().ok_or_else(|| Error::Corrupt("a reserve was not opened".into()))
}

/// Locks accounts in order of their ids, for a statement that moves several balances (see `store/chunk/mod.rs`).
/// Revenue has no balance to lock.
pub async fn lock_accounts(tx: &mut Tx, accounts: BTreeSet<i64>) -> Result<()> {
    let of_revenue =
        |id: &i64| Currency::ALL.into_iter().any(|currency| AccountId::revenue(currency).0 == *id);
    let ids: Vec<i64> = accounts.into_iter().filter(|id| !of_revenue(id)).collect();
    if ids.len() < 2 || tx.dialect() == Dialect::Sqlite {
        return Ok(());
    }
    let sql = "SELECT id FROM accounts WHERE id = ANY($1::BIGINT[]) ORDER BY id FOR NO KEY UPDATE";
    tx.run(sql, args![vec![Column::Ints(ids)]]).await?;
    Ok(())
}

/// Debits wallets; the balances after it of those that held enough.
pub async fn take(tx: &mut Tx, totals: &BTreeMap<AccountId, Money>) -> Result<BTreeMap<AccountId, Amount>> {
    if totals.is_empty() {
        return Ok(BTreeMap::new());
    }
    lock_accounts(tx, totals.keys().map(|account| account.0).collect()).await?;
    let rows = vec![
        Column::of(totals.keys()),
        Column::of(totals.values().map(|money| money.amount)),
        Column::of(totals.values().map(|money| money.currency)),
    ];
    let sql = sql!(
        "UPDATE accounts SET balance_micros = balance_micros - j.amount \
         FROM UNNEST($1::BIGINT[], $2::BIGINT[], $3::TEXT[]) AS j (id, amount, currency) \
         WHERE accounts.id = j.id AND accounts.currency = j.currency AND balance_micros >= j.amount \
         RETURNING accounts.id, balance_micros",
    );
    Ok(tx.all(sql, args![rows]).await?.into_iter().collect())
}

/// The wallets of these users by user and currency.
pub async fn wallets(
    tx: &mut Tx,
    users: Vec<UserId>,
) -> Result<HashMap<(UserId, Currency), (AccountId, Amount)>> {
    let sql = sql!(
        "SELECT user_id, currency, id, balance_micros FROM accounts \
         WHERE kind = 'wallet' AND user_id = ANY($1::BIGINT[])",
    );
    let rows: Vec<(UserId, Currency, AccountId, Amount)> =
        tx.all(sql, args![vec![Column::of(users)]]).await?;
    Ok(rows.into_iter().map(|(user, currency, id, balance)| ((user, currency), (id, balance))).collect())
}

/// A transfer of many, before its balances are known.
#[derive(Clone, Debug)]
pub struct Posting {
    pub debit: AccountId,
    pub credit: AccountId,
    pub amount: i64,
    pub campaign: CampaignId,
    pub currency: &'static str,
    pub code: Code,
    pub reference: String,
    pub narration: String,
}

const INSERT_POSTINGS: Sql = sql!(
    "INSERT INTO transfers (debit_account_id, credit_account_id, amount_micros, campaign_id, debit_balance_micros, \
       credit_balance_micros, currency, code, reference, narration, created_at) \
     SELECT j.*, $1 FROM UNNEST($2::BIGINT[], $3::BIGINT[], $4::BIGINT[], $5::BIGINT[], $6::BIGINT[], $7::BIGINT[], \
       $8::TEXT[], $9::TEXT[], $10::TEXT[], $11::TEXT[]) AS j",
);

/// Writes transfers, each with the balances of its debited and its credited account after it.
pub async fn insert_postings(
    tx: &mut Tx,
    postings: &[Posting],
    after: &[(Option<i64>, Option<i64>)],
    now: Time,
) -> Result<()> {
    if postings.is_empty() {
        return Ok(());
    }
    let columns = vec![
        Column::of(postings.iter().map(|posting| posting.debit)),
        Column::of(postings.iter().map(|posting| posting.credit)),
        Column::of(postings.iter().map(|posting| posting.amount)),
        Column::of(postings.iter().map(|posting| posting.campaign)),
        Column::of(after.iter().map(|(debit, _)| debit)),
        Column::of(after.iter().map(|(_, credit)| credit)),
        Column::of(postings.iter().map(|posting| posting.currency)),
        Column::of(postings.iter().map(|posting| posting.code)),
        Column::of(postings.iter().map(|posting| &posting.reference)),
        Column::of(postings.iter().map(|posting| &posting.narration)),
    ];
    tx.run_exactly(postings.len() as u64, INSERT_POSTINGS, args![now, columns]).await
}

pub async fn wallet(tx: &mut Tx, user: UserId, currency: Currency) -> Result<Option<(AccountId, Amount)>> {
    tx.opt(
        "SELECT id, balance_micros FROM accounts WHERE kind = 'wallet' AND user_id = $1 AND currency = $2",
        args![user, currency],
    )
    .await
}

/// What a user holds in one currency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Holding {
    /// In the wallet.
    pub wallet: Amount,
    /// In the reserves of running campaigns.
    pub reserved: Amount,
}

/// What a user holds in ESPEES and in Naira. The reserves of campaigns that are over are not looked at.
pub async fn holdings(tx: &mut Tx, user: UserId) -> Result<(Holding, Holding)> {
    let (espees, espees_reserved, naira, naira_reserved) = tx.one(HOLDINGS, args![user]).await?;
    Ok((
        Holding { wallet: espees, reserved: espees_reserved },
        Holding { wallet: naira, reserved: naira_reserved },
    ))
}

pub(crate) const HOLDINGS: &str = "SELECT \
     CAST(COALESCE(SUM(CASE WHEN currency = 'espees' AND kind = 'wallet' THEN balance_micros END), 0) AS BIGINT), \
     CAST(COALESCE(SUM(CASE WHEN currency = 'espees' AND kind = 'reserve' THEN balance_micros END), 0) AS BIGINT), \
     CAST(COALESCE(SUM(CASE WHEN currency = 'naira' AND kind = 'wallet' THEN balance_micros END), 0) AS BIGINT), \
     CAST(COALESCE(SUM(CASE WHEN currency = 'naira' AND kind = 'reserve' THEN balance_micros END), 0) AS BIGINT) \
     FROM (SELECT currency, kind, balance_micros FROM accounts WHERE user_id = $1 AND kind = 'wallet' \
       UNION ALL SELECT currency, kind, balance_micros FROM accounts \
       WHERE user_id = $1 AND kind = 'reserve' AND closed_at IS NULL) AS held";

/// A transfer named by its code and reference.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct TransferRow {
    pub id: TransferId,
    pub created_at: Time,
    pub code: Code,
    pub reference: String,
    pub narration: String,
    #[sqlx(rename = "amount_micros")]
    pub amount: Amount,
}

pub async fn find_transfer(tx: &mut Tx, code: Code, reference: &str) -> Result<Option<TransferRow>> {
    tx.opt(
        "SELECT id, created_at, code, reference, narration, amount_micros FROM transfers \
         WHERE code = $1 AND reference = $2",
        args![code, reference],
    )
    .await
}

/// Whether a transfer of this code has the reference in another case, of which none is added until the transaction ends
/// by others that ask this. It looks at each one: for codes that are few.
pub async fn has_reference_in_other_case(tx: &mut Tx, code: Code, reference: &str) -> Result<bool> {
    // One account for all of them, whatever they are paid in: the lowest that is ever locked.
    let one_at_a_time = sql!("SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE");
    tx.run(one_at_a_time, args![AccountId::adjustment(Currency::Espees)]).await?;
    let sql = "SELECT id FROM transfers WHERE code = $1 AND lower(reference) = lower($2) AND reference <> $2 LIMIT 1";
    Ok(tx.opt::<(TransferId,)>(sql, args![code, reference]).await?.is_some())
}

pub async fn debit(tx: &mut Tx, account: AccountId, money: Money, now: Time) -> Result<DebitOutcome> {
    let row: Option<(Option<Amount>,)> = tx
        .opt(
            "UPDATE accounts SET balance_micros = balance_micros - $1, \
               closed_at = CASE WHEN kind = 'reserve' AND balance_micros = $1 THEN $4 END \
             WHERE id = $2 AND currency = $3 AND (kind NOT IN ('wallet', 'reserve') OR balance_micros >= $1) \
             RETURNING balance_micros",
            args![money.amount, account, money.currency, now],
        )
        .await?;
    if let Some((balance,)) = row {
        return Ok(DebitOutcome::To(balance));
    }
    let held: Option<(Amount, Currency)> = tx
        .opt("SELECT COALESCE(balance_micros, 0), currency FROM accounts WHERE id = $1", args![account])
        .await?;
    match held {
        Some((available, currency)) if currency == money.currency => Ok(DebitOutcome::Refused { available }),
        _ => Err(Error::Corrupt(format!("there is no account {} in {}", account.0, money.currency))),
    }
}

pub async fn credit(tx: &mut Tx, account: AccountId, money: Money) -> Result<Option<Amount>> {
    let row: Option<(Option<Amount>,)> = tx
        .opt(
            "UPDATE accounts SET balance_micros = balance_micros + $1, closed_at = NULL \
             WHERE id = $2 AND currency = $3 RETURNING balance_micros",
            args![money.amount, account, money.currency],
        )
        .await?;
    let (balance,) = row
        .ok_or_else(|| Error::Corrupt(format!("there is no account {} in {}", account.0, money.currency)))?;
    Ok(balance)
}

pub async fn insert_transfer(
    tx: &mut Tx,
    transfer: &Transfer,
    debit_balance: Option<Amount>,
    credit_balance: Option<Amount>,
    now: Time,
) -> Result<TransferId> {
    let row: (TransferId,) = tx
        .one(
            "INSERT INTO transfers (debit_account_id, credit_account_id, amount_micros, currency, code, reference, \
             narration, campaign_id, debit_balance_micros, credit_balance_micros, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING id",
            args![
                transfer.debit,
                transfer.credit,
                transfer.money.amount,
                transfer.money.currency,
                transfer.code,
                &transfer.reference,
                &transfer.narration,
                transfer.campaign,
                debit_balance,
                credit_balance,
                now,
            ],
        )
        .await?;
    Ok(row.0)
}

/// A transfer as a statement shows it.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct StatementRow {
    pub id: TransferId,
    pub created_at: Time,
    pub code: Code,
    pub reference: String,
    pub narration: String,
    pub campaign_id: Option<CampaignId>,
    /// Signed, as seen by the wallet.
    #[sqlx(rename = "amount_micros")]
    pub amount: Amount,
    #[sqlx(rename = "balance_micros")]
    pub balance: Amount,
}

/// A page of a wallet's movements, newest first, before the transfer `before` (exclusive).
pub async fn statement(
    tx: &mut Tx,
    wallet: AccountId,
    before: TransferId,
    limit: i64,
) -> Result<Vec<StatementRow>> {
    tx.all(
        "SELECT id, created_at, code, reference, narration, campaign_id, amount_micros, balance_micros FROM ( \
           SELECT * FROM (SELECT id, created_at, code, reference, narration, campaign_id, \
                  -amount_micros AS amount_micros, debit_balance_micros AS balance_micros \
             FROM transfers WHERE debit_account_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3) AS lost \
           UNION ALL \
           SELECT * FROM (SELECT id, created_at, code, reference, narration, campaign_id, \
                  amount_micros, credit_balance_micros AS balance_micros \
             FROM transfers WHERE credit_account_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3) AS gained \
         ) AS moved ORDER BY id DESC LIMIT $3",
        args![wallet, before, limit],
    )
    .await
}

/// How many movements a wallet has.
pub async fn statement_size(tx: &mut Tx, wallet: AccountId) -> Result<i64> {
    let row: (i64,) = tx
        .one(
            "SELECT (SELECT COUNT(*) FROM transfers WHERE debit_account_id = $1) \
                  + (SELECT COUNT(*) FROM transfers WHERE credit_account_id = $1)",
            args![wallet],
        )
        .await?;
    Ok(row.0)
}

pub async fn accounts_that_disagree(tx: &mut Tx) -> Result<Vec<(AccountId, Amount, Amount)>> {
    tx.all(
        "SELECT id, balance_micros, added FROM ( \
           SELECT a.id, a.balance_micros, \
             CAST(COALESCE((SELECT SUM(amount_micros) FROM transfers WHERE credit_account_id = a.id), 0) \
                - COALESCE((SELECT SUM(amount_micros) FROM transfers WHERE debit_account_id = a.id), 0) AS BIGINT) \
             AS added \
           FROM accounts a WHERE a.balance_micros IS NOT NULL) AS sums \
         WHERE balance_micros <> added LIMIT 100",
        args![],
    )
    .await
}

pub async fn reserves_that_disagree(tx: &mut Tx) -> Result<Vec<(CampaignId, Amount, Amount)>> {
    tx.all(
        "SELECT campaign_id, balance_micros, owed FROM ( \
           SELECT c.id AS campaign_id, a.balance_micros, \
             CAST((SELECT SUM(charge_micros - captured_micros - released_micros) FROM campaign_chunks \
              WHERE campaign_id = c.id) AS BIGINT) AS owed \
           FROM campaigns c JOIN accounts a ON a.id = c.reserve_account_id) AS sums \
         WHERE balance_micros <> COALESCE(owed, 0) LIMIT 100",
        args![],
    )
    .await
}

pub async fn chunk_money_that_disagrees(tx: &mut Tx) -> Result<Vec<(CampaignId, Amount, Amount, String)>> {
    tx.all(
        "SELECT campaign_id, by_chunks, by_ledger, what FROM ( \
           SELECT c.id AS campaign_id, 'captured' AS what, \
             CAST(COALESCE((SELECT SUM(captured_micros) FROM campaign_chunks WHERE campaign_id = c.id), 0) \
               AS BIGINT) AS by_chunks, \
             CAST(COALESCE((SELECT SUM(amount_micros) FROM transfers \
               WHERE debit_account_id = c.reserve_account_id AND code = 'capture'), 0) AS BIGINT) AS by_ledger \
           FROM campaigns c \
           UNION ALL \
           SELECT c.id, 'released', \
             CAST(COALESCE((SELECT SUM(released_micros) FROM campaign_chunks WHERE campaign_id = c.id), 0) \
               AS BIGINT), \
             CAST(COALESCE((SELECT SUM(amount_micros) FROM transfers \
               WHERE debit_account_id = c.reserve_account_id AND code = 'release'), 0) AS BIGINT) \
           FROM campaigns c \
           UNION ALL \
           SELECT c.id, 'refunded', \
             CAST(COALESCE((SELECT SUM(refunded_micros) FROM campaign_chunks WHERE campaign_id = c.id), 0) \
               AS BIGINT), \
             CAST(COALESCE((SELECT SUM(amount_micros) FROM transfers \
               WHERE campaign_id = c.id AND code <> 'capture' AND code = 'refund'), 0) AS BIGINT) \
           FROM campaigns c \
           UNION ALL \
           SELECT c.id, 'charged again', \
             CAST(COALESCE((SELECT SUM(charged_micros) FROM campaign_chunks WHERE campaign_id = c.id), 0) \
               AS BIGINT), \
             CAST(COALESCE((SELECT SUM(amount_micros) FROM transfers \
               WHERE campaign_id = c.id AND code <> 'capture' AND code = 'charge'), 0) AS BIGINT) \
           FROM campaigns c) AS sums \
         WHERE by_chunks <> by_ledger LIMIT 100",
        args![],
    )
    .await
}

/// Messages whose money is not where their status puts it, or was moved by no transfer of their own. Free messages
/// have no transfers.
pub async fn messages_without_their_money(tx: &mut Tx) -> Result<Vec<(MessageId, String)>> {
    let sql = concat!(
        "SELECT id, what FROM ( \
           SELECT m.id, CASE \
             WHEN m.status IN (",
        statuses!(given_up, ", ", [number]),
        ") AND m.money NOT IN (",
        money_state!(Released),
        ", ",
        money_state!(Refunded),
        ") \
               THEN 'it was not sent, and its money was not given back' \
             WHEN m.error = $1 AND m.money NOT IN (",
        money_state!(Captured),
        ", ",
        money_state!(Refunded),
        ", ",
        money_state!(Charged),
        ") \
               THEN 'it was settled as sent, and is not charged' \
             WHEN m.money = ",
        money_state!(Refunded),
        " AND COALESCE(ch.unit_price_micros, c.unit_price_micros) > 0 AND NOT EXISTS (SELECT 1 FROM transfers t \
               WHERE t.code = 'refund' AND t.reference = 'refund:' || CAST(m.id AS TEXT)) \
               THEN 'it is refunded, and no transfer says so' \
             WHEN m.money = ",
        money_state!(Charged),
        " AND COALESCE(ch.unit_price_micros, c.unit_price_micros) > 0 AND NOT EXISTS (SELECT 1 FROM transfers t \
               WHERE t.code = 'charge' AND t.reference = 'charge:' || CAST(m.id AS TEXT)) \
               THEN 'it is charged after a release, and no transfer says so' \
           END AS what \
           FROM messages m JOIN campaign_chunks ch ON ch.id = m.id / 4096 JOIN campaigns c ON c.id = ch.campaign_id \
           WHERE m.status IN (",
        statuses!(given_up, ", ", [number]),
        ") OR m.money IN (",
        money_state!(Refunded),
        ", ",
        money_state!(Charged),
        ") OR m.error = $1) AS judged WHERE what IS NOT NULL LIMIT 100"
    );
    tx.all(sql, args![PlatformReason::ResolvedSent.code()]).await
}

pub async fn counters_that_disagree(tx: &mut Tx) -> Result<Vec<(ChunkId,)>> {
    let sql = concat!(
        "SELECT ch.id FROM campaign_chunks ch WHERE (ch.answered, ",
        statuses!(stored, ", ", ["ch.", column]),
        ") <> (SELECT COALESCE(SUM(m.messages), 0), ",
        statuses!(stored, ", ", ["COALESCE(SUM(CASE WHEN m.status = ", number, " THEN m.messages END), 0)"]),
        " FROM (SELECT status, 1 AS messages FROM messages WHERE id >= ch.id * 4096 AND id < (ch.id + 1) * 4096 \
           UNION ALL SELECT ",
        message_status!(Delivered),
        ", messages FROM packed_messages WHERE chunk_id = ch.id) AS m) LIMIT 100"
    );
    tx.all(sql, args![]).await
}

pub async fn campaigns_that_disagree(tx: &mut Tx) -> Result<Vec<(CampaignId, i64, i64)>> {
    tx.all(
        "SELECT id, open, chunks_open FROM ( \
           SELECT c.id, c.chunks_open, (SELECT COUNT(*) FROM campaign_chunks ch \
              WHERE ch.campaign_id = c.id AND ch.state = 'open') AS open FROM campaigns c) AS counts \
         WHERE open <> chunks_open LIMIT 100",
        args![],
    )
    .await
}
