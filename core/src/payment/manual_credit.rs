//! Crediting by an administrator's hand, for a payment that failed to.
//!
//! A reference that belongs to a payment of ours settles that payment, so its late success cannot credit
//! it a second time.

use talkdrum_api::money::{Amount, Money};

use crate::error::{Error, Result};
use crate::ledger;
use crate::model::account::id::UserId;
use crate::model::money::ledger::Code;
use crate::model::platform::audit::AuditAction;
use crate::platform::audit::{self, Entry};
use crate::store::Tx;
use crate::store::money::{ledger as table, payment as rows};
use crate::time::Time;

/// Credits a wallet once for a payment reference, with an audit entry; returns the balance after it.
///
/// # Errors
/// `duplicate_reference` (409) when the reference was credited before, by hand or by itself;
/// `reference_of_another` when the payment is another user's; `reference_of_payment` when it is in the other currency.
pub async fn credit_by_admin(
    tx: &mut Tx,
    by: UserId,
    user: UserId,
    money: Money,
    reference: &str,
    now: Time,
) -> Result<Amount> {
    let known = rows::by_any_reference(tx, reference, money.currency).await?;
    if let Some(payment) = &known {
        if payment.user_id != user {
            return Err(Error::field(
                "payment_ref",
                "reference_of_another",
                format!("The payment '{reference}' is another user's: look it up among the payments"),
            ));
        }
        if payment.money.currency != money.currency {
            return Err(Error::field(
                "payment_ref",
                "reference_of_payment",
                format!(
                    "'{reference}' is the payment {} of {}: credit it in {}, so that it cannot be credited again when \
                     it succeeds",
                    payment.known_as(),
                    payment.money,
                    payment.money.currency.label()
                ),
            ));
        }
        if rows::lock_unsettled(tx, payment.id, now).await?.is_none() {
            return Err(Error::conflict(
                "duplicate_reference",
                format!("The payment '{reference}' was credited before; nothing was credited again"),
            ));
        }
    }
    let balance = ledger::credit_by_admin(tx, user, money, reference, now).await?;
    if let Some(payment) = known {
        let entry = table::find_transfer(tx, Code::Credit, reference).await?;
        let entry =
            entry.ok_or_else(|| Error::Corrupt(format!("the credit '{reference}' was not posted")))?;
        rows::set_settled(tx, payment.id, entry.id, Some(by), "Credited by an administrator", now).await?;
    }
    let entry = Entry::new(by, AuditAction::WalletCredit, format!("user {user}"))
        .before(Some(format!("{} {}", balance.minus(money.amount)?, money.currency.label())))
        .after(Some(format!("{balance} {} (+{money}, {reference})", money.currency.label())));
    audit::record(tx, &entry, now).await?;
    Ok(balance)
}
