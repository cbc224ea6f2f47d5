//! Accounts and transfers.

use std::collections::HashMap;

use super::{Column, Sql, Tx};
use crate::Currency;
use crate::args;
use crate::clock::Time;
use crate::error::{Error, Result};
use crate::ledger::{AccountId, Code, Transfer};
use crate::money::{Amount, Money};

/// The fate of a debit.
#[derive(Clone, Copy, Debug)]
pub enum Moved {
    /// Done; the balance after it (`None` for revenue).
    To(Option<Amount>),
    /// The account does not hold that much.
    Refused {
        /// What it holds.
        available: Amount,
    },
}

pub async fn open_wallet(tx: &mut Tx, user: i64, currency: Currency) -> Result<()> {
    tx.run_exactly(
        1,
        "INSERT INTO accounts (kind, currency, user_id, balance_micros) VALUES ('wallet', $1, $2, 0)",
        args![currency, user],
    )
    .await
}

/// Opens a campaign's reserve, empty.
pub async fn open_reserve(tx: &mut Tx, user: i64, campaign: i64, currency: Currency) -> Result<AccountId> {
    let row: (i64,) = tx
        .one(
            "INSERT INTO accounts (kind, currency, user_id, campaign_id, balance_micros) \
             VALUES ('reserve', $1, $2, $3, 0) RETURNING id",
            args![currency, user, campaign],
        )
        .await?;
    Ok(AccountId(row.0))
}

pub async fn wallet(tx: &mut Tx, user: i64, currency: Currency) -> Result<Option<(AccountId, Amount)>> {
    let row: Option<(i64, i64)> = tx
        .opt(
            "SELECT id, balance_micros FROM accounts WHERE kind = 'wallet' AND user_id = $1 AND currency = $2",
            args![user, currency],
        )
        .await?;
    Ok(row.map(|(id, balance)| (AccountId(id), Amount(balance))))
}

/// What these users' wallets hold.
pub async fn balances(tx: &mut Tx, users: Vec<i64>) -> Result<HashMap<(i64, Currency), Amount>> {
    let sql = Sql::each(
        "SELECT user_id, currency, balance_micros FROM accounts \
         WHERE kind = 'wallet' AND user_id IN (SELECT value ->> 0 FROM json_each($1))",
        "SELECT user_id, currency, balance_micros FROM accounts \
         WHERE kind = 'wallet' AND user_id = ANY($1::BIGINT[])",
    );
    let rows: Vec<(i64, String, i64)> = tx.all(sql, args![vec![Column::Ints(users)]]).await?;
    rows.into_iter().map(|(user, currency, held)| Ok(((user, currency.parse()?), Amount(held)))).collect()
}

/// Wallet and open reserves of a user in one currency.
pub async fn holdings(tx: &mut Tx, user: i64, currency: Currency) -> Result<(Amount, Amount)> {
    let row: (i64, i64) = tx
        .one(
            "SELECT CAST(COALESCE(SUM(CASE WHEN kind = 'wallet' THEN balance_micros ELSE 0 END), 0) AS BIGINT), \
                    CAST(COALESCE(SUM(CASE WHEN kind = 'reserve' THEN balance_micros ELSE 0 END), 0) AS BIGINT) \
             FROM accounts WHERE user_id = $1 AND currency = $2",
            args![user, currency],
        )
        .await?;
    Ok((Amount(row.0), Amount(row.1)))
}

pub async fn was_posted(tx: &mut Tx, code: Code, reference: &str) -> Result<bool> {
    let row: Option<(i64,)> = tx
        .opt("SELECT id FROM transfers WHERE code = $1 AND reference = $2", args![code.as_str(), reference])
        .await?;
    Ok(row.is_some())
}

pub async fn debit(tx: &mut Tx, account: AccountId, money: Money) -> Result<Moved> {
    let row: Option<(Option<i64>,)> = tx
        .opt(
            "UPDATE accounts SET balance_micros = balance_micros - $1 \
             WHERE id = $2 AND currency = $3 AND (kind NOT IN ('wallet', 'reserve') OR balance_micros >= $1) \
             RETURNING balance_micros",
            args![money.amount, account.0, money.currency],
        )
        .await?;
    if let Some((balance,)) = row {
        return Ok(Moved::To(balance.map(Amount)));
    }
    let held: Option<(i64, String)> = tx
        .opt("SELECT COALESCE(balance_micros, 0), currency FROM accounts WHERE id = $1", args![account.0])
        .await?;
    match held {
        Some((available, currency)) if currency == money.currency.code() => {
            Ok(Moved::Refused { available: Amount(available) })
        }
        _ => Err(Error::Corrupt(format!("there is no account {} in {}", account.0, money.currency))),
    }
}

pub async fn credit(tx: &mut Tx, account: AccountId, money: Money) -> Result<Option<Amount>> {
    let row: Option<(Option<i64>,)> = tx
        .opt(
            "UPDATE accounts SET balance_micros = balance_micros + $1 WHERE id = $2 AND currency = $3 \
             RETURNING balance_micros",
            args![money.amount, account.0, money.currency],
        )
        .await?;
    let (balance,) = row
        .ok_or_else(|| Error::Corrupt(format!("there is no account {} in {}", account.0, money.currency)))?;
    Ok(balance.map(Amount))
}

/// Locks an account until the end of the transaction.
pub async fn lock(tx: &mut Tx, account: AccountId) -> Result<()> {
    tx.run_exactly(1, "UPDATE accounts SET balance_micros = balance_micros WHERE id = $1", args![account.0])
        .await
}

pub async fn insert_transfer(
    tx: &mut Tx,
    transfer: &Transfer,
    debit_balance: Option<Amount>,
    credit_balance: Option<Amount>,
    now: Time,
) -> Result<i64> {
    let row: (i64,) = tx
        .one(
            "INSERT INTO transfers (debit_account_id, credit_account_id, amount_micros, currency, code, reference, \
             narration, campaign_id, debit_balance_micros, credit_balance_micros, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING id",
            args![
                transfer.debit.0,
                transfer.credit.0,
                transfer.money.amount,
                transfer.money.currency,
                transfer.code.as_str(),
                &transfer.reference,
                &transfer.narration,
                transfer.campaign,
                debit_balance.map(Amount::micros),
                credit_balance.map(Amount::micros),
                now,
            ],
        )
        .await?;
    Ok(row.0)
}

/// A transfer as a statement shows it.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct StatementRow {
    pub id: i64,
    pub created_at: i64,
    pub code: String,
    pub reference: String,
    pub narration: String,
    pub campaign_id: Option<i64>,
    /// Signed, as seen by the wallet.
    pub amount_micros: i64,
    pub balance_micros: i64,
}

/// A page of a wallet's movements, newest first, before the transfer `before` (exclusive).
pub async fn statement(tx: &mut Tx, wallet: AccountId, before: i64, limit: i64) -> Result<Vec<StatementRow>> {
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
        args![wallet.0, before, limit],
    )
    .await
}

/// How many movements a wallet has.
pub async fn statement_size(tx: &mut Tx, wallet: AccountId) -> Result<i64> {
    let row: (i64,) = tx
        .one(
            "SELECT (SELECT COUNT(*) FROM transfers WHERE debit_account_id = $1) \
                  + (SELECT COUNT(*) FROM transfers WHERE credit_account_id = $1)",
            args![wallet.0],
        )
        .await?;
    Ok(row.0)
}

/// A transfer named by its code and reference.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct TransferRow {
    pub id: i64,
    pub created_at: i64,
    pub code: String,
    pub reference: String,
    pub narration: String,
    pub amount_micros: i64,
}

pub async fn find_transfer(tx: &mut Tx, code: Code, reference: &str) -> Result<Option<TransferRow>> {
    tx.opt(
        "SELECT id, created_at, code, reference, narration, amount_micros FROM transfers \
         WHERE code = $1 AND reference = $2",
        args![code.as_str(), reference],
    )
    .await
}

pub async fn accounts_that_disagree(tx: &mut Tx) -> Result<Vec<(i64, i64, i64)>> {
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

pub async fn reserves_that_disagree(tx: &mut Tx) -> Result<Vec<(i64, i64, i64)>> {
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

pub async fn chunk_money_that_disagrees(tx: &mut Tx) -> Result<Vec<(i64, i64, i64, String)>> {
    tx.all(
        Sql::from(
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
               FROM campaigns c) AS sums \
             WHERE by_chunks <> by_ledger LIMIT 100",
        ),
        args![],
    )
    .await
}

pub async fn counters_that_disagree(tx: &mut Tx) -> Result<Vec<(i64,)>> {
    tx.all(
        "SELECT ch.id FROM campaign_chunks ch WHERE \
           (ch.answered, ch.submitted, ch.delivered, ch.undelivered, ch.rejected, ch.expired, ch.unknown, \
            ch.cancelled, ch.suppressed) <> \
           (SELECT COUNT(*), \
              COUNT(CASE WHEN m.status = 3 THEN 1 END), COUNT(CASE WHEN m.status = 4 THEN 1 END), \
              COUNT(CASE WHEN m.status = 5 THEN 1 END), COUNT(CASE WHEN m.status = 6 THEN 1 END), \
              COUNT(CASE WHEN m.status = 7 THEN 1 END), COUNT(CASE WHEN m.status = 8 THEN 1 END), \
              COUNT(CASE WHEN m.status = 9 THEN 1 END), COUNT(CASE WHEN m.status = 10 THEN 1 END) \
            FROM messages m WHERE m.id >= ch.id * 4096 AND m.id < (ch.id + 1) * 4096) \
         LIMIT 100",
        args![],
    )
    .await
}

pub async fn campaigns_that_disagree(tx: &mut Tx) -> Result<Vec<(i64, i64, i64)>> {
    tx.all(
        "SELECT id, open, chunks_open FROM ( \
           SELECT c.id, c.chunks_open, (SELECT COUNT(*) FROM campaign_chunks ch \
              WHERE ch.campaign_id = c.id AND ch.state = 'open') AS open FROM campaigns c) AS counts \
         WHERE open <> chunks_open LIMIT 100",
        args![],
    )
    .await
}
