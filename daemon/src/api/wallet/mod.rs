//! Wallets: what they hold, how it came and went, and an administrator's correction.

mod assign_espees;
mod assign_naira;

use axum::Json;
use axum::extract::State;
use talkdrum_api::money::{Amount, Money};
use talkdrum_api::query::CurrencyQuery;
use talkdrum_api::wallet::{Balances, Statement};
use talkdrum_core::ledger::{self, statement};
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::payment::credit_by_admin;
use talkdrum_core::store::account::user;
use talkdrum_core::store::money::ledger::holdings;
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;
use talkdrum_core::{Error, Result};

use crate::api::list_query::{currency_asked, window};
use crate::http::routes::{Operations, routes};
use crate::http::{Answer, Caller, Page, Query};
use crate::state::AppState;

pub(super) fn router() -> Operations {
    Operations::new()
        .routes(routes!(show_balances))
        .routes(routes!(list_statement))
        .routes(routes!(assign_espees::assign_espees))
        .routes(routes!(assign_naira::assign_naira))
}

/// What both wallets hold, and what running campaigns have reserved.
#[utoipa::path(
    get, path = "/api/get-espee-balance", tag = "wallet",
    responses((status = 200, body = Balances)),
)]
async fn show_balances(State(app): State<AppState>, caller: Caller) -> Answer<Balances> {
    let (espees, naira) = holdings(&mut app.store.read().await?, caller.user_id).await?;
    Ok(Json(Balances {
        espees: espees.wallet,
        paystack_balance: naira.wallet,
        espees_reserved: espees.reserved,
        paystack_reserved: naira.reserved,
    }))
}

/// Every movement of the caller's wallets, newest first; of one of them with `currency`.
#[utoipa::path(
    get, path = "/api/wallet/statement", tag = "wallet",
    params(CurrencyQuery, Page),
    responses((status = 200, body = Statement)),
)]
async fn list_statement(
    State(app): State<AppState>,
    caller: Caller,
    Query(filter): Query<CurrencyQuery>,
    page: Page,
) -> Answer<Statement> {
    let currency = currency_asked(&filter)?;
    let mut tx = app.store.snapshot().await?;
    Ok(Json(statement::page(&mut tx, caller.user_id, currency, window(&page)).await?))
}

/// The longest payment reference, in characters.
const REFERENCE_MAX: usize = 200;

/// A credit as it was asked for.
#[derive(Debug)]
struct CreditAssignment {
    claim: Option<Claim>,
    /// The administrator.
    by: UserId,
    /// Who gets it.
    user: UserId,
    money: Money,
    reference: String,
    now: Time,
}

/// The amount of a form's field: given, and more than nothing.
fn amount(field: &'static str, given: Option<Amount>, missing: &'static str) -> Result<Amount> {
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
fn reference(given: Option<&str>) -> Result<Option<String>> {
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
async fn credit(app: &AppState, assignment: CreditAssignment) -> Result<Amount> {
    let (by, user_id, money) = (assignment.by, assignment.user, assignment.money);
    let balance = app
        .store
        .write(Lane::Interactive, assignment, |tx, assignment| Box::pin(apply(tx, assignment)))
        .await?;
    tracing::info!(user_id = user_id.0, admin_id = by.0, amount = %money, "wallet.assign");
    Ok(balance)
}

async fn apply(tx: &mut Tx, it: &CreditAssignment) -> Result<Amount> {
    let found = user::by_id(tx, it.user).await?;
    found.filter(|user| user.deleted_at.is_none()).ok_or(Error::NotFound("user"))?;
    once(tx, it.claim.as_ref(), it.now, async |tx| {
        credit_by_admin(tx, it.by, it.user, it.money, &it.reference, it.now).await?;
        Ok(it.reference.clone())
    })
    .await?;
    Ok(ledger::wallet(tx, it.user, it.money.currency).await?.1)
}
