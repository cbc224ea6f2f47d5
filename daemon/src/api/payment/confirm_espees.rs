//! `POST /api/payment-confirm`.

use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::payment::PaymentConfirmed;
use talkdrum_core::payment::Provider;
use utoipa::ToSchema;

use super::confirm::confirm;
use super::required;
use crate::http::{Answer, Caller, Form};
use crate::state::AppState;

/// Which payment.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct ConfirmEspees {
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
pub(super) async fn confirm_payment(
    State(app): State<AppState>,
    caller: Caller,
    Form { data, .. }: Form<ConfirmEspees>,
) -> Answer<PaymentConfirmed> {
    let reference = required("payment_ref", data.payment_ref, "Payment reference is required")?;
    confirm(&app, &caller, Provider::Espees, &reference).await
}
