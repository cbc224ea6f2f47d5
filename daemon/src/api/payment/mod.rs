//! Payments: begun, confirmed, listed, and looked at again by an administrator.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::money::Amount;
use talkdrum_api::payment::{
    Checkout, EspeesBegun, Payment as Shown, PaymentConfirmed, PaymentEvent, PaymentEvents, Payments,
    PaystackBegun, Rechecked,
};
use talkdrum_api::query::{PaymentQuery, UserQuery};
use talkdrum_core::ledger::transactions::pattern;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::payment::{PaymentId, PaymentRequest, PaymentStatus, Provider, require_settled};
use talkdrum_core::store::Tx;
use talkdrum_core::store::money::payment as rows;
use talkdrum_core::store::money::payment::{EventRow, PaymentSelection, events};
use talkdrum_core::{Error, Result, ledger};
use utoipa::ToSchema;

use crate::api::list_query::{asked, user_asked};
use crate::http::routes::{Operations, routes};
use crate::http::{AdminCaller, Answer, Caller, Form, IdempotencyKey, Page, Path, Query, Search};
use crate::state::AppState;

pub(super) fn router() -> Operations {
    Operations::new()
        .routes(routes!(initiate_payment))
        .routes(routes!(confirm_payment))
        .routes(routes!(initiate_paystack_payment))
        .routes(routes!(confirm_paystack_payment))
        .routes(routes!(list_payments))
        .routes(routes!(list_all_payments))
        .routes(routes!(recheck_payment))
        .routes(routes!(list_payment_events))
}

/// A text of a form, trimmed; refused with `missing` when it is not there.
fn required(field: &'static str, given: Option<String>, missing: &'static str) -> Result<String> {
    let given = given.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    given.ok_or_else(|| Error::field(field, "field_required", missing))
}

/// The payment.
#[derive(Debug, Deserialize, ToSchema)]
struct InitiateEspees {
    /// How many ESPEES, with at most six decimals.
    #[schema(value_type = Amount)]
    price: Option<Amount>,
    /// What it is for, in the payer's words.
    #[schema(value_type = String)]
    narration: Option<String>,
    /// A label of the client's own: ours, which ESPEES gets, is unique.
    product_sku: Option<String>,
}

/// Begin to fund the ESPEES account: the payer goes to `payment_url`, and comes back to confirm `payment-ref`.
#[utoipa::path(
    post, path = "/api/payment-initiate", tag = "payment",
    request_body = InitiateEspees,
    responses((status = 200, body = EspeesBegun)),
)]
async fn initiate_payment(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Form { data, digest }: Form<InitiateEspees>,
) -> Answer<EspeesBegun> {
    caller.require_active()?;
    let amount = data.price.ok_or_else(|| Error::field("price", "amount_required", "Amount is required"))?;
    let narration = required("narration", data.narration, "Narration is required")?;
    app.payment_rate.check(caller.user_id)?;
    let payment = app
        .payments
        .begin(PaymentRequest {
            user: caller.user_id,
            provider: Provider::Espees,
            amount,
            field: "price",
            narration,
            product_sku: data.product_sku,
            claim: key.claim(&caller, "payment.begin_espees", digest),
        })
        .await?;
    let payment_url = payment.checkout_url.clone().unwrap_or_default();
    let payment_ref = payment.known_as().to_owned();
    Ok(Json(EspeesBegun { payment_ref, payment_url, payment: payment.into() }))
}

/// Which payment.
#[derive(Debug, Deserialize, ToSchema)]
struct ConfirmEspees {
    /// Its reference: the `payment-ref` that the payment began with.
    #[schema(value_type = String)]
    payment_ref: Option<String>,
}

/// Confirm a payment: the provider is asked, and what was paid is credited, once, however often this is called.
#[utoipa::path(
    post, path = "/api/payment-confirm", tag = "payment",
    request_body = ConfirmEspees,
    responses((status = 200, body = PaymentConfirmed)),
)]
async fn confirm_payment(
    State(app): State<AppState>,
    caller: Caller,
    Form { data, .. }: Form<ConfirmEspees>,
) -> Answer<PaymentConfirmed> {
    let reference = required("payment_ref", data.payment_ref, "Payment reference is required")?;
    confirm(&app, &caller, Provider::Espees, &reference).await
}

/// The words of a payment that came without any.
const NARRATION: &str = "Fund Naira account";

/// The payment.
#[derive(Debug, Deserialize, ToSchema)]
struct InitiatePaystack {
    /// How much in Naira, with at most two decimals.
    #[schema(value_type = Amount)]
    amount: Option<Amount>,
    /// What it is for, in the payer's words.
    narration: Option<String>,
}

/// Begin to fund the Naira account: the payer goes to `authorization_url`, and comes back to confirm `reference`.
#[utoipa::path(
    post, path = "/api/paystack-payment-initiate", tag = "payment",
    request_body = InitiatePaystack,
    responses((status = 200, body = PaystackBegun)),
)]
async fn initiate_paystack_payment(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Form { data, digest }: Form<InitiatePaystack>,
) -> Answer<PaystackBegun> {
    caller.require_active()?;
    let amount =
        data.amount.ok_or_else(|| Error::field("amount", "amount_required", "Amount is required"))?;
    app.payment_rate.check(caller.user_id)?;
    let payment = app
        .payments
        .begin(PaymentRequest {
            user: caller.user_id,
            provider: Provider::Paystack,
            amount,
            field: "amount",
            narration: data.narration.unwrap_or_else(|| NARRATION.to_owned()),
            product_sku: None,
            claim: key.claim(&caller, "payment.begin_paystack", digest),
        })
        .await?;
    let authorization_url = payment.checkout_url.clone().unwrap_or_default();
    let data = Checkout { reference: payment.reference.clone(), authorization_url };
    Ok(Json(PaystackBegun {
        reference: data.reference.clone(),
        authorization_url: data.authorization_url.clone(),
        data,
        payment: payment.into(),
    }))
}

/// Which payment.
#[derive(Debug, Deserialize, ToSchema)]
struct ConfirmPaystack {
    /// Its reference: the reference that the payment began with.
    #[schema(value_type = String)]
    reference: Option<String>,
}

/// Confirm a payment: the provider is asked, and what was paid is credited, once, however often this is called.
#[utoipa::path(
    post, path = "/api/paystack-payment-confirm", tag = "payment",
    request_body = ConfirmPaystack,
    responses((status = 200, body = PaymentConfirmed)),
)]
async fn confirm_paystack_payment(
    State(app): State<AppState>,
    caller: Caller,
    Form { data, .. }: Form<ConfirmPaystack>,
) -> Answer<PaymentConfirmed> {
    let reference = required("reference", data.reference, "Reference is required")?;
    confirm(&app, &caller, Provider::Paystack, &reference).await
}

fn selection(filter: &PaymentQuery, user: Option<UserId>, search: &Search) -> Result<PaymentSelection> {
    Ok(PaymentSelection {
        user,
        status: asked(filter.status.as_deref()).map(str::parse).transpose()?,
        provider: asked(filter.provider.as_deref()).map(str::parse).transpose()?,
        pattern: pattern(&search.q),
    })
}

/// The page of these payments.
async fn page_of(
    filter: &PaymentQuery,
    tx: &mut Tx,
    user: Option<UserId>,
    (search, page): (&Search, &Page),
) -> Result<Payments> {
    let selection = selection(filter, user, search)?;
    let (found, total) = rows::list(tx, &selection, page.offset, page.limit).await?;
    let shown = |row: rows::ListedRow| Shown { username: Some(row.username), ..row.payment.into() };
    Ok(Payments { payments: found.into_iter().map(shown).collect(), total })
}

/// The caller's payments, newest first; `q` searches references, narrations and labels.
#[utoipa::path(
    get, path = "/api/payments", tag = "payment",
    params(PaymentQuery, Search, Page),
    responses((status = 200, body = Payments)),
)]
async fn list_payments(
    State(app): State<AppState>,
    caller: Caller,
    Query(filter): Query<PaymentQuery>,
    search: Search,
    page: Page,
) -> Answer<Payments> {
    let (store, user, is_search) = (app.store.clone(), caller.user_id, !search.q.is_empty());
    let read =
        async move { page_of(&filter, &mut store.snapshot().await?, Some(user), (&search, &page)).await };
    Ok(Json(app.scans.read(is_search, user, read).await?))
}

/// All users' payments, newest first; `q` searches references, narrations, labels and user names. Those in `mismatch`
/// wait for a person: credit what is due under the payment's reference.
#[utoipa::path(
    get, path = "/admin/payments", tag = "payment",
    params(PaymentQuery, UserQuery, Search, Page),
    responses((status = 200, body = Payments)),
)]
async fn list_all_payments(
    State(app): State<AppState>,
    caller: AdminCaller,
    Query(filter): Query<PaymentQuery>,
    Query(of): Query<UserQuery>,
    search: Search,
    page: Page,
) -> Answer<Payments> {
    let (store, is_search) = (app.store.clone(), !search.q.is_empty());
    let read = async move {
        let mut tx = store.snapshot().await?;
        let user = user_asked(&of, &mut tx).await?;
        page_of(&filter, &mut tx, user, (&search, &page)).await
    };
    Ok(Json(app.scans.read(is_search, caller.user_id, read).await?))
}

/// Ask the provider again what became of a payment, in whatever status it is; what was paid is credited. Safe to repeat.
#[utoipa::path(
    post, path = "/admin/payments/{id}/recheck", tag = "payment",
    params(("id" = i64, Path, description = "The payment's id")),
    responses((status = 200, body = Rechecked)),
)]
async fn recheck_payment(
    State(app): State<AppState>,
    caller: AdminCaller,
    Path(id): Path<PaymentId>,
) -> Answer<Rechecked> {
    caller.require_active()?;
    let (before, after) = app.payments.recheck(id, caller.user_id).await?;
    let message = match (before, after.status) {
        (PaymentStatus::Settled, _) => "It was credited before; nothing was credited again".to_owned(),
        (_, PaymentStatus::Settled) => format!("It was paid: {} credited", after.money),
        (_, status) => format!("It is {status}: {}", after.note),
    };
    Ok(Json(Rechecked { message, payment: after.into() }))
}

/// Refunds and disputes as the provider told of them, newest first. No money moves by them: a person decides.
#[utoipa::path(
    get, path = "/admin/payment-events", tag = "payment",
    params(Page),
    responses((status = 200, body = PaymentEvents)),
)]
async fn list_payment_events(
    State(app): State<AppState>,
    _caller: AdminCaller,
    page: Page,
) -> Answer<PaymentEvents> {
    let (rows, total) = events(&mut app.store.snapshot().await?, page.offset, page.limit).await?;
    Ok(Json(PaymentEvents { events: rows.into_iter().map(shown).collect(), total }))
}

fn shown(row: EventRow) -> PaymentEvent {
    PaymentEvent {
        id: row.id.0,
        provider: row.provider.code().to_owned(),
        event: row.event,
        reference: row.reference,
        payment_id: row.payment_id.map(|payment| payment.0),
        user_id: row.user_id.map(|user| user.0),
        username: row.username,
        summary: row.summary,
        received_at: row.received_at.to_rfc3339(),
    }
}

/// Confirms a payment of the caller. An inactive caller may: what was paid is credited.
async fn confirm(
    app: &AppState,
    caller: &Caller,
    provider: Provider,
    reference: &str,
) -> Answer<PaymentConfirmed> {
    app.confirm_rate.check(caller.user_id)?;
    let payment = app.payments.find(provider, reference, caller.user_id).await?;
    let payment = app.payments.settle(&payment).await?;
    require_settled(&payment)?;
    let (_, balance) =
        ledger::wallet(&mut app.store.read().await?, caller.user_id, payment.money.currency).await?;
    let message = match payment.settled_by {
        None => format!("Payment successful: {} was added to your account", payment.money),
        Some(_) => "Payment successful: it was credited by an administrator".to_owned(),
    };
    Ok(Json(PaymentConfirmed { message, payment: payment.into(), balance }))
}

#[cfg(test)]
mod tests;
