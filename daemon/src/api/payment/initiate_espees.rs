//! `POST /api/payment-initiate`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::money::Amount;
use talkdrum_api::payment::EspeesBegun;
use talkdrum_core::Error;
use talkdrum_core::payment::{Order, Provider};
use utoipa::ToSchema;

use super::required;
use crate::http::{Answer, Caller, Form, IdempotencyKey};
use crate::state::AppState;

/// The payment.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct InitiateEspees {
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
pub(super) async fn initiate_payment(
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
        .cashier
        .begin(Order {
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
