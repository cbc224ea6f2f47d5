//! The ledger: every amount that moves, from one account to another, once, for ever.
//!
//! A [`Transfer`] debits one account and credits another by the same amount, so entries cannot be unbalanced; wallets
//! and reserves cannot go below zero (the database refuses too); a code and a reference name what a transfer was for,
//! and the same pair happens once. [`verify`] adds everything up again.

pub mod statement;
pub mod transactions;
mod transfer;
pub mod verify;

use talkdrum_api::money::{Amount, Currency, Money};
pub(crate) use transfer::insufficient;
pub use transfer::{Bill, Short, open_reserves, post, try_post};

use crate::model::account::id::UserId;
use crate::model::money::ledger::{AccountId, Code, Posted, Transfer};
use std::collections::HashMap;

use crate::error::{Error, Result};
use crate::store::Tx;
use crate::store::money::ledger as table;
use crate::time::Time;

/// Opens a user's wallets, one for each currency, empty.
pub async fn open_wallets(tx: &mut Tx, user: UserId) -> Result<()> {
    for currency in Currency::ALL {
        table::open_wallet(tx, user, currency).await?;
    }
    Ok(())
}

/// A user's wallet and what it holds.
pub async fn wallet(tx: &mut Tx, user: UserId, currency: Currency) -> Result<(AccountId, Amount)> {
    table::wallet(tx, user, currency).await?.ok_or(Error::NotFound("wallet"))
}

/// The wallets of some users.
#[derive(Clone, Debug, Default)]
pub struct Wallets(HashMap<(UserId, Currency), (AccountId, Amount)>);

impl Wallets {
    /// A user's wallet and what it holds.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is none.
    pub fn of(&self, user: UserId, currency: Currency) -> Result<(AccountId, Amount)> {
        self.0.get(&(user, currency)).copied().ok_or(Error::NotFound("wallet"))
    }
}

/// The wallets of these users, in one statement.
pub async fn wallets(tx: &mut Tx, users: impl Iterator<Item = UserId>) -> Result<Wallets> {
    let mut users: Vec<UserId> = users.collect();
    users.sort_unstable();
    users.dedup();
    if users.is_empty() {
        return Ok(Wallets::default());
    }
    Ok(Wallets(table::wallets(tx, users).await?))
}

/// Credits a wallet by an administrator's hand, once for its payment reference, in whatever case it is typed; returns
/// the balance after it.
///
/// # Errors
/// `amount_not_positive`; `duplicate_reference` (409) when the reference was used before.
pub async fn credit_by_admin(
    tx: &mut Tx,
    user: UserId,
    money: Money,
    reference: &str,
    now: Time,
) -> Result<Amount> {
    if money.amount <= Amount::ZERO {
        return Err(Error::field(
            "amount",
            "amount_not_positive",
            "The amount to credit must be more than zero",
        ));
    }
    let credited_before = || {
        Error::conflict(
            "duplicate_reference",
            format!("The payment reference '{reference}' was credited before; nothing was credited again"),
        )
    };
    if table::has_reference_in_other_case(tx, Code::Credit, reference).await? {
        return Err(credited_before());
    }
    let (wallet, _) = wallet(tx, user, money.currency).await?;
    let posted = post(
        tx,
        &Transfer {
            debit: AccountId::adjustment(money.currency),
            credit: wallet,
            money,
            code: Code::Credit,
            reference: reference.to_owned(),
            narration: format!("Credited by an administrator ({reference})"),
            campaign: None,
        },
        now,
    )
    .await?;
    match posted {
        Posted::Now { credit_balance, .. } => Ok(credit_balance.unwrap_or_default()),
        Posted::Before => Err(credited_before()),
    }
}

#[cfg(test)]
mod tests;
