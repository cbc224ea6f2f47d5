//! Crediting a wallet by an administrator's hand: one payment reference, one credit.

use talkdrum_api::money::{Amount, Money};
use talkdrum_core::payment::credit_by_admin;
use talkdrum_core::store::account::user;
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;
use talkdrum_core::{Error, Result, ledger};

use crate::state::AppState;

/// The longest payment reference, in characters.
const REFERENCE_MAX: usize = 200;

/// A credit as it was asked for.
#[derive(Debug)]
pub(super) struct Assignment {
    pub(super) claim: Option<Claim>,
    /// The administrator.
    pub(super) by: i64,
    /// Who gets it.
    pub(super) user: i64,
    pub(super) money: Money,
    pub(super) reference: String,
    pub(super) now: Time,
}

/// The amount of a form's field: given, and more than nothing.
pub(super) fn amount(field: &'static str, given: Option<Amount>, missing: &'static str) -> Result<Amount> {
    let amount = given.ok_or_else(|| Error::field(field, "amount_required", missing))?;
    if amount <= Amount::ZERO {
        return Err(Error::field(
            field,
            "amount_not_positive",
            "The amount to credit must be more than zero",
        ));
    }
    Ok(amount)
}

/// A payment reference, trimmed; `None` when nothing was given.
pub(super) fn reference(given: Option<&str>) -> Result<Option<String>> {
    let Some(given) = given.map(str::trim).filter(|given| !given.is_empty()) else { return Ok(None) };
    if given.chars().count() > REFERENCE_MAX {
        return Err(Error::field(
            "payment_ref",
            "reference_too_long",
            format!("A payment reference has at most {REFERENCE_MAX} characters"),
        ));
    }
    Ok(Some(given.to_owned()))
}

/// Credits the wallet and returns its balance; the same request again credits nothing more.
pub(super) async fn credit(app: &AppState, assignment: Assignment) -> Result<Amount> {
    let (by, user_id, money) = (assignment.by, assignment.user, assignment.money);
    let balance = app
        .store
        .write(Lane::Interactive, assignment, |tx, assignment| Box::pin(apply(tx, assignment)))
        .await?;
    tracing::info!(user_id, admin_id = by, amount = %money, "wallet.assign");
    Ok(balance)
}

async fn apply(tx: &mut Tx, it: &Assignment) -> Result<Amount> {
    let found = user::by_id(tx, it.user).await?;
    found.filter(|user| user.deleted_at.is_none()).ok_or(Error::NotFound("user"))?;
    once(tx, it.claim.as_ref(), it.now, async |tx| {
        credit_by_admin(tx, it.by, it.user, it.money, &it.reference, it.now).await?;
        Ok(it.reference.clone())
    })
    .await?;
    Ok(ledger::wallet(tx, it.user, it.money.currency).await?.1)
}
