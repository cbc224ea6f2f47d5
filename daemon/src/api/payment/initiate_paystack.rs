//! `POST /api/paystack-payment-initiate`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::money::Amount;
use talkdrum_api::payment::{Checkout, PaystackBegun};
use talkdrum_core::Error;
use talkdrum_core::payment::{Order, Provider};
use utoipa::ToSchema;

use crate::http::{Answer, Caller, Form, IdempotencyKey};
use crate::state::AppState;

/// The words of a payment that came without any.
const NARRATION: &str = "Fund Naira account";

/// The payment.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct InitiatePaystack {
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
pub(super) async fn initiate_paystack_payment(
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
        .cashier
        .begin(Order {
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
