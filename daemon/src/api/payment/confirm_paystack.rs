//! `POST /api/paystack-payment-confirm`.

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
pub(super) struct ConfirmPaystack {
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
pub(super) async fn confirm_paystack_payment(
    State(app): State<AppState>,
    caller: Caller,
    Form { data, .. }: Form<ConfirmPaystack>,
) -> Answer<PaymentConfirmed> {
    let reference = required("reference", data.reference, "Reference is required")?;
    confirm(&app, &caller, Provider::Paystack, &reference).await
}
