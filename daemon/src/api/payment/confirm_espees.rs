//! `POST /api/payment-confirm`.

use axum::extract::State;
use serde::Deserialize;
use talkdrum_core::api::payment::Confirmed;
use talkdrum_core::payment::Provider;
use utoipa::ToSchema;

use super::confirm::confirm;
use super::required;
use crate::http::{Answer, Caller, Form};
use crate::state::AppState;

/// Which payment.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct Confirm {
    /// Its reference: the `payment-ref` that the payment began with.
    #[schema(value_type = String)]
    payment_ref: Option<String>,
}

/// Confirm a payment: the provider is asked, and what was paid is credited, once, however often this is called.
#[utoipa::path(
    post, path = "/api/payment-confirm", tag = "payment",
    request_body = Confirm,
    responses((status = 200, body = Confirmed)),
)]
pub(super) async fn confirm_payment(
    State(app): State<AppState>,
    caller: Caller,
    Form { data, .. }: Form<Confirm>,
) -> Answer<Confirmed> {
    let reference = required("payment_ref", data.payment_ref, "Payment reference is required")?;
    confirm(&app, &caller, Provider::Espees, &reference).await
}
