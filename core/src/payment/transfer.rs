//! Transfers from one user's wallet to another's.
//!
//! Both are active when it is posted, and an unknown recipient cannot be told from one that may not
//! receive.

use talkdrum_api::code;
use talkdrum_api::money::{Amount, Money};

use crate::error::{Error, Result};
use crate::ledger::{self, Short};
use crate::model::account::id::UserId;
use crate::model::account::user::{User, UserStatus, Username};
use crate::model::money::ledger::{Code, Posted, Transfer};
use crate::store::Tx;
use crate::store::account::user;
use crate::store::operations::idempotency::{Claim, once};
use crate::time::Time;

/// What one user gives another.
#[derive(Clone, Debug)]
pub struct Gift {
    /// Who gives.
    pub from: UserId,
    /// The recipient's user name, as typed.
    pub to: String,
    /// How much of what.
    pub money: Money,
    /// Unique; for one that was made before, `claim` answers.
    pub reference: String,
    /// The client's key.
    pub claim: Option<Claim>,
}

/// A transfer that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// Its reference in both histories.
    pub reference: String,
    /// The giver's balance now.
    pub balance: Amount,
    /// False when an earlier request made it.
    pub is_new: bool,
}

/// Makes a transfer, once for its claim. `count` is what else the transaction counts of it: wallets are locked after that (see
/// `store/chunk/mod.rs`).
///
/// # Errors
/// `account_inactive`, `transfer_to_self`, `transfer_failed`, `insufficient_balance`; `duplicate_reference` (409); those of
/// `count`.
pub async fn give<C>(tx: &mut Tx, gift: &Gift, now: Time, count: C) -> Result<Given>
where
    C: AsyncFnOnce(&mut Tx) -> Result<()>,
{
    if gift.money.amount <= Amount::ZERO {
        return Err(Error::field("amount", "amount_not_positive", "The amount must be more than zero"));
    }
    let mut new_balance = None;
    let reference = once(tx, gift.claim.as_ref(), now, async |tx| {
        let (entry, balance) = draft(tx, gift).await?;
        count(tx).await?;
        new_balance = Some(post(tx, &entry, balance, now).await?);
        Ok(gift.reference.clone())
    })
    .await?;
    let balance = match new_balance {
        Some(balance) => balance,
        None => ledger::wallet(tx, gift.from, gift.money.currency).await?.1,
    };
    Ok(Given { reference, balance, is_new: new_balance.is_some() })
}

/// The transfer, if it may be made, and the giver's balance before it.
async fn draft(tx: &mut Tx, gift: &Gift) -> Result<(Transfer, Amount)> {
    let giver = user::by_id(tx, gift.from).await?.ok_or(Error::NotFound("user"))?;
    if giver.status == UserStatus::Inactive {
        return Err(inactive());
    }
    let recipient = recipient(tx, &giver, &gift.to).await?;
    let (from, balance) = ledger::wallet(tx, giver.id, gift.money.currency).await?;
    let (to, _) = ledger::wallet(tx, recipient.id, gift.money.currency).await?;
    let entry = Transfer {
        debit: from,
        credit: to,
        money: gift.money,
        code: Code::Transfer,
        reference: gift.reference.clone(),
        narration: format!("Transfer from {} to {}", giver.username, recipient.username),
        campaign: None,
    };
    Ok((entry, balance))
}

/// Moves the money; the giver's balance after it.
async fn post(tx: &mut Tx, entry: &Transfer, balance: Amount, now: Time) -> Result<Amount> {
    match ledger::try_post(tx, entry, now).await? {
        Ok(Posted::Now { debit_balance, .. }) => Ok(debit_balance.unwrap_or_default()),
        Ok(Posted::Before) => Err(Error::conflict("duplicate_reference", "This transfer was made before")),
        Err(Short { .. }) => {
            let Money { amount, currency } = entry.money;
            let message = format!("The {} balance of {balance} does not cover {amount}", currency.label());
            Err(Error::field("amount", code::INSUFFICIENT_BALANCE, message))
        }
    }
}

/// The text of the specification for a transfer.
pub fn inactive() -> Error {
    Error::rule(code::ACCOUNT_INACTIVE, "Please contact admin to activate your account")
}

async fn recipient(tx: &mut Tx, giver: &User, name: &str) -> Result<User> {
    let refused = || Error::rule("transfer_failed", "Transfer failed");
    let name: Username = name.parse().map_err(|_| refused())?;
    if name.as_str() == giver.username {
        return Err(Error::field(
            "recipient_username",
            "transfer_to_self",
            "You cannot transfer to yourself",
        ));
    }
    let found = user::by_username(tx, name.as_str()).await?;
    found.filter(|user| user.status == UserStatus::Active).ok_or_else(refused)
}

#[cfg(test)]
mod tests {
    use talkdrum_api::money::Currency;

    use super::*;
    use crate::both_databases;
    use crate::ledger::credit_by_admin;
    use crate::ledger::verify::verify;
    use crate::model::account::user::Role;
    use crate::store::{Lane, Store};
    use crate::testing::account::make_user;

    const NOW: Time = Time(1_700_000_000_000);

    async fn funded(store: &Store, name: &'static str, micros: i64) -> UserId {
        let user = make_user(store, name, Role::User).await;
        store
            .write(Lane::Interactive, (user, micros), |tx, (user, micros)| {
                Box::pin(async move {
                    let money = Money { amount: Amount(*micros), currency: Currency::Espees };
                    credit_by_admin(tx, *user, money, &format!("start-{user}"), NOW).await
                })
            })
            .await
            .unwrap();
        user
    }

    async fn send(store: &Store, from: UserId, to: &str, micros: i64, reference: &str) -> Result<Given> {
        let money = Money { amount: Amount(micros), currency: Currency::Espees };
        let gift = Gift { from, to: to.into(), money, reference: reference.into(), claim: None };
        store.write(Lane::Interactive, gift, |tx, gift| Box::pin(give(tx, gift, NOW, async |_| Ok(())))).await
    }

    async fn holds(store: &Store, user: UserId) -> i64 {
        ledger::wallet(&mut store.read().await.unwrap(), user, Currency::Espees).await.unwrap().1.0
    }

    both_databases! {
        async fn what_one_gives_the_other_gets_to_the_micro_unit(store: Store) {
            let (ada, eve) = (funded(&store, "ada", 10).await, funded(&store, "eve", 1).await);
            assert_eq!(send(&store, ada, " EVE ", 7, "t1").await.unwrap().balance, Amount(3));
            assert_eq!((holds(&store, ada).await, holds(&store, eve).await), (3, 8));
            assert_eq!(send(&store, ada, "eve", 4, "t2").await.unwrap_err().code(), "insufficient_balance");
            assert_eq!(send(&store, ada, "eve", 0, "t3").await.unwrap_err().code(), "amount_not_positive");
            assert_eq!(send(&store, ada, "ada", 1, "t4").await.unwrap_err().code(), "transfer_to_self");
            assert_eq!(send(&store, ada, "eve", 1, "t1").await.unwrap_err().code(), "duplicate_reference");
            assert_eq!((holds(&store, ada).await, holds(&store, eve).await), (3, 8));
        }

        async fn an_unknown_recipient_cannot_be_told_from_an_inactive_one(store: Store) {
            let (ada, eve) = (funded(&store, "ada", 10).await, funded(&store, "eve", 10).await);
            store
                .write(Lane::Interactive, eve, |tx, eve| Box::pin(user::set_status(tx, *eve, UserStatus::Inactive, NOW)))
                .await
                .unwrap();
            for name in ["eve", "nobody", "no body", ""] {
                let refused = send(&store, ada, name, 1, "t").await.unwrap_err();
                assert_eq!((refused.code(), refused.to_string().as_str()), ("transfer_failed", "Transfer failed"));
            }
            let refused = send(&store, eve, "ada", 1, "t").await.unwrap_err();
            assert_eq!(refused.to_string(), "Please contact admin to activate your account");
        }

        async fn two_who_give_to_each_other_at_once_lose_nothing(store: Store) {
            let (ada, eve) = (funded(&store, "ada", 20).await, funded(&store, "eve", 20).await);
            let names: Vec<String> = (0..40).map(|number| format!("t{number}")).collect();
            let gifts = names.iter().enumerate().map(|(index, name)| {
                if index % 2 == 0 { send(&store, ada, "eve", 1, name) } else { send(&store, eve, "ada", 1, name) }
            });
            let outcomes = futures::future::join_all(gifts).await;
            assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
            assert_eq!((holds(&store, ada).await, holds(&store, eve).await), (20, 20));
            assert!(verify(&mut store.read().await.unwrap()).await.unwrap().0.is_empty());
        }
    }
}
