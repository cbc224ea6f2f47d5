//! Posting a transfer.

use talkdrum_api::code;
use talkdrum_api::money::{Amount, Money};

use crate::model::money::ledger::{AccountId, Code, Posted, Reservation, Transfer};
use std::collections::BTreeMap;

use crate::error::{Error, Result};
use crate::store::Tx;
use crate::store::money::ledger as table;
use crate::time::Time;

/// The debited wallet or reserve does not hold the amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Short {
    /// What it holds.
    pub available: Amount,
}

/// Posts a transfer, unless its code and reference were posted before.
///
/// # Errors
/// `insufficient_balance` when the debited wallet or reserve does not hold the amount.
pub async fn post(tx: &mut Tx, transfer: &Transfer, now: Time) -> Result<Posted> {
    try_post(tx, transfer, now).await?.map_err(|short| insufficient(transfer.money, short.available))
}

/// The same, for a caller that has words of its own for a refusal.
pub async fn try_post(tx: &mut Tx, transfer: &Transfer, now: Time) -> Result<Result<Posted, Short>> {
    if transfer.money.amount <= Amount::ZERO {
        return Err(Error::Corrupt(format!("a transfer of {} was asked for", transfer.money)));
    }
    if table::find_transfer(tx, transfer.code, &transfer.reference).await?.is_some() {
        return Ok(Ok(Posted::Before));
    }
    table::lock_accounts(tx, [transfer.debit.0, transfer.credit.0].into()).await?;
    let debit_balance = match table::debit(tx, transfer.debit, transfer.money, now).await? {
        table::DebitOutcome::To(balance) => balance,
        table::DebitOutcome::Refused { available } => return Ok(Err(Short { available })),
    };
    let credit_balance = table::credit(tx, transfer.credit, transfer.money).await?;
    let id = table::insert_transfer(tx, transfer, debit_balance, credit_balance, now).await?;
    Ok(Ok(Posted::Now { id, debit_balance, credit_balance }))
}

/// Money that was set aside in reserves and is still to be taken from the wallets, in the same transaction.
#[derive(Debug)]
#[must_use = "the wallets are not debited yet"]
pub struct Bill {
    reservations: Vec<Reservation>,
    reserves: Vec<AccountId>,
}

/// Opens the reserves of new campaigns, each holding its money; the reserves in the same order, and the bill for them.
/// A statement, however many there are.
pub async fn open_reserves(
    tx: &mut Tx,
    reservations: Vec<Reservation>,
    now: Time,
) -> Result<(Vec<AccountId>, Bill)> {
    if let Some(it) = reservations.iter().find(|it| it.money.amount < Amount::ZERO) {
        return Err(Error::Corrupt(format!("a reserve of {} was asked for", it.money)));
    }
    let reserves = table::open_reserves(tx, &reservations, now).await?;
    Ok((reserves.clone(), Bill { reservations, reserves }))
}

impl Bill {
    /// Takes the money from the wallets. Every send of a user waits for the wallet's row from here to the commit: nothing
    /// else is to be done in between.
    ///
    /// # Errors
    /// `insufficient_balance` when a wallet does not hold what is asked of it in all.
    pub async fn pay(self, tx: &mut Tx, now: Time) -> Result<()> {
        pay(tx, &self.reservations, &self.reserves, now).await
    }
}

async fn pay(tx: &mut Tx, reservations: &[Reservation], reserves: &[AccountId], now: Time) -> Result<()> {
    let mut totals: BTreeMap<AccountId, Money> = BTreeMap::new();
    for Reservation { wallet, money, .. } in reservations {
        let total = totals.entry(*wallet).or_insert(Money { amount: Amount::ZERO, currency: money.currency });
        total.amount = total.amount.plus(money.amount)?;
    }
    totals.retain(|_, total| total.amount > Amount::ZERO);
    let mut balances = table::take(tx, &totals).await?;
    if let Some((wallet, total)) = totals.iter().find(|(wallet, _)| !balances.contains_key(wallet)) {
        return Err(match table::debit(tx, *wallet, *total, now).await? {
            table::DebitOutcome::Refused { available } => insufficient(*total, available),
            table::DebitOutcome::To(_) => {
                Error::Corrupt(format!("account {} could not be debited", wallet.0))
            }
        });
    }
    // From the balances after it all back to those before it, then forward, posting by posting.
    for (wallet, total) in &totals {
        if let Some(balance) = balances.get_mut(wallet) {
            *balance = balance.plus(total.amount)?;
        }
    }
    let mut postings = Vec::with_capacity(reservations.len());
    let mut after = Vec::with_capacity(reservations.len());
    for (it, reserve) in reservations.iter().zip(reserves) {
        let Some(balance) = balances.get_mut(&it.wallet).filter(|_| it.money.amount > Amount::ZERO) else {
            continue;
        };
        *balance = balance.minus(it.money.amount)?;
        after.push((Some(balance.0), Some(it.money.amount.0)));
        postings.push(table::Posting {
            debit: it.wallet,
            credit: *reserve,
            amount: it.money.amount.0,
            campaign: it.campaign,
            currency: it.money.currency.code(),
            code: Code::Reserve,
            reference: format!("campaign:{}", it.campaign),
            narration: it.narration.clone(),
        });
    }
    table::insert_postings(tx, &postings, &after, now).await
}

/// The refusal of what a wallet does not hold.
pub(crate) fn insufficient(needed: Money, available: Amount) -> Error {
    let short = needed.amount.minus(available).unwrap_or(needed.amount);
    let label = needed.currency.label();
    Error::rule(
        code::INSUFFICIENT_BALANCE,
        format!(
            "The {label} balance of {available} does not cover {}: {short} {label} more is needed. \
             Fund the account, or send to fewer contacts",
            needed.amount
        ),
    )
}
